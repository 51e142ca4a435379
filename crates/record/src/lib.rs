//! A run on disk.
//!
//! A run is a directory: `spec.json` (what was run), `items.jsonl` (append-only, one line an item), `events.jsonl`
//! (warnings, timings), and, derived from these, `results.json` and `report/`. Everything after `items.jsonl` is a
//! pure function of it. Rows are keyed by content hashes, so a resume can never mix models, texts or choices.

mod association;
mod comparison;
mod error;
mod fill;
mod hash;
mod item_record;
mod items_file;
mod kind;
mod leakage;
mod removal;
mod results;
mod run_directory;
mod spec;
mod whole_file;

pub use association::{
    AssociationIdentity, AssociationRecord, AssociationSpec, InventoryIdentity, TraitAnswer, TraitRecord,
};
pub use comparison::{
    ComparedRun, Comparison, Difference, Doubt, PairKind, RankAgreement, RankConcordance, RunPair, Statistic,
    Trend,
};
pub use error::RecordError;
pub use fill::{Progress, RowOf, Tally, Work, fill};
pub use hash::sha256_hex;
pub use item_record::{ItemRecord, ScoredText, ScoredVariants};
pub use items_file::{ItemsWriter, read_items};
pub use kind::{Row, Spec};
pub use leakage::{
    AbcPosition, Association, AssociationRun, CategoryCorrelation, Evidence, FitChoice, FitDoubt, FitScale,
    GroupSummary, InventorySummary, Judge, LanguageSummary, LeakageCoefficient, LeakageFit, LeakageResults,
    LeakageSettings, MissingCells, PairSummary, PoleSummary, Predictor, QualitativeLeak, RandomEffects,
    SkippedFit,
};
pub use removal::{Removal, size};
pub use results::{
    LanguageFit, LanguageResult, OverallStereotype, Results, RuleRow, SourceCounts, StereotypeResult,
    TemplateRow, Test, TokenCountCheck, UnscoredRow,
};
pub use run_directory::{
    AssociationDirectory, Directory, RunDirectory, write_comparison, write_leakage, write_results,
};
pub use spec::{ChatIdentity, FORMAT_VERSION, Identity, ModelIdentity, RunSpec, SetFile, SetIdentity};
pub use whole_file::{WholeFile, write_atomically};
