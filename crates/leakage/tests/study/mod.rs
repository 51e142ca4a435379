//! A study by hand: groups and trait pairs, people, and runs whose associations are given numbers.

#![allow(dead_code)] // every test uses a part of it
#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use std::collections::BTreeMap;
use std::path::Path;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stereometer_core::{
    AssociationItem, AssociationMethod, Dimension, GroupCategory, HumanCell, HumanLanguage, HumanScores,
    Language, Outcome, Slug, Subject, Valence,
};
use stereometer_leakage::{Inputs, RunInput};
use stereometer_record::{
    AssociationIdentity, AssociationRecord, AssociationSpec, GroupSummary, InventoryIdentity,
    InventorySummary, ModelIdentity, PairSummary, PoleSummary, TraitAnswer,
};
use stereometer_testkit::shared;

pub const LANGUAGES: [&str; 4] = ["en", "ru", "zh", "hi"];

/// A score for every (group, pole); absent: missing.
pub type Scores = BTreeMap<(String, String), f64>;

/// The people of one language each, and groups and poles in order.
#[derive(Debug, Clone)]
pub struct People {
    pub groups: Vec<String>,
    pub poles: Vec<String>,
    pub scores: Vec<Scores>,
}

pub fn language(tag: &str) -> Language {
    tag.parse().unwrap()
}

pub fn slug(name: &str) -> Slug {
    let plain: String =
        name.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    plain.parse().unwrap()
}

/// The study's aggregated survey; 999 stands for a cell that nobody rated.
pub fn real_people() -> Option<People> {
    let folder = shared("data/leakage/survey")?;
    let mut people = People { groups: Vec::new(), poles: Vec::new(), scores: Vec::new() };
    for tag in LANGUAGES {
        let table = read_csv(&folder.join(format!("aggregated_data_{}.csv", tag.to_uppercase())));
        people.groups = table[0][1..].iter().map(|name| slug(name).to_string()).collect();
        people.poles = table[1..].iter().map(|row| slug(&row[0]).to_string()).collect();
        let mut scores = Scores::new();
        for row in &table[1..] {
            for (group, cell) in people.groups.iter().zip(&row[1..]) {
                let value: f64 = cell.parse().unwrap();
                if value < 900.0 {
                    scores.insert((group.clone(), slug(&row[0]).to_string()), value);
                }
            }
        }
        people.scores.push(scores);
    }
    Some(people)
}

/// People who do not exist: correlated between languages, on either pole of a pair, a tenth of the groups unknown.
pub fn synthetic_people(seed: u64) -> People {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let groups: Vec<String> = (0..30).map(|g| format!("group-{g:02}")).collect();
    let poles: Vec<String> =
        (0..16).flat_map(|p| [format!("left-{p:02}"), format!("right-{p:02}")]).collect();
    let mut scores = vec![Scores::new(); LANGUAGES.len()];
    for group in &groups {
        let known: Vec<bool> = LANGUAGES.iter().map(|_| rng.random_range(0..10) > 0).collect();
        for pair in poles.chunks(2) {
            let common = 12.0 * normal(&mut rng);
            for (language, known) in known.iter().enumerate() {
                let lean = common + 12.0 * normal(&mut rng);
                let spread = 4.0 * normal(&mut rng).abs();
                if *known {
                    let side = |value: f64| value.clamp(0.0, 50.0);
                    scores[language]
                        .insert((group.clone(), pair[0].clone()), side((-lean).max(0.0) + spread));
                    scores[language].insert((group.clone(), pair[1].clone()), side(lean.max(0.0) + spread));
                }
            }
        }
    }
    People { groups, poles, scores }
}

pub fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let (u, v): (f64, f64) = (rng.random(), rng.random());
    (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

pub fn read_csv(path: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path).unwrap();
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

pub fn inventory(groups: &[String], poles: &[String]) -> InventorySummary {
    let valence = |place: usize| [Valence::Negative, Valence::Positive, Valence::NonPolar][place % 3];
    let pole = |place: usize| PoleSummary {
        id: slug(&poles[place]),
        name: poles[place].clone(),
        valence: valence(place),
    };
    InventorySummary {
        name: "by-hand".to_owned(),
        version: "1".to_owned(),
        groups: groups
            .iter()
            .map(|group| GroupSummary {
                id: slug(group),
                name: group.clone(),
                category: GroupCategory::SharedShared,
                home: None,
            })
            .collect(),
        pairs: (0..poles.len() / 2)
            .map(|pair| PairSummary {
                dimension: Dimension::ALL[pair % 3],
                left: pole(2 * pair),
                right: pole(2 * pair + 1),
            })
            .collect(),
        languages: Vec::new(),
    }
}

pub fn humans(people: &People) -> HumanScores {
    let mut all = HumanScores { origin: "by hand".to_owned(), ..HumanScores::default() };
    for (tag, scores) in LANGUAGES.iter().zip(&people.scores) {
        all.languages.push(HumanLanguage { language: language(tag), annotators: None });
        for group in &people.groups {
            for pole in &people.poles {
                all.cells.push(HumanCell {
                    language: language(tag),
                    group: slug(group),
                    pole: slug(pole),
                    annotators: None,
                    score: scores.get(&(group.clone(), pole.clone())).copied(),
                    std_error: None,
                    interval: None,
                });
            }
        }
    }
    all
}

/// A masked model's run by SeT, whose association of every (language, group, pole) is the number given, in each of
/// `templates`; where there is none the output layer would have to move too far.
pub fn run(label: &str, people: &People, languages: &[(&str, Scores)], templates: usize) -> RunInput {
    let mut rows = Vec::new();
    for (tag, scores) in languages {
        for template in 0..templates {
            let template = slug(&format!("template-{template}"));
            let mut row = |subject: Subject, score: &dyn Fn(&str) -> Option<f64>| {
                let form = slug("singular");
                let item = AssociationItem {
                    id: AssociationItem::id_of(&language(tag), &template, &form, &subject),
                    language: language(tag),
                    template: template.clone(),
                    kind: slug("number"),
                    form,
                    subject,
                    text: "The one is {trait}.".to_owned(),
                    traits: people.poles.iter().map(|pole| (slug(pole), pole.clone())).collect(),
                };
                let outcomes = people.poles.iter().map(|pole| match score(pole) {
                    Some(score) => Outcome::Scored(TraitAnswer::Steps {
                        token_ids: vec![1],
                        norms: vec![-(score - 3.0).exp_m1()],
                    }),
                    None => Outcome::Unscored(stereometer_core::Unscorable::SensitivityUndefined),
                });
                rows.push(AssociationRecord::new("by hand", &item, outcomes.collect()));
            };
            row(Subject::Prior, &|_| Some(0.0));
            for group in &people.groups {
                row(Subject::Group(slug(group)), &|pole| {
                    scores.get(&(group.clone(), pole.to_owned())).copied()
                });
            }
        }
    }
    let languages = languages.iter().map(|(tag, _)| language(tag)).collect();
    let mut spec = spec(languages, rows.len());
    label.clone_into(&mut spec.association.model.weights_sha256);
    RunInput { label: label.to_owned(), spec, rows, is_monolingual: false }
}

fn spec(languages: Vec<Language>, n_items: usize) -> AssociationSpec {
    AssociationSpec {
        format_version: 1,
        tool_version: "0".to_owned(),
        started: "2026-01-01T00:00:00Z".to_owned(),
        command: Vec::new(),
        association: AssociationIdentity {
            model: ModelIdentity {
                name: "by hand".to_owned(),
                architecture: "none".to_owned(),
                parameters: 0,
                weights_sha256: String::new(),
                tokenizer_sha256: String::new(),
                prefix_ids: Vec::new(),
                chat: None,
                stored_dtype: "f32".to_owned(),
                compute_dtype: "f32".to_owned(),
                context_length: 512,
                backend: "none".to_owned(),
                origin: "by hand".to_owned(),
                licence: None,
            },
            inventory: InventoryIdentity {
                name: "by-hand".to_owned(),
                version: "1".to_owned(),
                origin: "by hand".to_owned(),
                licence: None,
                files: Vec::new(),
            },
            languages,
            method: AssociationMethod::Set,
            subset: None,
            items_sha256: String::new(),
        },
        threads: 1,
        batch_tokens: 1,
        n_items,
        warnings: Vec::new(),
    }
}

pub fn inputs(people: &People, runs: Vec<RunInput>) -> Inputs {
    Inputs {
        inventory: inventory(&people.groups, &people.poles),
        runs,
        humans: humans(people),
        category_correlations: Vec::new(),
    }
}
