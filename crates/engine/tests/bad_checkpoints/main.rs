//! Damaged and unsuitable checkpoints: one clear sentence each, no panic, no memory taken on a header's word.

#![allow(clippy::unwrap_used)] // a test that cannot read its golden files fails there

mod files;
mod gguf;
mod kinds;
mod safetensors;
mod tensors;
mod tokenizer;
mod values;

use std::path::{Path, PathBuf};

use serde_json::Value;
use stereometer_engine::{EngineError, ErrorKind, LoadOptions, load_any};
use tempfile::TempDir;

fn golden(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/models").join(path)
}

/// A copy of a golden checkpoint that may be damaged.
struct Copy(TempDir);

impl Copy {
    fn of(name: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(golden(name)).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), directory.path().join(entry.file_name())).unwrap();
        }
        Self(directory)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn cut(&self, name: &str, keep: usize) {
        let bytes = std::fs::read(self.file(name)).unwrap();
        std::fs::write(self.file(name), &bytes[..keep]).unwrap();
    }

    /// Changes keys of `config.json`; `null` takes a key away.
    fn configure(&self, changes: &Value) -> &Self {
        let path = self.file("config.json");
        let mut keys: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for (key, value) in changes.as_object().unwrap() {
            if value.is_null() {
                keys.as_object_mut().unwrap().remove(key);
            } else {
                keys[key] = value.clone();
            }
        }
        std::fs::write(path, keys.to_string()).unwrap();
        self
    }

    /// The message, without the temporary directory's name.
    fn refusal(&self, path: &str) -> String {
        let error = refusal(&self.file(path));
        assert_eq!(error.kind(), ErrorKind::Input);
        let directory = self.0.path().display().to_string();
        let message = error.to_string().replace(&format!("{directory}/: "), "…: ");
        message.replace(&format!("{directory}/"), "").replace(&directory, "…")
    }
}

fn refusal(path: &Path) -> EngineError {
    match load_any(path, &LoadOptions::default()) {
        Ok(_) => panic!("{} was loaded", path.display()),
        Err(error) => error,
    }
}
