//! Which tokens has only one variant of a pair?
//!
//! What is left when the longest common subsequence of ids is taken out. Where there are several, which of equal tokens is
//! marked is a matter of choice: here, common tokens are matched from the front. Texts whose differing parts are too
//! long to compare (more than a million pairs of tokens) are marked from their first difference to their last.

/// Pairs of tokens compared at most.
const COMPARED: usize = 1_000_000;

/// For both sequences, which of their tokens the other does not have.
pub fn only_here(a: &[u32], b: &[u32]) -> [Vec<bool>; 2] {
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let end = a[start..].iter().rev().zip(b[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (inner_a, inner_b) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    let mut marks = [vec![false; a.len()], vec![false; b.len()]];
    marks[0][start..a.len() - end].fill(true);
    marks[1][start..b.len() - end].fill(true);
    if inner_a.len() * inner_b.len() > COMPARED {
        return marks;
    }
    for (i, j) in common(inner_a, inner_b) {
        marks[0][start + i] = false;
        marks[1][start + j] = false;
    }
    marks
}

/// The places of a longest common subsequence in both.
fn common(a: &[u32], b: &[u32]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    let mut longest = vec![0_u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = if a[i] == b[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((i, j));
            i += 1;
            j += 1;
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(a: &[u32], b: &[u32]) -> [Vec<usize>; 2] {
        only_here(a, b).map(|marks| (0..marks.len()).filter(|&place| marks[place]).collect())
    }

    const NONE: Vec<usize> = Vec::new();

    #[test]
    fn two_changes_leave_what_lies_between_unmarked() {
        assert_eq!(marked(&[1, 5, 2, 3, 6, 4], &[1, 7, 2, 3, 8, 9, 4]), [vec![1, 4], vec![1, 4, 5]]);
        assert_eq!(marked(&[1, 2], &[1, 2]), [NONE, NONE]);
        assert_eq!(marked(&[1, 2], &[1, 2, 2]), [NONE, vec![2]]);
        assert_eq!(marked(&[], &[3]), [NONE, vec![0]]);
    }

    #[test]
    fn what_is_too_long_is_marked_as_a_whole() {
        let long: Vec<u32> = (0..1200).collect();
        let other: Vec<u32> = std::iter::once(7000).chain(1..1199).chain([7001]).collect();
        assert_eq!(marked(&long, &other)[0].len(), 1200);
        assert_eq!(marked(&long[..900], &other[..900])[0], vec![0]);
    }
}
