//! How is a text cut before byte-level merges are looked up?
//!
//! `tokenizer.ggml.pre` names the cut. The table holds, for each name, what the `tokenizer.json` files behind it say: the
//! normaliser, the cuts in order, whether a whole word that is a token is taken before any merge (`ignore_merges`), and
//! whether its models put a beginning-of-text token before a text. Names that are not here are cut as GPT-2 does
//! it, with a doubt: other boundaries make other tokens, and log-probabilities of another text than the model learned.
//!
//! Regular expressions are as published (the files spell them for Oniguruma; `fancy-regex` reads them alike).

use tokenizers::normalizers::NFC;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::{NormalizerWrapper, PreTokenizerWrapper, SplitDelimiterBehavior};

use super::{TokenizerError, metadata};

/// One family of cuts.
pub(super) struct PreTokenizer {
    names: &'static [&'static str],
    /// Whether text is brought to NFC first.
    nfc: bool,
    cuts: &'static [Cut],
    words: Words,
    /// Whether a word that is a token is taken whole, whatever the merges say.
    pub(super) whole_words: bool,
    /// Whether the models of this family begin a text with a BOS token.
    pub(super) bos_is_usual: bool,
}

/// What happens to the stretches that the cuts leave.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    /// They are the words.
    AsCut,
    /// They are cut into words as GPT-2 does it.
    Gpt2,
}

enum Cut {
    /// Around every single digit.
    Digits,
    /// Around every match.
    Matches(&'static str),
}

const GPT2: PreTokenizer = PreTokenizer {
    names: &["gpt-2", "phi-2", "gigachat", "mellum"],
    nfc: false,
    cuts: &[],
    words: Words::Gpt2,
    whole_words: false,
    bos_is_usual: false,
};

const TABLE: &[PreTokenizer] = &[
    GPT2,
    // GPT-NeoX's tokenizer
    PreTokenizer { names: &["olmo", "mpt"], nfc: true, ..GPT2 },
    PreTokenizer {
        names: &["smollm", "starcoder", "refact", "codeshell", "exaone", "minerva-7b"],
        cuts: &[Cut::Digits],
        ..GPT2
    },
    // Cohere: Command R, Aya Expanse
    PreTokenizer { names: &["command-r"], nfc: true, cuts: &[Cut::Digits], bos_is_usual: true, ..GPT2 },
    PreTokenizer {
        names: &["llama-bpe", "llama3", "llama-v3"],
        cuts: &[Cut::Matches(LLAMA3)],
        words: Words::AsCut,
        whole_words: true,
        bos_is_usual: true,
        ..GPT2
    },
    PreTokenizer {
        names: &["smaug-bpe", "dbrx", "glm4", "chatglm-bpe"],
        cuts: &[Cut::Matches(LLAMA3)],
        words: Words::AsCut,
        ..GPT2
    },
    PreTokenizer {
        names: &["qwen2", "deepseek-r1-qwen", "megrez", "stablelm2"],
        nfc: true,
        cuts: &[Cut::Matches(QWEN2)],
        words: Words::AsCut,
        ..GPT2
    },
    PreTokenizer {
        names: &["qwen35"],
        nfc: true,
        cuts: &[Cut::Matches(QWEN35)],
        words: Words::AsCut,
        ..GPT2
    },
    PreTokenizer {
        names: &["tekken"],
        cuts: &[Cut::Matches(TEKKEN)],
        words: Words::AsCut,
        whole_words: true,
        bos_is_usual: true,
        ..GPT2
    },
    PreTokenizer { names: &["gpt-4o", "llama4"], cuts: &[Cut::Matches(GPT4O)], words: Words::AsCut, ..GPT2 },
    PreTokenizer {
        names: &["bloom", "poro-chat", "gpt3-finnish"],
        cuts: &[Cut::Matches(BLOOM)],
        words: Words::AsCut,
        ..GPT2
    },
    PreTokenizer {
        names: &["viking"],
        cuts: &[Cut::Matches(BLOOM), Cut::Digits],
        words: Words::AsCut,
        ..GPT2
    },
];

const LLAMA3: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);
const QWEN2: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);
const QWEN35: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}",
    r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);
const TEKKEN: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*",
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);
const GPT4O: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
);
const BLOOM: &str = " ?[^(\\s|[.,!?…。，、।۔،])]+";

/// The family of a name; GPT-2's, with a doubt, for a name that says nothing.
pub(super) fn find(name: Option<&str>, doubts: &mut Vec<String>) -> &'static PreTokenizer {
    let known = |name: &str| TABLE.iter().find(|family| family.names.contains(&name));
    if let Some(family) = name.and_then(known) {
        return family;
    }
    let found = match name {
        Some(name) => format!("names the pre-tokenizer {name:?}, which is not known here"),
        None => "does not name its pre-tokenizer".to_owned(),
    };
    doubts.push(format!(
        "the GGUF file {found}: text is cut into words as GPT-2 does it, which may give other tokens than the model \
         learned; prefer the checkpoint's own tokenizer.json"
    ));
    &TABLE[0]
}

impl PreTokenizer {
    pub(super) fn normalizer(&self) -> Option<NormalizerWrapper> {
        self.nfc.then(|| NFC.into())
    }

    pub(super) fn steps(&self) -> Result<PreTokenizerWrapper, TokenizerError> {
        let cut = |cut: &Cut| match *cut {
            Cut::Digits => Ok(Digits::new(true).into()),
            Cut::Matches(regex) => {
                let pattern = SplitPattern::Regex(regex.to_owned());
                Split::new(pattern, SplitDelimiterBehavior::Isolated, false).map(Into::into).map_err(metadata)
            }
        };
        let bytes = ByteLevel::default().add_prefix_space(false).use_regex(self.words == Words::Gpt2);
        let steps = self.cuts.iter().map(cut).chain([Ok(bytes.into())]);
        Ok(Sequence::new(steps.collect::<Result<Vec<PreTokenizerWrapper>, _>>()?).into())
    }
}

#[cfg(test)]
mod tests {
    use tokenizers::{OffsetReferential, OffsetType, PreTokenizedString, PreTokenizer as _};

    use super::*;

    fn words(name: &str, text: &str) -> Vec<String> {
        let mut text = PreTokenizedString::from(text);
        find(Some(name), &mut Vec::new()).steps().unwrap().pre_tokenize(&mut text).unwrap();
        let words = text.get_splits(OffsetReferential::Original, OffsetType::Byte);
        words.into_iter().map(|(word, ..)| word.replace('Ġ', "_").replace('Ċ', "/")).collect()
    }

    #[test]
    fn every_row_compiles_and_no_name_is_in_two_rows() {
        for family in TABLE {
            family.steps().unwrap();
        }
        let mut names: Vec<_> = TABLE.iter().flat_map(|family| family.names).collect();
        let n_names = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n_names);
    }

    #[test]
    fn families_differ_where_they_should() {
        let text = "We'VE  1234 x\n\ny";
        assert_eq!(words("gpt-2", text), ["We", "'", "VE", "_", "_1234", "_x", "/", "/", "y"]);
        assert_eq!(words("smollm", text), ["We", "'", "VE", "__", "1", "2", "3", "4", "_x", "/", "/", "y"]);
        assert_eq!(words("qwen2", text), ["We", "'VE", "_", "_", "1", "2", "3", "4", "_x", "//", "y"]);
        assert_eq!(words("llama-bpe", text), ["We", "'VE", "_", "_", "123", "4", "_x", "//", "y"]);
        assert_eq!(words("gpt-4o", text), ["We'VE", "_", "_", "123", "4", "_x", "//", "y"]);
        assert_eq!(words("viking", text), ["We'VE", "_", "_", "1", "2", "3", "4", "_x", "//", "y"]);
    }

    #[test]
    fn a_name_that_says_nothing_is_a_doubt() {
        for name in [None, Some("default"), Some("brand-new")] {
            let mut doubts = Vec::new();
            assert!(find(name, &mut doubts).names.contains(&"gpt-2"));
            assert_eq!(doubts.len(), 1, "{name:?}");
            assert!(doubts[0].contains(name.unwrap_or("does not name")), "{}", doubts[0]);
        }
    }
}
