//! What people say of groups, as files have it: the ratings of a survey, or scores that somebody has aggregated already.
//!
//! Four formats (docs/humans.md), told apart by their content: the annotator JSON and the aggregated CSV of the Leakage
//! study (Cao et al.), and this program's own long CSVs of ratings and of scores. Every row passes one door: a
//! [`Rating`] lies between −50 and 50 and names a group and a trait pair of the inventory, and nobody rates a pair
//! of a group twice. What cannot be is a [`SurveyProblem`] with its file, record and column; nothing is skipped in
//! silence. The study writes 999 for a score that is missing: it becomes `None` here and never a number.

mod aggregated;
mod annotators;
mod fault;
mod intake;
mod people;
mod ratings;
mod scores;
mod tree;
mod write;

use std::path::PathBuf;
use std::sync::Arc;

use stereometer_core::{HumanCell, Language, Slug, Warning};

use crate::Inventory;
use crate::read::InputFile;
use intake::Intake;
use people::Speakers;

pub use fault::{HumansError, SurveyFault, SurveyProblem};
pub use write::{ratings_csv, scores_csv};

/// Ends of the slider of a survey, in the study and here.
pub const SCALE: f64 = 50.0;

/// A file to read, and the language of its people where the user says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HumansFile {
    /// Where it lies.
    pub path: PathBuf,
    /// The language that the user names: it comes before the one in the file's name, and rows may not contradict it.
    pub language: Option<Language>,
}

/// What one person says of one group on one trait pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// The person's language.
    pub language: Language,
    /// The person, by the file's own name; unique within a language.
    pub annotator: Arc<str>,
    /// The group.
    pub group: Slug,
    /// The trait pair, by its place in the inventory.
    pub pair: usize,
    /// From −50, the left pole, to 50, the right pole of the inventory.
    pub value: f64,
    /// On which page the group was asked, from 1, where the file says so.
    pub order: Option<u32>,
    /// Whether the person passed the attention checks, where the file says so.
    pub attention_passed: Option<bool>,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HumansFormat {
    /// The study's ratings: annotator → group → “left - right” → rating.
    Annotators,
    /// The study's scores: a row a pole, a column a group, 999 for missing.
    Aggregated,
    /// Ratings, one a row.
    Ratings,
    /// Scores, one a row.
    Scores,
}

impl HumansFormat {
    /// In words.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Annotators => "ratings by annotator (JSON)",
            Self::Aggregated => "scores, a column a group (CSV)",
            Self::Ratings => "ratings, one a row (CSV)",
            Self::Scores => "scores, one a row (CSV)",
        }
    }
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFile {
    /// Its name without directories.
    pub name: String,
    /// What it is.
    pub format: HumansFormat,
}

/// Everything that the files say.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Humans {
    /// The files, as given.
    pub files: Vec<ReadFile>,
    /// The languages, in the order in which they were met.
    pub languages: Vec<Language>,
    /// All ratings.
    pub ratings: Vec<Rating>,
    /// Scores of languages whose ratings are not there.
    pub cells: Vec<HumanCell>,
    /// Names in the files that are other spellings of a group or a pole: as written, and as understood.
    pub renamed: Vec<(String, Slug)>,
    /// What was repaired or passed over.
    pub notes: Vec<Warning>,
}

/// Reads the files; the first problem refuses them all.
pub fn read_humans(files: &[HumansFile], inventory: &Inventory) -> Result<Humans, HumansError> {
    let (humans, problems, more) = inspect_humans(files, inventory);
    let others = problems.len().saturating_sub(1) + more;
    match problems.into_iter().next() {
        Some(first) => Err(HumansError { first: Box::new(first), others }),
        None => Ok(humans),
    }
}

/// Reads what can be read, and lists what cannot: the first thousand problems, and the number of those beyond.
pub fn inspect_humans(files: &[HumansFile], inventory: &Inventory) -> (Humans, Vec<SurveyProblem>, usize) {
    let mut intake = Intake::new(inventory);
    for given in files {
        let root = given.path.parent().unwrap_or(&given.path);
        match InputFile::open(&given.path, root) {
            Ok(file) => read_file(&file, given.language.as_ref(), &mut intake),
            Err(error) => intake.unreadable(&given.path, &error),
        }
    }
    intake.finish()
}

fn read_file(file: &InputFile, given: Option<&Language>, intake: &mut Intake<'_>) {
    let format = match format_of(file) {
        Ok(format) => format,
        Err(fault) => return intake.refuse(file.place(), fault),
    };
    intake.begin(file, format);
    let speakers = Speakers::new(given.cloned(), intake.language_in_name(file.base_name()));
    match format {
        HumansFormat::Annotators => annotators::read(file, speakers.of_file(), intake),
        HumansFormat::Aggregated => aggregated::read(file, speakers.of_file(), intake),
        HumansFormat::Ratings => ratings::read(file, speakers, intake),
        HumansFormat::Scores => scores::read(file, speakers, intake),
    }
}

/// The format that the content has.
fn format_of(file: &InputFile) -> Result<HumansFormat, SurveyFault> {
    let bytes = file.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&file.bytes);
    if bytes.trim_ascii().is_empty() {
        return Err(crate::Fault::EmptyFile.into());
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(crate::Fault::Utf16.into());
    }
    if matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return Ok(HumansFormat::Annotators);
    }
    let columns = crate::read::table::column_names(bytes);
    let has = |name: &str| columns.iter().any(|column| column == name);
    if has("rating") {
        Ok(HumansFormat::Ratings)
    } else if has("score") {
        Ok(HumansFormat::Scores)
    } else if columns.first().is_some_and(|first| first.eq_ignore_ascii_case("traits")) {
        Ok(HumansFormat::Aggregated)
    } else {
        let found = crate::fault::excerpt(&columns.join(", "));
        Err(SurveyFault::UnknownFormat { found })
    }
}
