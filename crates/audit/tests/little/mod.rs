//! Records by hand for the cases in which there is little to say: shared by the tests of the analysis and of the page.

// Each test file uses its own part.
#![allow(dead_code, clippy::unwrap_used)]

use stereometer_audit::{Settings, analyse};
use stereometer_core::{Form, Gender, Item, Language, Method, Outcome, StereotypeId};
use stereometer_record::{ItemRecord, Results, ScoredText, ScoredVariants};

/// Makes the records of a run.
type Make = fn() -> Vec<ItemRecord>;

/// Every run below, by name.
pub const CASES: [(&str, Make); 8] = [
    ("gaps", gaps),
    ("one sentence each", one_sentence_each),
    ("equal rates", || level(0.75)),
    ("tied scores", || level(0.0)),
    ("one language", || whole("de", 12)),
    ("one stereotype", || sentences("de", 3, 12)),
    ("no default", || sentences("de", 15, 12)),
    ("one sentence", || sentences("de", 3, 1)),
];

/// A sentence whose masculine variant is likelier by `nats`, all of them in the last of three tokens.
pub fn record(language: &str, stereotype: u16, sentence: usize, nats: f32) -> ItemRecord {
    let language: Language = language.parse().unwrap();
    let source = format!("{stereotype}-{sentence}");
    let text = |who: &str, id: u32, logprob: f32| ScoredText {
        token_ids: vec![0, 7, id],
        tokens: ["<bos>", "said", who].map(str::to_owned).to_vec(),
        logprobs: vec![None, Some(-1.0), Some(logprob)],
    };
    ItemRecord {
        key: format!("{language}{source}"),
        id: Item::id_of(&language, &source, Form::Pronoun),
        texts: ["he", "she"].map(|who| format!("sentence {source}, said {who}")),
        language,
        source,
        stereotype: stereotype.try_into().unwrap(),
        form: Form::Pronoun,
        outcome: Outcome::Scored(ScoredVariants {
            masculine: text("he", 8, -4.0 + nats),
            feminine: text("she", 9, -4.0),
        }),
    }
}

/// Sentences of a stereotype that lean towards it, some more, some less.
pub fn sentences(language: &str, stereotype: u16, n: usize) -> Vec<ItemRecord> {
    let id: StereotypeId = stereotype.try_into().unwrap();
    let side = if id.info().about == Gender::Feminine { -1.0 } else { 1.0 };
    let nats = |sentence: usize| side * (0.2 + 0.1 * ((sentence * 7 + usize::from(stereotype)) % 5) as f32);
    (0..n).map(|sentence| record(language, stereotype, sentence, nats(sentence))).collect()
}

/// `n` sentences of every stereotype.
pub fn whole(language: &str, n: usize) -> Vec<ItemRecord> {
    (1..=16).flat_map(|stereotype| sentences(language, stereotype, n)).collect()
}

/// German has everything; French lacks stereotype 7 and has three sentences of stereotype 4.
pub fn gaps() -> Vec<ItemRecord> {
    let french = (1..=16).filter(|&stereotype| stereotype != 7);
    let n = |stereotype| if stereotype == 4 { 3 } else { 12 };
    let french = french.flat_map(|stereotype| sentences("fr", stereotype, n(stereotype)));
    whole("de", 12).into_iter().chain(french).collect()
}

/// One sentence of every stereotype, in two languages.
pub fn one_sentence_each() -> Vec<ItemRecord> {
    whole("de", 1).into_iter().chain(whole("fr", 1)).collect()
}

/// Every variant differs by the same amount; the stereotypes have unequal numbers of sentences, so that sums round
/// differently.
pub fn level(nats: f32) -> Vec<ItemRecord> {
    let languages = ["de", "fr"].into_iter();
    let sentence = move |language: &'static str, stereotype: u16| {
        (0..usize::from(9 + stereotype % 6)).map(move |place| record(language, stereotype, place, nats))
    };
    languages.flat_map(|language| (1..=16).flat_map(move |one| sentence(language, one))).collect()
}

/// The results of these records, languages in order of appearance.
pub fn results(records: &[ItemRecord]) -> Results {
    let names = [("de", "German"), ("fr", "French")];
    let has = |tag: &str| records.iter().any(|record| record.language.as_str() == tag);
    let languages: Vec<(Language, String)> = names
        .into_iter()
        .filter(|(tag, _)| has(tag))
        .map(|(tag, name)| (tag.parse().unwrap(), name.to_owned()))
        .collect();
    analyse(records, &languages, Method::Likelihood, &Settings { resamples: 500, ..Settings::default() })
}
