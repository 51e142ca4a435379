//! `ilps`: the increased log-probability score (after Kurita et al. 2019), on encoder–decoders.
//!
//! The source is the template with a sentinel in the trait's place, the target `<extra_id_0> trait <extra_id_1>`.
//!
//! ```text
//! s = mean ln P over the target's tokens under teacher forcing        in nats
//! ILPS = s(group) − s(prior)                                          0 = the group changes nothing
//! ```
//!
//! with prior the same template about the neutral noun (“person”). Under `released-code` the mean is over all target
//! tokens, sentinels and `</s>` included (minus the loss, as the studies' program has it): long traits weigh more there.
//! Under `trait-only` it is over the trait's own pieces. How text beside a sentinel is cut (an extra “▁” or none) is as
//! `tokenizer.json` says, which is how transformers' fast tokenizers behave. A sentinel that the tokenizer does not
//! recognise (mT5's need a space before them) leaves nothing to fill in: not scored.
//!
//! Toy table: ln P = −9 (sentinel), −1, −2 (trait), −9, −3: `released-code` −24/5, `trait-only` −3/2.

use std::ops::Range;

use stereometer_core::Unscorable;
use stereometer_lm::{LmKind, SourceTarget, TokenId, TokenLogProbs, Tokenizer, TokenizerError};

use super::check;
use crate::registry::{Comparison, MethodInfo, Toy};

/// The row of the released program's kind.
pub const RELEASED_CODE: MethodInfo = MethodInfo {
    name: "ilps-released-code",
    lm: LmKind::Seq2Seq,
    summary: "log-probability of the trait in the template's blank, sentinels and end included",
    formula: "mean of ln P over all target tokens (minus the loss)",
    comparison: Comparison::Association,
    unit: "nats a token",
    direction: "the group makes the trait likelier",
    reference: "Kurita et al. (2019), as the released program of the Leakage study (Cao et al.) has it",
    rules: &[],
    limit: "Sentinels and the end of the target weigh as much as pieces of the trait.",
    toy: Toy {
        first: &[-9.0, -1.0, -2.0, -9.0, -3.0],
        second: &[-9.0, -2.0, -2.0, -9.0, -3.0],
        difference: 0.2,
    },
};

/// The row of the kind that scores the trait alone.
pub const TRAIT_ONLY: MethodInfo = MethodInfo {
    name: "ilps-trait-only",
    summary: "log-probability of the trait in the template's blank",
    formula: "mean of ln P over the trait's own pieces",
    reference: "Kurita et al. (2019)",
    limit: "A trait of many pieces gets a mean over pieces that give each other away.",
    toy: Toy { difference: 0.5, ..RELEASED_CODE.toy },
    ..RELEASED_CODE
};

/// Where the trait goes in a template.
pub const BLANK: &str = "<extra_id_0>";

const END: &str = "<extra_id_1>";

/// Which target tokens the mean is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IlpsKind {
    /// All of them: minus the loss.
    #[default]
    ReleasedCode,
    /// The trait's own pieces.
    TraitOnly,
}

/// What is asked for one template and trait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// For the language model.
    pub pair: SourceTarget,
    /// The target as text.
    pub target: String,
    /// The trait's pieces in the target.
    pub pieces: Range<usize>,
}

/// The question for a template with [`BLANK`] in the trait's place.
pub fn query(
    template: &str,
    trait_word: &str,
    context: usize,
    tokenizer: &Tokenizer,
) -> Result<Result<Question, Unscorable>, TokenizerError> {
    let source = tokenizer.encode(template)?.ids;
    let target_text = format!("{BLANK} {trait_word} {END}");
    let target = tokenizer.encode(&target_text)?.ids;
    let (Some(blank), Some(end)) = (sentinel(tokenizer, BLANK), sentinel(tokenizer, END)) else {
        return Ok(Err(Unscorable::BlankLost));
    };
    let only = |ids: &[TokenId], id| {
        let mut places = ids.iter().enumerate().filter(|&(_, &other)| other == id).map(|(at, _)| at);
        places.next().filter(|_| places.next().is_none())
    };
    let places = (only(&source, blank), only(&target, blank), only(&target, end));
    let (Some(_), Some(first), Some(last)) = places else { return Ok(Err(Unscorable::BlankLost)) };
    // After the sentinels: a lost one is cut into pieces, of which some may be unknown.
    for ids in [&source, &target] {
        if let Err(reason) = check(ids, tokenizer, context) {
            return Ok(Err(reason));
        }
    }
    if last <= first + 1 {
        return Ok(Err(Unscorable::NothingScored));
    }
    Ok(Ok(Question { pair: SourceTarget { source, target }, target: target_text, pieces: first + 1..last }))
}

/// A sentence as the source of a question: [`BLANK`] in the place of [`stereometer_core::BLANK`].
///
/// Where the sentinel is a piece that begins with “▁” (mT5) it is recognised after a space only, so one is put before it
/// in languages that write none.
pub fn source(sentence: &str, tokenizer: &Tokenizer) -> String {
    let needs_space = tokenizer.id_of(BLANK).is_none();
    let Some((before, after)) = sentence.split_once(stereometer_core::BLANK) else {
        return sentence.to_owned();
    };
    let space = if needs_space && !before.is_empty() && !before.ends_with(' ') { " " } else { "" };
    format!("{before}{space}{BLANK}{after}")
}

/// A sentinel is an added token, or a piece of the vocabulary that begins with “▁” (mT5).
fn sentinel(tokenizer: &Tokenizer, name: &str) -> Option<TokenId> {
    tokenizer.id_of(name).or_else(|| tokenizer.id_of(&format!("▁{name}")))
}

/// s from the answer.
pub fn reduce(kind: IlpsKind, question: &Question, answer: &TokenLogProbs) -> Result<f64, Unscorable> {
    if !answer.is_finite() {
        return Err(Unscorable::NotFinite);
    }
    let values = match kind {
        IlpsKind::ReleasedCode => answer.logprobs.as_slice(),
        IlpsKind::TraitOnly => answer.logprobs.get(question.pieces.clone()).unwrap_or_default(),
    };
    let n_scored = values.iter().flatten().count();
    if n_scored == 0 {
        return Err(Unscorable::NothingScored);
    }
    Ok(values.iter().flatten().map(|&value| f64::from(value)).sum::<f64>() / n_scored as f64)
}

/// Above 0 where the group makes the trait more likely than the prior noun does; swapped, they flip the sign.
pub fn ilps(group: f64, prior: f64) -> f64 {
    group - prior
}

#[cfg(test)]
mod tests {
    use super::*;
    use stereometer_testkit::golden;

    fn tokenizer(model: &str) -> Tokenizer {
        Tokenizer::from_file(&golden(&format!("models/{model}/tokenizer.json"))).unwrap()
    }

    #[test]
    fn the_toy_table_and_the_swapped_pair() {
        let target = vec![90, 5, 6, 91, 1];
        let pair = SourceTarget { source: vec![90, 1], target: target.clone() };
        let question = Question { pair, target: String::new(), pieces: 1..3 };
        let answer = |values: [f32; 5]| TokenLogProbs {
            token_ids: target.clone(),
            logprobs: values.map(Some).to_vec(),
        };
        let toy = answer([-9.0, -1.0, -2.0, -9.0, -3.0]);
        assert_eq!(reduce(IlpsKind::ReleasedCode, &question, &toy), Ok(-24.0 / 5.0));
        assert_eq!(reduce(IlpsKind::TraitOnly, &question, &toy), Ok(-1.5));
        assert_eq!((ilps(-1.5, -2.0), ilps(-2.0, -1.5)), (0.5, -0.5));
        let broken = answer([-9.0, f32::NAN, -2.0, -9.0, -3.0]);
        assert_eq!(reduce(IlpsKind::TraitOnly, &question, &broken), Err(Unscorable::NotFinite));
    }

    #[test]
    fn the_trait_stands_between_the_sentinels() {
        for model in ["t5", "mt5"] {
            let tokenizer = tokenizer(model);
            let question =
                query("The <extra_id_0> person is wealthy.", "powerful", 99, &tokenizer).unwrap().unwrap();
            assert_eq!(question.pieces, 1..7, "{model}");
            assert_eq!(question.pair.target.len(), 9, "{model}: sentinels and </s>");
            let none = query("The person is wealthy.", "powerful", 99, &tokenizer).unwrap();
            assert_eq!(none, Err(Unscorable::BlankLost), "{model}");
        }
    }

    #[test]
    fn a_sentinel_without_its_space_is_lost_to_mt5() {
        let glued = "is<extra_id_0>.";
        assert!(query(glued, "powerful", 99, &tokenizer("t5")).unwrap().is_ok());
        assert_eq!(query(glued, "powerful", 99, &tokenizer("mt5")).unwrap(), Err(Unscorable::BlankLost));
    }
}
