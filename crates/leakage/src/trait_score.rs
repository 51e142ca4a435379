//! How near is a trait to a sentence, by what the model answered?
//!
//! | method | score | 0 |
//! | --- | --- | --- |
//! | `ilps` | mean ln P over all target tokens (`released-code`) or over the trait's pieces (`trait-only`) | certain |
//! | `pll`, `continuation`, `choice` | mean ln P over the trait's pieces | certain |
//! | `set` | sum of ln(1 − ‖ΔA‖_F) over the trait's pieces | the trait wins already |
//!
//! All are 0 or less and without a neutral point of their own: the prior noun's score is subtracted. Undefined where the
//! answer is of the other kind, empty or not finite.

use stereometer_core::{AssociationMethod, Unscorable};
use stereometer_record::TraitAnswer;
use stereometer_score::methods::ilps::IlpsKind;
use stereometer_score::methods::{continuation, set};

/// The score of an answer.
pub fn trait_score(
    method: AssociationMethod,
    ilps: IlpsKind,
    answer: &TraitAnswer,
) -> Result<f64, Unscorable> {
    match (method, answer) {
        (AssociationMethod::Set, TraitAnswer::Steps { norms, .. }) => {
            set::reduce_norms(norms.iter().copied())
        }
        (AssociationMethod::Ilps, TraitAnswer::LogProbs { logprobs, .. })
            if ilps == IlpsKind::ReleasedCode =>
        {
            continuation::reduce(logprobs)
        }
        (
            AssociationMethod::Ilps
            | AssociationMethod::Pll
            | AssociationMethod::Continuation
            | AssociationMethod::Choice,
            TraitAnswer::LogProbs { logprobs, pieces, .. },
        ) => continuation::reduce(logprobs.get(pieces.0..pieces.1).unwrap_or_default()),
        (AssociationMethod::Set, TraitAnswer::LogProbs { .. })
        | (
            AssociationMethod::Ilps
            | AssociationMethod::Pll
            | AssociationMethod::Continuation
            | AssociationMethod::Choice,
            TraitAnswer::Steps { .. },
        ) => Err(Unscorable::NothingScored),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logprobs() -> TraitAnswer {
        // The toy table of ILPS: sentinel, two pieces, sentinel, end.
        let logprobs = vec![-9.0, -1.0, -2.0, -9.0, -3.0];
        TraitAnswer::LogProbs { token_ids: vec![0; 5], logprobs, pieces: (1, 3) }
    }

    #[test]
    fn every_method_on_its_toy() {
        let of = |method, kind| trait_score(method, kind, &logprobs());
        assert_eq!(of(AssociationMethod::Ilps, IlpsKind::ReleasedCode), Ok(-24.0 / 5.0));
        for method in [
            AssociationMethod::Ilps,
            AssociationMethod::Pll,
            AssociationMethod::Continuation,
            AssociationMethod::Choice,
        ] {
            assert_eq!(of(method, IlpsKind::TraitOnly), Ok(-1.5), "{method}");
        }
        let steps = TraitAnswer::Steps { token_ids: vec![0; 2], norms: vec![0.5, 0.75] };
        let set = trait_score(AssociationMethod::Set, IlpsKind::default(), &steps).unwrap();
        assert!((set - 0.125_f64.ln()).abs() < 1e-15);
    }

    #[test]
    fn what_cannot_be_scored_has_a_reason() {
        let kind = IlpsKind::default();
        assert_eq!(trait_score(AssociationMethod::Set, kind, &logprobs()), Err(Unscorable::NothingScored));
        let one = |norm| TraitAnswer::Steps { token_ids: vec![0], norms: vec![norm] };
        let set = |norm| trait_score(AssociationMethod::Set, kind, &one(norm));
        assert_eq!(set(1.0), Err(Unscorable::SensitivityUndefined));
        assert_eq!(set(f64::NAN), Err(Unscorable::NotFinite));
        let broken =
            TraitAnswer::LogProbs { token_ids: vec![0], logprobs: vec![f32::NEG_INFINITY], pieces: (0, 1) };
        assert_eq!(trait_score(AssociationMethod::Pll, kind, &broken), Err(Unscorable::NotFinite));
        assert_eq!(trait_score(AssociationMethod::Pll, kind, &one(0.5)), Err(Unscorable::NothingScored));
    }
}
