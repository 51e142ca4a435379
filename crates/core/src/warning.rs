//! Doubts as values. Each lands on stderr, in `events.jsonl` and among the report's caveats.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Language, Slug, StereotypeId};

/// Something the reader of a result should know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Error)]
#[serde(tag = "warning", rename_all = "kebab-case")]
pub enum Warning {
    /// Some stereotypes have fewer sentences than asked for.
    #[error("{language}: {} of its stereotypes have fewer than {min_items} sentences", stereotypes.len())]
    FewItems {
        /// Where.
        language: Language,
        /// Which stereotypes.
        stereotypes: Vec<StereotypeId>,
        /// The threshold.
        min_items: usize,
    },
    /// A stereotype has no scored sentence at all.
    #[error(
        "{language}: no scored sentence for stereotypes {}; the aggregates leave them out",
        join(stereotypes)
    )]
    MissingStereotypes {
        /// Where.
        language: Language,
        /// Which stereotypes.
        stereotypes: Vec<StereotypeId>,
    },
    /// A language has no neutral items because the template that was asked for does not exist there.
    #[error("{language}: no {template} template, so its {sentences} neutral sentences are left out")]
    NoTemplate {
        /// Where.
        language: Language,
        /// Which template.
        template: String,
        /// How many sentences.
        sentences: usize,
    },
    /// Items without a score.
    #[error("{language}: {count} items unscored: {reason}")]
    Unscored {
        /// Where.
        language: Language,
        /// How many.
        count: usize,
        /// Why, in words.
        reason: String,
    },
    /// The tokenizer's files ask for a BOS token that encoding does not add, or the other way round.
    #[error("{detail}")]
    Bos {
        /// What was found.
        detail: String,
    },
    /// The tokenizer drops marks that belong to letters: an uncased one, as a rule.
    #[error(
        "the tokenizer drops accents or vowel signs in {}: “{written}” becomes “{read}”",
        tags(languages)
    )]
    LostMarks {
        /// Where, in the order of the run.
        languages: Vec<Language>,
        /// A word that loses some.
        written: String,
        /// What is left of it.
        read: String,
    },
    /// The set was sampled down.
    #[error("only a subset was scored: {detail}")]
    Subset {
        /// What was left out, and how it was chosen.
        detail: String,
    },
    /// Rows that a reader skipped or repaired.
    #[error("{detail}")]
    Data {
        /// What was found and where.
        detail: String,
    },
    /// The checkpoint's languages do not include this one, or it predicts it badly.
    #[error("{language}: {detail}")]
    WeakLanguage {
        /// Where.
        language: Language,
        /// What was seen.
        detail: String,
    },
    /// Rows of a run are still missing.
    #[error("the run `{run}` is not finished: {rows} of {items} sentences")]
    Unfinished {
        /// Its label.
        run: String,
        /// Rows that are there.
        rows: usize,
        /// Rows of the whole run.
        items: usize,
    },
    /// Nobody rated anything in a language of the survey.
    #[error("{language}: no cell has a human score, so its people are no predictor")]
    NoPeople {
        /// Where.
        language: Language,
    },
    /// A monolingual model that explains nothing here.
    #[error("the monolingual run `{run}` takes no part: {detail}")]
    UnusedMonolingual {
        /// Its label.
        run: String,
        /// Why.
        detail: String,
    },
    /// What a survey or a table of human scores has that its reader should know.
    #[error("{detail}")]
    Survey {
        /// What was found and where.
        detail: String,
    },
    /// Groups that few people of a language rated: marked, not dropped.
    #[error("{language}: fewer than {minimum} people rated {}", counts(groups))]
    FewAnnotators {
        /// Whose people.
        language: Language,
        /// The groups, with the least number of people behind any of their scores.
        groups: Vec<(Slug, usize)>,
        /// The threshold.
        minimum: usize,
    },
}

fn counts(groups: &[(Slug, usize)]) -> String {
    groups.iter().map(|(group, n)| format!("{group} ({n})")).collect::<Vec<_>>().join(", ")
}

fn tags(languages: &[Language]) -> String {
    languages.iter().map(Language::as_str).collect::<Vec<_>>().join(", ")
}

fn join(ids: &[StereotypeId]) -> String {
    ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl Warning {
    /// What the reader can do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::FewItems { .. } => {
                "read the interval, not the value; a larger set such as `eurogest` narrows it"
            }
            Self::MissingStereotypes { .. } => {
                "compare this language's aggregates with others only with care"
            }
            Self::NoTemplate { .. } => "use `--template auto` or `noun`",
            Self::Unscored { .. } => "the report lists examples",
            Self::Bos { .. } => "check the tokenizer files that came with the checkpoint",
            Self::LostMarks { .. } => {
                "use a cased checkpoint: forms that differ in a mark become one, and in many scripts words become others"
            }
            Self::Subset { .. } => "run without the limit for the full result",
            Self::Data { .. } => "see `stereometer set check`",
            Self::WeakLanguage { .. } => {
                "a model that does not know a language says little about its stereotypes"
            }
            Self::Survey { .. } => "see `stereometer humans check`",
            Self::FewAnnotators { .. } => {
                "one more person could move these scores far: see what remains without these groups"
            }
            Self::Unfinished { .. } => {
                "`associate --resume` with its folder as --out finishes it: until then the result is of a part"
            }
            Self::NoPeople { .. } => {
                "what its people share with others is credited to the others; add answers, or read the others with care"
            }
            Self::UnusedMonolingual { .. } => {
                "it stands beside runs of its language and method; measure it as they were, with `associate --method`"
            }
        }
    }
}
