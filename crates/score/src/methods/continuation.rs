//! `continuation`: how likely a trait is after what stands before it, on causal models.
//!
//! ```text
//! s(group, trait) = mean over the trait's pieces of ln P(piece | the sentence before it)     in nats a token
//! association = s(group, trait) − s(prior noun, trait)                                      0 = no association
//! ```
//!
//! The increased log-probability score (Kurita et al. 2019) of a model that reads from left to right: the template's text
//! up to the blank takes the place of the cloze, and the mean over pieces that of the sum, so that long traits are not
//! unlikelier for their length. What follows the blank is part of how the sentence is cut into tokens, and is not scored.
//! Where a tokenizer joins the trait with its neighbours (in Chinese often), the pieces are the smallest run of tokens that
//! holds it; both sides of the comparison have the same neighbours, as long as the group is none of them.
//! Where the group stands after the trait its probability cannot depend on the group: such a template has no score.
//!
//! Toy table: ln P = −1, −2 against −2, −2: means −1.5 and −2, association ½.

use stereometer_core::{BLANK, Unscorable};
use stereometer_lm::{LmKind, TokenId, TokenLogProbs, Tokenizer, TokenizerError};

use super::blank::{Filled, filled};
use crate::registry::{Comparison, MethodInfo, Toy};

/// The row of the registry.
pub const INFO: MethodInfo = MethodInfo {
    name: "continuation",
    lm: LmKind::Causal,
    summary: "log-probability of the trait after what stands before it",
    formula: "mean of ln P over the trait's pieces, each after the text before it",
    comparison: Comparison::Association,
    unit: "nats a token",
    direction: "the group makes the trait likelier",
    reference: "ILPS of Kurita et al. (2019), read from left to right",
    rules: &[],
    limit: "Only what stands before the trait can change its probability: templates with the group after it have no score.",
    toy: Toy { first: &[-1.0, -2.0], second: &[-2.0, -2.0], difference: 0.5 },
};

/// The row of the forced choice, whose template is a prompt that names both poles.
pub const CHOICE: MethodInfo = MethodInfo {
    name: "choice",
    summary: "log-probability of a pole as the answer to a prompt that offers both, in both orders",
    reference: "the forced choice of the Leakage study (Cao et al.), by likelihood instead of sampled answers",
    limit: "A likelihood, not an answer: nothing is generated, and no chat template stands around the prompt. What is named \
            first may be likelier for that; both orders are asked, and averaged.",
    ..INFO
};

/// The ids up to the trait's last piece, and where its pieces are; the template has [`BLANK`] in the trait's place.
pub fn query(
    template: &str,
    trait_word: &str,
    context: usize,
    tokenizer: &Tokenizer,
) -> Result<Result<Filled, Unscorable>, TokenizerError> {
    Ok(filled(template, BLANK, trait_word, context, tokenizer)?.and_then(|mut found| {
        found.ids.truncate(found.pieces.end);
        // The first token of all is never scored.
        if found.pieces.start == 0 { Err(Unscorable::FirstTokenUnscored) } else { Ok(found) }
    }))
}

/// ln P of each piece, from the answer for the ids.
pub fn pieces(question: &Filled, answer: &TokenLogProbs) -> Result<(Vec<TokenId>, Vec<f32>), Unscorable> {
    let place = question.pieces.clone();
    let (Some(ids), Some(values)) = (answer.token_ids.get(place.clone()), answer.logprobs.get(place)) else {
        return Err(Unscorable::NothingScored);
    };
    let logprobs = values.iter().copied().collect::<Option<Vec<f32>>>().ok_or(Unscorable::NothingScored)?;
    if logprobs.iter().all(|value| value.is_finite()) {
        Ok((ids.to_vec(), logprobs))
    } else {
        Err(Unscorable::NotFinite)
    }
}

/// s from the pieces: their mean, in f64.
pub fn reduce(logprobs: &[f32]) -> Result<f64, Unscorable> {
    if logprobs.is_empty() {
        return Err(Unscorable::NothingScored);
    }
    let mean = logprobs.iter().map(|&value| f64::from(value)).sum::<f64>() / logprobs.len() as f64;
    if mean.is_finite() { Ok(mean) } else { Err(Unscorable::NotFinite) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stereometer_testkit::golden;

    #[test]
    fn a_trait_is_cut_in_place_and_what_follows_is_not_asked() {
        let tokenizer = Tokenizer::from_file(&golden("models/llama/tokenizer.json")).unwrap();
        let text = format!("The men are {BLANK} today.");
        let found = query(&text, "kind", 64, &tokenizer).unwrap().unwrap();
        let whole = tokenizer.encode("The men are kind today.").unwrap().ids;
        assert_eq!(found.ids, whole[..found.pieces.end]);
        let read = tokenizer.decode(&found.ids[found.pieces.clone()]).unwrap();
        assert_eq!(read.trim(), "kind");
        let answer = TokenLogProbs {
            token_ids: found.ids.clone(),
            logprobs: (0..found.ids.len()).map(|at| (at > 0).then_some(-(at as f32))).collect(),
        };
        let (ids, logprobs) = pieces(&found, &answer).unwrap();
        assert_eq!(ids.len(), found.pieces.len());
        assert_eq!(reduce(&logprobs).unwrap(), -((found.pieces.start + found.pieces.end - 1) as f64) / 2.0);
    }

    #[test]
    fn a_token_that_holds_the_traits_neighbour_too_is_part_of_its_cover() {
        // “ndl” spans the end of the trait and the beginning of what follows it, if any tokenizer here joins them.
        let tokenizer = Tokenizer::from_file(&golden("models/llama/tokenizer.json")).unwrap();
        let found = query("The men are {trait}ness itself.", "kind", 64, &tokenizer).unwrap().unwrap();
        let read = tokenizer.decode(&found.ids[found.pieces.clone()]).unwrap();
        assert!(read.trim().starts_with("kind"), "{read}");
        assert_eq!(found.beside, (0, read.trim().len() - "kind".len()), "{read}");
    }

    #[test]
    fn what_cannot_be_scored_has_a_reason() {
        // No BOS: the first token is unscored.
        let tokenizer = Tokenizer::from_file(&golden("models/qwen2/tokenizer.json")).unwrap();
        let first = query("{trait} people are men.", "kind", 64, &tokenizer).unwrap();
        assert_eq!(first, Err(Unscorable::FirstTokenUnscored));
        let lost = query("The men are kind.", "kind", 64, &tokenizer).unwrap();
        assert_eq!(lost, Err(Unscorable::BlankLost));
        assert_eq!(reduce(&[]), Err(Unscorable::NothingScored));
    }
}
