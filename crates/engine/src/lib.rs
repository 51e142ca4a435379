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
mod measure;
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
use crate::matrix::Arithmetic;
pub use crate::measure::product_speed;
pub use crate::registry::masked::{MASKED_ARCHITECTURES, MaskedArchitecture};
pub use crate::registry::seq2seq::{SEQ2SEQ_ARCHITECTURES, Seq2SeqArchitecture};
pub use crate::registry::{ARCHITECTURES, Architecture, Gguf};

/// In which type weight matrices are kept and multiplied; sums are in f32 always, and so is all between the products.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dtype {
    /// Kept as stored, multiplied in f32: bf16 and f16 are widened exactly as they are used; quantised types are
    /// dequantised once.
    #[default]
    Auto,
    /// The same numbers as [`Dtype::Auto`].
    F32,
    /// Matrices kept in bf16, and what they are multiplied with rounded to bf16 too: twice as fast on a processor with
    /// instructions for it, the same numbers at the speed of f32 on others.
    Bf16,
    /// Matrices rounded to f16, multiplied in f32.
    F16,
    /// Matrices kept in 8 bits, in blocks of 32 with a scale, and what they are multiplied with rounded likewise; sums of
    /// blocks are exact. What is stored as Q8_0 stays as it is. The same numbers on every machine.
    Q8,
}

impl Dtype {
    fn arithmetic(self) -> Arithmetic {
        match self {
            Self::Auto | Self::F32 | Self::F16 => Arithmetic::F32,
            Self::Bf16 => Arithmetic::Bf16,
            Self::Q8 => Arithmetic::Q8,
        }
    }

    /// Name for the record.
    fn describe(self) -> String {
        match self {
            Self::Auto | Self::F32 => "f32",
            Self::Bf16 => "bf16 products, f32 sums",
            Self::F16 => "f16 weights, f32 products",
            Self::Q8 => "8-bit products, f32 sums",
        }
        .to_owned()
    }
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
        compute_dtype: options.dtype.describe(),
        tied: loaded.tied,
        weights_sha256: weights_sha256?,
    };
    let level = options.level.unwrap_or_else(Level::detect);
    let lm = Box::new(DecoderLm { info, decoder: loaded.decoder, pool, level });
    Ok(Loaded { lm, tokenizer, chat_template, warnings })
}
