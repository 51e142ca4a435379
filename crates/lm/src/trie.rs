//! Packing of token sequences into a prefix tree.
//!
//! The variants of an item share nearly all their tokens. Packed into a tree, a shared prefix is computed once; each
//! token attends to its own ancestors only, and its position is its depth, so every number equals that of the sequence
//! scored alone. One tree serves a whole batch: sequences with nothing in common simply have different roots.

use std::collections::HashMap;

use crate::TokenId;

/// The parent of a first token.
pub const ROOT: u32 = u32::MAX;

/// A batch of token sequences as a forest of shared prefixes. A parent always comes before its children.
#[derive(Debug, Clone, Default)]
pub struct TokenTrie {
    tokens: Vec<TokenId>,
    parents: Vec<u32>,
    depths: Vec<u32>,
    paths: Vec<Vec<u32>>,
    children: HashMap<(u32, TokenId), u32>,
}

impl TokenTrie {
    /// The tree of these sequences.
    pub fn new<S: AsRef<[TokenId]>>(sequences: &[S]) -> Self {
        let mut trie = Self::default();
        for sequence in sequences {
            trie.insert(sequence.as_ref());
        }
        trie
    }

    /// Adds one sequence and returns how many tokens it added to the tree.
    pub fn insert(&mut self, sequence: &[TokenId]) -> usize {
        let before = self.tokens.len();
        let mut parent = ROOT;
        let mut path = Vec::with_capacity(sequence.len());
        for (depth, &token) in sequence.iter().enumerate() {
            let next = self.tokens.len() as u32;
            let node = *self.children.entry((parent, token)).or_insert(next);
            if node == next {
                self.tokens.push(token);
                self.parents.push(parent);
                self.depths.push(depth as u32);
            }
            path.push(node);
            parent = node;
        }
        self.paths.push(path);
        self.tokens.len() - before
    }

    /// Token of each node.
    pub fn tokens(&self) -> &[TokenId] {
        &self.tokens
    }

    /// Parent of each node, [`ROOT`] for a first token.
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// Position of each node within its sequences, from 0.
    pub fn depths(&self) -> &[u32] {
        &self.depths
    }

    /// Nodes of each sequence, in order of insertion.
    pub fn paths(&self) -> &[Vec<u32>] {
        &self.paths
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_prefix_is_stored_once_and_every_path_reads_back() {
        let sequences = [vec![1, 2, 3, 4], vec![1, 2, 5], vec![9], vec![], vec![1, 2, 3, 4]];
        let trie = TokenTrie::new(&sequences);
        assert_eq!(trie.len(), 6);
        for (sequence, path) in sequences.iter().zip(trie.paths()) {
            let read: Vec<u32> = path.iter().map(|&node| trie.tokens()[node as usize]).collect();
            assert_eq!(&read, sequence);
            for (depth, &node) in path.iter().enumerate() {
                assert_eq!(trie.depths()[node as usize], depth as u32);
                let parent = if depth == 0 { ROOT } else { path[depth - 1] };
                assert_eq!(trie.parents()[node as usize], parent);
                assert!(parent == ROOT || parent < node);
            }
        }
    }
}
