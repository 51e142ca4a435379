//! A table: on the page as HTML, beside it as CSV (RFC 4180, UTF-8, full precision).

use stereometer_core::{Estimate, StereotypeId};
use stereometer_record::{LanguageResult, Test};

use crate::html::escape;
use crate::links::{About, Links};
use crate::words::{Kind, no_interval};
use crate::{ReportError, words};

/// A table with its columns explained.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// File name without ending, and part of ids on the page.
    pub name: &'static str,
    /// What it holds, in a sentence.
    pub caption: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

/// One column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Name in the CSV.
    pub key: String,
    /// Heading on the page.
    pub label: String,
    /// What it is: direction, neutral point, unit.
    pub meaning: String,
    /// What its cells hold, for files whose columns have types.
    pub holds: Holds,
}

/// What the cells of a column hold, where they hold anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Holds {
    /// Words, or more than one kind.
    #[default]
    Text,
    /// Counts.
    Counts,
    /// Numbers.
    Numbers,
}

/// One cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number and how the page shows it.
    Number(f64, String),
    /// A count.
    Count(usize),
    /// Nothing, and why; empty in the CSV.
    Missing(&'static str),
}

impl Column {
    /// A column.
    pub fn new(key: &str, label: &str, meaning: &str) -> Self {
        Self { key: key.to_owned(), label: label.to_owned(), meaning: meaning.to_owned(), holds: Holds::Text }
    }

    /// A column whose cells hold this.
    #[must_use]
    pub fn holding(self, holds: Holds) -> Self {
        Self { holds, ..self }
    }

    /// The two columns that name a language.
    pub fn language() -> [Self; 2] {
        [
            Self::new("language", "language", "BCP 47 tag"),
            Self::new("language_name", "name", "English name of the language"),
        ]
    }

    /// The two columns that name a stereotype.
    pub fn stereotype() -> [Self; 2] {
        [
            Self::new("stereotype", "no.", "number of the stereotype in GEST, 1 to 16"),
            Self::new("stereotype_name", "stereotype", "the stereotype in words"),
        ]
    }

    /// The three columns of an estimate: value and both ends of its interval.
    pub fn estimate(key: &str, label: &str, meaning: &str) -> [Self; 3] {
        [
            Self::new(key, label, meaning),
            Self::new(&format!("{key}_low"), "from", &format!("lower end of the interval of {key}")),
            Self::new(&format!("{key}_high"), "to", &format!("upper end of the interval of {key}")),
        ]
    }
}

impl Column {
    /// The three columns of a test of `null`: p and what is left of it when the `family` is counted.
    pub fn test(null: &str, family: &str) -> [Self; 3] {
        [
            Self::new(
                "p",
                "p",
                &format!(
                    "two-sided p value of “{null}”: resampled standard error, normal distribution; approximate, too \
                     small where few sentences are all there is"
                ),
            ),
            Self::new(
                "holm",
                "Holm p",
                &format!("p adjusted for {family}, so that any false finding is unlikely"),
            ),
            Self::new(
                "bh",
                "BH p",
                &format!("p adjusted after Benjamini and Hochberg for {family}: share of false findings"),
            ),
        ]
    }
}

impl Cell {
    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The cells of [`Column::language`].
    pub fn language(language: &LanguageResult) -> [Self; 2] {
        [Self::text(language.language.as_str()), Self::text(&language.name)]
    }

    /// The cells of [`Column::stereotype`].
    pub fn stereotype(id: StereotypeId) -> [Self; 2] {
        [Self::Count(usize::from(id.get())), Self::text(id.phrase())]
    }

    /// A number of a kind.
    pub fn number(kind: Kind, value: f64) -> Self {
        Self::Number(value, kind.show(value))
    }

    /// The cells of [`Column::estimate`]; `missing` says why there is no estimate.
    pub fn estimate(kind: Kind, estimate: Option<&Estimate>, missing: &'static str) -> [Self; 3] {
        let Some(estimate) = estimate else {
            return [Self::Missing(missing), Self::Missing(""), Self::Missing("")];
        };
        let value = Self::number(kind, estimate.value);
        match estimate.interval() {
            Some(interval) => [value, Self::number(kind, interval.low), Self::number(kind, interval.high)],
            None => [value, Self::Missing(no_interval(estimate)), Self::Missing("")],
        }
    }

    /// The cells of [`Column::test`] beside an estimate, which says why there is none if it has no interval.
    pub fn test(test: Option<&Test>, estimate: Option<&Estimate>) -> [Self; 3] {
        match test {
            Some(test) => [test.p, test.holm, test.bh].map(|p| Self::number(Kind::P, p)),
            None if estimate.is_some_and(|one| one.interval().is_some()) => {
                [Self::Missing("no variation"), Self::Missing(""), Self::Missing("")]
            }
            None => [const { Self::Missing("") }; 3],
        }
    }
}

impl Table {
    /// As CSV, with a header row.
    pub fn csv(&self) -> Result<Vec<u8>, ReportError> {
        let failed = |detail: String| ReportError::Csv { table: self.name, detail };
        let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
        writer
            .write_record(self.columns.iter().map(|column| &column.key))
            .map_err(|error| failed(error.to_string()))?;
        for row in &self.rows {
            writer.write_record(row.iter().map(raw)).map_err(|error| failed(error.to_string()))?;
        }
        writer.into_inner().map_err(|error| failed(error.to_string()))
    }

    /// What every column means, in Markdown, for a file with this ending.
    pub fn guide(&self, extension: &str) -> String {
        let columns: String = self
            .columns
            .iter()
            .map(|column| format!("| `{}` | {} |\n", column.key, column.meaning))
            .collect();
        format!(
            "\n## {}.{extension}\n\n{}\n\n| column | meaning |\n| --- | --- |\n{columns}",
            self.name, self.caption
        )
    }

    /// As HTML: a link to the CSV, numbers in full precision behind those shown, and rows that know what they are about.
    pub fn html(&self, links: &Links) -> String {
        let head: String =
            self.columns.iter().enumerate().map(|(place, column)| self.heading(place, column)).collect();
        let rows: String = self.rows.iter().map(|row| self.html_row(row, links)).collect();
        format!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}\">\
             <table><caption>{caption} <a href=\"tables/{name}.csv\" data-save=\"csv\">CSV</a></caption>\n\
             <thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n",
            caption = escape(&self.caption),
            name = self.name,
        )
    }
}

impl Table {
    fn heading(&self, place: usize, column: &Column) -> String {
        let numeric =
            self.rows.iter().any(|row| matches!(row.get(place), Some(Cell::Number(..) | Cell::Count(_))));
        let class = if numeric { " class=\"num\"" } else { "" };
        format!(
            "<th scope=\"col\"{class} data-key=\"{}\" title=\"{}\">{}</th>",
            escape(&column.key),
            escape(&column.meaning),
            escape(&column.label)
        )
    }

    fn column(&self, key: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.key == key)
    }

    /// A row over all languages (“mean”) names none.
    fn about(&self, row: &[Cell]) -> About {
        let cell = |key| self.column(key).and_then(|place| row.get(place));
        let language = match cell("language") {
            Some(Cell::Text(tag)) => tag.parse().ok(),
            _ => None,
        };
        let stereotype = match cell("stereotype") {
            Some(&Cell::Count(id)) => u16::try_from(id).ok().and_then(|id| id.try_into().ok()),
            _ => None,
        };
        About { language, stereotype }
    }

    /// The stereotype in words, which follows its number, leads to the sentences.
    fn html_row(&self, row: &[Cell], links: &Links) -> String {
        let about = self.about(row);
        let linked = self.column("stereotype").map(|number| number + 1);
        let cells: String = row
            .iter()
            .enumerate()
            .map(|(place, cell)| html_cell(place, cell, links.get(&about).filter(|_| linked == Some(place))))
            .collect();
        format!("<tr{}>{cells}</tr>\n", about.attributes())
    }
}

fn html_cell(place: usize, cell: &Cell, href: Option<&str>) -> String {
    let number =
        |shown: &str| format!("<td class=\"num\" data-value=\"{}\">{}</td>", raw(cell), escape(shown));
    match cell {
        Cell::Text(text) if place == 0 => format!("<th scope=\"row\">{}</th>", escape(text)),
        Cell::Text(text) => match href {
            Some(href) => format!("<td><a href=\"{}\">{}</a></td>", escape(href), escape(text)),
            None => format!("<td>{}</td>", escape(text)),
        },
        Cell::Number(_, shown) => number(shown),
        Cell::Count(count) => number(&words::count(*count)),
        Cell::Missing("") => "<td class=\"num none\">–</td>".to_owned(),
        Cell::Missing(why) => format!("<td class=\"num none\">{}</td>", escape(why)),
    }
}

/// As text, at full precision; nothing where nothing is known.
pub(crate) fn raw(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Number(value, _) => value.to_string(),
        Cell::Count(count) => count.to_string(),
        Cell::Missing(_) => String::new(),
    }
}
