//! `results.json`: what the rows say. Derived; always rebuilt from `items.jsonl`.
//!
//! Every number is finite. What could not be computed is absent, with the reason in `unscored` or `warnings`.

use serde::{Deserialize, Serialize};
use stereometer_core::{Average, Estimate, Form, Language, Method, Rule, Seed, StereotypeId, Warning};

/// All conclusions of one run under one rule and one average.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// Version of this layout.
    pub format_version: u32,
    /// How pairs were scored.
    #[serde(default)]
    pub method: Method,
    /// The rule in use.
    pub rule: Rule,
    /// The average in use.
    pub average: Average,
    /// Seed of the resampling.
    pub seed: Seed,
    /// Number of resamples.
    pub resamples: usize,
    /// Confidence level of every interval.
    pub level: f64,
    /// Threshold below which a stereotype is marked.
    pub min_items: usize,
    /// One entry a language, in the order of the run.
    pub languages: Vec<LanguageResult>,
    /// Mean of g_s over the languages, with its interval; absent when no language has one.
    pub mean_g_s: Option<Estimate>,
    /// Each stereotype over the languages, in order of number; those that no language has are left out.
    #[serde(default)]
    pub stereotypes: Vec<OverallStereotype>,
    /// How many items have no score, by language and reason.
    pub unscored: Vec<UnscoredRow>,
    /// Doubts, in order of language.
    pub warnings: Vec<Warning>,
}

/// One language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LanguageResult {
    /// Tag.
    pub language: Language,
    /// English name.
    pub name: String,
    /// Scored items.
    pub n_items: usize,
    /// Of these, gendered pairs.
    pub n_gendered: usize,
    /// Neutral sentences in the pronoun template.
    pub n_pronoun: usize,
    /// Neutral sentences in the noun template.
    pub n_noun: usize,
    /// Distinct source sentences behind the items.
    pub n_sources: usize,
    /// Default masculine rate d: mean of q_1 … q_14. Neutral point 0.5.
    pub default_masculine_rate: Option<Estimate>,
    /// Mean of q_1 … q_7 (geometric under the geometric average).
    pub q_feminine: Option<Estimate>,
    /// Mean of q_8 … q_16.
    pub q_masculine: Option<Estimate>,
    /// g_s = q_m / q_f with geometric means. Neutral point 1.
    pub g_s: Option<Estimate>,
    /// Evidence that g_s is not 1, among the languages of the run.
    #[serde(default)]
    pub g_s_test: Option<Test>,
    /// The same from arithmetic means (EuroGEST's released program).
    pub g_s_arithmetic: Option<Estimate>,
    /// What became of the run's source sentences here.
    #[serde(default)]
    pub sources: SourceCounts,
    /// The stereotypes that have at least one scored sentence, in order of number.
    pub stereotypes: Vec<StereotypeResult>,
    /// What changes with the rule: one entry for each rule that the method has.
    pub by_rule: Vec<RuleRow>,
    /// What changes with the form of the items.
    pub by_form: Vec<TemplateRow>,
    /// The token-count confound.
    pub token_counts: Option<TokenCountCheck>,
    /// How well the model predicts the language's text.
    pub fit: Option<LanguageFit>,
}

/// A p value and what is left of it when the number of tests is counted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// Two-sided.
    pub p: f64,
    /// Holm: the chance of one false finding in the whole family of tests.
    pub holm: f64,
    /// Benjamini–Hochberg: the expected share of false findings among those called findings.
    pub bh: f64,
}

/// What became of the source sentences of a run in one language; the four add up to all that the run has in any language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SourceCounts {
    /// Scored as a gendered pair.
    pub gendered: usize,
    /// Scored as a neutral sentence in a template.
    pub neutral: usize,
    /// Here, but none of its items has a score.
    pub unscored: usize,
    /// In another language of the run, but not in this one: of EuroGEST, dropped when the set was built.
    pub absent: usize,
}

/// One stereotype in one language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StereotypeResult {
    /// Number.
    pub stereotype: StereotypeId,
    /// Scored items.
    pub n: usize,
    /// Whether there are fewer than `min_items`.
    pub few: bool,
    /// Mean masculine rate q_i. Neutral point 0.5.
    pub q: Estimate,
    /// Rank of q_i, 1 = most masculine; ties share the mean rank.
    pub rank: Estimate,
    /// Inclination: positive = towards the stereotype. Absent where the default masculine rate is, or is this
    /// stereotype's own.
    pub inclination: Option<Estimate>,
    /// Evidence that the inclination is not 0, among all cells (stereotype × language) of the run.
    #[serde(default)]
    pub inclination_test: Option<Test>,
}

/// One stereotype over the languages of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OverallStereotype {
    /// Number.
    pub stereotype: StereotypeId,
    /// Languages that have an inclination.
    pub languages: usize,
    /// Languages that have none, and are left out.
    pub missing: Vec<Language>,
    /// Mean inclination over the languages that have one.
    pub inclination: Option<Estimate>,
    /// Languages whose whole interval lies above 0.
    pub towards: usize,
    /// Languages whose whole interval lies below 0.
    pub against: usize,
}

/// g_s and the default masculine rate under another rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleRow {
    /// The rule.
    pub rule: Rule,
    /// Items that have a score under it.
    pub n: usize,
    /// g_s.
    pub g_s: Option<Estimate>,
    /// Default masculine rate.
    pub default_masculine_rate: Option<Estimate>,
}

/// g_s and the default masculine rate on the items of one form alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TemplateRow {
    /// The form.
    pub form: Form,
    /// Scored items.
    pub n: usize,
    /// g_s.
    pub g_s: Option<Estimate>,
    /// Default masculine rate.
    pub default_masculine_rate: Option<Estimate>,
    /// Mean rate on the stereotypes about women.
    #[serde(default)]
    pub q_feminine: Option<Estimate>,
    /// Mean rate on the stereotypes about men.
    #[serde(default)]
    pub q_masculine: Option<Estimate>,
}

/// Whether differences in length drive the masculine rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TokenCountCheck {
    /// Pearson correlation of r_masc with (tokens masculine − tokens feminine); absent without variation.
    pub correlation: Option<f64>,
    /// Pairs with equal token counts.
    pub n_equal: usize,
    /// g_s on these alone.
    pub g_s_equal: Option<Estimate>,
}

/// How well the model predicts the language's text: high costs mark a language that it barely knows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LanguageFit {
    /// Mean cost of a character (Unicode scalar value) over all scored variants, in nats.
    pub nats_per_character: f64,
    /// Characters a token: few mean that the tokenizer cuts the language into small pieces.
    pub characters_per_token: f64,
}

/// How many items of a language have no score for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnscoredRow {
    /// Language.
    pub language: Language,
    /// Short name of the reason.
    pub reason: String,
    /// The reason in words.
    pub words: String,
    /// How many.
    pub count: usize,
    /// Identifiers of the first few.
    pub examples: Vec<String>,
}
