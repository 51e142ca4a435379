//! The tokens of a text that stands inside a chat template.

use stereometer_core::Unscorable;

use super::render::Renderer;
use super::{ChatError, ChatRole, ChatTemplate};
use crate::tokenizer::{Encoding, TokenizerError};

/// Stands in for a text to see what is around it; plain letters, which no template has a reason to alter.
const STAND_IN: &str = "Stereometerstandsinforthetext";

/// A chat template in use, and what it puts around every text.
#[derive(Debug, Clone)]
pub struct Chat {
    /// Who says the text.
    pub role: ChatRole,
    /// The SHA-256 of the template's text.
    pub template_sha256: String,
    /// What stands before the text.
    pub before: String,
    /// What stands after it.
    pub after: String,
    renderer: Renderer,
    /// The tokenizer without its post-processor, which adds a BOS of its own and may hide white space from the places.
    bare: tokenizers::Tokenizer,
}

impl Chat {
    pub(crate) fn new(
        template: &ChatTemplate,
        role: ChatRole,
        tokenizer: &tokenizers::Tokenizer,
    ) -> Result<Self, ChatError> {
        let renderer = Renderer::new(template, role)?;
        let whole = renderer.render(STAND_IN)?;
        let (before, after) = whole.split_once(STAND_IN).ok_or(ChatError::NoText(role))?;
        if after.contains(STAND_IN) {
            return Err(ChatError::Repeats(role));
        }
        let mut bare = tokenizer.clone();
        bare.with_post_processor(None::<tokenizers::PostProcessorWrapper>);
        Ok(Self {
            role,
            template_sha256: template.sha256(),
            before: before.to_owned(),
            after: after.to_owned(),
            renderer,
            bare,
        })
    }

    /// The tokens up to the last one of the text.
    pub(crate) fn encode(&self, text: &str) -> Result<Encoding, TokenizerError> {
        let whole = self.renderer.render(text)?;
        let inside = whole.strip_prefix(self.before.as_str()).and_then(|rest| rest.strip_suffix(&self.after));
        if inside != Some(text) {
            return Err(Unscorable::ChatAltersText.into());
        }
        let encoding = self
            .bare
            .encode(whole.as_str(), false)
            .map_err(|error| TokenizerError::Encode(error.to_string()))?;
        let (start, end) = (self.before.len(), self.before.len() + text.len());
        let places = encoding.get_offsets();
        let of_the_text = |&(from, to): &(usize, usize)| from < end && to > start;
        let (Some(first), Some(last)) =
            (places.iter().position(of_the_text), places.iter().rposition(of_the_text))
        else {
            return Err(Unscorable::NothingScored.into());
        };
        let shared = whole.get(places[first].0.min(start)..start);
        if shared.is_none_or(|shared| !shared.trim().is_empty()) || places[last].1 > end {
            return Err(Unscorable::ChatSharesToken.into());
        }
        Ok(Encoding {
            ids: encoding.get_ids()[..=last].to_vec(),
            tokens: encoding.get_tokens()[..=last].to_vec(),
            text_start: first,
        })
    }

    /// Ids of what stands before the text, on its own.
    pub(crate) fn prefix_ids(&self) -> Result<Vec<crate::TokenId>, TokenizerError> {
        let encoding = self
            .bare
            .encode(self.before.as_str(), false)
            .map_err(|error| TokenizerError::Encode(error.to_string()))?;
        Ok(encoding.get_ids().to_vec())
    }
}
