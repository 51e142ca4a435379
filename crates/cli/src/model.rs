//! From `--model` to a language model that answers: the one place where a backend is chosen.

use stereometer_engine::{LoadOptions, Loaded};
use stereometer_fetch::{Located, Places, catalogue, resolve_model};
use stereometer_record::ModelIdentity;

use crate::args::ModelChoice;
use crate::failure::Failure;
use crate::talk::Talk;

/// A language model with its tokenizer, ready to answer.
pub struct OpenModel {
    /// Where it was found.
    pub located: Located,
    /// What the engine made of it.
    pub loaded: Loaded,
}

impl OpenModel {
    /// Finds a model, fetching it if need be, and loads it.
    pub fn open(choice: &ModelChoice, talk: &Talk) -> Result<Self, Failure> {
        let places = Places::from_env()?;
        let located = resolve_model(&choice.model, &places, &mut talk.fetch_watcher())?;
        talk.detail(&format!("loading {}", located.path.display()));
        let options = LoadOptions { dtype: choice.dtype.into(), threads: choice.threads };
        let loaded = stereometer_engine::load(&located.path, &options)?;
        for warning in &loaded.warnings {
            talk.doubt(warning, None);
        }
        Ok(Self { located, loaded })
    }

    /// What a run records of it.
    pub fn identity(&self) -> Result<ModelIdentity, Failure> {
        let info = self.loaded.lm.info();
        let licence = catalogue().model(&self.located.name).map(|entry| entry.licence.clone());
        Ok(ModelIdentity {
            name: self.located.name.clone(),
            architecture: info.architecture.clone(),
            parameters: info.parameters,
            weights_sha256: info.weights_sha256.clone(),
            tokenizer_sha256: self.loaded.tokenizer.fingerprint(),
            prefix_ids: self.loaded.tokenizer.prefix_ids()?,
            stored_dtype: info.stored_dtype.clone(),
            compute_dtype: info.compute_dtype.clone(),
            context_length: info.context_length,
            backend: "engine".to_owned(),
            licence,
        })
    }
}
