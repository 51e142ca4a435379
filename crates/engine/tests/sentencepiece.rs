//! Checkpoints with a SentencePiece file in place of `tokenizer.json`, one of each family: the configuration alone says how
//! ids are made of the pieces. The folders here have names that say nothing.

#![allow(clippy::unwrap_used)] // a test that cannot read its golden files fails there

use std::path::{Path, PathBuf};

use stereometer_engine::{LoadOptions, load_any};

fn golden(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden").join(path)
}

#[test]
fn every_family_has_the_ids_of_its_tokenizer_json() {
    for (checkpoint, model, name) in [
        ("xlm-roberta", "xlmr", "sentencepiece.bpe.model"),
        ("albert", "albert", "spiece.model"),
        ("t5", "t5", "spiece.model"),
        ("mt5", "mt5", "spiece.model"),
        ("mistral", "llama2", "tokenizer.model"),
        ("gemma2", "gemma", "tokenizer.model"),
    ] {
        let base = golden(&format!("models/{checkpoint}"));
        let published = load_any(&base, &LoadOptions::default()).unwrap();
        let copy = tempfile::tempdir().unwrap();
        for file in std::fs::read_dir(&base).unwrap() {
            let file = file.unwrap();
            if file.file_name() != "tokenizer.json" {
                std::fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
            }
        }
        std::fs::copy(golden(&format!("spm/{model}.model")), copy.path().join(name)).unwrap();
        let loaded = load_any(copy.path(), &LoadOptions::default()).unwrap();
        // The tiny checkpoints' tokenizer_config.json do not speak of BOS, hub files of Llama and Gemma do.
        let causal = ["mistral", "gemma2"].contains(&checkpoint);
        assert_eq!(
            loaded.warnings.len() - published.warnings.len(),
            usize::from(causal),
            "{:?}",
            loaded.warnings
        );
        for text in
            ["She is tired.", " Zoë  a dit ", "<mask> a", "x <extra_id_0> y", "他说<extra_id_0>累了", "🙂🙂"]
        {
            let (ours, theirs) = (loaded.tokenizer.encode(text), published.tokenizer.encode(text));
            assert_eq!(ours.unwrap(), theirs.unwrap(), "{checkpoint}: {text:?}");
        }
    }
}
