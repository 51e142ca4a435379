//! Plain tables for the terminal: aligned columns, two spaces apart.

/// One column's heading and side.
#[derive(Debug, Clone, Copy)]
pub enum Column<'a> {
    /// Words.
    Left(&'a str),
    /// Numbers.
    Right(&'a str),
}

/// Lines of a table; widths are counted in characters.
pub fn render(columns: &[Column<'_>], rows: &[Vec<String>]) -> String {
    fn heading<'a>(column: &Column<'a>) -> &'a str {
        match column {
            Column::Left(text) | Column::Right(text) => text,
        }
    }
    let widths: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            let cells = rows.iter().map(|row| row[index].chars().count());
            cells.chain([heading(column).chars().count()]).max().unwrap_or(0)
        })
        .collect();
    let line = |cells: Vec<&str>| {
        let padded: Vec<String> = cells
            .iter()
            .zip(columns.iter().zip(&widths))
            .map(|(cell, (column, &width))| {
                // Not by a format's width, which ends at 65,535.
                let space = " ".repeat(width.saturating_sub(cell.chars().count()));
                match column {
                    Column::Left(_) => format!("{cell}{space}"),
                    Column::Right(_) => format!("{space}{cell}"),
                }
            })
            .collect();
        padded.join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(columns.iter().map(heading).collect())];
    lines.extend(rows.iter().map(|row| line(row.iter().map(String::as_str).collect())));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_may_be_a_whole_book() {
        let book = "page ".repeat(20_000);
        let lines =
            render(&[Column::Left("n"), Column::Right("text")], &[vec!["1".to_owned(), book.clone()]]);
        assert!(lines.ends_with(book.trim_end()));
    }

    #[test]
    fn words_stand_left_and_numbers_right() {
        let rows = vec![vec!["de".to_owned(), "7".to_owned()], vec!["český".to_owned(), "12".to_owned()]];
        assert_eq!(
            render(&[Column::Left("name"), Column::Right("n")], &rows),
            "name    n\nde      7\nčeský  12"
        );
    }
}
