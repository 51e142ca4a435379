//! How large is each coefficient, and how sure? A panel a target, the own language apart from the leaks.

use stereometer_core::Language;
use stereometer_record::{Evidence, FitScale, Predictor};

use super::{Entry, Parts};
use crate::Table;
use crate::comparison::runs::{MARKS, legend};
use crate::figures::Figure;
use crate::figures::rows::label_width;
use crate::leakage::study::{Line, Role, Study};
use crate::leakage::tables::coefficients::{
    choice, choice_cells, in_words, number_cells, numbers, which, which_cells,
};
use crate::letters::cut;
use crate::scale::Scale;
use crate::svg::{Anchor, Svg};
use crate::words::{list, percent, plural};

pub const ENTRY: Entry = Entry {
    name: "coefficients",
    title: "Every coefficient with its interval",
    absent: "No regression could be made under any choice.",
    draw,
};

/// Width of a panel.
const WIDE: f64 = 200.0;
const STEP: f64 = WIDE + 26.0;
/// Between two runs of one row.
const RUN: f64 = 11.0;
/// Between blocks.
const GAP: f64 = 26.0;

fn draw(study: &Study<'_>) -> Option<Figure> {
    if study.results.fits.is_empty() {
        return None;
    }
    let lines = study.chosen();
    let settings = &study.results.settings;
    let per_run = if is_per_run(study) {
        " Raw units differ between methods of measuring: compare sizes within one run."
    } else {
        ""
    };
    Some(ENTRY.figure(Parts {
        reading: format!(
            "A panel is the language in which the language model answers; a row is whose scores explain its associations. \
             0 = they do not help; right = the language model agrees with these people, the others held; left = it goes against \
             them. Bars are {} intervals, not adjusted; filled: p < {} before adjustment; open: no effect found. The table has p by \
             both distributions, adjusted p, and the same for every other choice.{per_run}",
            percent(settings.level),
            settings.alpha
        ),
        alt: alt(study, &lines),
        svg: svg(study, &lines),
        table: table(study),
    }))
}

fn is_per_run(study: &Study<'_>) -> bool {
    let methods = study.explained().into_iter().map(|run| study.results.runs[run].method);
    let mut methods: Vec<_> = methods.collect();
    methods.dedup();
    study.results.settings.choice.scale == FitScale::Raw && methods.len() > 1
}

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Row<'a> {
    Own,
    People(&'a Language),
    Monolingual,
}

impl Row<'_> {
    fn is_of(self, line: &Line<'_>) -> bool {
        match (self, &line.coefficient.predictor) {
            (Self::Own, _) => line.role() == Role::Own,
            (Self::People(language), Predictor::People(source)) => {
                line.role() == Role::Leak && source == language
            }
            (Self::Monolingual, predictor) => matches!(predictor, Predictor::Monolingual(_)),
            (Self::People(_), Predictor::Monolingual(_)) => false,
        }
    }
}

fn svg(study: &Study<'_>, lines: &[Line<'_>]) -> Svg {
    let (runs, targets) = (study.explained(), study.targets());
    let mut rows: Vec<Row<'_>> = vec![Row::Own];
    rows.extend(study.sources().into_iter().map(Row::People));
    if lines.iter().any(|line| line.role() == Role::Monolingual) {
        rows.push(Row::Monolingual);
    }
    let labels: Vec<String> = rows
        .iter()
        .map(|row| match row {
            Row::Own => "own people".to_owned(),
            Row::People(language) => cut(study.language_name(language), 20.0),
            Row::Monolingual => "monolingual model".to_owned(),
        })
        .collect();
    let left = label_width(labels.iter().map(String::as_str)).max(130.0) + 20.0;
    let per_row = targets.len().clamp(1, 4);
    let width = (left + STEP * per_row as f64).max(560.0);
    let row_height = (RUN * runs.len() as f64 + 8.0).max(22.0);
    let block = 30.0 + row_height * rows.len() as f64 + GAP * if rows.len() > 2 { 2.0 } else { 1.0 } + 46.0;
    let is_numbered = runs.len() > MARKS.len();
    let shown = runs.iter().enumerate().map(|(place, &run)| {
        if is_numbered { format!("{}: {}", place + 1, study.label(run)) } else { study.label(run).to_owned() }
    });
    let shown: Vec<String> = shown.collect();
    // The legend is as high as it needs to be.
    let mut probe = Svg::new(width, 10.0);
    let alpha = study.results.settings.alpha;
    let [filled, open] = [format!("p < {alpha} before adjustment"), "no effect found".to_owned()];
    let top = legend(&mut probe, width, &shown, [&filled, &open]) + 8.0;
    let mut svg = Svg::new(width, top + block * targets.len().div_ceil(per_row) as f64);
    legend(&mut svg, width, &shown, [&filled, &open]);
    let ends = lines.iter().flat_map(|line| {
        let one = line.coefficient;
        [one.estimate, one.interval.low, one.interval.high]
    });
    let scale = Scale::linear(ends.chain([0.0]), (0.0, WIDE));
    for (place, target) in targets.iter().enumerate() {
        let (x, y) = (left + STEP * (place % per_row) as f64, top + block * (place / per_row) as f64);
        let panel = Panel { study, lines, runs: &runs, rows: &rows, row_height, scale: scale.moved(x) };
        if place % per_row == 0 {
            panel.labels(&mut svg, &labels, (left, y));
        }
        panel.draw(&mut svg, target, (x, y));
    }
    svg
}

struct Panel<'a, 'b> {
    study: &'b Study<'a>,
    lines: &'b [Line<'a>],
    runs: &'b [usize],
    rows: &'b [Row<'a>],
    row_height: f64,
    scale: Scale,
}

impl<'a> Panel<'a, '_> {
    fn top(&self, y: f64, row: usize) -> f64 {
        let gaps = match self.rows[row] {
            Row::Own => 0.0,
            Row::People(_) => 1.0,
            Row::Monolingual => 2.0,
        };
        y + 30.0 + self.row_height * row as f64 + GAP * gaps
    }

    fn bottom(&self, y: f64) -> f64 {
        self.top(y, self.rows.len() - 1) + self.row_height
    }

    fn labels(&self, svg: &mut Svg, labels: &[String], (left, y): (f64, f64)) {
        for (row, label) in labels.iter().enumerate() {
            let middle = self.top(y, row) + self.row_height / 2.0;
            if row == 1 {
                svg.text("head", (left - 12.0, self.top(y, row) - 7.0), Anchor::End, "leaks from people");
            }
            svg.text("label", (left - 12.0, middle + 4.5), Anchor::End, label);
        }
    }

    fn draw(&self, svg: &mut Svg, target: &'a Language, (x, y): (f64, f64)) {
        let (from, to) = self.scale.ends();
        svg.text(
            "head",
            (x, y + 12.0),
            Anchor::Start,
            &format!("model in {}", cut(self.study.language_name(target), 20.0)),
        );
        for row in 0..self.rows.len() {
            svg.rect("band", (from, self.top(y, row) + 1.0), (to - from, self.row_height - 2.0));
        }
        let bottom = self.bottom(y);
        for (value, label) in self.scale.ticks() {
            let at = self.scale.place(value);
            svg.line("grid", (at, y + 26.0), (at, bottom));
            svg.text("small", (at, bottom + 15.0), Anchor::Middle, &label);
        }
        let zero = self.scale.place(0.0);
        svg.line("neutral", (zero, y + 26.0), (zero, bottom + 3.0));
        svg.text("small", (from, bottom + 32.0), Anchor::Start, "← against");
        svg.text("small", (to, bottom + 32.0), Anchor::End, "with →");
        for (row, what) in self.rows.iter().enumerate() {
            if *what == Row::People(target) {
                let at = (f64::midpoint(from, to), self.top(y, row) + self.row_height / 2.0 + 4.0);
                svg.text("flow-number", at, Anchor::Middle, "own: see above");
                continue;
            }
            for (place, run) in self.runs.iter().enumerate() {
                let middle = self.top(y, row)
                    + self.row_height / 2.0
                    + RUN * (place as f64 - (self.runs.len() - 1) as f64 / 2.0);
                let line = self
                    .lines
                    .iter()
                    .find(|line| line.fit.run == *run && line.fit.target == *target && what.is_of(line));
                if self.runs.len() > MARKS.len() {
                    svg.text("few", (from - 3.0, middle + 3.5), Anchor::End, &(place + 1).to_string());
                }
                match line {
                    Some(line) => self.mark(svg, line, place, middle),
                    None => svg.text("few", (to - 3.0, middle + 3.5), Anchor::End, "no fit"),
                }
            }
        }
    }

    fn mark(&self, svg: &mut Svg, line: &Line<'_>, place: usize, y: f64) {
        let one = line.coefficient;
        let colour = place % MARKS.len();
        let fill = if one.evidence == Evidence::Open { "open" } else { "mark" };
        let title = format!(
            "{}, {}: {}",
            self.study.run(line.fit.run),
            match line.source() {
                Some(source) => source.as_str(),
                None => "monolingual model",
            },
            in_words(self.study, line)
        );
        svg.open("dot", &title);
        let ends = [one.interval.low, one.interval.high].map(|end| (self.scale.place(end), y));
        svg.line(&format!("run{colour}-whisker"), ends[0], ends[1]);
        svg.mark(MARKS[colour], &format!("run{colour}-{fill}"), (self.scale.place(one.estimate), y), 3.6);
        svg.close();
    }
}

fn alt(study: &Study<'_>, lines: &[Line<'_>]) -> String {
    let count = |role: Role, evidence: Evidence| {
        lines.iter().filter(|line| line.role() == role && line.coefficient.evidence == evidence).count()
    };
    let said: Vec<String> =
        [(Role::Own, "own effects"), (Role::Leak, "leaks"), (Role::Monolingual, "monolingual models")]
            .into_iter()
            .filter(|(role, _)| lines.iter().any(|line| line.role() == *role))
            .map(|(role, name)| {
                format!(
                    "{name}: {} positive, {} negative, {} without an effect found",
                    count(role, Evidence::Positive),
                    count(role, Evidence::Negative),
                    count(role, Evidence::Open)
                )
            })
            .collect();
    let targets: Vec<&str> = study.targets().into_iter().map(|target| study.language_name(target)).collect();
    format!(
        "Forest plot of {} for {}; {}.",
        plural(lines.len(), "coefficient"),
        list(&targets),
        said.join("; ")
    )
}

fn table(study: &Study<'_>) -> Table {
    let columns = which().into_iter().chain(choice()).chain(numbers()).collect();
    let rows = study
        .choices()
        .into_iter()
        .flat_map(|choice| study.lines(choice).into_iter().map(move |line| (choice, line)));
    let rows = rows.map(|(choice, line)| {
        let mut row = which_cells(study, &line);
        row.extend(choice_cells(study, choice));
        row.extend(number_cells(&line));
        row
    });
    Table {
        name: ENTRY.name,
        caption: format!(
            "Every coefficient under every choice, with {} intervals; the choice asked for first.",
            percent(study.results.settings.level)
        ),
        columns,
        rows: rows.collect(),
    }
}
