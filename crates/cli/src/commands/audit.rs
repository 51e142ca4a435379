//! `audit`: plan, score, analyse, report.

use jiff::Zoned;
use stereometer_audit::{Asker, Plan, PlanSettings, Settings, check_rule, method_for, score};
use stereometer_core::{Estimate, Gender};
use stereometer_lm::lost_marks;
use stereometer_record::{FORMAT_VERSION, LanguageResult, Results, RunDirectory, RunSpec};
use stereometer_score::info;

use crate::analysis::{Output, asked_then, conclude, settings};
use crate::args::AuditArgs;
use crate::failure::{Exit, Failure};
use crate::model::OpenModel;
use crate::new_run::{command_line, default_folder};
use crate::out::put;
use crate::table::{Column, render};
use crate::talk::Talk;
use crate::words::{number, plural};

/// Source sentences a stereotype under `--quick`: the fewest that can be resampled.
const QUICK_SOURCES: usize = 2;

/// Runs the command.
pub fn run(args: &AuditArgs, talk: &mut Talk) -> Result<Exit, Failure> {
    let packs = args.packs.open()?;
    let set = crate::set::open(&args.set, &packs)?;
    let languages = packs.select(&args.languages, &set.languages())?;
    let mut model = OpenModel::open(&args.model.model, &args.model.loading, talk)?;
    model.wrap(&args.chat, talk)?;
    let now = Zoned::now();
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| default_folder(&model.located.name, set.name(), &now, args.resume));
    // A run that goes on keeps the choices it began with, where none is given.
    let begun = if args.resume { RunDirectory::open(&out).ok() } else { None };
    let begun = begun.as_ref().map(RunDirectory::spec);
    let settings = settings(&args.analysis, &begun.map_or_else(Settings::default, asked_then));
    let kind = model.loaded.lm.kind();
    let then = begun.map(|spec| spec.identity.method).filter(|&then| info(then).lm == kind);
    let method = method_for(kind, args.method.or(then))?;
    check_rule(method, settings.rule)?;
    let asker = Asker::new(&model.loaded.lm, method, &model.loaded.tokenizer)?;
    let plan_settings = PlanSettings {
        languages,
        template: args.template,
        sources_per_stereotype: args.quick.then_some(QUICK_SOURCES),
        limit: args.limit.map(|limit| limit as usize),
        seed: settings.seed,
        method,
    };
    let mut plan = Plan::new(&set, &packs, &plan_settings, model.identity()?)?;
    let texts = plan.items.iter();
    let texts =
        texts.flat_map(|item| [&item.masculine, &item.feminine].map(|text| (&item.language, text.as_str())));
    plan.warnings.extend(lost_marks(texts, asker.tokenizer())?);
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
    let (n, languages) = (plan.items.len(), plan.identity.languages.len());
    if args.resume {
        talk.say(&format!("{} of {} there already", already(&run)?, plural(n, "item")));
    }
    talk.say(&format!(
        "scoring {} in {} with {} by {method}",
        plural(n, "item"),
        plural(languages, "language"),
        model.located.name
    ));
    let mut progress = talk.scoring();
    let tally = score(&plan.items, &run, &asker, args.model.batch_tokens as usize, &mut progress)?;
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
    Ok(if tally.unscored > 0 || !results.unscored.is_empty() { Exit::SomeUnscored } else { Exit::Done })
}

/// How many items a run that is resumed has.
fn already(run: &RunDirectory) -> Result<usize, Failure> {
    let begun = run.path().join("items.jsonl").exists();
    Ok(if begun { run.items()?.len() } else { 0 })
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

fn table(results: &Results) -> String {
    let columns = [
        Column::Left("language"),
        Column::Right("items"),
        Column::Right("default masculine rate"),
        Column::Right("g_s"),
        Column::Left("95 % interval"),
        Column::Left("strongest feminine stereotype"),
        Column::Left("strongest masculine stereotype"),
    ];
    // As the page has them: the highest g_s first, languages without one at the end.
    let mut languages: Vec<&LanguageResult> = results.languages.iter().collect();
    languages.sort_by(|a, b| {
        let g_s =
            |language: &LanguageResult| language.g_s.as_ref().map_or(f64::NEG_INFINITY, |g_s| g_s.value);
        g_s(b).total_cmp(&g_s(a))
    });
    let rows: Vec<Vec<String>> = languages
        .into_iter()
        .map(|language| {
            let value = |estimate: &Option<Estimate>| {
                estimate.as_ref().map_or_else(|| "–".to_owned(), |estimate| number(estimate.value, 3))
            };
            vec![
                language.name.clone(),
                language.n_items.to_string(),
                value(&language.default_masculine_rate),
                value(&language.g_s),
                interval(language.g_s.as_ref()),
                strongest(language, Gender::Feminine),
                strongest(language, Gender::Masculine),
            ]
        })
        .collect();
    render(&columns, &rows)
}

/// The interval of g_s, or why there is none.
fn interval(g_s: Option<&Estimate>) -> String {
    match g_s.map(|g_s| (g_s.interval(), g_s.n)) {
        Some((Some(interval), _)) => format!("{} to {}", number(interval.low, 3), number(interval.high, 3)),
        Some((None, 1)) => "one sentence".to_owned(),
        Some((None, _)) | None => "no interval".to_owned(),
    }
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
            |(id, inclination)| format!("{} (+{})", id.info().name, number(inclination, 3)),
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use stereometer_core::Interval;

    #[test]
    fn a_missing_interval_has_its_reason() {
        let mut g_s = Estimate::without_interval(1.5, 1);
        assert_eq!(interval(Some(&g_s)), "one sentence");
        g_s.n = 2;
        assert_eq!([interval(Some(&g_s)), interval(None)], ["no interval", "no interval"]);
        g_s.percentile = Some(Interval { low: 1e-5, high: 3e20 });
        assert_eq!(interval(Some(&g_s)), "1.00e-5 to 3.00e20");
    }
}
