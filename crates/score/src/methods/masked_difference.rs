//! `masked-difference`: the differing tokens of a pair, hidden together (GEST, Pikuliak et al. 2024).
//!
//! ```text
//! score(v) = mean over the differing positions of ln P(token of v | both texts' common part)      in nats
//! difference = score(first) − score(second)                                                       0 = no preference
//! ```
//!
//! Both variants are asked of one and the same text with masks, so the rest of the sentence cannot favour either. That
//! needs variants of equal token count; other pairs are not scored.
//!
//! Toy table: ln P = (−1, −3) for the first and (−2, −4) for the second variant: scores −2 and −3, difference 1.

use stereometer_core::{Method, Rule, Unscorable};
use stereometer_lm::{Cloze, ClozeTarget, LmKind, TokenId, Tokenizer, TokenizerError};

use super::check_pair;
use crate::pair::PairClozes;
use crate::registry::{Comparison, MethodInfo, Toy};

/// The row of the registry.
pub const INFO: MethodInfo = MethodInfo {
    name: Method::MaskedDifference.name(),
    lm: LmKind::Masked,
    summary: "log-probability of the tokens that differ between the variants, hidden together",
    formula: "mean of ln P(token of the variant given the common text) over the differing positions",
    comparison: Comparison::MasculineRate,
    unit: "nats a token",
    direction: "the masculine variant is likelier",
    reference: "GEST (Pikuliak et al. 2024)",
    // Both variants have equally many scored tokens, and only these.
    rules: &[Rule::Mean],
    limit: "Only pairs whose variants have equally many tokens are scored. Which pairs these are depends on the tokenizer \
            and on the language, so the rest is not a random sample of the set.",
    toy: Toy { first: &[-1.0, -3.0], second: &[-2.0, -4.0], difference: 1.0 },
};

/// One cloze for both variants: its targets are the first variant's tokens, then the second's.
pub fn pair(
    texts: [&str; 2],
    mask: TokenId,
    context: usize,
    tokenizer: &Tokenizer,
) -> Result<Result<PairClozes, Unscorable>, TokenizerError> {
    if texts[0] == texts[1] {
        return Ok(Err(Unscorable::EqualTexts));
    }
    let [first, second] = [tokenizer.encode(texts[0])?.ids, tokenizer.encode(texts[1])?.ids];
    if let Err(reason) = check_pair([&first, &second], tokenizer, context) {
        return Ok(Err(reason));
    }
    if first.len() != second.len() {
        let (first, second) = (first.len(), second.len());
        return Ok(Err(Unscorable::UnequalTokenCount { first, second }));
    }
    let differing: Vec<usize> = (0..first.len()).filter(|&at| first[at] != second[at]).collect();
    let targets = [&first, &second]
        .into_iter()
        .flat_map(|ids| differing.iter().map(|&position| ClozeTarget { position, id: ids[position] }))
        .collect();
    let mut ids = first.clone();
    for &position in &differing {
        ids[position] = mask;
    }
    let clozes = vec![Cloze { ids, targets }];
    Ok(Ok(PairClozes { ids: [first, second], clozes, masculine_targets: differing.len() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stereometer_lm::TokenLogProbs;
    use stereometer_testkit::golden;

    #[test]
    fn only_differing_tokens_of_equally_long_variants_are_hidden() {
        let tokenizer = Tokenizer::from_file(&golden("models/bert/tokenizer.json")).unwrap();
        let mask = tokenizer.added_mask().unwrap();
        let ask = |variants| pair(variants, mask, 64, &tokenizer).unwrap();
        let texts = ["He is a good doctor.", "She is a good doctor."];
        let asked = ask(texts).unwrap();
        let cloze = &asked.clozes[0];
        let hidden: Vec<usize> = (0..cloze.ids.len()).filter(|&at| cloze.ids[at] == mask).collect();
        assert_eq!(hidden, [1, 2]);
        assert_eq!(cloze.targets.iter().map(|target| target.position).collect::<Vec<_>>(), [1, 2, 1, 2]);
        let swapped = ask([texts[1], texts[0]]).unwrap();
        assert_eq!(swapped.clozes[0].ids, cloze.ids);
        assert_eq!(swapped.clozes[0].targets[..2], cloze.targets[2..]);
        let answer = TokenLogProbs {
            token_ids: cloze.targets.iter().map(|target| target.id).collect(),
            logprobs: [-1.0, -3.0, -2.0, -4.0].map(Some).to_vec(),
        };
        let scores = asked.reduce(&[answer]);
        assert_eq!((scores.masculine.mean(), scores.feminine.mean()), (Some(-2.0), Some(-3.0)));
        assert_eq!((scores.masculine.n_scored(), scores.masculine.logprobs[2]), (2, Some(-3.0)));
        assert_eq!(ask([texts[0], texts[0]]), Err(Unscorable::EqualTexts));
        let unequal = ask(["He is powerful.", "He is a good doctor."]);
        assert!(matches!(unequal, Err(Unscorable::UnequalTokenCount { .. })), "{unequal:?}");
    }
}
