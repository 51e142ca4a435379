//! LaTeX: one `longtable` with the rules of `booktabs`, for `\input` into a document with both packages and a font that
//! has the languages' letters (LuaLaTeX or XeLaTeX).
//!
//! For reading: numbers have the digits of the report, and columns that no page has room for are left out; the comment
//! above the table names them. Only the estimates are written without being asked for.

use std::io::Write as _;

use stereometer_record::WholeFile;

use super::{Format, Sink, unwritten};
use crate::words::count;
use crate::{Cell, Holds, ReportError, Table};

/// The row in the table of formats.
pub const FORMAT: Format = Format {
    name: "latex",
    extension: "tex",
    note: "a `longtable` with the rules of `booktabs`, UTF-8, special characters escaped; `--` is missing. Numbers have the \
           digits of the report, and wide columns are left out (the comment above each table names them). Only the estimates are \
           written where `--tables` names no other",
    tables: &["estimates"],
    open,
};

/// Columns that would not fit on a page, or that a caption says better.
const LEFT_OUT: [&str; 16] = [
    "model",
    "language_name",
    "stereotype_name",
    "about",
    "source",
    "average",
    "level",
    "interval",
    "std_error",
    "neutral",
    "unit",
    "note",
    "tokens",
    "logprobs",
    "n_tokens",
    "outcome",
];

struct Latex {
    file: WholeFile,
    kept: Vec<bool>,
}

fn open(table: &Table, file: WholeFile) -> Result<Box<dyn Sink>, ReportError> {
    let kept: Vec<bool> =
        table.columns.iter().map(|column| !LEFT_OUT.contains(&column.key.as_str())).collect();
    let mut sink = Latex { file, kept };
    sink.put(&head(table, &sink.kept))?;
    Ok(Box::new(sink))
}

fn head(table: &Table, kept: &[bool]) -> String {
    let columns = || table.columns.iter().zip(kept).filter(|(_, kept)| **kept).map(|(column, _)| column);
    let comments: String =
        columns().map(|column| format!("%   {}: {}\n", column.key, one_line(&column.meaning))).collect();
    let left_out: Vec<&str> = (table.columns.iter().zip(kept))
        .filter(|(_, kept)| !**kept)
        .map(|(column, _)| column.key.as_str())
        .collect();
    let sides: String = columns()
        .map(|column| match column.holds {
            Holds::Text if column.key == "text" => "p{6cm}",
            Holds::Text => "l",
            Holds::Counts | Holds::Numbers => "r",
        })
        .collect();
    let names: Vec<String> = columns().map(|column| escape(&column.label)).collect();
    let (names, n) = (names.join(" & "), sides.matches(['l', 'r', 'p']).count());
    format!(
        "% {}\n% Needs \\usepackage{{booktabs,longtable}} and a font with the languages' letters. Columns:\n{comments}\
         % Left out for want of room, and in the other formats: {}.\n\
         \\begin{{longtable}}{{@{{}}{sides}@{{}}}}\n\\toprule\n{names} \\\\\n\\midrule\n\\endfirsthead\n\
         \\toprule\n{names} \\\\\n\\midrule\n\\endhead\n\\midrule\n\
         \\multicolumn{{{n}}}{{r@{{}}}}{{continued}} \\\\\n\\endfoot\n\\bottomrule\n\\endlastfoot\n",
        one_line(&table.caption),
        left_out.join(", "),
    )
}

impl Latex {
    fn put(&mut self, text: &str) -> Result<(), ReportError> {
        self.file.write_all(text.as_bytes()).map_err(unwritten(self.file.path()))
    }
}

impl Sink for Latex {
    fn add(&mut self, row: &[Cell]) -> Result<(), ReportError> {
        let cells = row.iter().zip(&self.kept).filter(|(_, kept)| **kept).map(|(cell, _)| shown(cell));
        let line = format!("{} \\\\\n", cells.collect::<Vec<_>>().join(" & "));
        self.put(&line)
    }

    fn finish(mut self: Box<Self>) -> Result<WholeFile, ReportError> {
        self.put("\\end{longtable}\n")?;
        Ok(self.file)
    }
}

fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => escape(text),
        Cell::Number(_, shown) => number(shown),
        Cell::Count(n) => count(*n),
        Cell::Missing(_) => "--".to_owned(),
    }
}

/// A shown number as mathematics, where a hyphen is a minus.
fn number(shown: &str) -> String {
    let shown = shown.replace('\u{2212}', "-");
    match shown.split_once('e') {
        Some((digits, power)) => format!("${digits}\\cdot10^{{{power}}}$"),
        None => format!("${}$", shown.replace(',', "{,}")),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(character);
            }
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            // At the beginning of a cell it would be an option of the line before.
            '[' => escaped.push_str("{[}"),
            '"' => escaped.push_str("\\textquotedbl{}"),
            '\n' | '\r' => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_of_a_text_is_a_command() {
        assert_eq!(
            escape("50% of a_b & {c} #1 $2 \\x ~ ^ <\"[>\nñ"),
            "50\\% of a\\_b \\& \\{c\\} \\#1 \\$2 \\textbackslash{}x \\textasciitilde{} \\textasciicircum{} \
             \\textless{}\\textquotedbl{}{[}\\textgreater{} ñ"
        );
        assert_eq!(shown(&Cell::Number(-0.5, "−0.500".to_owned())), "$-0.500$");
        assert_eq!(shown(&Cell::Number(2.5e-12, "2.5e-12".to_owned())), "$2.5\\cdot10^{-12}$");
        assert_eq!(shown(&Cell::Number(12_345.0, "12,345".to_owned())), "$12{,}345$");
        assert_eq!(shown(&Cell::Missing("why")), "--");
    }
}
