//! Load time, memory and speed of a checkpoint on this machine:
//! `cargo run --release -p stereometer-engine --example speed -- CHECKPOINT [THREADS] [TOKENS] [f32|bf16|q8]`.

use std::path::PathBuf;
use std::time::Instant;

use stereometer_engine::{Dtype, Level, LoadOptions, load};
use stereometer_lm::TokenTrie;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next().map(PathBuf::from) else {
        eprintln!("give a checkpoint, perhaps a number of threads, perhaps a number of tokens");
        std::process::exit(2);
    };
    let mut number = |default: usize| arguments.next().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (threads, n_tokens) = (number(0), number(1000));
    let dtype = match arguments.next().as_deref() {
        Some("bf16") => Dtype::Bf16,
        Some("q8") => Dtype::Q8,
        _ => Dtype::F32,
    };
    let start = Instant::now();
    let loaded = match load(&path, &LoadOptions { threads, dtype, ..LoadOptions::default() }) {
        Ok(loaded) => loaded,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(3);
        }
    };
    let info = loaded.lm.info();
    println!("loaded in {:.2} s, {} MiB resident at most", start.elapsed().as_secs_f64(), peak_mib());
    println!("{info:?}\n{:?}\ninstructions: {}", loaded.warnings, Level::detect().name());

    // Items of four variants that share their first 24 tokens and differ in the last 6.
    let mut sequences: Vec<Vec<u32>> = Vec::new();
    let mut state = 1_u32;
    let mut token = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % info.vocab_size as u32
    };
    while TokenTrie::new(&sequences).len() < n_tokens {
        let shared: Vec<u32> = (0..24).map(|_| token()).collect();
        for _ in 0..4 {
            let mut variant = shared.clone();
            variant.extend((0..6).map(|_| token()));
            sequences.push(variant);
        }
    }
    let n_nodes = TokenTrie::new(&sequences).len();
    for _ in 0..4 {
        let (start, ticks) = (Instant::now(), cpu_seconds());
        let answers = loaded.lm.sequence_logprobs(&sequences).unwrap_or_default();
        let (seconds, busy) = (start.elapsed().as_secs_f64(), cpu_seconds() - ticks);
        let sum: f64 = answers.iter().map(stereometer_lm::TokenLogProbs::sum).sum();
        println!(
            "{n_nodes} tree tokens in {seconds:.3} s ({busy:.2} s of cores): {:.0} tokens/s, {:.2} items/s, \
             sum {sum:.3}, {} MiB at most",
            n_nodes as f64 / seconds,
            sequences.len() as f64 / 4.0 / seconds,
            peak_mib()
        );
    }
}

/// Seconds of cores used so far (in hundredths, as Linux counts); 0 where the system does not tell.
fn cpu_seconds() -> f64 {
    let status = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = status.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let ticks = after_name.split(' ').skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// Largest resident memory so far; 0 where the system does not tell.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}
