//! Every way to a tokenizer, by the input's first byte: `tokenizer.json`, a SentencePiece model, the vocabulary of a GGUF
//! file (as JSON here, for the reading of GGUF is another target); then a short text through it and back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use stereometer_lm::Tokenizer;
use stereometer_lm::tokenizer::SentencePieceRules;
use stereometer_lm::tokenizer::gguf::{self, GgufVocabulary};

const TEXT: &str = "“I cook,” he said. Ich koche;  ñ Ω 12\n<s> \u{1F469} </s>";

fuzz_target!(init: stereometer_fuzz::let_caught_panics_pass(), |input: &[u8]| {
    let Some((kind, content)) = input.split_first() else { return };
    let directory = stereometer_fuzz::directory();
    let path = directory.path().join("tokenizer");
    let tokenizer = if *kind == b'g' {
        let Ok(vocabulary) = serde_json::from_slice::<GgufVocabulary>(content) else { return };
        gguf::tokenizer(&vocabulary).map(|(tokenizer, _)| tokenizer)
    } else {
        std::fs::write(&path, content).expect("a file for one input");
        match kind {
            b's' => Tokenizer::from_sentencepiece(&path, SentencePieceRules::default()).map(|(tokenizer, _)| tokenizer),
            b'b' => {
                let rules = SentencePieceRules { add_bos: Some(true), add_eos: Some(true), ..Default::default() };
                Tokenizer::from_sentencepiece(&path, rules).map(|(tokenizer, _)| tokenizer)
            }
            _ => Tokenizer::from_file(&path),
        }
    };
    let tokenizer = match tokenizer {
        Ok(tokenizer) => tokenizer,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let _ = tokenizer.prefix_ids();
    let _ = tokenizer.encode_framed(TEXT);
    let _ = tokenizer.added_mask();
    // The engine refuses a vocabulary that is larger than an embedding can be before it asks for the fingerprint, which
    // takes time by the highest id.
    if tokenizer.vocab_size() <= 1 << 24 {
        let _ = tokenizer.fingerprint();
    }
    if let Ok(encoding) = tokenizer.encode(TEXT) {
        let _ = tokenizer.decode(&encoding.ids);
    }
});
