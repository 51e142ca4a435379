//! A tokenizer built from GGUF metadata gives the ids of the tokenizer that was published with the checkpoint.
//!
//! The reference ids and their birth certificate are in `golden/tokenizers`, made by
//! `golden/generators/gguf_vocabulary.py`. Ids are compared exactly.

#![allow(clippy::unwrap_used)] // in a test a panic is the report

use std::io::Write;
use std::path::{Path, PathBuf};

use candle_core::quantized::gguf_file::{Content, Value};
use proptest::prelude::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use stereometer_lm::tokenizer::gguf::{GgufVocabulary, tokenizer};
use stereometer_lm::{TokenId, Tokenizer};

const SMALL: [&str; 6] = ["llama2", "gemma3", "gpt2", "llama3", "qwen2", "command-r"];
const BYTE_LEVEL: [&str; 4] = ["gpt2", "llama3", "qwen2", "command-r"];

#[derive(Deserialize)]
struct Strings {
    common: Vec<String>,
    more: Vec<String>,
}

#[derive(Deserialize)]
struct Golden {
    vocabulary: GgufVocabulary,
    ids: Vec<Vec<TokenId>>,
}

#[derive(Deserialize)]
struct Ids {
    ids: Vec<Vec<TokenId>>,
}

fn golden<T: DeserializeOwned>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/tokenizers").join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn vocabulary(name: &str) -> GgufVocabulary {
    golden::<Golden>(&format!("{name}.json")).vocabulary
}

fn assert_ids(name: &str, tokenizer: &Tokenizer, texts: &[String], expected: &[Vec<TokenId>]) {
    assert_eq!(texts.len(), expected.len(), "{name}: one list of ids for each string");
    for (text, expected) in texts.iter().zip(expected) {
        assert_eq!(&tokenizer.encode(text).unwrap().ids, expected, "{name}: {text:?}");
    }
}

#[test]
fn small_vocabularies_give_the_published_ids() {
    let texts = golden::<Strings>("strings.json").common;
    for name in SMALL {
        let golden: Golden = golden(&format!("{name}.json"));
        let (tokenizer, doubts) = tokenizer(&golden.vocabulary).unwrap();
        assert!(doubts.is_empty(), "{name}: {doubts:?}");
        assert_eq!(tokenizer.vocab_size(), golden.vocabulary.tokens.len(), "{name}");
        assert_ids(name, &tokenizer, &texts, &golden.ids);
    }
}

#[test]
fn real_models_give_the_published_ids() {
    let Some(models) = std::env::var_os("STEREOMETER_REAL_MODELS").map(PathBuf::from) else {
        // Not eprintln: the test harness would swallow it.
        let hint = "set STEREOMETER_REAL_MODELS to the directory of the two GGUF files";
        writeln!(std::io::stderr(), "skipped: the ids of the real models are not compared ({hint})").unwrap();
        return;
    };
    let Strings { mut common, more } = golden("strings.json");
    common.extend(more);
    for name in ["gemma-3-270m", "smollm2-135m-instruct"] {
        let vocabulary = read_vocabulary(&models.join(format!("{name}.gguf")));
        let (tokenizer, doubts) = tokenizer(&vocabulary).unwrap();
        assert!(doubts.is_empty(), "{name}: {doubts:?}");
        assert_ids(name, &tokenizer, &common, &golden::<Ids>(&format!("{name}.ids.json")).ids);
    }
}

/// The metadata of a GGUF file, as candle reads them.
fn read_vocabulary(path: &Path) -> GgufVocabulary {
    let mut file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let content = Content::read(&mut file).unwrap();
    let get = |key: &str| content.metadata.get(&format!("tokenizer.ggml.{key}"));
    let text = |key: &str| get(key).map(|value| value.to_string().unwrap().clone());
    let texts = |key: &str| get(key).map(|value| list(value, |item| item.to_string().unwrap().clone()));
    let id = |key: &str| get(key).map(|value| value.to_u32().unwrap());
    let flag = |key: &str| get(key).map(|value| value.to_bool().unwrap());
    GgufVocabulary {
        model: text("model").unwrap(),
        pre: text("pre"),
        tokens: texts("tokens").unwrap(),
        scores: get("scores").map(|value| list(value, |item| item.to_f32().unwrap())),
        token_types: get("token_type").map(|value| list(value, |item| item.to_i32().unwrap())),
        merges: texts("merges"),
        bos_id: id("bos_token_id"),
        eos_id: id("eos_token_id"),
        unknown_id: id("unknown_token_id"),
        padding_id: id("padding_token_id"),
        add_bos: flag("add_bos_token"),
        add_eos: flag("add_eos_token"),
        add_space_prefix: flag("add_space_prefix"),
    }
}

fn list<T>(value: &Value, item: impl Fn(&Value) -> T) -> Vec<T> {
    value.to_vec().unwrap().iter().map(item).collect()
}

#[test]
fn one_beginning_of_text_token_exactly_when_the_file_asks_for_it() {
    for name in SMALL {
        let mut vocabulary = vocabulary(name);
        let bos = vocabulary.bos_id.unwrap();
        for add in [true, false] {
            vocabulary.add_bos = Some(add);
            let (tokenizer, _) = tokenizer(&vocabulary).unwrap();
            assert_eq!(tokenizer.prefix_ids().unwrap(), if add { vec![bos] } else { vec![] }, "{name}");
            for text in ["", " ", "a", "Größe", "\n\nнаука 12"] {
                let ids = tokenizer.encode(text).unwrap().ids;
                assert_eq!(ids.iter().filter(|&&id| id == bos).count(), usize::from(add), "{name} {text:?}");
            }
        }
    }
}

#[test]
fn an_end_token_is_no_prefix_and_stands_last() {
    for name in SMALL {
        let vocabulary = GgufVocabulary { add_eos: Some(true), add_bos: Some(true), ..vocabulary(name) };
        let (tokenizer, _) = tokenizer(&vocabulary).unwrap();
        assert_eq!(tokenizer.prefix_ids().unwrap(), [vocabulary.bos_id.unwrap()], "{name}");
        let ids = tokenizer.encode("water").unwrap().ids;
        assert_eq!(ids.last(), vocabulary.eos_id.as_ref(), "{name}");
        assert_eq!(
            tokenizer.encode("").unwrap().ids,
            [vocabulary.bos_id.unwrap(), vocabulary.eos_id.unwrap()]
        );
    }
}

#[test]
fn a_silent_file_gets_the_rule_of_its_kind_and_a_doubt() {
    for (name, expected) in [
        ("llama2", true),
        ("gemma3", true),
        ("llama3", true),
        ("command-r", true),
        ("qwen2", false),
        ("gpt2", false),
    ] {
        let vocabulary = GgufVocabulary { add_bos: None, ..vocabulary(name) };
        let (tokenizer, doubts) = tokenizer(&vocabulary).unwrap();
        assert_eq!(!tokenizer.prefix_ids().unwrap().is_empty(), expected, "{name}");
        assert_eq!(doubts.len(), 1, "{name}: {doubts:?}");
        assert!(doubts[0].contains("beginning-of-text"), "{doubts:?}");
    }
}

#[test]
fn qwen2_composes_text_although_the_file_does_not_say_so() {
    let (qwen, _) = tokenizer(&vocabulary("qwen2")).unwrap();
    let (llama, _) = tokenizer(&vocabulary("llama3")).unwrap();
    let (composed, decomposed) = ("żółć", "z\u{307}o\u{301}łc\u{301}");
    assert_eq!(qwen.encode(composed).unwrap().ids, qwen.encode(decomposed).unwrap().ids);
    assert_ne!(llama.encode(composed).unwrap().ids, llama.encode(decomposed).unwrap().ids);
}

#[test]
fn a_text_that_starts_with_a_space_gets_no_second_one() {
    // transformers 5; the tokenizer.json that Llama 2 was published with has "▁▁water" here.
    let (tokenizer, _) = tokenizer(&vocabulary("llama2")).unwrap();
    assert_eq!(tokenizer.encode(" water").unwrap().ids, tokenizer.encode("water").unwrap().ids);
    let vocabulary = GgufVocabulary { add_space_prefix: Some(false), ..vocabulary("llama2") };
    let (bare, _) = stereometer_lm::tokenizer::gguf::tokenizer(&vocabulary).unwrap();
    assert_ne!(bare.encode("water").unwrap().ids, tokenizer.encode("water").unwrap().ids);
    assert_eq!(bare.encode(" water").unwrap().ids, tokenizer.encode("water").unwrap().ids);
}

#[test]
fn a_named_token_that_ordinary_text_makes_stays_ordinary() {
    let whole = vocabulary("gpt2");
    let exclamation = whole.tokens.iter().position(|token| token == "!").unwrap() as TokenId;
    let plain = tokenizer(&whole).unwrap().0;
    let (named, doubts) = tokenizer(&GgufVocabulary { padding_id: Some(exclamation), ..whole }).unwrap();
    assert_eq!(doubts.len(), 1, "{doubts:?}");
    assert!(doubts[0].contains("\"!\"") && doubts[0].contains("padding"), "{doubts:?}");
    assert_eq!(named.fingerprint(), plain.fingerprint());
}

#[test]
fn special_tokens_need_not_be_typed() {
    // Older converters typed every token as text.
    let whole = vocabulary("gpt2");
    let expected = tokenizer(&whole).unwrap().0.encode("a<|endoftext|>b").unwrap().ids;
    for token_types in [None, Some(vec![1; whole.tokens.len()])] {
        let untyped = GgufVocabulary { token_types, ..whole.clone() };
        let (tokenizer, doubts) = tokenizer(&untyped).unwrap();
        assert_eq!(tokenizer.encode("a<|endoftext|>b").unwrap().ids, expected);
        assert_eq!(doubts.len(), usize::from(untyped.token_types.is_none()), "{doubts:?}");
    }
}

#[test]
fn fingerprints_tell_tokenizers_apart() {
    let fingerprint = |vocabulary: &GgufVocabulary| tokenizer(vocabulary).unwrap().0.fingerprint();
    let whole = vocabulary("llama3");
    let print = fingerprint(&whole);
    assert_eq!(print.len(), 64);
    assert_eq!(print, fingerprint(&whole), "the same file, the same fingerprint");
    assert_ne!(print, fingerprint(&GgufVocabulary { add_bos: Some(false), ..whole.clone() }));
    assert_ne!(print, fingerprint(&GgufVocabulary { pre: Some("qwen2".into()), ..whole.clone() }));
    let mut other_merges = whole;
    other_merges.merges.as_mut().unwrap().swap(0, 1);
    assert_ne!(print, fingerprint(&other_merges));
}

#[test]
fn metadata_that_do_not_fit_are_refused_with_what_was_found() {
    let byte_level = || vocabulary("gpt2");
    let spm = || vocabulary("gemma3");
    let last = |vocabulary: &GgufVocabulary| Some(vocabulary.tokens.len() as TokenId);
    let broken: [(GgufVocabulary, &str); 10] = [
        (GgufVocabulary { model: "t5".into(), ..spm() }, "\"t5\"; supported are \"llama\" and \"gpt2\""),
        (GgufVocabulary { tokens: vec![], ..spm() }, "tokens is empty"),
        (GgufVocabulary { scores: Some(vec![0.0; 3]), ..spm() }, "scores has 3 entries for 704 tokens"),
        (GgufVocabulary { scores: Some(vec![f32::NAN; 704]), ..spm() }, "score of token 0 is not a number"),
        (
            GgufVocabulary { token_types: Some(vec![1; 9]), ..spm() },
            "token_type has 9 entries for 704 tokens",
        ),
        (GgufVocabulary { token_types: Some(vec![7; 704]), ..spm() }, "token 0 has type 7"),
        (GgufVocabulary { bos_id: last(&spm()), ..spm() }, "bos_token_id is 704, but there are 704 tokens"),
        (
            GgufVocabulary { bos_id: None, add_bos: Some(true), ..spm() },
            "add_bos_token is true, but bos_token_id is missing",
        ),
        (GgufVocabulary { merges: None, ..byte_level() }, "merges is missing"),
        (GgufVocabulary { merges: Some(vec!["ab".into()]), ..byte_level() }, "merge 0 is not a pair: \"ab\""),
    ];
    for (vocabulary, expected) in broken {
        let message = tokenizer(&vocabulary).unwrap_err().to_string();
        assert!(message.starts_with("the tokenizer in the GGUF file cannot be used: "), "{message}");
        assert!(message.contains(expected), "{message} lacks {expected}");
    }
    let mut long = spm();
    long.merges = None;
    long.tokens[600] = "a".repeat(257);
    let message = tokenizer(&long).unwrap_err().to_string();
    assert!(message.ends_with("token 600 has 257 bytes; at most 256 are read"), "{message}");
    let unknown_piece = GgufVocabulary { merges: Some(vec!["Ġ nowhere".into()]), ..byte_level() };
    assert!(tokenizer(&unknown_piece).unwrap_err().to_string().contains("nowhere"));
}

#[test]
fn text_beyond_the_vocabulary_falls_back_to_bytes_or_is_unknown() {
    let (tokenizer, _) = tokenizer(&vocabulary("gemma3")).unwrap();
    let encoding = tokenizer.encode("ꙮ").unwrap();
    assert_eq!(encoding.tokens, ["<bos>", "<0xEA>", "<0x99>", "<0xAE>"]);
    assert!(!encoding.ids.iter().any(|&id| tokenizer.is_unknown(id)));

    let mut without_bytes = vocabulary("gemma3");
    for token in &mut without_bytes.tokens {
        if token.starts_with("<0x") {
            *token = format!("[{token}]");
        }
    }
    let (tokenizer, _) = stereometer_lm::tokenizer::gguf::tokenizer(&without_bytes).unwrap();
    let encoding = tokenizer.encode("ꙮꙮ").unwrap();
    assert_eq!(encoding.tokens, ["<bos>", "<unk>"], "a run of unknown text is one unknown token");
    assert!(tokenizer.is_unknown(encoding.ids[1]));
}

#[test]
fn letters_that_are_missing_are_a_doubt() {
    let mut vocabulary = vocabulary("gpt2");
    let gone = vocabulary.tokens.iter().position(|token| token == "~").unwrap();
    vocabulary.tokens[gone] = "[gone]".into();
    let (_, doubts) = tokenizer(&vocabulary).unwrap();
    assert!(doubts.len() == 1 && doubts[0].contains("no token for 1 of the bytes"), "{doubts:?}");
}

fn any_text() -> impl Strategy<Value = String> {
    let alphabet = prop_oneof![
        4 => proptest::char::range(' ', '~'),
        2 => proptest::char::ranges(vec!['À'..='ɏ', 'Ͱ'..='ԯ', '\u{300}'..='\u{36f}'].into()),
        1 => proptest::sample::select(vec!['\n', '\t', '\r', ' ', '▁', '’', '“', '你', 'ह', '🦊', '\u{200d}', '½']),
        1 => any::<char>(),
    ];
    proptest::collection::vec(alphabet, 0..40).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn decoding_gives_byte_level_text_back(text in any_text()) {
        for name in BYTE_LEVEL {
            TOKENIZERS.with(|tokenizers| {
                let (tokenizer, composes) = &tokenizers[name];
                let ids = tokenizer.encode(&text).unwrap().ids;
                let after_prefix = &ids[tokenizer.prefix_ids().unwrap().len()..];
                let back = tokenizer.decode(after_prefix).unwrap();
                if *composes {
                    // NFC is a fixed point: what comes back is cut as the text was.
                    prop_assert_eq!(&tokenizer.encode(&back).unwrap().ids, &ids, "{}", name);
                } else {
                    prop_assert_eq!(&back, &text, "{}", name);
                }
                Ok(())
            })?;
        }
    }

    #[test]
    fn one_beginning_of_text_token_for_any_text(text in any_text()) {
        for name in SMALL {
            TOKENIZERS.with(|tokenizers| {
                let (tokenizer, _) = &tokenizers[name];
                let prefix = tokenizer.prefix_ids().unwrap();
                let ids = tokenizer.encode(&text).unwrap().ids;
                prop_assert!(ids.starts_with(&prefix) && prefix.len() <= 1, "{}", name);
                prop_assert!(!ids[prefix.len()..].iter().any(|id| prefix.contains(id)), "{}", name);
                Ok(())
            })?;
        }
    }
}

thread_local! {
    /// Each small tokenizer, and whether it brings text to NFC.
    static TOKENIZERS: std::collections::HashMap<&'static str, (Tokenizer, bool)> = SMALL
        .map(|name| (name, (tokenizer(&vocabulary(name)).unwrap().0, matches!(name, "qwen2" | "command-r"))))
        .into();
}
