//! The command line, as types.

mod associate;
mod humans;
mod leakage;
mod mixed;
mod several;

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use stereometer_core::{Average, Method, Rule, TemplateChoice};
use stereometer_data::{DataError, Packs, StudyInputs};
use stereometer_engine::Dtype;
use stereometer_lm::ChatRole;
use stereometer_report::Options;

pub use associate::AssociateArgs;
pub use humans::{FilesChoice, HumansArgs, HumansCommand, files as human_files};
pub use leakage::LeakageArgs;
pub use mixed::{IntervalsChoice, MixedArgs, RESAMPLES};
pub use several::{CompareArgs, CompareBy, ExportArgs, GateArgs, RunsArgs, RunsCommand};

/// Measures stereotypes in multilingual language models.
#[derive(Debug, Parser)]
#[command(name = "stereometer", version, about, max_term_width = 100)]
pub struct Arguments {
    /// Say nothing but errors.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Say more.
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Audit a language model for gender stereotypes; ends with a report.
    Audit(AuditArgs),
    /// Ask a language model how strongly it associates social groups with traits.
    Associate(AssociateArgs),
    /// Rebuild tables and figures from a run; needs no model.
    Report(ReportArgs),
    /// Set several runs side by side: differences on the sentences they share, with uncertainty; ends with a report.
    Compare(CompareArgs),
    /// Judge a run against limits and a baseline; exit 7 if it fails, 8 if it could not be judged.
    Gate(GateArgs),
    /// Tables of one or several runs for other programs, or a task for lm-evaluation-harness; needs no model.
    Export(ExportArgs),
    /// The runs that are on this disk.
    Runs(RunsArgs),
    /// Log-probabilities of every token of every text.
    Logprobs(LogprobsArgs),
    /// A text or a pair under the lens: tokens, log-probabilities, where the two diverge, every method and rule.
    Explain(ExplainArgs),
    /// What people say of groups: a survey's ratings or scores, read, checked and aggregated.
    Humans(HumansArgs),
    /// Whose stereotypes a language model has in which language: association runs against what people say; exit 6 if a fit
    /// is singular or has not converged.
    Leakage(LeakageArgs),
    /// A linear mixed model of any table, as lme4 and lmerTest fit it; exit 6 if the fit is singular or has not converged.
    Mixed(MixedArgs),
    /// The language models that have a name.
    Model(ModelArgs),
    /// The stereotype sets that have a name, and sets of your own.
    Set(SetArgs),
    /// Score a sample of a run again under other settings, and say what moved.
    Verify(VerifyArgs),
}

/// Which language model, and how to load it.
#[derive(Debug, Args)]
pub struct ModelChoice {
    /// A name (`model list`), a folder as on the Hugging Face Hub, a GGUF file, or `org/name` on the Hub.
    #[arg(short, long, default_value_t = stereometer_fetch::catalogue().default_model().to_owned())]
    pub model: String,
    #[command(flatten)]
    pub loading: Loading,
    /// About so many tokens a batch, shared prefixes counted once. Changes no number.
    #[arg(long, default_value_t = 2048, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub batch_tokens: u32,
}

/// How to load a language model.
#[derive(Debug, Clone, Args)]
pub struct Loading {
    /// Type in which weights are held and multiplied; sums are always f32 or better.
    #[arg(long, default_value = "auto")]
    pub dtype: DtypeChoice,
    /// Threads, at most 1024; 0 = one a core. Changes no number.
    #[arg(long, default_value_t = 0, value_parser = RangedU64ValueParser::<usize>::new().range(0..=1024))]
    pub threads: usize,
}

impl Loading {
    /// How many threads that makes.
    pub fn thread_count(&self) -> usize {
        if self.threads == 0 {
            std::thread::available_parallelism().map_or(1, usize::from)
        } else {
            self.threads
        }
    }
}

/// Whether texts stand inside the model's chat template.
#[derive(Debug, Clone, Args)]
pub struct ChatChoice {
    /// Put every text into the model's own chat template, as the turn of the assistant (after an empty one of the user)
    /// or of the user; only the text's own tokens are scored [default: plain text; without a role: assistant].
    #[arg(long, value_name = "ROLE", num_args = 0..=1, require_equals = true, default_missing_value = "assistant")]
    pub chat_template: Option<ChatRoleChoice>,
}

/// Who says the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ChatRoleChoice {
    /// The model, as its answer to an empty turn of the user.
    Assistant,
    /// The user, in the first turn.
    User,
}

impl From<ChatRoleChoice> for ChatRole {
    fn from(choice: ChatRoleChoice) -> Self {
        match choice {
            ChatRoleChoice::Assistant => Self::Assistant,
            ChatRoleChoice::User => Self::User,
        }
    }
}

/// Names of the types on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DtypeChoice {
    /// As stored, computed in f32.
    Auto,
    /// 32-bit.
    F32,
    /// Weights and what they are multiplied with in bfloat16: twice as fast where the processor can.
    Bf16,
    /// 16-bit weights, computed in f32.
    F16,
    /// Weights and what they are multiplied with in 8 bits.
    Q8,
}

impl From<DtypeChoice> for Dtype {
    fn from(choice: DtypeChoice) -> Self {
        match choice {
            DtypeChoice::Auto => Self::Auto,
            DtypeChoice::F32 => Self::F32,
            DtypeChoice::Bf16 => Self::Bf16,
            DtypeChoice::F16 => Self::F16,
            DtypeChoice::Q8 => Self::Q8,
        }
    }
}

/// Language packs beside those of the program.
#[derive(Debug, Args)]
pub struct PacksChoice {
    /// A folder of language packs (`<tag>.toml`) that add languages, or replace those of the program.
    #[arg(long, value_name = "DIR")]
    pub language_packs: Option<PathBuf>,
}

impl PacksChoice {
    /// The packs of the program and those of the folder.
    pub fn open(&self) -> Result<Packs, DataError> {
        let packs = Packs::builtin()?;
        match &self.language_packs {
            Some(directory) => packs.with_directory(directory),
            None => Ok(packs),
        }
    }
}

/// The choices of the analysis; `report` can change each of them without the model.
#[derive(Debug, Args)]
pub struct AnalysisChoice {
    /// How token log-probabilities become one number (of pll the first three, of masked-difference the first): mean, sum,
    /// per-byte, divergence, released-code or first-token [default: mean; over runs that are there: theirs].
    #[arg(long, value_parser = |name: &str| name.parse::<Rule>())]
    pub rule: Option<Rule>,
    /// How masculine rates are averaged: geometric or arithmetic [default: geometric; over runs that are there: theirs].
    #[arg(long, value_parser = average)]
    pub average: Option<Average>,
    /// Resamples of the bootstrap, 20 to 100000 [default: 2000; over runs that are there: theirs].
    #[arg(long, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    pub resamples: Option<u32>,
    /// A stereotype with fewer items is marked; `gate` does not judge it [default: 10; over runs that are there: theirs].
    #[arg(long)]
    pub min_items: Option<usize>,
    /// Seed of the bootstrap, and of a subset [default: 20251104; over runs that are there: theirs].
    #[arg(long)]
    pub seed: Option<u64>,
}

/// `audit`.
#[derive(Debug, Args)]
pub struct AuditArgs {
    #[command(flatten)]
    pub model: ModelChoice,
    #[command(flatten)]
    pub chat: ChatChoice,
    /// `mini` (built in), `eurogest` (after `set pull eurogest`), or the path of a set.
    #[arg(short, long, default_value = "mini")]
    pub set: String,
    /// How pairs are scored: likelihood (causal models); pll-original (or pll), pll-within-word or masked-difference
    /// (masked models) [default: likelihood or pll-original, as the model is].
    #[arg(long, value_parser = |name: &str| name.parse::<Method>())]
    pub method: Option<Method>,
    #[command(flatten)]
    pub packs: PacksChoice,
    /// Languages by tag or name, comma-separated; or `eu24`, the official languages of the European Union; or `all`,
    /// every language of the set.
    #[arg(short, long, default_value = "all")]
    pub languages: String,
    /// How neutral sentences are wrapped: pronoun (“he said”), noun (“the man said”), both, or auto: pronoun where the
    /// language has one, else noun.
    #[arg(long, default_value = "auto", value_parser = template)]
    pub template: TemplateChoice,
    #[command(flatten)]
    pub analysis: AnalysisChoice,
    /// A stratified subset: two source sentences a stereotype, the same in every language.
    #[arg(long)]
    pub quick: bool,
    /// At most so many items a language.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: Option<u32>,
    /// The run's folder [default: runs/<model>-<set>-<date>].
    #[arg(short, long)]
    pub out: Option<PathBuf>,
    /// Continue the run in the folder, or begin it when there is none.
    #[arg(long)]
    pub resume: bool,
    /// Figures as files beside the page: svg, png, pdf.
    #[arg(long, value_delimiter = ',', default_value = "svg")]
    pub figures: Vec<FigureFormat>,
}

/// File formats of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FigureFormat {
    /// Vector, always written.
    Svg,
    /// Pixels.
    Png,
    /// For print.
    Pdf,
}

impl FigureFormat {
    /// What a report is to write beside its page.
    pub fn options(wanted: &[Self]) -> Options {
        Options { png: wanted.contains(&Self::Png), pdf: wanted.contains(&Self::Pdf) }
    }
}

/// `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The run's folder.
    pub run: PathBuf,
    /// Where to write [default: the run's own report folder].
    #[arg(short, long)]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub packs: PacksChoice,
    #[command(flatten)]
    pub analysis: AnalysisChoice,
    /// Figures as files beside the page: svg, png, pdf.
    #[arg(long, value_delimiter = ',', default_value = "svg")]
    pub figures: Vec<FigureFormat>,
}

/// `logprobs`.
#[derive(Debug, Args)]
pub struct LogprobsArgs {
    #[command(flatten)]
    pub model: ModelChoice,
    #[command(flatten)]
    pub chat: ChatChoice,
    /// JSON lines with `id` and `text` [default: stdin].
    #[arg(short, long)]
    pub input: Option<PathBuf>,
    /// JSON lines with ids, tokens and log-probabilities [default: stdout].
    #[arg(short, long)]
    pub output: Option<PathBuf>,
    /// Say at the end, as one JSON line on stderr, how long scoring took (loading left out).
    #[arg(long)]
    pub timing: bool,
}

/// `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub model: ModelChoice,
    #[command(flatten)]
    pub chat: ChatChoice,
    /// A template in whose blank the texts go: `<extra_id_0>` for encoder–decoders (ILPS), `<mask>` for masked models (the
    /// sensitivity test).
    #[arg(long)]
    pub source: Option<String>,
    /// The text; or the masculine variant of a pair. With --source, a word or phrase.
    pub first: String,
    /// The feminine variant; or another word or phrase.
    pub second: Option<String>,
}

/// `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The run's folder.
    pub run: PathBuf,
    /// Where the run's checkpoint is now [default: the name that the run recorded].
    #[arg(short, long)]
    pub model: Option<String>,
    #[command(flatten)]
    pub loading: Loading,
    /// So many items, drawn by the run's seed.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub sample: u32,
    /// Largest difference a token that passes, in nats; in f32 on the same machine nothing moves.
    #[arg(long, default_value_t = 1e-5, value_parser = tolerance)]
    pub tolerance: f64,
}

/// `model`.
#[derive(Debug, Args)]
pub struct ModelArgs {
    #[command(subcommand)]
    pub command: ModelCommand,
}

/// What to do with models.
#[derive(Debug, Subcommand)]
pub enum ModelCommand {
    /// The models that have a name, and whether they are here.
    List,
    /// Fetch a model.
    Pull {
        /// A name, or `org/name` on the Hub.
        name: String,
    },
    /// What was understood of a model.
    Info {
        /// The same as --model.
        #[arg(conflicts_with = "model")]
        name: Option<String>,
        #[command(flatten)]
        model: ModelChoice,
    },
}

/// `set`.
#[derive(Debug, Args)]
pub struct SetArgs {
    #[command(subcommand)]
    pub command: SetCommand,
}

/// What to do with sets.
#[derive(Debug, Subcommand)]
pub enum SetCommand {
    /// The sets and inventories that have a name.
    List,
    /// Origin, licence and hash; per language, how many sentences and pairs, and the stereotypes with fewest and most. Of an
    /// inventory: groups, trait pairs, and per language templates and items.
    Info {
        /// A name or a path.
        set: String,
        /// Of the leakage study's folder of inputs: those for which models.
        #[arg(long, value_name = "bert|mbert|mt5", default_value_t)]
        inputs: StudyInputs,
        #[command(flatten)]
        packs: PacksChoice,
    },
    /// All problems of a set or an inventory.
    Check {
        /// A name or a path.
        set: String,
        /// Of the leakage study's folder of inputs: those for which models.
        #[arg(long, value_name = "bert|mbert|mt5", default_value_t)]
        inputs: StudyInputs,
        #[command(flatten)]
        packs: PacksChoice,
    },
    /// Fetch a set.
    Pull {
        /// A name.
        name: String,
    },
}

fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "a finite number, 0 or more".to_owned())
}

fn average(name: &str) -> Result<Average, String> {
    match name {
        "geometric" => Ok(Average::Geometric),
        "arithmetic" => Ok(Average::Arithmetic),
        _ => Err("known: geometric, arithmetic".to_owned()),
    }
}

fn template(name: &str) -> Result<TemplateChoice, String> {
    match name {
        "auto" => Ok(TemplateChoice::Auto),
        "pronoun" => Ok(TemplateChoice::Pronoun),
        "noun" => Ok(TemplateChoice::Noun),
        "both" => Ok(TemplateChoice::Both),
        _ => Err("known: auto, pronoun, noun, both".to_owned()),
    }
}
