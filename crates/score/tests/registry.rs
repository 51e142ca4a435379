//! Every row of the registry: filled, worked out by hand, and the same the other way round.

#![allow(clippy::unwrap_used)] // a row without a value fails there

use stereometer_core::{AssociationMethod, Method, Rule};
use stereometer_lm::{LmKind, SourceTarget, TokenLogProbs};
use stereometer_score::methods::{continuation, ilps, set};
use stereometer_score::set_solver::Step;
use stereometer_score::{
    Comparison, METHODS, MethodInfo, PairLogProbs, association_info, association_methods, info,
    masculine_rate, pair_methods, registry,
};
use stereometer_testkit::workspace;

fn answer(values: &[f32], condition: bool) -> TokenLogProbs {
    let condition = condition.then_some(None);
    let logprobs: Vec<Option<f32>> = condition.into_iter().chain(values.iter().copied().map(Some)).collect();
    // The first token of both variants is the same, as [CLS] or <s> is; the rest depends on the values.
    let token_ids = logprobs.iter().map(|value| value.map_or(0, |value| (-4.0 * value) as u32)).collect();
    TokenLogProbs { token_ids, logprobs }
}

/// What a method makes of two sides.
fn result(method: &MethodInfo, first: &[f32], second: &[f32]) -> f64 {
    let association = |side: &dyn Fn(&[f32]) -> f64| side(first) - side(second);
    let ilps = |kind, values: &[f32]| {
        let pair = SourceTarget { source: vec![90, 1], target: vec![90, 5, 6, 91, 1] };
        ilps::reduce(
            kind,
            &ilps::Question { pair, target: String::new(), pieces: 1..3 },
            &answer(values, false),
        )
        .unwrap()
    };
    match method.name {
        "set" => association(&|norms| {
            let step =
                |&norm: &f32| Step { delta_norm: norm.into(), norm: norm.into(), target: 0.0, n_active: 1 };
            set::reduce(&norms.iter().map(step).collect::<Vec<_>>()).unwrap()
        }),
        "ilps-released-code" => association(&|values| ilps(ilps::IlpsKind::ReleasedCode, values)),
        "ilps-trait-only" => association(&|values| ilps(ilps::IlpsKind::TraitOnly, values)),
        "pll-trait" | "continuation" | "choice" => {
            association(&|values| continuation::reduce(values).unwrap())
        }
        _ => {
            let pair = PairLogProbs { masculine: answer(first, true), feminine: answer(second, true) };
            masculine_rate(method.rules[0], &pair, ["a", "b"]).unwrap().value
        }
    }
}

#[test]
fn every_row_is_filled_and_gives_its_toy_and_the_reverse_of_it() {
    for method in METHODS {
        let words = [
            method.name,
            method.summary,
            method.formula,
            method.unit,
            method.direction,
            method.reference,
            method.limit,
        ];
        assert!(words.iter().all(|text| !text.trim().is_empty()), "{}", method.name);
        assert!(!method.formula.contains('|'), "{}: ends a cell of the table", method.name);
        let toy = method.toy;
        let (found, swapped) = (result(method, toy.first, toy.second), result(method, toy.second, toy.first));
        let expected = match method.comparison {
            Comparison::MasculineRate => {
                assert!(swapped == 1.0 - found, "{}: {found} {swapped}", method.name);
                1.0 / (1.0 + (-toy.difference).exp())
            }
            Comparison::Association => {
                assert!(swapped == -found, "{}: {found} {swapped}", method.name);
                toy.difference
            }
        };
        assert!((found - expected).abs() < 1e-12, "{}: {found} {expected}", method.name);
        assert_eq!(result(method, toy.first, toy.first), method.comparison.neutral(), "{}", method.name);
    }
}

#[test]
fn every_method_for_pairs_has_its_row_and_every_kind_that_reads_pairs_a_default() {
    for method in Method::ALL {
        assert_eq!(info(method).name, method.name());
        assert!(METHODS.contains(&info(method)));
        assert_eq!(info(method).rules.first(), Some(&Rule::Mean), "{method}: the default rule");
    }
    assert_eq!(pair_methods(LmKind::Causal), [Method::Likelihood]);
    assert_eq!(pair_methods(LmKind::Masked)[0], Method::PllOriginal);
    assert!(pair_methods(LmKind::Seq2Seq).is_empty());
}

#[test]
fn every_method_for_associations_has_its_row_and_every_kind_a_default() {
    for method in AssociationMethod::ALL {
        assert!(METHODS.contains(&association_info(method)));
    }
    let default = |lm| association_methods(lm)[0];
    assert_eq!(default(LmKind::Causal), AssociationMethod::Continuation);
    assert_eq!(default(LmKind::Masked), AssociationMethod::Set);
    assert_eq!(default(LmKind::Seq2Seq), AssociationMethod::Ilps);
}

#[test]
fn the_documents_have_the_table_of_methods() {
    let path = workspace().join("docs/methods.md");
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let table = registry::markdown();
    assert!(text.contains(&table), "{}: the table of methods has to be\n\n{table}", path.display());
}
