//! Which tokens of a batch must be computed, and which log-probabilities are asked of them.
//!
//! A token that nothing follows is asked for, but never asked: no other token attends to it, and no logits are needed
//! after it. So only tokens with a successor go through the layers; the last token of every text costs nothing.

use stereometer_lm::{ROOT, TokenId, TokenTrie};

use super::head::Target;

/// The tokens with a successor, parents before children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tree {
    pub tokens: Vec<TokenId>,
    /// Index of each token's parent in this tree, or [`ROOT`].
    pub parents: Vec<u32>,
    /// Position of each token in its text.
    pub depths: Vec<u32>,
}

/// What is asked: targets in the order of their rows, and for each the node of the whole tree that it answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Questions {
    pub targets: Vec<Target>,
    pub nodes: Vec<usize>,
}

impl Tree {
    /// The part of a batch that must be computed, and the questions.
    pub(crate) fn of(trie: &TokenTrie) -> (Self, Questions) {
        let mut has_successor = vec![false; trie.len()];
        for &parent in trie.parents().iter().filter(|&&parent| parent != ROOT) {
            has_successor[parent as usize] = true;
        }
        let mut tree = Self { tokens: Vec::new(), parents: Vec::new(), depths: Vec::new() };
        let mut rows = vec![ROOT; trie.len()];
        let mut asked = Vec::new();
        for (node, (&token, &parent)) in trie.tokens().iter().zip(trie.parents()).enumerate() {
            let parent_row = if parent == ROOT { ROOT } else { rows[parent as usize] };
            if parent != ROOT {
                asked.push((Target { row: parent_row, id: token }, node));
            }
            if has_successor[node] {
                rows[node] = tree.tokens.len() as u32;
                tree.tokens.push(token);
                tree.parents.push(parent_row);
                tree.depths.push(trie.depths()[node]);
            }
        }
        asked.sort_by_key(|(target, _)| target.row);
        let (targets, nodes) = asked.into_iter().unzip();
        (tree, Questions { targets, nodes })
    }

    /// Number of tokens.
    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_tokens_are_asked_for_but_not_computed() {
        let trie = TokenTrie::new(&[vec![1, 2, 3], vec![1, 2, 4, 5], vec![9], vec![1, 2]]);
        let (tree, questions) = Tree::of(&trie);
        assert_eq!(tree.tokens, [1, 2, 4]);
        assert_eq!(tree.parents, [ROOT, 0, 1]);
        assert_eq!(tree.depths, [0, 1, 2]);
        let asked: Vec<(u32, u32)> = questions.targets.iter().map(|target| (target.row, target.id)).collect();
        assert_eq!(asked, [(0, 2), (1, 3), (1, 4), (2, 5)]);
        assert_eq!(questions.nodes, [1, 2, 3, 4]);
    }
}
