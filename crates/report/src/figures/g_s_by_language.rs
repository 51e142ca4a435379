//! In which languages does the model lean towards gender stereotypes, how far, and how sure is that?
//!
//! A dot and its interval a language, on a logarithmic axis because g_s is a ratio; the neutral line at 1. The shape
//! of the dot says what the interval says, so that no colour is needed. An asterisk marks what remains when the number
//! of languages is counted.

use stereometer_core::{Average, Estimate, StereotypeId, Verdict};
use stereometer_record::{LanguageResult, Results};

use super::Figure;
use super::rows::{ROW, Rows, label_width, legend};
use crate::overall::{alpha, by_g_s, remaining, stereotype};
use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};
use crate::words::{
    GEOMETRIC, Kind, NEUTRAL, count, list, list_or_none, no_interval_in_brief, percent, plural,
};
use crate::{About, Cell, Column, Table};

const NAME: &str = "g_s_by_language";
const NO_G_S: &str = "no g_s: a whole side has no scored sentence";

/// Draws the figure.
pub fn draw(results: &Results) -> Figure {
    let languages = by_g_s(results);
    Figure {
        name: NAME,
        title: "Strength of stereotyping (g_s) by language",
        reading: format!(
            "g_s is the masculine rate on stereotypes about men divided by that on stereotypes about women. \
             {NEUTRAL}; right of the line the model leans towards the stereotypes, left of it against them. \
             Bars are {} intervals; n is the number of source sentences.{}{}{}{}",
            percent(results.level),
            asterisk(results, &languages),
            mean_in_words(&languages),
            gaps(&languages),
            if results.average == Average::Arithmetic { format!(" {GEOMETRIC}.") } else { String::new() }
        ),
        alt: alt(results, &languages),
        svg: plot(results, &languages),
        table: table(results, &languages),
    }
}

/// What the asterisk means; one test has no number to be counted.
fn asterisk(results: &Results, languages: &[&LanguageResult]) -> String {
    let alpha = alpha(results);
    match remaining(results, languages.iter().filter_map(|one| one.g_s_test.as_ref())) {
        (0 | 1, _) => String::new(),
        (n, 0) => format!(
            " No language has a p value below {alpha:.2} after Holm's adjustment for {n} languages (it would have an \
             asterisk)."
        ),
        (n, _) => {
            format!(" * = the p value of g_s is below {alpha:.2} after Holm's adjustment for {n} languages.")
        }
    }
}

/// Whether g_s of a language is marked with an asterisk.
fn is_marked(results: &Results, language: &LanguageResult) -> bool {
    results.languages.len() > 1 && remaining(results, language.g_s_test.iter()).1 > 0
}

fn mean_in_words(languages: &[&LanguageResult]) -> String {
    let without = without_g_s(languages);
    match without.as_slice() {
        _ if languages.len() < 2 || without.len() == languages.len() => String::new(),
        [] => " The mean is taken over the languages, resampled together.".to_owned(),
        names => {
            format!(" The mean is taken over the languages, resampled together, without {}.", list(names))
        }
    }
}

/// Names of the languages that no mean of g_s holds.
fn without_g_s<'a>(languages: &[&'a LanguageResult]) -> Vec<&'a str> {
    languages.iter().filter(|one| one.g_s.is_none()).map(|one| one.name.as_str()).collect()
}

/// Which languages have a g_s without some stereotype; the table says which one.
fn gaps(languages: &[&LanguageResult]) -> String {
    let short: Vec<&str> = languages
        .iter()
        .filter(|one| one.g_s.is_some() && one.stereotypes.len() < StereotypeId::all().len())
        .map(|one| one.name.as_str())
        .collect();
    if short.is_empty() {
        return String::new();
    }
    format!(" Without a stereotype that has no scored sentence there (column “left out”): {}.", list(&short))
}

/// The stereotypes that no aggregate of the language holds.
fn left_out(language: &LanguageResult) -> String {
    let missing: Vec<String> = StereotypeId::all()
        .filter(|id| stereotype(language, *id).is_none())
        .map(|id| format!("{id} ({})", id.phrase()))
        .collect();
    list_or_none(&missing)
}

fn plot(results: &Results, languages: &[&LanguageResult]) -> Svg {
    let mut entries: Vec<Entry<'_>> = languages
        .iter()
        .map(|one| Entry { name: &one.name, g_s: one.g_s.as_ref(), is_marked: is_marked(results, one) })
        .collect();
    let mean = results.mean_g_s.as_ref().filter(|_| languages.len() > 1);
    entries.extend(mean.map(|mean| Entry { name: "Mean", g_s: Some(mean), is_marked: false }));
    let left = label_width(entries.iter().map(|entry| entry.name));
    let (right, rows) = (left + 330.0, Rows { top: 50.0, n: entries.len() });
    let width = right + 220.0;
    let mut svg = Svg::new(width, rows.height());
    let shown = entries.iter().filter_map(|entry| entry.g_s).flat_map(|g_s| {
        let interval = g_s.interval();
        [Some(g_s.value), interval.map(|one| one.low), interval.map(|one| one.high)].into_iter().flatten()
    });
    let scale = Scale::logarithmic(shown.chain([1.0]), (left, right));
    signs(&mut svg, left, &entries);
    svg.text("head", (right + 145.0, rows.top - 8.0), Anchor::End, "g_s, interval");
    svg.text("head", (width - 8.0, rows.top - 8.0), Anchor::End, "n");
    rows.bands(&mut svg, width);
    rows.axis(&mut svg, &scale, 1.0, ["anti-stereotypical", "stereotypical"]);
    for (row, entry) in entries.iter().enumerate() {
        // The mean, below the languages, is about none of them.
        let about = languages.get(row).map_or_else(About::default, |one| About::language(&one.language));
        svg.open_about("row", "", about);
        rows.label(&mut svg, row, left - 8.0, entry.name);
        match entry.g_s {
            Some(g_s) => draw_row(&mut svg, (rows, row), entry, g_s, &scale),
            None => svg.text("small", (right + 12.0, rows.middle(row) + 4.5), Anchor::Start, "no g_s"),
        }
        svg.close();
    }
    if mean.is_some() {
        let y = rows.middle(languages.len()) - ROW / 2.0;
        svg.line("divide", (0.0, y), (width, y));
    }
    svg
}

/// What a row shows.
struct Entry<'a> {
    name: &'a str,
    g_s: Option<&'a Estimate>,
    is_marked: bool,
}

/// The legend, with the square only where it occurs.
fn signs(svg: &mut Svg, left: f64, entries: &[Entry<'_>]) {
    let mut signs = vec![
        (Mark::Circle, "above-mark", "towards stereotypes"),
        (Mark::Diamond, "below-mark", "against them"),
        (Mark::Circle, "open-mark", "cannot tell"),
    ];
    if entries.iter().filter_map(|entry| entry.g_s).any(|g_s| g_s.interval().is_none()) {
        signs.push((Mark::Square, "unknown-mark", "no interval"));
    }
    legend(svg, left, &signs);
}

fn draw_row(svg: &mut Svg, (rows, row): (Rows, usize), entry: &Entry<'_>, g_s: &Estimate, scale: &Scale) {
    let (right, y) = (scale.ends().1, rows.middle(row));
    let verdict = Verdict::of(g_s, 1.0);
    let mark = match verdict {
        Verdict::Above | Verdict::Open => Mark::Circle,
        Verdict::Below => Mark::Diamond,
        Verdict::Unknown => Mark::Square,
    };
    svg.open(verdict.class(), &format!("{}: g_s {}", entry.name, Kind::Ratio.brief(g_s)));
    if let Some(interval) = g_s.interval() {
        let ends = [interval.low, interval.high].map(|end| (scale.place(end), y));
        svg.line(&format!("{}-whisker", verdict.class()), ends[0], ends[1]);
    }
    svg.mark(mark, &format!("{}-mark", verdict.class()), (scale.place(g_s.value), y), 5.0);
    svg.close();
    rows.number(svg, row, right + 55.0, &Kind::Ratio.show(g_s.value));
    let interval =
        g_s.interval().map_or_else(|| no_interval_in_brief(g_s).to_owned(), |one| Kind::Ratio.interval(one));
    let mark = if entry.is_marked { " *" } else { "" };
    svg.text("small", (right + 63.0, y + 4.5), Anchor::Start, &format!("{interval}{mark}"));
    rows.number(svg, row, right + 212.0, &count(g_s.n));
}

fn alt(results: &Results, languages: &[&LanguageResult]) -> String {
    let with: Vec<_> = languages.iter().filter_map(|one| Some((&one.name, one.g_s.as_ref()?))).collect();
    let (Some((top, high)), Some((bottom, low))) = (with.first(), with.last()) else {
        return "No language has a g_s.".to_owned();
    };
    let above = with.iter().filter(|(_, g_s)| Verdict::of(g_s, 1.0) == Verdict::Above).count();
    let below = with.iter().filter(|(_, g_s)| Verdict::of(g_s, 1.0) == Verdict::Below).count();
    let marked = match languages.iter().filter(|one| is_marked(results, one)).count() {
        0 => String::new(),
        n => format!("; {n} of them remain after Holm's adjustment"),
    };
    format!(
        "Dot plot of g_s for {}, sorted. Highest: {top} with {}; lowest: {bottom} with {}. The interval lies above 1 \
         in {above} and below 1 in {below}{marked}.",
        plural(with.len(), "language"),
        Kind::Ratio.show(high.value),
        Kind::Ratio.show(low.value)
    )
}

fn table(results: &Results, languages: &[&LanguageResult]) -> Table {
    let mut columns = Column::language().to_vec();
    columns.extend([
        Column::new("n_items", "items", "scored items (minimal pairs)"),
        Column::new("n_sources", "n", "source sentences, the unit of resampling"),
    ]);
    columns.extend(Column::estimate("g_s", "g_s", "q_masculine / q_feminine, geometric means; neutral 1"));
    columns.push(Column::new("verdict", "interval says", "on which side of 1 the whole interval lies"));
    columns.extend(Column::test("g_s is 1", "the languages"));
    columns.extend(Column::estimate(
        "g_s_arithmetic",
        "arithmetic g_s",
        "the same from arithmetic means, as EuroGEST's released program; neutral 1",
    ));
    columns.push(Column::new(
        "left_out",
        "left out",
        "stereotypes without a scored sentence in the language, which no g_s of it holds; of the mean, languages \
         without g_s",
    ));
    let mut rows: Vec<Vec<Cell>> = languages.iter().map(|language| table_row(language)).collect();
    if let Some(mean) = results.mean_g_s.as_ref().filter(|_| languages.len() > 1) {
        let items = languages.iter().map(|language| language.n_items).sum();
        let mut row = vec![
            Cell::text("mean"),
            Cell::text("over the languages"),
            Cell::Count(items),
            Cell::Count(mean.n),
        ];
        row.extend(Cell::estimate(Kind::Ratio, Some(mean), NO_G_S));
        row.push(Cell::text(Verdict::of(mean, 1.0).word()));
        row.extend([const { Cell::Missing("") }; 6]);
        row.push(Cell::text(list_or_none(&without_g_s(languages))));
        rows.push(row);
    }
    let caption = format!("g_s by language with {} intervals.", percent(results.level));
    Table { name: NAME, caption, columns, rows }
}

fn table_row(language: &LanguageResult) -> Vec<Cell> {
    let mut row = Cell::language(language).to_vec();
    row.extend([Cell::Count(language.n_items), Cell::Count(language.n_sources)]);
    row.extend(Cell::estimate(Kind::Ratio, language.g_s.as_ref(), NO_G_S));
    let verdict = language.g_s.as_ref().map_or(Verdict::Unknown, |g_s| Verdict::of(g_s, 1.0));
    row.push(Cell::text(verdict.word()));
    row.extend(Cell::test(language.g_s_test.as_ref(), language.g_s.as_ref()));
    row.extend(Cell::estimate(Kind::Ratio, language.g_s_arithmetic.as_ref(), NO_G_S));
    row.push(Cell::text(left_out(language)));
    row
}
