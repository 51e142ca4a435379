//! Relative positions in buckets (Raffel et al. 2020): a learnt number for each head and distance, added to the scores.
//!
//! Near distances have a bucket each, farther ones share buckets of growing width, and all from `max_distance` on share
//! the last. Where a token sees both sides, each side has half of the buckets; else later tokens are never seen. The
//! logarithm is in f32, as in the models' training: in f64 some distances at the edge of a bucket would fall into the next.

use crate::kernels::SpanBias;
use crate::matrix::Matrix;

/// The table and its rule.
#[derive(Debug)]
pub(crate) struct RelativePositions {
    /// A row a bucket, a column a head.
    pub weight: Matrix,
    pub max_distance: usize,
    pub both_sides: bool,
}

/// The numbers of a batch: for each head, one a distance from −`reach` to `reach`.
#[derive(Debug)]
pub(crate) struct RelativeBias {
    by_distance: Vec<f32>,
    reach: usize,
}

impl RelativePositions {
    /// For texts of at most `longest` tokens.
    pub(crate) fn bias(&self, longest: usize) -> RelativeBias {
        let (n_buckets, n_heads) = (self.weight.n_rows(), self.weight.n_columns());
        let buckets =
            Buckets { count: n_buckets, max_distance: self.max_distance, both_sides: self.both_sides };
        let reach = longest.saturating_sub(1);
        let stride = 2 * reach + 1;
        let mut by_distance = vec![0.0; n_heads * stride];
        let mut row = vec![0.0; n_heads];
        for entry in 0..stride {
            let bucket = buckets.of(reach.saturating_sub(entry), entry.saturating_sub(reach));
            self.weight.row(bucket).widen(0, &mut row);
            for (head, &value) in row.iter().enumerate() {
                by_distance[head * stride + entry] = value;
            }
        }
        RelativeBias { by_distance, reach }
    }
}

impl RelativeBias {
    /// For a token at this position, over keys from position 0 on.
    pub(crate) fn at(&self, position: usize) -> SpanBias<'_> {
        SpanBias { by_distance: &self.by_distance, stride: 2 * self.reach + 1, first: self.reach - position }
    }
}

/// How distances share buckets.
struct Buckets {
    count: usize,
    max_distance: usize,
    both_sides: bool,
}

impl Buckets {
    /// The bucket of a key that stands `before` tokens before the query, or `after` tokens after it.
    fn of(&self, before: usize, after: usize) -> usize {
        let n_here = if self.both_sides { self.count / 2 } else { self.count };
        let (first, apart) = match (self.both_sides, after) {
            (true, 1..) => (n_here, after),
            _ => (0, before),
        };
        let n_exact = n_here / 2;
        if apart < n_exact {
            return first + apart;
        }
        let whole = (self.max_distance as f64 / n_exact as f64).ln() as f32;
        let ratio = (apart as f32 / n_exact as f32).ln() / whole;
        let shared = n_exact + (ratio * (n_here - n_exact) as f32) as usize;
        first + shared.min(n_here - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_distances_have_their_own_bucket_and_far_ones_share() {
        let both = Buckets { count: 32, max_distance: 128, both_sides: true };
        let before = [0, 1, 7, 8, 11, 12, 127, 500].map(|distance| both.of(distance, 0));
        assert_eq!(before, [0, 1, 7, 8, 8, 9, 15, 15]);
        let after = [1, 7, 8, 16, 64, 500].map(|distance| both.of(0, distance));
        assert_eq!(after, [17, 23, 24, 26, 30, 31]);
        let past = Buckets { count: 32, max_distance: 128, both_sides: false };
        assert_eq!([0, 1, 15, 16, 127, 999].map(|distance| past.of(distance, 0)), [0, 1, 15, 16, 31, 31]);
        assert_eq!(past.of(0, 3), 0);
    }
}
