//! How many sentences stand behind each language, and what was left out?
//!
//! Every language starts from the same source sentences: all that the run has in any language. A bar shows what became
//! of them in this one (figures 2 and 6 of EuroGEST in one). The parts differ in pattern, not only in colour. A
//! language whose results say nothing of its sources keeps its row, without a bar.

use stereometer_record::{LanguageResult, Results, SourceCounts};

use super::Figure;
use super::rows::{Rows, label_width};
use crate::scale::Scale;
use crate::svg::{Anchor, Svg};
use crate::words::{count, list, plural};
use crate::{About, Cell, Column, Table};

const NAME: &str = "sentences_by_language";
/// Height of a bar.
const BAR: f64 = 13.0;
const NOT_COUNTED: &str = "not counted";

/// What can become of a source sentence.
struct Part {
    key: &'static str,
    label: &'static str,
    meaning: &'static str,
    of: fn(&SourceCounts) -> usize,
}

const PARTS: [Part; 4] = [
    Part {
        key: "gendered",
        label: "gendered pair",
        meaning: "source sentences scored as a gendered pair",
        of: |sources| sources.gendered,
    },
    Part {
        key: "neutral",
        label: "neutral, in a template",
        meaning: "source sentences scored as a neutral sentence in a template",
        of: |sources| sources.neutral,
    },
    Part {
        key: "unscored",
        label: "unscored",
        meaning: "source sentences of this language of which no item has a score",
        of: |sources| sources.unscored,
    },
    Part {
        key: "absent",
        label: "absent from this language",
        meaning: "source sentences that the run has in another language only; of the whole EuroGEST, dropped when \
                  the set was built; of a subset or an unfinished run also, not asked",
        of: |sources| sources.absent,
    },
];

/// Draws the figure.
pub fn draw(results: &Results) -> Figure {
    let languages = by_scored(results);
    Figure {
        name: NAME,
        title: "How many sentences stand behind each language, and what was left out",
        reading: format!(
            "Every bar holds all source sentences that the run has in any language. Dark: scored as a gendered pair; \
             light: scored as a neutral sentence in a template; striped: here, but unscored; dashed outline: absent \
             from this language (of the whole EuroGEST: dropped when the set was built; of a subset or an unfinished \
             run also: not asked). Most scored sentences first. {}",
            left_out(&languages)
        ),
        alt: alt(&languages),
        svg: plot(&languages),
        table: table(&languages),
    }
}

fn scored(sources: &SourceCounts) -> usize {
    sources.gendered + sources.neutral
}

fn total(sources: &SourceCounts) -> usize {
    scored(sources) + sources.unscored + sources.absent
}

fn counted(language: &LanguageResult) -> Option<&SourceCounts> {
    Some(&language.sources).filter(|sources| total(sources) > 0)
}

fn by_scored(results: &Results) -> Vec<&LanguageResult> {
    let mut languages: Vec<&LanguageResult> = results.languages.iter().collect();
    languages.sort_by(|a, b| {
        let key = |one: &LanguageResult| (scored(&one.sources), one.sources.gendered);
        key(b).cmp(&key(a)).then_with(|| a.name.cmp(&b.name))
    });
    languages
}

/// Whether anything was left out, so that a full bar is known to be one.
fn left_out(languages: &[&LanguageResult]) -> String {
    let with = |part: fn(&SourceCounts) -> usize| {
        let n = languages.iter().filter(|one| part(&one.sources) > 0).count();
        if n == 0 { "no language".to_owned() } else { plural(n, "language") }
    };
    format!(
        "Unscored sentences: in {}; absent ones: in {}.",
        with(|sources| sources.unscored),
        with(|sources| sources.absent)
    )
}

fn plot(languages: &[&LanguageResult]) -> Svg {
    let left = label_width(languages.iter().map(|language| language.name.as_str()));
    let (right, rows) = (left + 420.0, Rows { top: 50.0, n: languages.len() });
    let width = right + 300.0;
    let mut svg = Svg::new(width, rows.height());
    let scale = Scale::counts(languages.iter().map(|language| total(&language.sources)), (left, right));
    let mut x = left;
    for part in &PARTS {
        bar(&mut svg, part, (x, x + 22.0), 12.0);
        svg.text("small", (x + 28.0, 16.0), Anchor::Start, part.label);
        x += 48.0 + part.label.chars().count() as f64 * 6.4;
    }
    for (place, heading) in columns() {
        svg.text("head", (right + place, rows.top - 8.0), Anchor::End, heading);
    }
    rows.bands(&mut svg, width);
    rows.grid(&mut svg, &scale);
    svg.text("small", (left, rows.bottom() + 35.0), Anchor::Start, "source sentences");
    for (row, language) in languages.iter().enumerate() {
        svg.open_about("row", "", About::language(&language.language));
        draw_row(&mut svg, (rows, row), language, &scale);
        svg.close();
    }
    svg
}

fn draw_row(svg: &mut Svg, (rows, row): (Rows, usize), language: &LanguageResult, scale: &Scale) {
    let (left, right) = scale.ends();
    rows.label(svg, row, left - 8.0, &language.name);
    let Some(sources) = counted(language) else {
        svg.text("small", (left + 8.0, rows.middle(row) + 4.5), Anchor::Start, NOT_COUNTED);
        return;
    };
    let mut so_far = 0;
    for (part, (place, _)) in PARTS.iter().zip(columns()) {
        let n = (part.of)(sources);
        let ends = [so_far, so_far + n].map(|end| scale.place(end as f64));
        if n > 0 {
            svg.open("part", &format!("{}, {}: {}", language.name, part.label, count(n)));
            bar(svg, part, (ends[0], ends[1]), rows.middle(row));
            svg.close();
        }
        rows.number(svg, row, right + place, &count(n));
        so_far += n;
    }
}

/// Where the numbers of [`PARTS`] end, and their short headings.
fn columns() -> [(f64, &'static str); 4] {
    [(76.0, "gendered"), (140.0, "neutral"), (216.0, "unscored"), (288.0, "absent")]
}

fn bar(svg: &mut Svg, part: &Part, (from, to): (f64, f64), middle: f64) {
    let (top, width) = (middle - BAR / 2.0, to - from);
    svg.rect(&format!("{}-part", part.key), (from, top), (width, BAR));
    if part.key == "unscored" {
        svg.line("stripes", (from, middle), (to, middle));
    }
}

fn alt(languages: &[&LanguageResult]) -> String {
    let known: Vec<(&str, &SourceCounts)> =
        languages.iter().filter_map(|one| Some((one.name.as_str(), counted(one)?))).collect();
    let (Some((most, top)), Some((least, bottom))) = (known.first(), known.last()) else {
        return "No language has counted source sentences.".to_owned();
    };
    let full: Vec<&str> = known
        .iter()
        .filter(|(_, sources)| scored(sources) == total(sources))
        .map(|(name, _)| *name)
        .collect();
    let full = match full.as_slice() {
        [] => "No language has them all scored.".to_owned(),
        all if all.len() == known.len() => "All are scored in every language.".to_owned(),
        some => format!("All are scored in {}.", list(some)),
    };
    format!(
        "Stacked bars of {} in {}. Most scored: {most} with {}; fewest: {least} with {}. {full}",
        plural(total(top), "source sentence"),
        plural(known.len(), "language"),
        count(scored(top)),
        count(scored(bottom))
    )
}

fn table(languages: &[&LanguageResult]) -> Table {
    let mut columns = Column::language().to_vec();
    columns.extend(PARTS.map(|part| Column::new(part.key, part.label, part.meaning)));
    columns.extend([
        Column::new("scored", "scored", "gendered + neutral"),
        Column::new("total", "total", "all source sentences that the run has in any language"),
        Column::new(
            "n_gendered",
            "gendered items",
            "scored items (minimal pairs) that mark the gender themselves",
        ),
        Column::new("n_pronoun", "pronoun items", "scored items in the pronoun template"),
        Column::new("n_noun", "noun items", "scored items in the noun template"),
    ]);
    let rows = languages.iter().map(|language| {
        let cell = |of: fn(&SourceCounts) -> usize| {
            counted(language).map_or(Cell::Missing(NOT_COUNTED), |sources| Cell::Count(of(sources)))
        };
        let mut row = Cell::language(language).to_vec();
        row.extend(PARTS.map(|part| cell(part.of)));
        row.extend([cell(scored), cell(total)]);
        row.extend([language.n_gendered, language.n_pronoun, language.n_noun].map(Cell::Count));
        row
    });
    let caption = "What became of every source sentence of the run, by language.".to_owned();
    Table { name: NAME, caption, columns, rows: rows.collect() }
}
