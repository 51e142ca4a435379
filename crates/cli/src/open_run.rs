//! Runs on disk, ready to be looked at together.

use std::path::Path;

use stereometer_audit::RunInput;
use stereometer_core::Language;
use stereometer_data::Packs;
use stereometer_record::{RunDirectory, RunSpec};

use crate::failure::Failure;
use crate::named::Naming;

/// The run's languages with their English names.
pub fn languages(spec: &RunSpec, packs: &Packs) -> Vec<(Language, String)> {
    let name = |language: &Language| {
        packs.get(language).map_or_else(|| language.to_string(), |pack| pack.name().to_owned())
    };
    spec.identity.languages.iter().map(|language| (language.clone(), name(language))).collect()
}

/// Opens several runs and gives each a name of its own.
pub fn open_runs<P: AsRef<Path>>(
    folders: &[P],
    packs: &Packs,
    naming: &Naming,
) -> Result<Vec<RunInput>, Failure> {
    let opened: Vec<(&Path, RunDirectory)> = folders
        .iter()
        .map(|folder| Ok((folder.as_ref(), RunDirectory::open(folder.as_ref())?)))
        .collect::<Result<_, Failure>>()?;
    let keys: Vec<(&Path, &str)> =
        opened.iter().map(|(path, run)| (*path, run.spec().identity.model.name.as_str())).collect();
    let names = naming.of(&keys)?;
    opened
        .into_iter()
        .zip(names)
        .map(|((_, run), named)| {
            Ok(RunInput {
                label: named.label,
                family: named.family,
                tuning: named.tuning,
                items: run.items()?,
                languages: languages(run.spec(), packs),
                spec: run.spec().clone(),
            })
        })
        .collect()
}
