//! A directory of a set, in any format but Parquet, with its `set.toml` and a language pack; then its items.

#![no_main]

use libfuzzer_sys::fuzz_target;
use stereometer_core::TemplateChoice;
use stereometer_data::{check, open};

const NAMES: [&str; 10] = [
    "set/items.de.csv",
    "set/items.fr.jsonl",
    "set/set.toml",
    "set/gest_translations_gender_insensitive.csv",
    "set/gest_translations_gender_sensitive.csv",
    "set/Bulgarian.csv",
    "set/my.csv",
    "set/my.jsonl",
    "packs/is.toml",
    "packs/de.toml",
];

fuzz_target!(init: stereometer_fuzz::let_caught_panics_pass(), |input: &[u8]| {
    let directory = stereometer_fuzz::directory();
    stereometer_fuzz::write_files(directory.path(), &NAMES, input);
    let builtin = stereometer_fuzz::builtin_packs().clone();
    let own = directory.path().join("packs");
    let packs = if own.is_dir() { builtin.clone().with_directory(&own).unwrap_or(builtin) } else { builtin };
    let set = directory.path().join("set").to_string_lossy().into_owned();
    let report = check(&set, None, &packs);
    match open(&set, None, &packs) {
        Ok(set) => {
            assert!(report.is_ok(), "a set that opens has a report");
            let _ = (set.items(&packs, TemplateChoice::Auto, &set.languages()), set.content_sha256());
        }
        Err(error) => assert!(!error.to_string().is_empty() && error.hint() != Some(String::new())),
    }
});
