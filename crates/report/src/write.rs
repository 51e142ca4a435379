//! The files of a report.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use stereometer_core::StereotypeId;
use stereometer_record::{RecordError, write_atomically};

use crate::figures::{FIGURES, Figure};
use crate::page::page;
use crate::page::sentences::{Beside, sentences};
use crate::raster::{Flaws, Pictures};
use crate::tables::TABLES;
use crate::{Options, ReportError, ReportInput, Table};

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The page.
    pub page: PathBuf,
    /// Figures as SVG, PNG and PDF.
    pub figures: Vec<PathBuf>,
    /// Tables as CSV.
    pub tables: Vec<PathBuf>,
    /// Pages of sentences, where these are too many for the page.
    pub sentences: Vec<PathBuf>,
    /// What PNG and PDF show wrongly, where they were asked for.
    pub flaws: Flaws,
}

/// Writes `index.html`, `figures/`, `tables/` and, where the page cannot hold them, `sentences/` into a folder; the page last,
/// so that its links lead somewhere.
pub fn write(input: &ReportInput<'_>, out: &Path, options: &Options) -> Result<Written, ReportError> {
    let figures: Vec<Figure> = FIGURES.iter().map(|draw| draw(input.results)).collect();
    let tables: Vec<Table> = TABLES.iter().map(|make| make(input.results)).collect();
    let mut beside = Vec::new();
    let sentences = sentences(input, |Beside { name, html }| {
        let path = folder(out.join("sentences"))?.join(name);
        write_atomically(&path, html.as_bytes())?;
        beside.push(path);
        Ok::<(), ReportError>(())
    })?;
    let page = page(input, &figures, &sentences);
    let files = Files { figures: &figures, tables: &tables, absent: &[], page: &page };
    let written = Written { sentences: beside, ..files.write(out, *options)? };
    remove_stale_sentences(input, &out.join("sentences"), &written.sentences)?;
    Ok(written)
}

/// The contents of a report's folder.
pub struct Files<'a> {
    /// The figures, each with its table.
    pub figures: &'a [Figure],
    /// Tables without a figure.
    pub tables: &'a [Table],
    /// Names of figures that this report has not: those of an earlier report would contradict the page.
    pub absent: &'a [&'static str],
    /// The page.
    pub page: &'a str,
}

impl Files<'_> {
    /// Writes them, the page last.
    pub fn write(&self, out: &Path, options: Options) -> Result<Written, ReportError> {
        let Self { figures, tables, absent, page } = *self;
        let tables: Vec<&Table> = figures.iter().map(|figure| &figure.table).chain(tables).collect();
        let (figures_written, flaws) = write_figures(figures, &folder(out.join("figures"))?, options)?;
        let written = Written {
            figures: figures_written,
            flaws,
            tables: write_tables(&tables, &folder(out.join("tables"))?)?,
            page: out.join("index.html"),
            sentences: Vec::new(),
        };
        write_atomically(&written.page, page.as_bytes())?;
        remove_stale(figures, &out.join("figures"), options)?;
        for name in absent {
            for ending in ["svg", "png", "pdf"] {
                remove(out.join("figures").join(format!("{name}.{ending}")))?;
            }
            remove(out.join("tables").join(format!("{name}.csv")))?;
        }
        Ok(written)
    }
}

fn write_figures(
    figures: &[Figure],
    folder: &Path,
    options: Options,
) -> Result<(Vec<PathBuf>, Flaws), ReportError> {
    let mut flaws = Flaws::default();
    let pictures = if options.png || options.pdf { Some(Pictures::new()?) } else { None };
    let mut written = Vec::new();
    let mut put = |name: String, bytes: Vec<u8>| -> Result<(), ReportError> {
        let path = folder.join(name);
        write_atomically(&path, &bytes)?;
        written.push(path);
        Ok(())
    };
    for figure in figures {
        put(format!("{}.svg", figure.name), figure.svg.standalone(figure.title, &figure.alt).into_bytes())?;
        if let Some(pictures) = &pictures {
            pictures.note(figure, &mut flaws)?;
            if options.png {
                put(format!("{}.png", figure.name), pictures.png(figure)?)?;
            }
            if options.pdf {
                put(format!("{}.pdf", figure.name), pictures.pdf(figure)?)?;
            }
        }
    }
    Ok((written, flaws))
}

/// Pictures of an earlier report would contradict the page; only the figures' own names are touched.
fn remove_stale(figures: &[Figure], folder: &Path, options: Options) -> Result<(), ReportError> {
    let endings = [("png", options.png), ("pdf", options.pdf)];
    for (ending, _) in endings.into_iter().filter(|(_, wanted)| !wanted) {
        for figure in figures {
            remove(folder.join(format!("{}.{ending}", figure.name)))?;
        }
    }
    Ok(())
}

/// So would sentences of an earlier report, scored under another rule.
fn remove_stale_sentences(
    input: &ReportInput<'_>,
    folder: &Path,
    written: &[PathBuf],
) -> Result<(), ReportError> {
    for language in &input.spec.identity.languages {
        let parts = StereotypeId::all().map(|id| format!("{language}-{id}.html"));
        for name in parts.chain([format!("{language}.html")]) {
            let path = folder.join(name);
            if !written.contains(&path) {
                remove(path)?;
            }
        }
    }
    // Somebody's own files keep it.
    let _ = fs::remove_dir(folder);
    Ok(())
}

fn remove(path: PathBuf) -> Result<(), ReportError> {
    match fs::remove_file(&path) {
        Err(source) if source.kind() != ErrorKind::NotFound => {
            Err(RecordError::Io { path, action: "cannot remove", source }.into())
        }
        _ => Ok(()),
    }
}

fn write_tables(tables: &[&Table], folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let mut written = Vec::new();
    let mut guide = String::from(
        "# Columns of the tables\n\nUTF-8, RFC 4180, full precision. An empty cell means that the number could not be \
         computed, and the page says why, or that a row of means has no such number.\n",
    );
    for table in tables {
        let path = folder.join(format!("{}.csv", table.name));
        write_atomically(&path, &table.csv()?)?;
        written.push(path);
        guide.push_str(&table.guide("csv"));
    }
    write_atomically(&folder.join("README.md"), guide.as_bytes())?;
    Ok(written)
}

fn folder(path: PathBuf) -> Result<PathBuf, ReportError> {
    match fs::create_dir_all(&path) {
        Ok(()) => Ok(path),
        Err(source) => Err(ReportError::Folder { path, source }),
    }
}
