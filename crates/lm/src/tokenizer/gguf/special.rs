//! Which tokens are matched whole in a text, and which are put around it?
//!
//! Control and unknown tokens become special added tokens, user-defined ones added tokens; both are looked for in the
//! text as it is, before anything is normalised, as in the published files. The tokens named as BOS, EOS, unknown and
//! padding are added too, even if the file types them as text, unless ordinary text makes them (a file that names "!" as
//! padding must not lose its "!!").
//!
//! BOS and EOS come from a template, so that exactly one is added. A flag either acts or is an error; where the file has
//! no flag, the kind of tokenizer decides, with a doubt.

use tokenizers::AddedToken;
use tokenizers::processors::template::{SpecialToken, TemplateProcessing};

use super::{Checked, TokenKind, TokenizerError, metadata};
use crate::TokenId;

pub(super) fn add_tokens(
    tokenizer: &mut tokenizers::Tokenizer,
    vocabulary: &Checked<'_>,
    doubts: &mut Vec<String>,
) -> Result<(), TokenizerError> {
    if vocabulary.kinds.is_none() {
        doubts.push(
            "the GGUF file does not type its tokens: only BOS, EOS, unknown and padding are special"
                .to_owned(),
        );
    }
    let of = vocabulary.of;
    let named = [
        ("beginning", of.bos_id),
        ("end", of.eos_id),
        ("unknown", of.unknown_id),
        ("padding", of.padding_id),
    ];
    let mut added = Vec::new();
    for id in 0..of.tokens.len() {
        let name = named.iter().find(|(_, named)| *named == Some(id as TokenId)).map(|(name, _)| name);
        let special = match (vocabulary.kind(id), name) {
            (TokenKind::UserDefined, _) => false,
            (TokenKind::Normal | TokenKind::Unused | TokenKind::Byte, None) => continue,
            (TokenKind::Unknown | TokenKind::Control, _)
            | (TokenKind::Normal | TokenKind::Unused | TokenKind::Byte, Some(_)) => true,
        };
        // None for a token that is spelt like a later one: text cannot mean it.
        let Some(content) = tokenizer.id_to_token(id as TokenId).filter(|content| !content.is_empty()) else {
            continue;
        };
        if let (TokenKind::Normal | TokenKind::Byte, Some(name)) = (vocabulary.kind(id), name) {
            let ordinary = tokenizer.encode(content.as_str(), false).map_err(metadata)?;
            if ordinary.get_ids() == [id as TokenId] {
                doubts.push(format!(
                    "the GGUF file names {content:?} as its {name} token: in a text it stays ordinary text"
                ));
                continue;
            }
        }
        added.push(AddedToken::from(content, special).normalized(false));
    }
    tokenizer.add_tokens(added).map_err(metadata)?;
    Ok(())
}

pub(super) fn add_frame(
    tokenizer: &mut tokenizers::Tokenizer,
    vocabulary: &Checked<'_>,
    bos_is_usual: bool,
    doubts: &mut Vec<String>,
) -> Result<(), TokenizerError> {
    let of = vocabulary.of;
    let bos = match (of.add_bos, of.bos_id) {
        (Some(false), _) => None,
        (Some(true), None) => return Err(metadata("add_bos_token is true, but bos_token_id is missing")),
        (Some(true), Some(id)) => Some(id),
        (None, id) => {
            let (assumed, id) = match id.filter(|_| bos_is_usual) {
                Some(id) => (format!("{:?} is put before every text", of.tokens[id as usize]), Some(id)),
                None if bos_is_usual => ("none is, since the file names none".to_owned(), None),
                None => ("none is, as is usual for its kind".to_owned(), None),
            };
            doubts.push(format!(
                "the GGUF file does not say whether a beginning-of-text token is added: {assumed}"
            ));
            id
        }
    };
    let eos = match (of.add_eos, of.eos_id) {
        (None | Some(false), _) => None,
        (Some(true), None) => return Err(metadata("add_eos_token is true, but eos_token_id is missing")),
        (Some(true), Some(id)) => Some(id),
    };
    if bos.is_none() && eos.is_none() {
        return Ok(());
    }

    // The template's own names for the tokens: spelt out, a ":" or "$" in a token would be read as syntax.
    let mut frame = vec!["$A"];
    let mut tokens = Vec::new();
    let mut token = |name: &str, id: TokenId| {
        let spelling = of.tokens[id as usize].clone();
        SpecialToken::new(name.to_owned(), vec![id], vec![spelling])
            .map(|token| tokens.push(token))
            .map_err(metadata)
    };
    if let Some(id) = bos {
        frame.insert(0, "bos");
        token("bos", id)?;
    }
    if let Some(id) = eos {
        frame.push("eos");
        token("eos", id)?;
    }
    let template = TemplateProcessing::builder()
        .try_single(frame)
        .map_err(metadata)?
        .special_tokens(tokens)
        .build()
        .map_err(metadata)?;
    tokenizer.with_post_processor(Some(template));
    Ok(())
}
