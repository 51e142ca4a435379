//! What stands against the result: warnings, fits that are singular or unfinished or could not be made, cells of few people.

use stereometer_core::{Slug, Warning};
use stereometer_record::{FitChoice, LeakageFit};

use crate::leakage::study::Study;
use crate::page::caveats::{point, upper_first};
use crate::words::{count, list, plural};

/// Fits that are named; more are counted.
const NAMED: usize = 6;

/// The section.
pub fn doubts(study: &Study<'_>) -> String {
    let all: Vec<(String, String)> =
        fits(study).into_iter().chain(skipped(study)).chain(unscored(study)).chain(warnings(study)).collect();
    let body = if all.is_empty() {
        "<p>Nothing stands against the result.</p>\n".to_owned()
    } else {
        let points: String = all.iter().map(|(what, advice)| point(what, advice)).collect();
        format!("<ul>\n{points}</ul>\n")
    };
    format!("<section id=\"doubts\">\n<h2>Doubts</h2>\n{body}</section>\n")
}

fn sentence(text: &str) -> String {
    format!("{}.", text.trim_end_matches('.'))
}

/// Doubts of the choice asked for are named, those of other choices counted; each said once for all fits that share it.
fn fits(study: &Study<'_>) -> Vec<(String, String)> {
    let mut shared: Vec<(&str, &str, Vec<&LeakageFit>)> = Vec::new();
    for fit in &study.results.fits {
        for doubt in &fit.doubts {
            match shared.iter_mut().find(|one| one.0 == doubt.what && one.1 == doubt.advice) {
                Some(one) => one.2.push(fit),
                None => shared.push((&doubt.what, &doubt.advice, vec![fit])),
            }
        }
    }
    let said = shared.into_iter().map(|(what, advice, fits)| {
        (sentence(&format!("{}: {what}", whose(study, &fits))), advice.trim_end_matches('.').to_owned())
    });
    said.chain(unexplained(study)).collect()
}

/// A fit that is marked, without a doubt that says so.
fn unexplained(study: &Study<'_>) -> Vec<(String, String)> {
    let silent = |is: fn(&LeakageFit) -> bool| -> Vec<&LeakageFit> {
        study.results.fits.iter().filter(|fit| is(fit) && fit.doubts.is_empty()).collect()
    };
    let kinds = [
        (
            silent(|fit| fit.singular),
            "a random intercept has no variance (singular): traits or groups differ no more than chance lets them",
            "read the coefficients as they are; without that random intercept they would be the same",
        ),
        (
            silent(|fit| !fit.converged),
            "the search stopped before it found its end",
            "distrust these numbers; try another choice of random intercepts",
        ),
    ];
    let said = kinds.into_iter().filter(|(fits, ..)| !fits.is_empty());
    said.map(|(fits, what, advice)| {
        (sentence(&format!("{}: {what}", whose(study, &fits))), advice.to_owned())
    })
    .collect()
}

fn name(study: &Study<'_>, (run, target, choice): (usize, &str, FitChoice)) -> String {
    if choice == study.results.settings.choice {
        format!("{} in {target}", study.run(run))
    } else {
        format!("{} in {target} ({choice})", study.run(run))
    }
}

fn whose(study: &Study<'_>, fits: &[&LeakageFit]) -> String {
    let chosen = study.results.settings.choice;
    let (mut named, others): (Vec<&LeakageFit>, Vec<&LeakageFit>) =
        fits.iter().copied().partition(|fit| fit.choice == chosen);
    if others.len() == 1 || named.is_empty() && others.len() <= 2 {
        named.extend(&others);
    }
    let shown: Vec<String> = named
        .iter()
        .take(NAMED)
        .map(|fit| name(study, (fit.run, study.language_name(&fit.target), fit.choice)))
        .collect();
    match (shown.len(), fits.len() - shown.len()) {
        (0, rest) => format!("{} under other choices", plural(rest, "fit")),
        (_, 0) => list(&shown),
        (_, rest) => format!("{}, and {}", shown.join(", "), plural(rest, "other fit")),
    }
}

fn skipped(study: &Study<'_>) -> Vec<(String, String)> {
    let said = study.results.skipped.iter().map(|one| {
        let whose = name(study, (one.run, study.language_name(&one.target), one.choice));
        (sentence(&format!("{whose}: no fit: {}", one.reason)), one.advice.trim_end_matches('.').to_owned())
    });
    said.collect()
}

fn unscored(study: &Study<'_>) -> Vec<(String, String)> {
    let with = study.results.runs.iter().filter(|run| !run.unscored.is_empty());
    with.map(|run| {
        let reasons: Vec<String> =
            run.unscored.iter().map(|(reason, n)| format!("{} ({reason})", count(*n))).collect();
        (
            format!(
                "{}: pole scores without an answer, of {}: {}.",
                run.label,
                count(run.asked),
                list(&reasons)
            ),
            "they are left out of the means over templates; where few templates remain, distrust the cell"
                .to_owned(),
        )
    })
    .collect()
}

fn warnings(study: &Study<'_>) -> Vec<(String, String)> {
    let mut said: Vec<(String, String)> = Vec::new();
    for warning in study.results.warnings.iter().chain(&study.results.humans.warnings) {
        let what = match warning {
            Warning::FewAnnotators { language, groups, minimum } => {
                let named = |(group, n): &(Slug, usize)| format!("{} ({n})", study.group_name(group));
                format!(
                    "fewer than {minimum} people who answered in {} rated {}",
                    study.language_name(language),
                    list(&groups.iter().map(named).collect::<Vec<_>>())
                )
            }
            other => other.to_string(),
        };
        let one = (sentence(&upper_first(&what)), warning.advice().to_owned());
        if !said.contains(&one) {
            said.push(one);
        }
    }
    said
}
