//! Do differences in length drive the result?
//!
//! A variant with more tokens can be likelier or less likely for that reason alone. g_s on all pairs stands beside g_s
//! on the pairs whose variants have equally many tokens: where the two tell different stories, length is at work. The
//! correlation of the masculine rate with the difference in length is a number without an interval.

use stereometer_core::{Estimate, Method, Verdict};
use stereometer_record::{LanguageResult, Results, TokenCountCheck};

use super::Figure;
use super::rows::{Rows, label_width, legend};
use crate::overall::by_g_s;
use crate::scale::Scale;
use crate::svg::{Anchor, Mark, Svg};
use crate::words::{Kind, count, list, percent, plural};
use crate::{About, Cell, Column, Table};

const NAME: &str = "token_counts";
const NO_EQUAL: &str = "no g_s: a side has no equal pair";

/// A language with what is known of its lengths.
type Checked<'a> = (&'a LanguageResult, &'a TokenCountCheck);

/// Draws the figure.
pub fn draw(results: &Results) -> Figure {
    let checked: Vec<Checked<'_>> =
        by_g_s(results).into_iter().filter_map(|one| Some((one, one.token_counts.as_ref()?))).collect();
    Figure {
        name: NAME,
        title: "What changes on pairs of equal length",
        reading: reading(results),
        alt: alt(&checked),
        svg: plot(&checked),
        table: table(results, &checked),
    }
}

fn reading(results: &Results) -> String {
    let equal = match results.method {
        Method::Likelihood | Method::PllOriginal | Method::PllWithinWord => {
            "Where both stand apart, the length of the words is at work."
        }
        Method::MaskedDifference => {
            "All pairs that this method scores have variants of equal length, so there is nothing to compare."
        }
    };
    format!(
        "Filled circle: g_s on all pairs; open square: g_s on the pairs whose variants have equally many tokens, \
         which is the same where all pairs have; bars are {} intervals, ? marks a g_s without one; neutral 1. {equal} r is the correlation of the masculine rate \
         with (tokens masculine − tokens feminine), 0 = unrelated, without an interval.",
        percent(results.level)
    )
}

fn all_equal((language, check): Checked<'_>) -> bool {
    check.n_equal == language.n_items
}

/// Both values with what they are called; the second only where it can differ.
fn pair(one: Checked<'_>) -> [Option<&Estimate>; 2] {
    let equal = one.1.g_s_equal.as_ref().filter(|_| !all_equal(one));
    [one.0.g_s.as_ref(), equal]
}

fn plot(checked: &[Checked<'_>]) -> Svg {
    let left = label_width(checked.iter().map(|one| one.0.name.as_str()));
    let (right, rows) = (left + 370.0, Rows { top: 50.0, n: checked.len() });
    let width = right + 322.0;
    let mut svg = Svg::new(width, rows.height());
    let shown = checked.iter().flat_map(|&one| pair(one)).flatten().flat_map(|g_s| {
        let ends = g_s.interval().map_or([g_s.value; 2], |interval| [interval.low, interval.high]);
        [g_s.value, ends[0], ends[1]]
    });
    let scale = Scale::logarithmic(shown.chain([1.0]), (left, right));
    legend(
        &mut svg,
        left,
        &[(Mark::Circle, "all-mark", "all pairs"), (Mark::Square, "equal-mark", "pairs of equal length")],
    );
    for (place, heading) in [(64.0, "g_s, all"), (146.0, "g_s, equal"), (238.0, "equal pairs"), (302.0, "r")]
    {
        svg.text("head", (right + place, rows.top - 8.0), Anchor::End, heading);
    }
    rows.bands(&mut svg, width);
    rows.axis(&mut svg, &scale, 1.0, ["anti-stereotypical", "stereotypical"]);
    for (row, one) in checked.iter().enumerate() {
        svg.open_about("row", "", About::language(&one.0.language));
        draw_row(&mut svg, (rows, row), *one, &scale);
        svg.close();
    }
    svg
}

fn draw_row(svg: &mut Svg, (rows, row): (Rows, usize), one: Checked<'_>, scale: &Scale) {
    let ((left, right), (language, check)) = (scale.ends(), one);
    rows.label(svg, row, left - 8.0, &language.name);
    let places = [rows.middle(row) - 4.5, rows.middle(row) + 4.5];
    let at = |g_s: &Estimate, y: f64| (scale.place(g_s.value), y);
    if let [Some(all), Some(equal)] = pair(one) {
        svg.line("join", at(all, places[0]), at(equal, places[1]));
    }
    let signs = [
        (Mark::Circle, "all pairs", "all-whisker", "all-mark"),
        (Mark::Square, "pairs of equal length", "open-whisker", "equal-mark"),
    ];
    for ((g_s, (mark, what, whisker, class)), y) in pair(one).into_iter().zip(signs).zip(places) {
        let Some(g_s) = g_s else { continue };
        svg.open("g-s", &format!("{}, {what}: g_s {}", language.name, Kind::Ratio.brief(g_s)));
        if let Some(interval) = g_s.interval() {
            svg.line(whisker, (scale.place(interval.low), y), (scale.place(interval.high), y));
        }
        svg.mark(mark, class, at(g_s, y), 4.0);
        svg.close();
    }
    let equal = if all_equal(one) { "the same".to_owned() } else { show(check.g_s_equal.as_ref()) };
    rows.number(svg, row, right + 64.0, &show(language.g_s.as_ref()));
    rows.number(svg, row, right + 146.0, &equal);
    let pairs = format!("{} / {}", count(check.n_equal), count(language.n_items));
    rows.number(svg, row, right + 238.0, &pairs);
    let r = check.correlation.map_or("–".to_owned(), |r| Kind::Difference.show(r));
    rows.number(svg, row, right + 302.0, &r);
}

fn show(g_s: Option<&Estimate>) -> String {
    let Some(g_s) = g_s else { return "–".to_owned() };
    let shown = Kind::Ratio.show(g_s.value);
    match Verdict::of(g_s, 1.0) {
        Verdict::Unknown => format!("{} {shown}", Verdict::Unknown.sign()),
        Verdict::Above | Verdict::Below | Verdict::Open => shown,
    }
}

fn alt(checked: &[Checked<'_>]) -> String {
    let names = |keep: &dyn Fn(Checked<'_>) -> bool| -> Vec<&str> {
        checked.iter().filter(|one| keep(**one)).map(|one| one.0.name.as_str()).collect()
    };
    let same = names(&|one| all_equal(one)).len();
    let other = names(&|one| match pair(one) {
        [Some(all), Some(equal)] => Verdict::of(all, 1.0).contradicts(Verdict::of(equal, 1.0)),
        _ => false,
    });
    let none = names(&|one| one.1.g_s_equal.is_none());
    let other = match other.len() {
        0 => "In no language do the intervals of both say different things.".to_owned(),
        n => format!("The intervals of both say different things in {n}: {}.", list(&other)),
    };
    let none = if none.is_empty() {
        String::new()
    } else {
        format!(" Too few equal pairs for a g_s: {}.", list(&none))
    };
    format!(
        "Dumbbell plot of g_s on all pairs and on pairs of equal length for {}; in {same} all pairs are of equal \
         length. {other}{none}",
        plural(checked.len(), "language")
    )
}

fn table(results: &Results, checked: &[Checked<'_>]) -> Table {
    let mut columns = Column::language().to_vec();
    columns.extend([
        Column::new("n_items", "items", "scored items"),
        Column::new(
            "correlation",
            "r with length",
            "Pearson correlation of the masculine rate with (tokens masculine − tokens feminine); 0 = unrelated",
        ),
        Column::new("n_equal", "equal pairs", "pairs whose variants have equally many tokens"),
    ]);
    columns.extend(Column::estimate("g_s", "g_s, all", "g_s of all items; neutral 1"));
    columns.extend(Column::estimate(
        "g_s_equal",
        "g_s, equal pairs",
        "g_s of the equal pairs alone; neutral 1",
    ));
    let rows = checked.iter().map(|(language, check)| {
        let correlation =
            check.correlation.map_or(Cell::Missing("no variation"), |r| Cell::number(Kind::Difference, r));
        let mut row = Cell::language(language).to_vec();
        row.extend([Cell::Count(language.n_items), correlation, Cell::Count(check.n_equal)]);
        row.extend(Cell::estimate(Kind::Ratio, language.g_s.as_ref(), "no g_s"));
        row.extend(Cell::estimate(Kind::Ratio, check.g_s_equal.as_ref(), NO_EQUAL));
        row
    });
    let caption = format!(
        "Masculine rate and difference in token counts; g_s with {} intervals, the correlation without.",
        percent(results.level)
    );
    Table { name: NAME, caption, columns, rows: rows.collect() }
}
