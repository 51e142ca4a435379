//! Which ids does a SentencePiece model (`tokenizer.model`, `spiece.model`) give a text?
//!
//! Such a file is a `ModelProto` in protobuf: pieces with a score and a type, how it was trained, how text is normalised.
//! Models of the type BPE are built by [`gguf`](super::gguf), whose vocabulary of the kind `llama` is the same thing; those
//! of the type Unigram by `unigram`. Field numbers and defaults are those of SentencePiece's `sentencepiece_model.proto`.
//!
//! Refused, each in words: word and character models; spaces that are not written as "▁" or stand after the word; and
//! whatever SentencePiece itself would not load.
//!
//! BPE: a text that starts with a space gets another "▁" before it, and so does each part of a text after a spelt-out
//! special token: SentencePiece's way, that of the published `tokenizer.json` of Llama 2, Mistral and Phi-3, and of
//! transformers while `legacy` is not false in `tokenizer_config.json`. If it is false neither is done.
//!
//! Not read: tokens that a checkpoint adds in files beside this one (`added_tokens.json`).
//!
//! A file is not trusted. Nothing is set aside for a length before so many bytes are there, and pieces are short, for
//! the merges are derived from all ways to cut them.

mod table;
mod unigram;

use std::collections::HashSet;
use std::io::Read;
use std::path::Path;

use tokenizers::PreTokenizerWrapper;
use tokenizers::normalizers::replace::{Replace, ReplacePattern};
use tokenizers::normalizers::{NormalizerWrapper, Prepend, Sequence};

use super::gguf::{self, GgufVocabulary, MAX_PIECE};
use super::{Tokenizer, TokenizerError};
use crate::TokenId;

/// Gemma 3's is under 5 MB.
const MAX_FILE: u64 = 64 << 20;

const UNIGRAM: i32 = 1;
const BPE: i32 = 2;

const UNKNOWN: i32 = 2;
const CONTROL: i32 = 3;
const USER_DEFINED: i32 = 4;
const BYTE: i32 = 6;

type Result<T, E = String> = std::result::Result<T, E>;

/// What the files beside a SentencePiece model say of its use; silence is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SentencePieceRules {
    /// `add_bos_token`; where nothing is said BOS is added, with a doubt.
    pub add_bos: Option<bool>,
    /// `add_eos_token`; where nothing is said EOS is not added.
    pub add_eos: Option<bool>,
    /// `legacy`: whether every part of a text gets a "▁" (BPE).
    pub legacy: Option<bool>,
    /// How ids and special tokens are made of the pieces (Unigram).
    pub family: SentencePieceFamily,
}

/// How transformers makes ids and special tokens of the pieces, by the checkpoint's `model_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SentencePieceFamily {
    /// Ids are the pieces' numbers; BOS and EOS as the flags say.
    #[default]
    Plain,
    /// XLM-R: `<s>`, `<pad>`, `</s>`, `<unk>`, the pieces from the fourth on, `<mask>`.
    XlmRoberta,
    /// ALBERT: `[CLS]` and `[SEP]` around the text, which is changed before the table is applied.
    Albert {
        /// `do_lower_case`
        lower_case: bool,
        /// `keep_accents`
        keep_accents: bool,
    },
    /// T5: `</s>` after the text, and sentinels after the pieces.
    T5 {
        /// `extra_ids`: how many; by default none where the pieces have sentinels (mT5), else 100.
        extra_ids: Option<u16>,
    },
}

pub(super) fn read(
    path: &Path,
    rules: SentencePieceRules,
) -> Result<(Tokenizer, Vec<String>), TokenizerError> {
    let built = bytes(path).and_then(|bytes| {
        let model = Model::parse(&bytes)?;
        model.check()?;
        if model.trainer.model_type == UNIGRAM { unigram::build(&model, rules) } else { build(&model, rules) }
    });
    built.map_err(|detail| TokenizerError::Read { path: path.display().to_string(), detail })
}

fn bytes(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(format!("longer than the {} MiB that a SentencePiece model may have", MAX_FILE >> 20));
    }
    Ok(bytes)
}

fn build(model: &Model, rules: SentencePieceRules) -> Result<(Tokenizer, Vec<String>)> {
    let SentencePieceRules { add_bos, add_eos, legacy, family } = rules;
    if family != SentencePieceFamily::Plain {
        return Err(unsupported("its type is BPE where the checkpoint's architecture has Unigram"));
    }
    let mut doubts = Vec::new();
    let bos_id = model.control(model.trainer.bos_id);
    if let (None, Some(id)) = (add_bos, bos_id) {
        doubts.push(format!(
            "nothing says whether a beginning-of-text token is added: {:?} is put before every text, as for Llama",
            model.tokens[id as usize]
        ));
    }
    let vocabulary = GgufVocabulary {
        model: "llama".to_owned(),
        tokens: model.tokens.clone(),
        scores: Some(model.scores.clone()),
        token_types: Some(model.types.clone()),
        bos_id,
        eos_id: model.control(model.trainer.eos_id),
        unknown_id: model.types.iter().position(|&kind| kind == UNKNOWN).map(|id| id as TokenId),
        padding_id: model.control(model.trainer.pad_id),
        add_bos: Some(add_bos.unwrap_or(bos_id.is_some())),
        add_eos: Some(add_eos.unwrap_or(false)),
        add_space_prefix: Some(model.normalizer.add_dummy_prefix),
        ..GgufVocabulary::default()
    };
    for (flag, wanted, id) in [
        ("add_bos_token", vocabulary.add_bos, vocabulary.bos_id),
        ("add_eos_token", vocabulary.add_eos, vocabulary.eos_id),
    ] {
        if wanted == Some(true) && id.is_none() {
            return Err(format!("{flag} is true, but the SentencePiece model has no such control token"));
        }
    }
    let (mut tokenizer, more) = gguf::tokenizer(&vocabulary).map_err(|error| match error {
        TokenizerError::Metadata(detail) => detail,
        other => other.to_string(),
    })?;
    doubts.extend(more);
    let prepend = model.normalizer.add_dummy_prefix && legacy != Some(false);
    let mut steps: Vec<NormalizerWrapper> = table::normalizer(model)?.into_iter().collect();
    if model.normalizer.remove_extra_whitespaces {
        steps.extend(single_spaces(model.normalizer.add_dummy_prefix && !prepend)?);
    }
    if prepend {
        steps.push(Prepend::new("▁".to_owned()).into());
        steps.push(replace(ReplacePattern::String(" ".to_owned()), "▁")?);
        tokenizer.inner.with_pre_tokenizer(None::<PreTokenizerWrapper>);
    }
    if !steps.is_empty() {
        tokenizer.inner.with_normalizer(Some(Sequence::new(steps))).map_err(|error| error.to_string())?;
    }
    Ok((tokenizer, doubts))
}

fn replace(pattern: ReplacePattern, by: &str) -> Result<NormalizerWrapper> {
    Replace::new(pattern, by).map(NormalizerWrapper::from).map_err(|error| error.to_string())
}

/// No space at either end, one between words. A space at the beginning is left where it is the prefix that text gets.
fn single_spaces(space_first: bool) -> Result<[NormalizerWrapper; 2]> {
    let ends = if space_first { r" +\z" } else { r"\A +| +\z" };
    let regex = |pattern: &str| ReplacePattern::Regex(pattern.to_owned());
    Ok([replace(regex(ends), "")?, replace(regex(" {2,}"), " ")?])
}

#[derive(Default)]
struct Model {
    tokens: Vec<String>,
    scores: Vec<f32>,
    types: Vec<i32>,
    trainer: Trainer,
    normalizer: Normalizer,
    has_trainer: bool,
    has_normalizer: bool,
}

struct Trainer {
    model_type: i32,
    byte_fallback: bool,
    space_last: bool,
    bos_id: i32,
    eos_id: i32,
    pad_id: i32,
}

impl Default for Trainer {
    fn default() -> Self {
        Self { model_type: 1, byte_fallback: false, space_last: false, bos_id: 1, eos_id: 2, pad_id: -1 }
    }
}

struct Normalizer {
    name: String,
    /// The normalisation table; empty if there is none.
    table: Vec<u8>,
    add_dummy_prefix: bool,
    remove_extra_whitespaces: bool,
    escape_whitespaces: bool,
}

impl Default for Normalizer {
    fn default() -> Self {
        Self {
            name: String::new(),
            table: Vec::new(),
            add_dummy_prefix: true,
            remove_extra_whitespaces: true,
            escape_whitespaces: true,
        }
    }
}

impl Model {
    fn parse(bytes: &[u8]) -> Result<Self> {
        let mut model = Self::default();
        let mut fields = Fields(bytes);
        while let Some((number, value)) = fields.next()? {
            match number {
                1 => model.piece(value.bytes()?)?,
                2 => {
                    model.has_trainer = true;
                    model.trainer.read(value.bytes()?)?;
                }
                3 => {
                    model.has_normalizer = true;
                    model.normalizer.read(value.bytes()?)?;
                }
                _ => {}
            }
        }
        Ok(model)
    }

    fn piece(&mut self, bytes: &[u8]) -> Result<()> {
        let (mut piece, mut score, mut kind) = ("", 0.0, 1);
        let mut fields = Fields(bytes);
        while let Some((number, value)) = fields.next()? {
            match number {
                1 => piece = value.text()?,
                2 => score = value.float()?,
                3 => kind = value.int()?,
                _ => {}
            }
        }
        let id = self.tokens.len();
        if piece.is_empty() {
            return Err(format!("piece {id} is empty"));
        }
        if piece.len() > MAX_PIECE {
            return Err(format!("piece {id} has {} bytes; at most {MAX_PIECE} are read", piece.len()));
        }
        self.tokens.push(piece.to_owned());
        self.scores.push(score);
        self.types.push(kind);
        Ok(())
    }

    fn check(&self) -> Result<()> {
        if !self.has_trainer || !self.has_normalizer {
            return Err(
                "not a whole SentencePiece model: trainer_spec or normalizer_spec is missing".to_owned()
            );
        }
        match self.trainer.model_type {
            UNIGRAM | BPE => {}
            3 => return Err(unsupported("its pieces are whole words")),
            4 => return Err(unsupported("its pieces are characters")),
            other => return Err(unsupported(&format!("its type is number {other}"))),
        }
        if !self.normalizer.escape_whitespaces {
            return Err(unsupported("it does not write spaces as \"▁\""));
        }
        if self.trainer.space_last {
            return Err(unsupported("it puts the space after the word"));
        }
        let mut seen = HashSet::with_capacity(self.tokens.len());
        if let Some(twice) = self.tokens.iter().find(|token| !seen.insert(token.as_str())) {
            return Err(format!("the piece {twice:?} stands there twice"));
        }
        let count = |wanted| self.types.iter().filter(|&&kind| kind == wanted).count();
        if count(UNKNOWN) != 1 {
            return Err(format!("{} pieces are for the unknown; there must be one", count(UNKNOWN)));
        }
        let n_bytes = if self.trainer.byte_fallback { 256 } else { 0 };
        if count(BYTE) != n_bytes {
            return Err(format!("{} pieces are bytes where {n_bytes} must be", count(BYTE)));
        }
        Ok(())
    }

    /// The id, if it is that of a control token: −1 says that there is none.
    fn control(&self, id: i32) -> Option<TokenId> {
        let id = TokenId::try_from(id).ok()?;
        (self.types.get(id as usize) == Some(&CONTROL)).then_some(id)
    }
}

fn unsupported(what: &str) -> String {
    format!(
        "this SentencePiece model cannot be used: {what}; supported are Unigram and BPE; for all else there \
         must be a tokenizer.json"
    )
}

impl Trainer {
    fn read(&mut self, bytes: &[u8]) -> Result<()> {
        let mut fields = Fields(bytes);
        while let Some((number, value)) = fields.next()? {
            match number {
                3 => self.model_type = value.int()?,
                24 => self.space_last = value.flag()?,
                35 => self.byte_fallback = value.flag()?,
                41 => self.bos_id = value.int()?,
                42 => self.eos_id = value.int()?,
                43 => self.pad_id = value.int()?,
                _ => {}
            }
        }
        Ok(())
    }
}

impl Normalizer {
    fn read(&mut self, bytes: &[u8]) -> Result<()> {
        let mut fields = Fields(bytes);
        while let Some((number, value)) = fields.next()? {
            match number {
                1 => value.text()?.clone_into(&mut self.name),
                2 => value.bytes()?.clone_into(&mut self.table),
                3 => self.add_dummy_prefix = value.flag()?,
                4 => self.remove_extra_whitespaces = value.flag()?,
                5 => self.escape_whitespaces = value.flag()?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// The fields of a protobuf message that are still to be read.
struct Fields<'a>(&'a [u8]);

#[derive(Clone, Copy)]
enum Field<'a> {
    Varint(u64),
    Four([u8; 4]),
    Eight,
    Bytes(&'a [u8]),
}

impl<'a> Fields<'a> {
    fn next(&mut self) -> Result<Option<(u64, Field<'a>)>> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Field::Varint(self.varint()?),
            1 => self.take(8).map(|_| Field::Eight)?,
            2 => {
                let length = self.varint()?;
                Field::Bytes(self.take(usize::try_from(length).unwrap_or(usize::MAX))?)
            }
            5 => Field::Four(self.take(4)?.try_into().map_err(|_| broken())?),
            _ => return Err(broken()),
        };
        if key >> 3 == 0 { Err(broken()) } else { Ok(Some((key >> 3, value))) }
    }

    fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or_else(broken)?;
        self.0 = rest;
        Ok(taken)
    }

    fn varint(&mut self) -> Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(broken())
    }
}

impl<'a> Field<'a> {
    fn bytes(self) -> Result<&'a [u8]> {
        if let Self::Bytes(bytes) = self { Ok(bytes) } else { Err(broken()) }
    }

    fn text(self) -> Result<&'a str> {
        std::str::from_utf8(self.bytes()?).map_err(|error| format!("a piece or name is not UTF-8: {error}"))
    }

    fn float(self) -> Result<f32> {
        if let Self::Four(bytes) = self { Ok(f32::from_le_bytes(bytes)) } else { Err(broken()) }
    }

    /// An `int32` or `enum`: its low 32 bits, as protobuf reads it.
    fn int(self) -> Result<i32> {
        if let Self::Varint(number) = self { Ok(number as i32) } else { Err(broken()) }
    }

    fn flag(self) -> Result<bool> {
        if let Self::Varint(number) = self { Ok(number != 0) } else { Err(broken()) }
    }
}

fn broken() -> String {
    "not a whole SentencePiece model: it breaks off or is no protobuf".to_owned()
}
