//! A Parquet file of EuroGEST.

#![no_main]

use libfuzzer_sys::fuzz_target;
use stereometer_data::open;

fuzz_target!(init: stereometer_fuzz::let_caught_panics_pass(), |input: &[u8]| {
    let directory = stereometer_fuzz::directory();
    let path = directory.path().join("Finnish-00000-of-00001.parquet");
    std::fs::write(&path, input).expect("a file for one input");
    if let Err(error) = open(&path.to_string_lossy(), None, stereometer_fuzz::builtin_packs()) {
        assert!(!error.to_string().is_empty());
    }
});
