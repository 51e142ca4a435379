//! What the figures of a comparison share about its runs: short names, signs, order, the languages of all.

use stereometer_core::{Estimate, Language, StereotypeId};
use stereometer_record::{ComparedRun, Comparison, Difference, LanguageResult, RunPair, Statistic};

use crate::overall::stereotype;
use crate::svg::{Anchor, Mark, Svg};

/// As many runs as can be told apart by shape within one row; more are shown as a grid.
pub const MARKS: [Mark; 4] = [Mark::Circle, Mark::Square, Mark::Diamond, Mark::Triangle];

/// Characters of a name that a figure has room for.
const LABEL: usize = 26;

/// The runs' names, cut in their middle where they are long; still all different.
pub fn short_labels(comparison: &Comparison) -> Vec<String> {
    shortened(comparison.runs.iter().map(|run| run.label.as_str()))
}

/// The same of any names.
pub fn shortened<'a>(labels: impl Iterator<Item = &'a str>) -> Vec<String> {
    let cut: Vec<String> = labels.map(elide).collect();
    let is_double = |place: usize| cut.iter().filter(|other| **other == cut[place]).count() > 1;
    (0..cut.len())
        .map(
            |place| {
                if is_double(place) { format!("{}: {}", place + 1, cut[place]) } else { cut[place].clone() }
            },
        )
        .collect()
}

fn elide(label: &str) -> String {
    let characters: Vec<char> = label.chars().collect();
    if characters.len() <= LABEL {
        return label.to_owned();
    }
    let (head, tail) = (LABEL / 2, LABEL - LABEL / 2 - 1);
    let part = |part: &[char]| part.iter().collect::<String>();
    format!("{}…{}", part(&characters[..head]), part(&characters[characters.len() - tail..]))
}

/// Places of the runs, by family, then size, base before instruction-tuned; those without a family last.
pub fn by_size(comparison: &Comparison) -> Vec<usize> {
    let runs = &comparison.runs;
    let mut places: Vec<usize> = (0..runs.len()).collect();
    places.sort_by_key(|&place| {
        let run = &runs[place];
        (run.family.is_none(), run.family.as_deref(), parameters(run), run.tuning)
    });
    // Base and tuned model of one size may differ by a few parameters.
    for place in 1..places.len() {
        let [before, after] = [places[place - 1], places[place]];
        if are_base_and_tuned(&runs[before], &runs[after]) && runs[after].tuning < runs[before].tuning {
            places.swap(place - 1, place);
        }
    }
    places
}

/// Whether one run's language model is the tuned one of the other's.
pub fn are_base_and_tuned(a: &ComparedRun, b: &ComparedRun) -> bool {
    a.lineage().is_base_of(b.lineage()) || b.lineage().is_base_of(a.lineage())
}

/// Parameters of a run's language model.
pub fn parameters(run: &ComparedRun) -> u64 {
    run.spec.identity.model.parameters
}

/// Every language of any run, with its English name: by g_s of the first run that has it, the highest first.
pub fn languages(comparison: &Comparison) -> Vec<(&Language, &str)> {
    let mut found: Vec<(&Language, &str, Option<f64>)> = Vec::new();
    for one in comparison.runs.iter().flat_map(|run| &run.results.languages) {
        let value = one.g_s.as_ref().map(|g_s| g_s.value);
        match found.iter_mut().find(|known| known.0 == &one.language) {
            Some(known) => known.2 = known.2.or(value),
            None => found.push((&one.language, &one.name, value)),
        }
    }
    found.sort_by(|a, b| match (a.2, b.2) {
        (Some(a), Some(b)) => b.total_cmp(&a),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    found.into_iter().map(|(language, name, _)| (language, name)).collect()
}

/// A run's result in a language.
pub fn in_language<'a>(run: &'a ComparedRun, language: &Language) -> Option<&'a LanguageResult> {
    run.results.languages.iter().find(|one| one.language == *language)
}

/// A run's mean inclination towards a stereotype.
pub fn mean_inclination(run: &ComparedRun, id: StereotypeId) -> Option<&Estimate> {
    run.results.stereotypes.iter().find(|one| one.stereotype == id)?.inclination.as_ref()
}

/// Mean of a stereotype's ranks over the languages of a run that have it, and their number.
pub fn mean_rank(run: &ComparedRun, id: StereotypeId) -> Option<(f64, usize)> {
    let ranks = run.results.languages.iter().filter_map(|one| Some(stereotype(one, id)?.rank.value));
    let ranks: Vec<f64> = ranks.collect();
    (!ranks.is_empty()).then(|| (ranks.iter().sum::<f64>() / ranks.len() as f64, ranks.len()))
}

/// The rows that compare mean g_s of a pair on all items, under the rule of the comparison.
pub fn overall_g_s(comparison: &Comparison, pair: usize) -> Option<&Difference> {
    comparison.differences.iter().find(|one| {
        one.pair == pair
            && one.statistic == Statistic::GS
            && one.language.is_none()
            && one.form.is_none()
            && one.rule == comparison.rule
    })
}

/// “second − first”.
pub fn pair_label(pair: &RunPair, labels: &[String]) -> String {
    format!("{} − {}", labels[pair.second], labels[pair.first])
}

/// Signs of the runs, filled and open, in as many lines as they need above a plot; returns the height.
pub fn legend(svg: &mut Svg, width: f64, labels: &[String], [filled, open]: [&str; 2]) -> f64 {
    let (mut x, mut y) = (8.0, 12.0);
    for (run, label) in labels.iter().enumerate() {
        let wide = 38.0 + label.chars().count() as f64 * 6.8;
        if x > 8.0 && x + wide > width {
            (x, y) = (8.0, y + 20.0);
        }
        let sign = run % MARKS.len();
        svg.mark(MARKS[sign], &format!("run{sign}-mark"), (x + 6.0, y), 5.0);
        svg.text("small", (x + 16.0, y + 4.0), Anchor::Start, label);
        x += wide;
    }
    svg.text("small", (8.0, y + 24.0), Anchor::Start, &format!("filled: {filled}; open: {open}"));
    y + 34.0
}

#[cfg(test)]
mod tests {
    use super::elide;

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(elide("short"), "short");
        let long = elide("an-organisation/a-language-model-with-a-name-7b-instruct");
        assert_eq!(long, "an-organisati…-7b-instruct");
        assert_eq!(long.chars().count(), 26);
    }
}
