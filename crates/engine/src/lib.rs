//! Transformer architectures on this machine: a checkpoint in, log-probabilities out.
//!
//! [`load`] reads a directory as the Hugging Face Hub has it, or a GGUF file, and gives a
//! [`CausalLm`](stereometer_lm::CausalLm); [`load_any`] also takes masked models and encoder–decoders. In f32 every log-probability has the same bits for any batch, order and number
//! of threads (see `kernels`); memory beyond the weights is a batch's activations and a few megabytes for the vocabulary
//! head.

mod causal;
mod chat;
mod checkpoint;
mod config;
mod error;
mod kernels;
mod layers;
mod load;
mod load_any;
mod mask;
mod masked;
mod matrix;
mod models;
mod registry;
mod seq2seq;
mod tensors;
mod tokenizer;

use std::path::Path;

use rayon::ThreadPoolBuilder;
use stereometer_lm::{CausalLm, ChatTemplate, LmInfo, Tokenizer};

use crate::causal::DecoderLm;
use crate::checkpoint::Checkpoint;
use crate::config::HubConfig;
pub use crate::error::{EngineError, ErrorKind};
pub use crate::kernels::Level;
pub use crate::load_any::{LoadedAny, load_any};
pub use crate::registry::masked::{MASKED_ARCHITECTURES, MaskedArchitecture};
pub use crate::registry::seq2seq::{SEQ2SEQ_ARCHITECTURES, Seq2SeqArchitecture};
pub use crate::registry::{ARCHITECTURES, Architecture, Gguf};

/// In which type weight matrices are kept; sums are in f32 always.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dtype {
    /// As stored: bf16 and f16 are widened exactly as they are used; quantised types are dequantised once.
    #[default]
    Auto,
    /// The same numbers as [`Dtype::Auto`].
    F32,
    /// Matrices rounded to bf16.
    Bf16,
    /// Matrices rounded to f16.
    F16,
}

/// How to load a checkpoint.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// In which type weights are kept.
    pub dtype: Dtype,
    /// Number of threads; 0 for one a core.
    pub threads: usize,
    /// The instruction set, if not the fastest this machine has.
    pub level: Option<Level>,
}

/// A language model ready to be asked.
pub struct Loaded {
    /// The language model.
    pub lm: Box<dyn CausalLm>,
    /// Its tokenizer.
    pub tokenizer: Tokenizer,
    /// Its chat template, if it has one; texts are not put into it.
    pub chat_template: Option<ChatTemplate>,
    /// Doubts about the files, for the record.
    pub warnings: Vec<String>,
}

/// Loads a checkpoint: a directory with `config.json`, or a `.gguf` file.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Loaded, EngineError> {
    let checkpoint = Checkpoint::open(path)?;
    let (architecture, config) = match &checkpoint {
        Checkpoint::Safetensors(files) => {
            let keys = HubConfig::read(files.directory())?;
            let architecture = registry::of_hub(&keys)?;
            (architecture, (architecture.from_hub)(&keys)?)
        }
        Checkpoint::Gguf(file) => {
            let (architecture, gguf) = registry::of_gguf(file)?;
            (architecture, (gguf.config)(file)?)
        }
    };
    let (tokenizer, mut warnings) = tokenizer::of(&checkpoint, config.vocab_size)?;
    let chat_template = chat::of(&checkpoint, &mut warnings)?;
    let pool = ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .thread_name(|index| format!("engine-{index}"))
        .build()
        .map_err(|error| EngineError::Threads { threads: options.threads, detail: error.to_string() })?;
    let (loaded, weights_sha256) = pool.install(|| {
        rayon::join(|| load::decoder(&checkpoint, &config, options.dtype), || checkpoint.sha256(&config))
    });
    let loaded = loaded?;
    warnings.extend(loaded.warnings);
    let info = LmInfo {
        architecture: architecture.model_type.to_owned(),
        parameters: loaded.parameters,
        context_length: config.context_length,
        vocab_size: config.vocab_size,
        stored_dtype: checkpoint.stored_dtype(),
        compute_dtype: match options.dtype {
            Dtype::Auto | Dtype::F32 => "f32".to_owned(),
            Dtype::Bf16 => "bf16 weights, f32 sums".to_owned(),
            Dtype::F16 => "f16 weights, f32 sums".to_owned(),
        },
        tied: loaded.tied,
        weights_sha256: weights_sha256?,
    };
    let level = options.level.unwrap_or_else(Level::detect);
    let lm = Box::new(DecoderLm { info, decoder: loaded.decoder, pool, level });
    Ok(Loaded { lm, tokenizer, chat_template, warnings })
}
