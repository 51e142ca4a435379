//! One run among those that are exported.

use stereometer_record::{ItemRecord, Results, RunSpec};

/// A run with its rows and what they say.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// What the column `run` calls it: the same for no two runs of an export.
    pub name: &'a str,
    /// What was run.
    pub spec: &'a RunSpec,
    /// Its rows.
    pub items: &'a [ItemRecord],
    /// What they say.
    pub results: &'a Results,
}
