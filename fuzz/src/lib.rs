//! What the targets share: files on a disk that is none, several files in one input, and a question to whatever loads.

use std::path::Path;
use std::sync::OnceLock;

use stereometer_data::Packs;
use stereometer_engine::LoadedAny;
use stereometer_lm::{Cloze, ClozeTarget, LoadedLm, SourceTarget, TokenId};
use tempfile::TempDir;

/// What stands between the files of an input: after it comes a digit for the file's name, then a line break.
const MARK: &[u8] = b"\n==== ";

/// The panic hook of libFuzzer ends the process at every panic, also where the program catches it. With this one only a panic
/// that nobody catches ends it, and those that are caught can be read: perhaps a check before the call spares them.
pub fn let_caught_panics_pass() {
    // The program puts its own hook, which is silent, in place at the first call.
    let _ = stereometer_core::caught(|| ());
    std::panic::set_hook(Box::new(|info| eprintln!("{info}")));
}

/// A directory in memory, where the system has such a place. It goes with the value.
pub fn directory() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
    made.expect("a directory for one input")
}

/// The packs that come with the program, read once.
pub fn builtin_packs() -> &'static Packs {
    static PACKS: OnceLock<Packs> = OnceLock::new();
    PACKS.get_or_init(|| Packs::builtin().expect("the built-in packs"))
}

/// The files of an input: its names are numbers into `names`, so that no input can write elsewhere.
pub fn write_files(directory: &Path, names: &[&str], input: &[u8]) {
    for (number, content) in files(input) {
        let Some(name) = names.get(usize::from(number)) else { continue };
        let path = directory.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).expect("a directory for one input");
        }
        std::fs::write(path, content).expect("a file for one input");
    }
}

fn files(input: &[u8]) -> Vec<(u8, &[u8])> {
    let starts: Vec<usize> =
        (0..input.len()).filter(|&at| input[at..].starts_with(MARK)).map(|at| at + MARK.len()).collect();
    let file = |(index, &start): (usize, &usize)| {
        let end = starts.get(index + 1).map_or(input.len(), |next| next - MARK.len());
        let (number, content) = input.get(start..end)?.split_first()?;
        Some((number.wrapping_sub(b'0'), content.strip_prefix(b"\n").unwrap_or(content)))
    };
    starts.iter().enumerate().filter_map(file).collect()
}

/// Scores a short text with whatever was loaded.
pub fn ask(loaded: &LoadedAny) {
    let Ok(encoding) = loaded.tokenizer.encode("He cooks. Ich koche, sagte sie 12.") else { return };
    let mut ids: Vec<TokenId> = encoding.ids;
    ids.truncate(12);
    match &loaded.lm {
        LoadedLm::Causal(lm) => drop(lm.sequence_logprobs(&[ids.clone(), ids[..ids.len() / 2].to_vec()])),
        LoadedLm::Masked(lm) => {
            let targets = ids.iter().take(1).map(|&id| ClozeTarget { position: 0, id }).collect();
            drop(lm.cloze_logprobs(&[Cloze { ids, targets }]));
        }
        LoadedLm::Seq2Seq(lm) => {
            drop(lm.target_logprobs(&[SourceTarget { source: ids.clone(), target: ids }]));
        }
    }
}
