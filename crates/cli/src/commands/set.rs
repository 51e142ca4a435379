//! `set list | info | check | pull`.

use stereometer_core::StereotypeId;
use stereometer_data::{DataError, Info, Packs, Problem, check, is_inventory, known, known_inventories};
use stereometer_fetch::{Places, find_set, pull_set};

use crate::args::{SetArgs, SetCommand};
use crate::commands::inventory;
use crate::failure::{Exit, Failure};
use crate::out::put;
use crate::table::{Column, render};
use crate::talk::Talk;
use crate::words::plural;

/// Runs the command.
pub fn run(args: &SetArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    match &args.command {
        SetCommand::List => list(),
        SetCommand::Info { set, inputs, .. } if is_inventory(set) => inventory::info(set, *inputs, talk),
        SetCommand::Check { set, inputs, .. } if is_inventory(set) => inventory::check(set, *inputs, talk),
        SetCommand::Info { set, packs, .. } => info(set, &packs.open()?, talk),
        SetCommand::Check { set, packs, .. } => check_all(set, &packs.open()?, talk),
        SetCommand::Pull { name } => pull(name, talk),
    }
}

fn list() -> Result<Exit, Failure> {
    let places = Places::from_env().ok(); // without a cache, nothing was fetched
    let columns =
        [Column::Left("name"), Column::Left("here"), Column::Left("licence"), Column::Left("what it is")];
    let rows: Vec<Vec<String>> = known()
        .iter()
        .map(|set| {
            let here =
                set.is_builtin || places.as_ref().is_some_and(|places| find_set(set.name, places).is_some());
            let here = if here { "yes" } else { "no" };
            [set.name, here, set.licence, set.title].map(str::to_owned).to_vec()
        })
        .chain(known_inventories().into_iter().map(|known| {
            vec![known.name, "yes".to_owned(), known.licence, format!("inventory: {}", known.title)]
        }))
        .collect();
    put!("{}", render(&columns, &rows))?;
    Ok(Exit::Done)
}

fn info(name: &str, packs: &Packs, talk: &Talk) -> Result<Exit, Failure> {
    let pulled = crate::set::pulled(name)?;
    let set = stereometer_data::open(name, pulled.as_deref(), packs).map_err(with_inventories)?;
    for note in set.notes() {
        talk.warn(note);
    }
    let info = Info::of(&set);
    put!("{}{}", set.name(), set.version().map(|version| format!(" {version}")).unwrap_or_default())?;
    put!("{}", info.summary())?;
    put!("origin: {}", set.provenance().origin)?;
    if let Some(licence) = &set.provenance().licence {
        put!("licence: {licence}")?;
    }
    put!("content: sha256 {}\n", set.content_sha256())?;
    put!("{}", counts(&info, packs))?;
    Ok(Exit::Done)
}

/// Sentences a language: neutral, gendered, and the smallest and largest stereotype.
fn counts(info: &Info, packs: &Packs) -> String {
    let columns = [
        Column::Left("language"),
        Column::Left(""),
        Column::Right("neutral"),
        Column::Right("gendered"),
        Column::Left("fewest a stereotype"),
        Column::Left("most a stereotype"),
    ];
    let rows: Vec<Vec<String>> = info
        .languages
        .iter()
        .map(|language| {
            let total = |id: StereotypeId| language.neutral[id.index()] + language.gendered[id.index()];
            let named = |id: Option<StereotypeId>| {
                id.map(|id| format!("{} ({})", total(id), id.info().name)).unwrap_or_default()
            };
            vec![
                language.language.to_string(),
                packs.get(&language.language).map(|pack| pack.name().to_owned()).unwrap_or_default(),
                language.neutral.iter().sum::<usize>().to_string(),
                language.gendered.iter().sum::<usize>().to_string(),
                named(StereotypeId::all().min_by_key(|&id| total(id))),
                named(StereotypeId::all().max_by_key(|&id| total(id))),
            ]
        })
        .collect();
    render(&columns, &rows)
}

fn check_all(name: &str, packs: &Packs, talk: &Talk) -> Result<Exit, Failure> {
    let report = check(name, crate::set::pulled(name)?.as_deref(), packs).map_err(with_inventories)?;
    for note in &report.notes {
        talk.warn_in_check(note);
    }
    put!("{}", report.info.summary())?;
    verdict(&report.problems, report.more_problems)
}

/// The names of inventories beside those of sets: these two commands take both.
fn with_inventories(error: DataError) -> DataError {
    let DataError::UnknownSet { name, known } = error else { return error };
    let names = std::iter::once(known).chain(known_inventories().into_iter().map(|one| one.name));
    DataError::UnknownSet { name, known: names.collect::<Vec<_>>().join(", ") }
}

/// The problems, or that there are none.
pub fn verdict(problems: &[Problem], more: usize) -> Result<Exit, Failure> {
    for problem in problems {
        put!("problem: {problem}")?;
        if let Some(hint) = problem.fault.hint() {
            put!("   hint: {hint}")?;
        }
    }
    if more > 0 {
        put!("and {}", plural(more, "more problem"))?;
    }
    if problems.is_empty() {
        put!("no problems")?;
        return Ok(Exit::Done);
    }
    Ok(Exit::Input)
}

fn pull(name: &str, talk: &Talk) -> Result<Exit, Failure> {
    if let Some(set) = known().iter().find(|set| set.name == name && set.is_builtin) {
        talk.say(&format!("`{}` is part of the program: nothing to fetch", set.name));
        return Ok(Exit::Done);
    }
    let located = pull_set(name, &Places::from_env()?, &mut talk.fetch_watcher())?;
    put!("{}", located.path.display())?;
    Ok(Exit::Done)
}
