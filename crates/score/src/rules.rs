//! From the log-probabilities of two variants to the masculine rate.
//!
//! ```text
//! r_masc = σ(score(masculine) − score(feminine))      0.5 = no preference
//! ```
//!
//! with the score of a text by one of six rules (methods, section 1). EuroGEST prints eq. 2 with the terms swapped;
//! its text, figures and code all use the form above. Sums are accumulated in f64.
//!
//! Degenerate cases: a pair that differs at its first token has no score without a BOS token, because that token's
//! log-probability is the whole difference and nothing precedes it; only `sum` is defined then (it compares what
//! follows). A variant that is the beginning of the other has no differing token, so `divergence` and `first-token`
//! are undefined.

use stereometer_core::{Rule, Unscorable};
use stereometer_lm::TokenLogProbs;

use crate::PairLogProbs;

/// Position of the first token in which the two sequences differ; their common length when one is a prefix.
pub fn first_difference(pair: &PairLogProbs) -> usize {
    let (masculine, feminine) = (&pair.masculine.token_ids, &pair.feminine.token_ids);
    masculine.iter().zip(feminine).take_while(|(a, b)| a == b).count()
}

/// The score of one variant under a rule, in nats (`per-byte`: nats a byte).
///
/// `difference` is the position from [`first_difference`], `text` the variant's own text.
pub fn text_score(
    rule: Rule,
    answer: &TokenLogProbs,
    difference: usize,
    text: &str,
) -> Result<f64, Unscorable> {
    // Masked models score the first token as well.
    let unscored = answer.logprobs.first().is_some_and(Option::is_none);
    if difference == 0 && unscored && rule != Rule::Sum {
        return Err(Unscorable::FirstTokenDiffers);
    }
    match rule {
        Rule::Mean => answer.mean().ok_or(Unscorable::NothingScored),
        Rule::Sum => Ok(answer.sum()),
        Rule::PerByte if text.is_empty() => Err(Unscorable::NothingScored),
        Rule::PerByte => Ok(answer.sum() / text.len() as f64),
        Rule::Divergence => mean_from(answer, difference),
        Rule::ReleasedCode => mean_from(answer, difference.saturating_sub(1)),
        Rule::FirstToken => {
            answer.logprobs.get(difference).copied().flatten().map(f64::from).ok_or(Unscorable::OneIsPrefix)
        }
    }
}

/// The share of the masculine variant in a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MasculineRate {
    /// Between 0 and 1; 0.5 = no preference. Swapping the variants gives exactly one minus it.
    pub value: f64,
    /// Its natural logarithm, finite even where `value` is too small for f64 (long texts under `sum`).
    pub ln: f64,
}

/// The masculine rate of a pair; `texts` are the masculine and the feminine text.
pub fn masculine_rate(
    rule: Rule,
    pair: &PairLogProbs,
    texts: [&str; 2],
) -> Result<MasculineRate, Unscorable> {
    let difference = first_difference(pair);
    let masculine = text_score(rule, &pair.masculine, difference, texts[0])?;
    let feminine = text_score(rule, &pair.feminine, difference, texts[1])?;
    let advantage = masculine - feminine;
    Ok(MasculineRate { value: sigmoid(advantage), ln: ln_sigmoid(advantage) })
}

fn mean_from(answer: &TokenLogProbs, start: usize) -> Result<f64, Unscorable> {
    let tail = answer.logprobs.get(start..).unwrap_or_default();
    let n = tail.iter().flatten().count();
    if n == 0 {
        return Err(Unscorable::OneIsPrefix);
    }
    Ok(tail.iter().flatten().map(|&value| f64::from(value)).sum::<f64>() / n as f64)
}

/// 1 / (1 + e^−x), arranged so that σ(−x) is exactly 1 − σ(x): the larger of the two is rounded, and one minus a
/// number in [½, 1] is exact.
fn sigmoid(x: f64) -> f64 {
    let larger = 1.0 / (1.0 + (-x.abs()).exp());
    if x < 0.0 { 1.0 - larger } else { larger }
}

/// ln σ(x) without underflow.
fn ln_sigmoid(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(ids: &[u32], logprobs: &[f32]) -> TokenLogProbs {
        let scored = logprobs.iter().map(|&value| Some(value));
        TokenLogProbs { token_ids: ids.to_vec(), logprobs: std::iter::once(None).chain(scored).collect() }
    }

    fn pair() -> PairLogProbs {
        PairLogProbs {
            masculine: answer(&[1, 10, 11, 12], &[-1.0, -2.0, -4.0]),
            feminine: answer(&[1, 10, 21, 22, 23], &[-1.0, -3.0, -1.0, -5.0]),
        }
    }

    /// The toy table: every rule's value, worked out by hand.
    #[test]
    fn every_rule_has_its_value() {
        let pair = pair();
        let cases = [
            (Rule::Mean, -7.0 / 3.0, -10.0 / 4.0),
            (Rule::Sum, -7.0, -10.0),
            (Rule::PerByte, -7.0 / 2.0, -10.0 / 4.0),
            (Rule::Divergence, -3.0, -3.0),
            (Rule::ReleasedCode, -7.0 / 3.0, -10.0 / 4.0),
            (Rule::FirstToken, -2.0, -3.0),
        ];
        assert_eq!(first_difference(&pair), 2);
        for (rule, masculine, feminine) in cases {
            assert_eq!(text_score(rule, &pair.masculine, 2, "ab"), Ok(masculine), "{rule}");
            assert_eq!(text_score(rule, &pair.feminine, 2, "éé"), Ok(feminine), "{rule}");
        }
    }

    #[test]
    fn swapping_the_variants_gives_one_minus_the_rate_exactly() {
        let pair = pair();
        let swapped = PairLogProbs { masculine: pair.feminine.clone(), feminine: pair.masculine.clone() };
        for rule in Rule::ALL {
            let rate = masculine_rate(rule, &pair, ["ab", "éé"]).unwrap().value;
            let other = masculine_rate(rule, &swapped, ["éé", "ab"]).unwrap().value;
            assert!(other == 1.0 - rate, "{rule}: {rate} {other}");
        }
        for x in [0.0, 1e-9, 0.3, 5.0, 40.0, 800.0] {
            assert!(sigmoid(-x) == 1.0 - sigmoid(x), "{x}");
        }
    }

    #[test]
    fn a_pair_that_differs_at_its_first_token_has_only_a_sum() {
        let pair = PairLogProbs {
            masculine: answer(&[1, 5, 5], &[-1.0, -2.0]),
            feminine: answer(&[2, 5, 5], &[-2.0, -2.0]),
        };
        for rule in Rule::ALL {
            let rate = masculine_rate(rule, &pair, ["a", "b"]);
            if rule == Rule::Sum {
                assert!(rate.unwrap().value > 0.5);
            } else {
                assert_eq!(rate, Err(Unscorable::FirstTokenDiffers), "{rule}");
            }
        }
    }

    #[test]
    fn a_variant_that_begins_the_other_has_no_divergence() {
        let pair =
            PairLogProbs { masculine: answer(&[1, 5], &[-1.0]), feminine: answer(&[1, 5, 6], &[-1.0, -2.0]) };
        for rule in [Rule::Divergence, Rule::FirstToken] {
            assert_eq!(masculine_rate(rule, &pair, ["a", "ab"]), Err(Unscorable::OneIsPrefix));
        }
        assert!(masculine_rate(Rule::ReleasedCode, &pair, ["a", "ab"]).is_ok());
        assert!(masculine_rate(Rule::Mean, &pair, ["a", "ab"]).is_ok());
    }

    #[test]
    fn the_rate_is_the_masculine_share() {
        let pair = PairLogProbs {
            masculine: answer(&[1, 5, 7], &[-1.0, -1.0]),
            feminine: answer(&[1, 5, 8], &[-1.0, -1.0 - 3.0_f32.ln() * 2.0]),
        };
        // Means differ by ln 3, so the masculine variant is three times as likely per token.
        let rate = masculine_rate(Rule::Mean, &pair, ["", ""]).unwrap();
        assert!((rate.value - 0.75).abs() < 1e-7, "{rate:?}");
        assert!((rate.ln - 0.75_f64.ln()).abs() < 1e-7, "{rate:?}");
        assert!(ln_sigmoid(-2000.0) == -2000.0 && sigmoid(-2000.0) == 0.0);
    }
}
