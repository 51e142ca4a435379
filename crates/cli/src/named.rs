//! What a run is called beside others, and which family its model belongs to: from a file of the user's, then from the
//! catalogue of models.

use std::collections::HashMap;
use std::path::Path;

use stereometer_core::Tuning;
use stereometer_fetch::catalogue;

use crate::failure::{Exit, Failure};

/// Name, family and tuning of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    /// Unique among the runs.
    pub label: String,
    /// Family of the language model.
    pub family: Option<String>,
    /// Base or instruction-tuned.
    pub tuning: Option<Tuning>,
}

/// The user's rows by the name of the run's folder or of its model.
#[derive(Debug, Default)]
pub struct Naming {
    rows: HashMap<String, Row>,
}

#[derive(Debug, Default)]
struct Row {
    label: Option<String>,
    family: Option<String>,
    tuning: Option<Tuning>,
}

impl Naming {
    /// Reads a CSV with the columns `run`, `label`, `family` and `tuning`; nothing but `run` is required.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let wrong = |place: &str, detail: String| {
            Failure::new(Exit::Input, format!("{}{place}: {detail}", path.display()))
                .hint("columns: run, label, family, tuning (base or instruct)")
        };
        let bytes = std::fs::read(path).map_err(Failure::io(path, "cannot read"))?;
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes.as_slice());
        let header = reader.headers().map_err(|error| wrong("", error.to_string()))?.clone();
        let known = ["run", "label", "family", "tuning"];
        if let Some(other) = header.iter().find(|name| !known.contains(name)) {
            return Err(wrong("", format!("unknown column `{other}`")));
        }
        let place = |name: &str| header.iter().position(|column| column == name);
        let Some(run) = place("run") else { return Err(wrong("", "the column `run` is missing".to_owned())) };
        let mut rows = HashMap::new();
        for (number, record) in reader.records().enumerate() {
            let at = format!(", record {}", number + 1);
            let record = record.map_err(|error| wrong(&at, error.to_string()))?;
            let cell = |name: &str| {
                place(name)
                    .and_then(|place| record.get(place))
                    .filter(|text| !text.is_empty())
                    .map(str::to_owned)
            };
            let tuning = cell("tuning").map(|name| name.parse::<Tuning>()).transpose();
            let tuning = tuning.map_err(|error| wrong(&at, error.to_string()))?;
            let row = Row { label: cell("label"), family: cell("family"), tuning };
            let key = record.get(run).unwrap_or_default().to_owned();
            if rows.insert(key.clone(), row).is_some() {
                return Err(wrong(&at, format!("the run `{key}` stands in the file twice")));
            }
        }
        Ok(Self { rows })
    }

    /// A name for every run, from its folder and its model. Rows of the file that no run has are an error: a misspelt name would be passed over.
    pub fn of(&self, runs: &[(&Path, &str)]) -> Result<Vec<Named>, Failure> {
        let keys: Vec<[String; 2]> = runs.iter().map(|(path, model)| keys(path, model)).collect();
        if let Some(stray) = self.rows.keys().find(|row| !keys.iter().flatten().any(|key| key == *row)) {
            return Err(Failure::new(Exit::Input, format!("--models: no run is called `{stray}`"))
                .hint("the column `run` holds the name of a run's folder or of its model"));
        }
        let models: Vec<&String> = keys.iter().map(|[_, model]| model).collect();
        let mut named: Vec<Named> = keys
            .iter()
            .map(|[folder, model]| {
                let row = self.rows.get(folder).or_else(|| self.rows.get(model));
                let entry = catalogue().model(model);
                let is_one = models.iter().filter(|other| **other == model).count() == 1;
                let own = if is_one { model } else { folder };
                Named {
                    label: visible(row.and_then(|row| row.label.as_ref()).unwrap_or(own)),
                    family: row
                        .and_then(|row| row.family.clone())
                        .or_else(|| entry.map(|entry| entry.family.clone())),
                    tuning: row.and_then(|row| row.tuning).or_else(|| entry.map(|entry| entry.tuning)),
                }
            })
            .collect();
        for place in 1..named.len() {
            let taken = |label: &str| named[..place].iter().any(|other| other.label == label);
            let base = named[place].label.clone();
            let free =
                (2..=runs.len() + 1).map(|number| format!("{base} ({number})")).find(|label| !taken(label));
            if taken(&base) {
                named[place].label = free.unwrap_or_default();
            }
        }
        Ok(named)
    }
}

/// A name that a terminal only shows.
fn visible(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// The folder's own name, and the model's.
fn keys(path: &Path, model: &str) -> [String; 2] {
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = full.file_name().unwrap_or_default().to_string_lossy().into_owned();
    [folder, model.to_owned()]
}
