//! Unigram models: the best way to cut a text into pieces is the one with the highest sum of scores (XLM-R, ALBERT, T5,
//! mT5). Their pipelines are those of transformers' converters (`convert_slow_tokenizer.py`); a file under any other
//! architecture is read as SentencePiece itself reads it.
//!
//! The normalisation table is applied by `Precompiled` of the `tokenizers` crate, as in a `tokenizer.json`. On some text that
//! is not in NFC it and SentencePiece differ: decomposed Hangul, letters with two marks (`golden/spm/ids.json` has cases).
//! The ids here are those of the `tokenizer.json`. In NFC, to which sets are brought where they are read, what is left is a
//! mark after a letter that only NFKC changes, such as U+00AA U+0300.

use tokenizers::AddedToken;
use tokenizers::models::unigram::Unigram;
use tokenizers::normalizers::replace::ReplacePattern;
use tokenizers::normalizers::{Lowercase, NFKD, NormalizerWrapper, Prepend, Sequence, StripAccents};
use tokenizers::pre_tokenizers::metaspace::{Metaspace, PrependScheme};
use tokenizers::pre_tokenizers::sequence::Sequence as PreTokenizers;
use tokenizers::pre_tokenizers::whitespace::WhitespaceSplit;
use tokenizers::processors::template::{SpecialToken, TemplateProcessing};

use super::{
    BYTE, CONTROL, Model, Result, SentencePieceFamily, SentencePieceRules, UNKNOWN, USER_DEFINED, replace,
    single_spaces, table, unsupported,
};
use crate::TokenId;
use crate::tokenizer::Tokenizer;

/// A piece and its score.
type Scored = (String, f64);

/// What ALBERT's pieces “digit, comma” lose in score: transformers cuts the two apart.
const DIGIT_COMMA: f64 = 100.0;

pub(super) fn build(model: &Model, rules: SentencePieceRules) -> Result<(Tokenizer, Vec<String>)> {
    let is_plain = rules.family == SentencePieceFamily::Plain;
    if !is_plain && (!model.normalizer.add_dummy_prefix || !model.normalizer.remove_extra_whitespaces) {
        return Err(unsupported(
            "it keeps extra spaces, or puts none before a text, which the architecture's does not",
        ));
    }
    let (vocabulary, added) = vocabulary(model, rules.family)?;
    let unknown = match rules.family {
        SentencePieceFamily::XlmRoberta => Some(3),
        SentencePieceFamily::Plain | SentencePieceFamily::Albert { .. } | SentencePieceFamily::T5 { .. } => {
            model.types.iter().position(|&kind| kind == UNKNOWN)
        }
    };
    let (frame, doubts) = frame(model, rules, &vocabulary)?;
    let byte_fallback = model.types.contains(&BYTE);
    let unigram = Unigram::from(vocabulary, unknown, byte_fallback).map_err(|error| error.to_string())?;
    let mut tokenizer = tokenizers::Tokenizer::new(unigram);
    let normalizers = normalizers(model, rules.family)?;
    if !normalizers.is_empty() {
        tokenizer.with_normalizer(Some(Sequence::new(normalizers))).map_err(|error| error.to_string())?;
    }
    let words = Metaspace::new('▁', PrependScheme::Always, true);
    if !is_plain {
        let pre_tokenizers = PreTokenizers::new(vec![WhitespaceSplit.into(), words.clone().into()]);
        tokenizer.with_pre_tokenizer(Some(pre_tokenizers));
    }
    tokenizer.with_decoder(Some(words));
    tokenizer.add_tokens(added).map_err(|error| error.to_string())?;
    if let Some(frame) = frame {
        tokenizer.with_post_processor(Some(frame));
    }
    Ok((Tokenizer::from_inner(tokenizer), doubts))
}

/// Pieces with their scores in the order of ids, and the tokens that text can spell out.
fn vocabulary(model: &Model, family: SentencePieceFamily) -> Result<(Vec<Scored>, Vec<AddedToken>)> {
    let special = |piece: &str| AddedToken::from(piece.to_owned(), true).normalized(false);
    let scored = || model.tokens.iter().cloned().zip(model.scores.iter().map(|&score| f64::from(score)));
    let mut added: Vec<AddedToken> = model
        .tokens
        .iter()
        .zip(&model.types)
        .filter(|&(_, &kind)| [UNKNOWN, CONTROL, USER_DEFINED].contains(&kind))
        .map(|(piece, &kind)| AddedToken::from(piece.clone(), kind != USER_DEFINED).normalized(false))
        .collect();
    let pieces = match family {
        SentencePieceFamily::Plain => scored().collect(),
        SentencePieceFamily::XlmRoberta => {
            let fixed = ["<s>", "<pad>", "</s>", "<unk>"];
            if model.types.iter().take(3).any(|&kind| kind != UNKNOWN && kind != CONTROL) {
                return Err(unsupported("XLM-R's file begins with <unk>, <s> and </s>"));
            }
            added.retain(|token| !fixed.contains(&token.content.as_str()));
            added.extend(fixed.map(special));
            added.push(special("<mask>").lstrip(true));
            let fixed = fixed.map(|piece| (piece.to_owned(), 0.0)).into_iter();
            fixed.chain(scored().skip(3)).chain([("<mask>".to_owned(), 0.0)]).collect()
        }
        SentencePieceFamily::Albert { .. } => {
            for token in &mut added {
                token.lstrip = token.content == "[MASK]";
            }
            let score = |piece: &str, score| if is_digit_comma(piece) { score - DIGIT_COMMA } else { score };
            scored()
                .map(|(piece, value)| {
                    let value = score(&piece, value);
                    (piece, value)
                })
                .collect()
        }
        SentencePieceFamily::T5 { extra_ids } => {
            let has_sentinels = model.tokens.iter().any(|piece| piece.contains("<extra_id_0>"));
            let n = extra_ids.unwrap_or(if has_sentinels { 0 } else { 100 });
            let sentinels: Vec<String> = (0..n).rev().map(|number| format!("<extra_id_{number}>")).collect();
            added.extend(sentinels.iter().map(|piece| special(piece)));
            scored().chain(sentinels.into_iter().map(|piece| (piece, 0.0))).collect()
        }
    };
    Ok((pieces, added))
}

fn is_digit_comma(piece: &str) -> bool {
    piece.strip_suffix(',').and_then(|rest| rest.chars().last()).is_some_and(char::is_numeric)
}

fn normalizers(model: &Model, family: SentencePieceFamily) -> Result<Vec<NormalizerWrapper>> {
    let mut steps = Vec::new();
    if let SentencePieceFamily::Albert { lower_case, keep_accents } = family {
        for quotes in ["``", "''"] {
            steps.push(replace(ReplacePattern::String(quotes.to_owned()), "\"")?);
        }
        if !keep_accents {
            steps.push(NFKD.into());
            steps.push(StripAccents.into());
        }
        if lower_case {
            steps.push(Lowercase.into());
        }
    }
    steps.extend(table::normalizer(model)?);
    // No converter speaks for a plain file: the text stays in one piece, as in SentencePiece itself.
    if family == SentencePieceFamily::Plain {
        if model.normalizer.remove_extra_whitespaces {
            steps.extend(single_spaces(false)?);
        }
        if model.normalizer.add_dummy_prefix {
            steps.push(Prepend::new("▁".to_owned()).into());
        }
        steps.push(replace(ReplacePattern::String(" ".to_owned()), "▁")?);
    }
    Ok(steps)
}

/// What is put around a text, and what had to be guessed.
fn frame(
    model: &Model,
    rules: SentencePieceRules,
    vocabulary: &[Scored],
) -> Result<(Option<TemplateProcessing>, Vec<String>)> {
    let mut doubts = Vec::new();
    let spelling = |id: Option<TokenId>| id.and_then(|id| model.tokens.get(id as usize).cloned());
    let (first, last) = match rules.family {
        SentencePieceFamily::XlmRoberta => (Some("<s>".to_owned()), Some("</s>".to_owned())),
        SentencePieceFamily::Albert { .. } => (Some("[CLS]".to_owned()), Some("[SEP]".to_owned())),
        SentencePieceFamily::T5 { .. } => (None, Some("</s>".to_owned())),
        SentencePieceFamily::Plain => {
            let (bos, eos) = (
                spelling(model.control(model.trainer.bos_id)),
                spelling(model.control(model.trainer.eos_id)),
            );
            if let (None, Some(bos)) = (rules.add_bos, &bos) {
                doubts.push(format!(
                    "nothing says whether a beginning-of-text token is added: {bos:?} is put before every text"
                ));
            }
            let wanted = |flag: &str, wanted: Option<bool>, token: Option<String>, usual: bool| match wanted {
                Some(true) if token.is_none() => {
                    Err(format!("{flag} is true, but the SentencePiece model has no such control token"))
                }
                _ => Ok(token.filter(|_| wanted.unwrap_or(usual))),
            };
            (
                wanted("add_bos_token", rules.add_bos, bos, true)?,
                wanted("add_eos_token", rules.add_eos, eos, false)?,
            )
        }
    };
    let mut parts = vec!["$A"];
    let mut tokens = Vec::new();
    let mut token = |name: &str, piece: String| {
        let id = vocabulary.iter().position(|(other, _)| *other == piece);
        let id = id.ok_or_else(|| format!("the SentencePiece model has no piece {piece:?}"))?;
        SpecialToken::new(name.to_owned(), vec![id as TokenId], vec![piece])
            .map(|token| tokens.push(token))
            .map_err(|error| error.to_string())
    };
    if let Some(piece) = first {
        parts.insert(0, "first");
        token("first", piece)?;
    }
    if let Some(piece) = last {
        parts.push("last");
        token("last", piece)?;
    }
    if tokens.is_empty() {
        return Ok((None, doubts));
    }
    let template = TemplateProcessing::builder()
        .try_single(parts)
        .map_err(|error| error.clone())?
        .special_tokens(tokens)
        .build()
        .map_err(|error| error.to_string())?;
    Ok((Some(template), doubts))
}
