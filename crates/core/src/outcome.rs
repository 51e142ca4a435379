//! What became of an item: a score, or a reason. Never a number that stands for “unknown”.

use serde::{Deserialize, Serialize};

/// Either a result or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome<T> {
    /// It has a score.
    Scored(T),
    /// It has none, and this is why.
    Unscored(Unscorable),
}

/// Why an item, or one of its variants under one rule, has no score.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Unscorable {
    /// Both variants are the same string.
    #[error("the two variants are the same text")]
    EqualTexts,
    /// Both variants have the same token ids although the texts differ.
    #[error("the two variants have the same token ids")]
    EqualIds,
    /// The tokenizer has no piece for a part of the text.
    #[error("the text contains a token that the tokenizer does not know")]
    UnknownToken,
    /// The text does not fit the model's context.
    #[error("{tokens} tokens do not fit the model's context of {context}")]
    TooLong {
        /// Number of tokens of the longer variant.
        tokens: usize,
        /// Context length of the model.
        context: usize,
    },
    /// The variants differ at the first token, which no token precedes: that token has no probability.
    #[error("the variants differ at the first token, which the model cannot score without a BOS token")]
    FirstTokenDiffers,
    /// The word begins the text, and no token precedes it.
    #[error("the trait begins the sentence, and the model cannot score a first token without a BOS token")]
    FirstTokenUnscored,
    /// The group is read after the trait, whose probability can then not depend on it.
    #[error("the group stands after the trait, which a causal model has read by then")]
    GroupAfterTrait,
    /// A text of fewer than two tokens has no scored position.
    #[error("the text has no scored token")]
    NothingScored,
    /// One variant is the beginning of the other: there is no differing token to compare in the shorter one.
    #[error("one variant ends before the two differ")]
    OneIsPrefix,
    /// The variants have different numbers of tokens, where they must be hidden at the same positions.
    #[error(
        "the variants have unequal numbers of tokens ({first} and {second}), so their difference cannot be hidden in one text"
    )]
    UnequalTokenCount {
        /// Tokens of the first variant.
        first: usize,
        /// Tokens of the second.
        second: usize,
    },
    /// The place for the fill-in word cannot be told from the text around it.
    #[error("the tokenizer does not keep the blank apart from the text around it")]
    BlankLost,
    /// SeT has no score: the output layer would have to move by 1 or more.
    #[error("the output layer would have to move by 1 or more, where ln(1 − norm) does not exist")]
    SensitivityUndefined,
    /// The chat template prints the text otherwise than it was given.
    #[error("the chat template alters the text")]
    ChatAltersText,
    /// A token at an end of the text belongs to the chat template too.
    #[error("the text shares a token with the chat template around it")]
    ChatSharesToken,
    /// The model gave a log-probability that is not finite.
    #[error("the model gave a log-probability that is not a finite number")]
    NotFinite,
}

impl Unscorable {
    /// The reason in words that hold for every item with it, so that items and languages can be told together.
    pub fn general(&self) -> String {
        match self {
            Self::UnequalTokenCount { .. } => {
                "the variants have unequal numbers of tokens, so their difference cannot be hidden in one text".to_owned()
            }
            Self::TooLong { context, .. } => format!("their tokens do not fit the model's context of {context}"),
            Self::EqualTexts
            | Self::EqualIds
            | Self::UnknownToken
            | Self::FirstTokenDiffers
            | Self::FirstTokenUnscored
            | Self::GroupAfterTrait
            | Self::NothingScored
            | Self::OneIsPrefix
            | Self::BlankLost
            | Self::SensitivityUndefined
            | Self::ChatAltersText
            | Self::ChatSharesToken
            | Self::NotFinite => self.to_string(),
        }
    }

    /// The short name that tables use: the `reason` of the stored record.
    pub fn name(&self) -> &'static str {
        match self {
            Self::EqualTexts => "equal-texts",
            Self::EqualIds => "equal-ids",
            Self::UnknownToken => "unknown-token",
            Self::TooLong { .. } => "too-long",
            Self::FirstTokenDiffers => "first-token-differs",
            Self::FirstTokenUnscored => "first-token-unscored",
            Self::GroupAfterTrait => "group-after-trait",
            Self::NothingScored => "nothing-scored",
            Self::OneIsPrefix => "one-is-prefix",
            Self::UnequalTokenCount { .. } => "unequal-token-count",
            Self::BlankLost => "blank-lost",
            Self::SensitivityUndefined => "sensitivity-undefined",
            Self::ChatAltersText => "chat-alters-text",
            Self::ChatSharesToken => "chat-shares-token",
            Self::NotFinite => "not-finite",
        }
    }
}
