//! The folder of a run: `spec.json` and `items.jsonl`, read and resumed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use stereometer_record::RunDirectory;

const NAMES: [&str; 2] = ["spec.json", "items.jsonl"];

fuzz_target!(init: stereometer_fuzz::let_caught_panics_pass(), |input: &[u8]| {
    let directory = stereometer_fuzz::directory();
    stereometer_fuzz::write_files(directory.path(), &NAMES, input);
    match RunDirectory::open(directory.path()) {
        Ok(run) => {
            let _ = run.items();
            let resumed = RunDirectory::resume_or_create(directory.path(), run.spec().clone());
            let _ = resumed.expect("a run is resumed by its own spec").items_writer();
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
