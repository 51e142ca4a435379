//! Loading a checkpoint of any kind.

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};
use stereometer_lm::{ChatTemplate, LmInfo, LoadedLm, Tokenizer};

use crate::checkpoint::Checkpoint;
use crate::config::HubConfig;
use crate::kernels::Level;
use crate::mask::mask_id;
use crate::masked::EncoderLm;
use crate::models::t5;
use crate::registry::masked::{self, MaskedArchitecture};
use crate::registry::seq2seq::{self, Seq2SeqArchitecture};
use crate::seq2seq::EncoderDecoderLm;
use crate::tensors::{Tensors, Wired, wire};
use crate::{Dtype, EngineError, LoadOptions, Loaded, load, tokenizer};

/// Relative positions set no limit; this one keeps the memory of attention within bounds.
const LONGEST_OF_RELATIVE: usize = 1 << 14;

/// A language model of any kind, ready to be asked.
pub struct LoadedAny {
    /// The language model.
    pub lm: LoadedLm,
    /// Its tokenizer.
    pub tokenizer: Tokenizer,
    /// The chat template of a causal model, if it has one; texts are not put into it.
    pub chat_template: Option<ChatTemplate>,
    /// Doubts about the files, for the record.
    pub warnings: Vec<String>,
}

/// Loads a checkpoint: a directory with `config.json`, or a `.gguf` file (causal models only).
pub fn load_any(path: &Path, options: &LoadOptions) -> Result<LoadedAny, EngineError> {
    let checkpoint = Checkpoint::open(path)?;
    if let Checkpoint::Safetensors(files) = &checkpoint {
        let keys = HubConfig::read(files.directory())?;
        if let Some(row) = keys.text("model_type").and_then(masked::of_hub) {
            return Opened { checkpoint: &checkpoint, keys: &keys, options }.masked(row);
        }
        if let Some(row) = keys.text("model_type").and_then(seq2seq::of_hub) {
            return Opened { checkpoint: &checkpoint, keys: &keys, options }.seq2seq(row);
        }
    }
    let Loaded { lm, tokenizer, chat_template, warnings } = load(path, options)?;
    Ok(LoadedAny { lm: LoadedLm::Causal(lm), tokenizer, chat_template, warnings })
}

/// A checkpoint from the Hub, and what is wanted of it.
struct Opened<'a> {
    checkpoint: &'a Checkpoint,
    keys: &'a HubConfig,
    options: &'a LoadOptions,
}

impl Opened<'_> {
    fn masked(&self, row: &MaskedArchitecture) -> Result<LoadedAny, EngineError> {
        let config = (row.from_hub)(self.keys)?;
        let (tokenizer, mut warnings) = tokenizer::of(self.checkpoint, config.vocab_size)?;
        let mask_id = mask_id(self.checkpoint.directory(), &tokenizer)?;
        let pool = self.pool()?;
        let wiring = |tensors: &Tensors| config.encoder(tensors);
        let (wired, weights_sha256) = self.load(&pool, &config, config.names.ignored, wiring)?;
        warnings.extend(wired.unused);
        let encoder = wired.model;
        let info = LmInfo {
            architecture: row.model_type.to_owned(),
            parameters: wired.parameters,
            context_length: config.context_length(),
            vocab_size: config.vocab_size,
            stored_dtype: self.checkpoint.stored_dtype(),
            compute_dtype: self.options.dtype.describe(),
            tied: Arc::ptr_eq(&encoder.words.weight, &encoder.head.output.weight),
            weights_sha256,
        };
        let lm = EncoderLm { info, mask_id, encoder, pool, level: self.level() };
        Ok(LoadedAny { lm: LoadedLm::Masked(Box::new(lm)), tokenizer, chat_template: None, warnings })
    }

    fn seq2seq(&self, row: &Seq2SeqArchitecture) -> Result<LoadedAny, EngineError> {
        if self.options.dtype == Dtype::F16 {
            let supported = "T5 was trained in bfloat16 and overflows in f16; use f32, bf16 or q8";
            return Err(self.keys.unsupported("dtype", &"f16", supported));
        }
        let config = (row.from_hub)(self.keys)?;
        let (tokenizer, mut warnings) = tokenizer::of(self.checkpoint, config.vocab_size)?;
        let pool = self.pool()?;
        let (wired, weights_sha256) =
            self.load(&pool, &config, t5::REPEATED, |tensors| config.model(tensors))?;
        warnings.extend(wired.unused);
        let model = wired.model;
        let info = LmInfo {
            architecture: row.model_type.to_owned(),
            parameters: wired.parameters,
            context_length: LONGEST_OF_RELATIVE,
            vocab_size: config.vocab_size,
            stored_dtype: self.checkpoint.stored_dtype(),
            compute_dtype: self.options.dtype.describe(),
            tied: Arc::ptr_eq(&model.embedding.weight, &model.head.weight),
            weights_sha256,
        };
        let lm = EncoderDecoderLm { info, model, pool, level: self.level() };
        Ok(LoadedAny { lm: LoadedLm::Seq2Seq(Box::new(lm)), tokenizer, chat_template: None, warnings })
    }

    /// The weights, and meanwhile the checkpoint's hash.
    fn load<T: Send>(
        &self,
        pool: &ThreadPool,
        config: &(dyn Debug + Sync),
        ignored: &[&str],
        wiring: impl Fn(&Tensors) -> Result<T, EngineError> + Send,
    ) -> Result<(Wired<T>, String), EngineError> {
        let (wired, weights_sha256) = pool.install(|| {
            rayon::join(
                || wire(self.checkpoint, self.options.dtype, ignored, wiring),
                || self.checkpoint.sha256(&config),
            )
        });
        Ok((wired?, weights_sha256?))
    }

    fn pool(&self) -> Result<ThreadPool, EngineError> {
        let threads = self.options.threads;
        ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("engine-{index}"))
            .build()
            .map_err(|error| EngineError::Threads { threads, detail: error.to_string() })
    }

    fn level(&self) -> Level {
        self.options.level.unwrap_or_else(Level::detect)
    }
}
