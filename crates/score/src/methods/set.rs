//! `set`: the sensitivity test (Cao et al. 2022), on masked models.
//!
//! ```text
//! score(group, trait) = Σ over the trait's pieces of ln(1 − ‖ΔA‖_F)       0 = the trait wins already; lower = farther away
//! association = score(group, trait) − score(prior noun, trait)            0 = no association
//! ```
//!
//! ‖ΔA‖_F is the smallest step of the output layer that lets the piece win with a margin of 1 (see
//! [`set_solver`](crate::set_solver)). The pieces are filled in from left to right: each is asked for with the true ones
//! before it in place and the ones after it hidden. Where a step reaches 1 the logarithm does not exist: the trait is
//! reported as undefined, and never becomes a NaN.
//!
//! Toy table: steps of ½ and ¾ give ln ½ + ln ¼ = −2.079; against a prior of ln ½ the association is ln ¼ = −1.386.

use stereometer_core::Unscorable;
use stereometer_lm::{Cloze, ClozeTarget, HeadView, LmKind, TokenId, Tokenizer, TokenizerError};

use super::blank::{Filled, filled};
use crate::registry::{Comparison, MethodInfo, Toy};
use crate::set_solver::{Step, step};

/// The row of the registry. The toy's numbers are the steps of the output layer.
pub const INFO: MethodInfo = MethodInfo {
    name: "set",
    lm: LmKind::Masked,
    summary: "how far the output layer must move for the trait to win with a margin of 1",
    formula: "sum of ln(1 − ‖ΔA‖_F) over the trait's pieces",
    comparison: Comparison::Association,
    unit: "units of ln(1 − norm)",
    direction: "the trait is nearer to the group",
    reference: "the sensitivity test (Cao et al., NAACL 2022)",
    rules: &[],
    limit: "Where the output layer would have to move by 1 or more there is no score.",
    toy: Toy { first: &[0.5, 0.75], second: &[0.5], difference: -1.386_294_361_119_890_6 },
};

/// Where the trait goes in a template.
pub const BLANK: &str = "<mask>";

/// The row of the trait's pseudo-log-likelihood, which asks the same clozes for their log-probabilities.
pub const PLL: MethodInfo = MethodInfo {
    name: "pll-trait",
    summary: "log-probability of the trait's pieces, each with those after it hidden",
    formula: "mean of ln P over the trait's pieces, filled in from left to right",
    unit: "nats a token",
    direction: "the group makes the trait likelier",
    reference: "Kauf and Ivanova (ACL 2023), for the trait alone; Kurita et al. (2019)",
    limit: "The number of hidden pieces gives the trait's length away.",
    toy: Toy { first: &[-1.0, -2.0], second: &[-2.0, -2.0], difference: 0.5 },
    ..INFO
};

/// A cloze for each piece of the trait, from left to right.
pub fn queries(
    template: &str,
    trait_word: &str,
    mask: TokenId,
    context: usize,
    tokenizer: &Tokenizer,
) -> Result<Result<Vec<Cloze>, Unscorable>, TokenizerError> {
    let found = filled(template, BLANK, trait_word, context, tokenizer)?;
    // A mask would hide the other text too.
    let found =
        found.and_then(|found| if found.beside == (0, 0) { Ok(found) } else { Err(Unscorable::BlankLost) });
    Ok(found.map(|Filled { mut ids, pieces, .. }| {
        let whole = ids[pieces.clone()].to_vec();
        ids[pieces.clone()].fill(mask);
        let clozes = pieces.zip(whole).map(|(position, id)| {
            let cloze = Cloze { ids: ids.clone(), targets: vec![ClozeTarget { position, id }] };
            ids[position] = id;
            cloze
        });
        clozes.collect()
    }))
}

/// The step of one piece, from the output layer as the model shows it.
pub fn piece(view: &HeadView) -> Step {
    step(view.logits, view.input_norm, view.id as usize)
}

/// ln(1 − ‖ΔA‖_F) of one piece.
pub fn piece_score(step: &Step) -> Result<f64, Unscorable> {
    norm_score(step.norm)
}

fn norm_score(norm: f64) -> Result<f64, Unscorable> {
    if !norm.is_finite() {
        return Err(Unscorable::NotFinite);
    }
    if norm >= 1.0 {
        return Err(Unscorable::SensitivityUndefined);
    }
    Ok((-norm).ln_1p())
}

/// The trait's score.
pub fn reduce(steps: &[Step]) -> Result<f64, Unscorable> {
    reduce_norms(steps.iter().map(|step| step.norm))
}

/// The trait's score from stored norms, one a piece.
pub fn reduce_norms(norms: impl ExactSizeIterator<Item = f64>) -> Result<f64, Unscorable> {
    if norms.len() == 0 {
        return Err(Unscorable::NothingScored);
    }
    norms.map(norm_score).sum()
}

/// Above 0 where the trait is nearer to the group than to the prior noun; swapped, they flip the sign.
pub fn association(group: f64, prior: f64) -> f64 {
    group - prior
}

#[cfg(test)]
mod tests {
    use super::*;
    use stereometer_testkit::golden;

    fn of_norm(norm: f64) -> Step {
        Step { delta_norm: norm, norm, target: 0.0, n_active: 1 }
    }

    #[test]
    fn the_toy_table_and_the_swapped_pair() {
        let group = reduce(&[of_norm(0.5), of_norm(0.75)]).unwrap();
        assert!((group - 0.125_f64.ln()).abs() < 1e-15);
        let prior = reduce(&[of_norm(0.5)]).unwrap();
        assert!((association(group, prior) - 0.25_f64.ln()).abs() < 1e-15);
        assert_eq!(association(prior, group), -association(group, prior));
    }

    #[test]
    fn a_step_of_one_or_more_is_undefined_and_never_a_nan() {
        for norm in [1.0, 1.5, 1e9] {
            assert_eq!(reduce(&[of_norm(0.5), of_norm(norm)]), Err(Unscorable::SensitivityUndefined));
        }
        assert_eq!(reduce(&[of_norm(f64::NAN)]), Err(Unscorable::NotFinite));
        assert_eq!(reduce(&[]), Err(Unscorable::NothingScored));
        assert_eq!(reduce(&[of_norm(0.0)]), Ok(0.0));
    }

    #[test]
    fn a_trait_is_cut_in_place_and_filled_from_left_to_right() {
        let mut tokenizer = Tokenizer::from_file(&golden("models/bert/tokenizer.json")).unwrap();
        let mask = tokenizer.added_mask().unwrap();
        let clozes = queries("The person is <mask>.", "powerful", mask, 64, &tokenizer).unwrap().unwrap();
        let hidden = |cloze: &Cloze| cloze.ids.iter().filter(|&&id| id == mask).count();
        assert_eq!(clozes.iter().map(hidden).collect::<Vec<_>>(), [5, 4, 3, 2, 1]);
        assert!(clozes.iter().all(|cloze| cloze.ids[cloze.targets[0].position] == mask));
        // RoBERTa's pieces hold the space before a word: the first piece is not that of the word alone (C021).
        tokenizer = Tokenizer::from_file(&golden("models/roberta/tokenizer.json")).unwrap();
        let mask = tokenizer.added_mask().unwrap();
        let clozes = queries("The person is <mask>.", "kind", mask, 64, &tokenizer).unwrap().unwrap();
        let first = tokenizer.decode(&[clozes[0].targets[0].id]).unwrap();
        assert!(first.starts_with(' '), "{first:?}");
        let lost = queries("The person is kind.", "kind", mask, 64, &tokenizer).unwrap();
        assert_eq!(lost, Err(Unscorable::BlankLost));
    }
}
