//! Masked language models: what a token is, given the text on both of its sides (methods, section 4).

use crate::{LmError, LmInfo, TokenId, TokenLogProbs};

/// A text with masks in place, and the tokens that are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cloze {
    /// All ids, special tokens and masks included.
    pub ids: Vec<TokenId>,
    /// What is asked; a position may be asked for several tokens.
    pub targets: Vec<ClozeTarget>,
}

/// A token at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClozeTarget {
    /// Index into [`Cloze::ids`].
    pub position: usize,
    /// The token whose probability is wanted there.
    pub id: TokenId,
}

/// The output layer as one target sees it, lent for the time of a call: logits = W h + b.
#[derive(Debug, Clone, Copy)]
pub struct HeadView<'a> {
    /// Index of the cloze in the batch.
    pub cloze: usize,
    /// Index of the target in its cloze.
    pub target: usize,
    /// The token of the target: an index into `logits`.
    pub id: TokenId,
    /// ‖[h; 1]‖, with h the hidden state that the output layer multiplies, after the prediction head's transform.
    pub input_norm: f64,
    /// One a row of the output layer.
    pub logits: &'a [f32],
}

/// A model that predicts masked tokens from the whole text.
pub trait MaskedLm: Send + Sync {
    /// What was understood of the checkpoint.
    fn info(&self) -> &LmInfo;

    /// The token that stands for a hidden one.
    fn mask_id(&self) -> TokenId;

    /// Log-probabilities of the targets, for each cloze in the order given: `token_ids` are the targets' ids.
    ///
    /// The answer for a cloze does not depend on those beside it.
    fn cloze_logprobs(&self, batch: &[Cloze]) -> Result<Vec<TokenLogProbs>, LmError>;

    /// Shows the logits at every target, cloze by cloze and position by position. The matrix of all logits never exists:
    /// what is made of a row of them (SeT's distance) is made while it is lent.
    fn look_at_logits(&self, batch: &[Cloze], look: &mut dyn FnMut(HeadView<'_>)) -> Result<(), LmError>;
}
