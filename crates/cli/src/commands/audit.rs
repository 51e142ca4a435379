//! `audit`: plan, score, analyse, report.

use std::path::{Path, PathBuf};

use jiff::Zoned;
use stereometer_audit::{Plan, PlanSettings, Settings, analyse, score};
use stereometer_core::{Estimate, Gender, Language, Seed, Warning};
use stereometer_data::Packs;
use stereometer_record::{FORMAT_VERSION, LanguageResult, Results, RunDirectory, RunSpec, write_results};
use stereometer_report::{Options, ReportInput};

use crate::args::{AnalysisChoice, AuditArgs, FigureFormat};
use crate::failure::{Exit, Failure};
use crate::model::OpenModel;
use crate::out::put;
use crate::table::{Column, render};
use crate::talk::Talk;

/// Source sentences a stereotype under `--quick`: the fewest that can be resampled.
const QUICK_SOURCES: usize = 2;

/// Runs the command.
pub fn run(args: &AuditArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let packs = Packs::builtin()?;
    let set = crate::set::open(&args.set, &packs)?;
    let languages = packs.select(&args.languages, &set.languages())?;
    let settings = settings(&args.analysis, &Settings::default());
    let model = OpenModel::open(&args.model.model, &args.model.loading, talk)?;
    let plan_settings = PlanSettings {
        languages,
        template: args.template,
        sources_per_stereotype: args.quick.then_some(QUICK_SOURCES),
        limit: args.limit.map(|limit| limit as usize),
        seed: settings.seed,
    };
    let plan = Plan::new(&set, &packs, &plan_settings, model.identity()?)?;
    let now = Zoned::now();
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| default_folder(&model.located.name, set.name(), &now, args.resume));
    let spec = spec(args, &plan, &settings, &now);
    let run = if args.resume {
        RunDirectory::resume_or_create(&out, spec)?
    } else {
        RunDirectory::create(&out, spec)?
    };
    for warning in &plan.warnings {
        talk.warn(warning);
        run.event(&now.to_string(), warning)?;
    }
    talk.say(&format!(
        "scoring {} items in {} languages with {}",
        plan.items.len(),
        plan.identity.languages.len(),
        model.located.name
    ));
    let mut progress = talk.scoring();
    let lm = (&*model.loaded.lm, &model.loaded.tokenizer);
    let tally = score(&plan.items, &run, lm, args.model.batch_tokens as usize, &mut progress)?;
    let seconds = progress.elapsed().as_secs_f64();
    let timing = serde_json::json!({
        "scored_items": tally.done - tally.resumed, "seconds": seconds,
        "tree_tokens": tally.tree_tokens, "tokens": tally.tokens,
    });
    run.event(&Zoned::now().to_string(), &timing)?;
    let output = Output { results: run.path(), report: &run.path().join("report"), figures: &args.figures };
    let results = conclude(&run, &packs, &settings, &output, talk)?;
    put!("{}", table(&results))?;
    talk.say(&format!("\n{}", stereometer_report::headline(&results)));
    put!("\nreport: {}", output.report.join("index.html").display())?;
    Ok(if tally.unscored > 0 { Exit::SomeUnscored } else { Exit::Done })
}

/// Where conclusions go.
pub struct Output<'a> {
    /// The folder of `results.json`.
    pub results: &'a Path,
    /// The folder of the page.
    pub report: &'a Path,
    /// Formats of figures beside the page.
    pub figures: &'a [FigureFormat],
}

/// Analyses a run and writes `results.json` and the report; shared with `report`.
pub fn conclude(
    run: &RunDirectory,
    packs: &Packs,
    settings: &Settings,
    output: &Output<'_>,
    talk: &Talk,
) -> Result<Results, Failure> {
    let items = run.items()?;
    let names: Vec<(Language, String)> = run
        .spec()
        .identity
        .languages
        .iter()
        .map(|language| {
            let name =
                packs.get(language).map_or_else(|| language.to_string(), |pack| pack.name().to_owned());
            (language.clone(), name)
        })
        .collect();
    let mut results = analyse(&items, &names, settings);
    let missing = run.spec().n_items.saturating_sub(items.len());
    if missing > 0 {
        let detail =
            format!("the run is not finished: {missing} of its {} items are missing", run.spec().n_items);
        results.warnings.insert(0, Warning::Subset { detail });
    }
    for warning in &results.warnings {
        match warning {
            // The table marks these; a line a language would drown the rest.
            Warning::FewItems { .. } => talk.detail(&warning.to_string()),
            _ => talk.warn(warning),
        }
    }
    write_results(output.results, &results)?;
    let wanted = |format| output.figures.contains(&format);
    let options = Options { png: wanted(FigureFormat::Png), pdf: wanted(FigureFormat::Pdf) };
    let input = ReportInput { spec: run.spec(), results: &results, items: &items };
    stereometer_report::write(&input, output.report, &options)?;
    Ok(results)
}

/// Settings of the analysis: what was asked for, over `base`.
pub fn settings(choice: &AnalysisChoice, base: &Settings) -> Settings {
    Settings {
        rule: choice.rule.unwrap_or(base.rule),
        average: choice.average.unwrap_or(base.average),
        seed: choice.seed.map_or(base.seed, Seed),
        resamples: choice.resamples.map_or(base.resamples, |resamples| resamples as usize),
        min_items: choice.min_items.unwrap_or(base.min_items),
    }
}

fn spec(args: &AuditArgs, plan: &Plan, settings: &Settings, now: &Zoned) -> RunSpec {
    RunSpec {
        format_version: FORMAT_VERSION,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        started: now.timestamp().to_string(),
        command: command_line(),
        identity: plan.identity.clone(),
        threads: args.model.loading.thread_count(),
        batch_tokens: args.model.batch_tokens as usize,
        rule: settings.rule,
        average: settings.average,
        seed: settings.seed,
        resamples: settings.resamples,
        min_items: settings.min_items,
        n_items: plan.items.len(),
        warnings: plan.warnings.clone(),
    }
}

/// The command as it was typed; a path that is not UTF-8 is written as nearly as text can.
fn command_line() -> Vec<String> {
    let typed = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once("stereometer".to_owned()).chain(typed).collect()
}

/// `runs/<model>-<set>-<date>`; a second run of the same day gets a number, and `--resume` takes the last one.
fn default_folder(model: &str, set: &str, now: &Zoned, resume: bool) -> PathBuf {
    let plain = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '_', "-");
    let base = format!("{}-{}-{}", plain(model), plain(set), now.date());
    let folder = |number: usize| {
        let name = if number == 1 { base.clone() } else { format!("{base}-{number}") };
        Path::new("runs").join(name)
    };
    let free = (1..=10_000).find(|&number| !folder(number).exists()).unwrap_or(1);
    folder(if resume { free.saturating_sub(1).max(1) } else { free })
}

fn table(results: &Results) -> String {
    let columns = [
        Column::Left("language"),
        Column::Right("n"),
        Column::Right("default masculine rate"),
        Column::Right("g_s"),
        Column::Left("95 % interval"),
        Column::Left("strongest feminine stereotype"),
        Column::Left("strongest masculine stereotype"),
    ];
    let rows: Vec<Vec<String>> = results
        .languages
        .iter()
        .map(|language| {
            let value = |estimate: &Option<Estimate>| {
                estimate.as_ref().map_or_else(|| "–".to_owned(), |estimate| format!("{:.3}", estimate.value))
            };
            let interval = language.g_s.as_ref().and_then(Estimate::interval);
            vec![
                language.name.clone(),
                language.n_items.to_string(),
                value(&language.default_masculine_rate),
                value(&language.g_s),
                interval.map_or_else(|| "unknown".to_owned(), |i| format!("{:.3} to {:.3}", i.low, i.high)),
                strongest(language, Gender::Feminine),
                strongest(language, Gender::Masculine),
            ]
        })
        .collect();
    render(&columns, &rows)
}

/// The stereotype about one gender with the largest inclination, if any leans towards the stereotype.
fn strongest(language: &LanguageResult, about: Gender) -> String {
    language
        .stereotypes
        .iter()
        .filter(|one| one.stereotype.info().about == about)
        .filter_map(|one| Some((one.stereotype, one.inclination.as_ref()?.value)))
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .filter(|(_, inclination)| *inclination > 0.0)
        .map_or_else(
            || "none".to_owned(),
            |(id, inclination)| format!("{} ({inclination:+.3})", id.info().name),
        )
}
