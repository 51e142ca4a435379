//! Tables of several runs, written together: run after run, then all files at once.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Folder, Format, Run, Sink, TableInfo, unwritten};
use crate::{ReportError, Table};

/// An export in the making. Dropped unfinished, it leaves no file.
pub struct Export {
    format: &'static Format,
    folder: Folder,
    tables: Vec<(&'static TableInfo, Table, Box<dyn Sink>)>,
    runs: Vec<Value>,
}

impl Export {
    /// Begins the files of these tables in a folder.
    pub fn begin(
        format: &'static Format,
        tables: &[&'static TableInfo],
        folder: &Path,
    ) -> Result<Self, ReportError> {
        let folder = Folder::open(folder)?;
        let tables = tables.iter().map(|info| {
            let head = (info.head)();
            let file = folder.file(&format!("{}.{}", info.name, format.extension))?;
            let sink = (format.open)(&head, file)?;
            Ok((*info, head, sink))
        });
        let tables = tables.collect::<Result<_, ReportError>>()?;
        Ok(Self { format, folder, tables, runs: Vec::new() })
    }

    /// The rows of one run.
    pub fn add(&mut self, run: &Run<'_>) -> Result<(), ReportError> {
        for (info, _, sink) in &mut self.tables {
            (info.rows)(run, &mut |row| sink.add(row))?;
        }
        self.runs.push(provenance(run));
        Ok(())
    }

    /// Finishes every file; the paths, the guide to the columns and the list of files last.
    pub fn finish(self) -> Result<Vec<PathBuf>, ReportError> {
        let mut readme = self.folder.file("README.md")?;
        let guide = guide(self.format, self.tables.iter().map(|(_, table, _)| table));
        readme.write_all(guide.as_bytes()).map_err(unwritten(readme.path()))?;
        let mut files =
            self.tables.into_iter().map(|(_, _, sink)| sink.finish()).collect::<Result<Vec<_>, _>>()?;
        files.push(readme);
        self.folder.finish(self.format.name, files, self.runs)
    }
}

/// Where the numbers of a run come from.
pub(super) fn provenance(run: &Run<'_>) -> Value {
    let (identity, results) = (&run.spec.identity, run.results);
    json!({
        "run": run.name,
        "model": identity.model.name,
        "weights_sha256": identity.model.weights_sha256,
        "identity_sha256": identity.hash(),
        "set": identity.set.name,
        "items": run.items.len(),
        "items_of_the_whole_run": run.spec.n_items,
        "method": results.method,
        "rule": results.rule,
        "average": results.average,
        "seed": results.seed,
        "resamples": results.resamples,
        "min_items": results.min_items,
    })
}

fn guide<'a>(format: &Format, tables: impl Iterator<Item = &'a Table>) -> String {
    let columns: String = tables.map(|table| table.guide(format.extension)).collect();
    format!(
        "# Columns of the tables\n\nWritten by `stereometer export`; `export.json` says from which runs, under which rule \
         and average.\nLog-probabilities are in nats. Format `{}`: {}.\n{columns}",
        format.name, format.note
    )
}
