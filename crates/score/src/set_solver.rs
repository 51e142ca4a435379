//! How far must an output layer move for a token to win? The optimisation inside SeT (Cao et al. 2022), in closed form.
//!
//! With a = A x the logits, wanted is the matrix nearest to A under which token j beats every other by a margin of 1. Only
//! the part along x matters, so the step is δ xᵀ with
//!
//! ```text
//! minimise ‖δ‖²   subject to   a_j + δ_j‖x‖² ≥ a_i + δ_i‖x‖² + 1   for all i ≠ j;      ‖ΔA‖_F = ‖δ‖·‖x‖.
//! ```
//!
//! Let c_i = (a_i − a_j + 1) / ‖x‖². At the optimum δ_j = μ and δ_i = min(0, μ − c_i), with μ = Σ_active c_i / (n_active + 1)
//! and the active classes those with c_i > μ. Sorted from the largest down, classes join while they exceed the μ so far,
//! which grows with each: so no class below half of the largest can ever join, and only those above need sorting.
//! O(V) to find them, O(n log n) for the n that are left; nothing of the size of the matrix is touched. In f64.
//!
//! Checked against a general solver over the whole matrix: see `golden/expected/set_solver.json`.

/// The smallest step of the output layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// ‖δ‖.
    pub delta_norm: f64,
    /// ‖ΔA‖_F = ‖δ‖·‖x‖.
    pub norm: f64,
    /// μ, by which the target's own row moves along x.
    pub target: f64,
    /// How many other tokens end exactly on the margin; 0 where nothing has to move.
    pub n_active: usize,
}

/// The step that lets `target` win by 1; `input_norm` is ‖x‖.
///
/// # Panics
/// If `target` is not an index of `logits`.
pub fn step<T: Copy + Into<f64>>(logits: &[T], input_norm: f64, target: usize) -> Step {
    let squared = input_norm * input_norm;
    let own: f64 = logits[target].into();
    let lack = |logit: T| (logit.into() - own + 1.0) / squared;
    let others = || logits.iter().enumerate().filter(|&(index, _)| index != target).map(|(_, &l)| lack(l));
    let largest = others().fold(0.0, f64::max);
    let mut candidates: Vec<f64> = others().filter(|&c| c > 0.0 && c >= 0.5 * largest).collect();
    candidates.sort_unstable_by(|a, b| b.total_cmp(a));
    let (mut sum, mut mu, mut n_active) = (0.0, 0.0, 0);
    for &c in &candidates {
        if c <= mu {
            break;
        }
        sum += c;
        n_active += 1;
        mu = sum / (n_active + 1) as f64;
    }
    let moved: f64 = candidates[..n_active].iter().map(|c| (c - mu) * (c - mu)).sum();
    let delta_norm = (mu * mu + moved).sqrt();
    Step { delta_norm, norm: delta_norm * input_norm, target: mu, n_active }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, truth: f64) {
        assert!((found - truth).abs() < 1e-12, "{found} {truth}");
    }

    /// Toy table: two tokens, the target 3 behind: c = 4, μ = 2, δ = (2, −2).
    #[test]
    fn one_rival_is_met_half_way() {
        let step = step(&[3.0_f64, 0.0], 1.0, 1);
        close(step.target, 2.0);
        close(step.delta_norm, 8.0_f64.sqrt());
        assert_eq!(step.n_active, 1);
        close(super::step(&[3.0_f64, 0.0], 2.0, 1).norm, 2.0_f64.sqrt());
    }

    #[test]
    fn ties_all_join_and_a_winner_stays() {
        // c = 2 for both rivals: μ = 4/3, each rival steps back by 2/3.
        let tied = step(&[1.0_f64, 0.0, 1.0, -50.0], 1.0, 1);
        assert_eq!(tied.n_active, 2);
        close(tied.delta_norm, (16.0_f64 / 9.0 + 2.0 * 4.0 / 9.0).sqrt());
        let winner = step(&[5.0_f64, 4.0, 0.0], 3.0, 0);
        assert_eq!((winner.n_active, winner.norm), (0, 0.0));
        assert_eq!(step(&[5.0_f64], 1.0, 0).norm, 0.0);
    }

    #[test]
    fn adding_a_number_to_all_logits_changes_nothing() {
        let logits = [0.5_f64, -1.25, 2.0, 1.75, 0.0];
        let shifted = logits.map(|logit| logit + 8.0);
        for target in 0..logits.len() {
            assert_eq!(step(&logits, 1.5, target), step(&shifted, 1.5, target));
        }
    }
}
