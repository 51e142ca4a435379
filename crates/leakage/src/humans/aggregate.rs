//! From ratings to scores.

use std::collections::{BTreeMap, BTreeSet};

use stereometer_core::{
    FEW_ANNOTATORS, HumanCell, HumanLanguage, HumanScores, Interval, Language, Slug, Warning,
};
use stereometer_data::humans::{Humans, Rating, SCALE};
use stereometer_data::{Inventory, excerpt};
use stereometer_stats::mean;

/// Groups that each annotator of the study rated.
const GROUPS_EACH: usize = 4;

/// Scores of all languages. Of a language with ratings: every group of the inventory on every pole that anybody there was
/// asked about; of a language with scores: its cells as they are.
pub fn aggregate(humans: &Humans, inventory: &Inventory) -> HumanScores {
    let mut scores =
        HumanScores { origin: origin(humans), warnings: humans.notes.clone(), ..HumanScores::default() };
    for language in &humans.languages {
        let ratings: Vec<&Rating> =
            humans.ratings.iter().filter(|rating| rating.language == *language).collect();
        let people: BTreeSet<&str> = ratings.iter().map(|rating| rating.annotator.as_ref()).collect();
        let annotators = (!ratings.is_empty()).then_some(people.len());
        scores.languages.push(HumanLanguage { language: language.clone(), annotators });
        if ratings.is_empty() {
            let own = humans.cells.iter().filter(|cell| cell.language == *language);
            scores.cells.extend(own.cloned());
        } else {
            scores.cells.extend(cells(language, &ratings, inventory));
            scores.warnings.extend(doubts(language, &ratings, inventory));
        }
    }
    scores.warnings.extend(few(&scores));
    scores.warnings.extend(uneven(&scores, inventory));
    scores
}

fn cells(language: &Language, ratings: &[&Rating], inventory: &Inventory) -> Vec<HumanCell> {
    let mut values: BTreeMap<(&Slug, usize), Vec<f64>> = BTreeMap::new();
    for rating in ratings {
        values.entry((&rating.group, rating.pair)).or_default().push(rating.value);
    }
    let asked: BTreeSet<usize> = ratings.iter().map(|rating| rating.pair).collect();
    let cell = |group: &Slug, pole: &Slug, parts: &[f64]| {
        let mean = mean(parts);
        let cut = |end: f64| end.clamp(0.0, SCALE);
        HumanCell {
            language: language.clone(),
            group: group.clone(),
            pole: pole.clone(),
            annotators: Some(parts.len()),
            score: mean.map(|mean| mean.value),
            std_error: mean.and_then(|mean| mean.std_error),
            interval: mean
                .and_then(|mean| mean.interval)
                .map(|interval| Interval { low: cut(interval.low), high: cut(interval.high) }),
        }
    };
    let mut cells = Vec::new();
    for group in inventory.groups() {
        for &pair in &asked {
            let rated = values.get(&(&group.id, pair)).map_or(&[][..], Vec::as_slice);
            let poles = &inventory.pairs()[pair];
            for (pole, sign) in [(&poles.left, -1.0), (&poles.right, 1.0)] {
                let parts: Vec<f64> = rated.iter().map(|value| (sign * value).max(0.0)).collect();
                cells.push(cell(&group.id, &pole.id, &parts));
            }
        }
    }
    cells
}

fn origin(humans: &Humans) -> String {
    let names: Vec<&str> = humans.files.iter().map(|file| file.name.as_str()).collect();
    let kind = match (humans.ratings.is_empty(), humans.cells.is_empty()) {
        (false, true) => "scores from ratings",
        (true, false) => "scores as they were aggregated before",
        _ => "scores, some from ratings and some as they were aggregated before",
    };
    format!("{kind}: {}", names.join(", "))
}

/// What is unusual about the people of a language.
fn doubts(language: &Language, ratings: &[&Rating], inventory: &Inventory) -> Vec<Warning> {
    let mut blocks: BTreeMap<(&str, &Slug), usize> = BTreeMap::new();
    for rating in ratings {
        *blocks.entry((&rating.annotator, &rating.group)).or_default() += 1;
    }
    let all = inventory.pairs().len();
    let mut said = Vec::new();
    let partial: Vec<String> = blocks
        .iter()
        .filter(|(_, n)| **n < all)
        .map(|((annotator, group), n)| format!("{} of {group} ({n})", excerpt(annotator)))
        .collect();
    if !partial.is_empty() {
        said.push(format!("rated on fewer than {all} trait pairs: {}; what is there counts", some(&partial)));
    }
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    for (annotator, _) in blocks.keys() {
        *groups.entry(annotator).or_default() += 1;
    }
    let odd: Vec<String> = groups
        .iter()
        .filter(|(_, n)| **n != GROUPS_EACH)
        .map(|(annotator, n)| format!("{} ({n})", excerpt(annotator)))
        .collect();
    if !odd.is_empty() {
        let odd = some(&odd);
        said.push(format!("annotators with more or fewer than {GROUPS_EACH} groups: {odd}; all count"));
    }
    let failed: BTreeSet<&str> = ratings
        .iter()
        .filter(|rating| rating.attention_passed == Some(false))
        .map(|rating| rating.annotator.as_ref())
        .collect();
    if !failed.is_empty() {
        let failed: Vec<String> = failed.into_iter().map(excerpt).collect();
        let failed = some(&failed);
        said.push(format!(
            "failed an attention check: {failed}; their ratings count until their rows are taken out"
        ));
    }
    if inventory.language(language).is_none() && inventory.languages().next().is_some() {
        said.push(format!("the inventory `{}` has no such language", inventory.name()));
    }
    said.into_iter().map(|detail| Warning::Survey { detail: format!("{language}: {detail}") }).collect()
}

/// The first names of a list, and how many there are beyond.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() <= SHOWN { shown } else { format!("{shown} and {} more", names.len() - SHOWN) }
}

/// Groups with few annotators, one warning a language.
fn few(scores: &HumanScores) -> Vec<Warning> {
    let mut found = Vec::new();
    for HumanLanguage { language, .. } in &scores.languages {
        let mut groups: Vec<(Slug, usize)> = Vec::new();
        for cell in scores.cells.iter().filter(|cell| cell.language == *language) {
            let Some(n) = cell.annotators.filter(|n| (1..FEW_ANNOTATORS).contains(n)) else { continue };
            match groups.iter_mut().find(|(group, _)| *group == cell.group) {
                Some((_, least)) => *least = n.min(*least),
                None => groups.push((cell.group.clone(), n)),
            }
        }
        if !groups.is_empty() {
            found.push(Warning::FewAnnotators {
                language: language.clone(),
                groups,
                minimum: FEW_ANNOTATORS,
            });
        }
    }
    found
}

/// Poles that one language has and another has not.
fn uneven(scores: &HumanScores, inventory: &Inventory) -> Vec<Warning> {
    let all: BTreeSet<&Slug> = scores.cells.iter().map(|cell| &cell.pole).collect();
    let mut found = Vec::new();
    for HumanLanguage { language, .. } in &scores.languages {
        let own: BTreeSet<&Slug> =
            scores.cells.iter().filter(|cell| cell.language == *language).map(|cell| &cell.pole).collect();
        let lacking: Vec<String> = inventory
            .poles()
            .filter(|pole| all.contains(&pole.id) && !own.contains(&pole.id))
            .map(|pole| pole.name.clone())
            .collect();
        if !lacking.is_empty() {
            let lacking = some(&lacking);
            let detail = format!(
                "{language}: nothing about {lacking}, which other people were asked about; these cells take no part \
                 in comparisons"
            );
            found.push(Warning::Survey { detail });
        }
    }
    found
}
