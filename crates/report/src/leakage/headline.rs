//! The answer in sentences: what leaks where, how sure, and whether it hangs on a choice.

use stereometer_core::Language;
use stereometer_record::{Evidence, LeakageResults};

use super::figures::changing_in_words;
use super::study::{Line, Role, Study};
use super::tables::coefficients::in_words;
use crate::words::{count, list, plural};

/// Runs that are told one by one; more are counted.
const TOLD: usize = 3;
/// Leaks that are named.
const NAMED: usize = 3;

/// The answer, for the terminal and for the top of the page: one sentence or two a run, then what all share.
pub fn leakage_headline(results: &LeakageResults) -> Vec<String> {
    sentences(&Study::new(results))
}

pub fn sentences(study: &Study<'_>) -> Vec<String> {
    let lines = study.chosen();
    if lines.is_empty() {
        let why = match study.results.skipped.first() {
            Some(one) => format!(" {}: {}.", study.run(one.run), one.reason.trim_end_matches('.')),
            None => String::new(),
        };
        return vec![format!("No regression could be made, so nothing is known about leakage.{why}")];
    }
    let runs = study.explained();
    let mut said: Vec<String> = if runs.len() <= TOLD {
        runs.iter().map(|&run| of_run(study, run, &lines)).collect()
    } else {
        vec![of_many(study, &runs, &lines)]
    };
    said.push(own(study, &lines));
    said.extend(across_choices(study));
    said
}

fn leaks<'a, 'b>(lines: &'b [Line<'a>], run: usize) -> Vec<&'b Line<'a>> {
    let mut found: Vec<&Line<'a>> =
        lines.iter().filter(|line| line.fit.run == run && line.is_leak()).collect();
    found.sort_by(|a, b| b.coefficient.estimate.total_cmp(&a.coefficient.estimate));
    found
}

fn asked(lines: &[Line<'_>], run: usize) -> usize {
    lines.iter().filter(|line| line.fit.run == run && line.role() == Role::Leak).count()
}

fn of_run(study: &Study<'_>, run: usize, lines: &[Line<'_>]) -> String {
    let (found, asked, name) = (leaks(lines, run), asked(lines, run), study.run(run));
    let alpha = study.results.settings.alpha;
    if asked == 0 {
        return format!("{name}: no regression with people of another language, so no leak was looked for.");
    }
    if found.is_empty() {
        return format!(
            "{name}: no leak found among {} (p < {alpha}, before adjustment); small ones may be there.{}",
            plural(asked, "possible leak"),
            against(run, lines)
        );
    }
    let sure = found.iter().filter(|line| line.coefficient.holm < alpha).count();
    let named: Vec<String> = found
        .iter()
        .take(NAMED)
        .map(|line| {
            let source = line.source().map_or("", |source| study.language_name(source));
            format!("from {source} into {}, {}", study.language_name(&line.fit.target), in_words(study, line))
        })
        .collect();
    let most = match (found.len(), named.len()) {
        (1, _) => format!("It goes {}", named[0]),
        (n, shown) if n > shown => format!("The largest go {}", named.join("; ")),
        _ => format!("They go {}", named.join("; ")),
    };
    format!(
        "{name}: other languages' stereotypes show in {} of {} (p < {alpha}; {} after Holm). {most}.{}",
        count(found.len()),
        plural(asked, "possible leak"),
        remain(sure),
        against(run, lines),
    )
}

/// Negative effects of other languages' people: no leaks, but effects.
fn against(run: usize, lines: &[Line<'_>]) -> String {
    let negative = lines
        .iter()
        .filter(|line| line.fit.run == run && line.role() == Role::Leak)
        .filter(|line| line.coefficient.evidence == Evidence::Negative)
        .count();
    match negative {
        0 => String::new(),
        1 => " 1 is negative: the language model goes against these people.".to_owned(),
        n => format!(" {} are negative: the language model goes against these people.", count(n)),
    }
}

fn remain(n: usize) -> String {
    match n {
        0 => "none remains".to_owned(),
        1 => "1 remains".to_owned(),
        n => format!("{} remain", count(n)),
    }
}

fn of_many(study: &Study<'_>, runs: &[usize], lines: &[Line<'_>]) -> String {
    let alpha = study.results.settings.alpha;
    let all: usize = runs.iter().map(|&run| leaks(lines, run).len()).sum();
    let asked: usize = runs.iter().map(|&run| asked(lines, run)).sum();
    let sure = lines.iter().filter(|line| line.is_leak() && line.coefficient.holm < alpha).count();
    let with = runs.iter().filter(|&&run| !leaks(lines, run).is_empty()).count();
    // The same way in most runs says more than the largest coefficient.
    let mut ways: Vec<(&Language, &Language, usize)> = Vec::new();
    for line in lines.iter().filter(|line| line.is_leak()) {
        let Some(source) = line.source() else { continue };
        let target = &line.fit.target;
        match ways.iter_mut().find(|way| (way.0, way.1) == (source, target)) {
            Some(way) => way.2 += 1,
            None => ways.push((source, target, 1)),
        }
    }
    ways.sort_by_key(|way| std::cmp::Reverse(way.2));
    let ways: Vec<String> = ways
        .iter()
        .take(NAMED)
        .map(|(source, target, n)| {
            format!(
                "{} into {} ({})",
                study.language_name(source),
                study.language_name(target),
                plural(*n, "run")
            )
        })
        .collect();
    let ways = if ways.is_empty() { String::new() } else { format!(" Most often: {}.", list(&ways)) };
    format!(
        "Other languages' stereotypes show in {} of {} of {} (p < {alpha}; {} after Holm), in {} of the runs.{ways}",
        count(all),
        plural(asked, "possible leak"),
        plural(runs.len(), "run"),
        remain(sure),
        count(with)
    )
}

fn own(study: &Study<'_>, lines: &[Line<'_>]) -> String {
    let own: Vec<&Line<'_>> = lines.iter().filter(|line| line.role() == Role::Own).collect();
    let alpha = study.results.settings.alpha;
    if own.is_empty() {
        return "People of the target languages themselves were not asked, so own effects are not known."
            .to_owned();
    }
    let positive = own.iter().filter(|line| line.coefficient.evidence == Evidence::Positive).count();
    format!(
        "The language's own people show in {} of {} (p < {alpha}).",
        if positive == 0 { "none".to_owned() } else { count(positive) },
        plural(own.len(), "fit")
    )
}

fn across_choices(study: &Study<'_>) -> Option<String> {
    if study.choices().len() < 2 {
        return None;
    }
    let what = changing_in_words(study);
    Some(format!("{what} under some other choice of missing cells, random intercepts or scale."))
}
