//! A made-up comparison: runs, pairs and differences by hand, the same every time. No number in it was measured.

use stereometer_core::{Estimate, Form, Language, Rule, StereotypeId, Tuning, Verdict};
use stereometer_record::{
    ComparedRun, Comparison, Difference, Doubt, OverallStereotype, PairKind, RankAgreement, RankConcordance,
    Results, RunPair, Statistic, Test, Trend,
};

use super::{Noise, estimate, results_from, spec};

/// Label, family, tuning, parameters; families with sizes, a tuned model, one without a family.
const RUNS: [(&str, Option<&str>, Option<Tuning>, u64); 6] = [
    ("small", Some("made-up"), Some(Tuning::Base), 268_098_176),
    ("small-tuned", Some("made-up"), Some(Tuning::Instruct), 268_098_200),
    ("other", None, None, 134_515_008),
    ("large", Some("made-up"), Some(Tuning::Base), 1_720_574_976),
    ("large-tuned", Some("made-up"), Some(Tuning::Instruct), 1_720_574_976),
    ("third", Some("else"), Some(Tuning::Base), 7_241_732_096),
];

/// The first `n_runs` runs in the first `n_languages` languages.
pub fn comparison(n_runs: usize, n_languages: usize) -> Comparison {
    let runs: Vec<ComparedRun> = (0..n_runs).map(|place| run(place, n_languages)).collect();
    let pairs = pairs(&runs);
    let mut noise = Noise::new(23);
    let differences = (0..pairs.len()).flat_map(|pair| of_pair(&runs, &pairs, pair, &mut noise)).collect();
    let first = runs[0].results.clone();
    Comparison {
        format_version: 2,
        method: first.method,
        rule: first.rule,
        average: first.average,
        seed: first.seed,
        resamples: first.resamples,
        level: first.level,
        min_items: first.min_items,
        differences,
        trends: trends(&runs),
        concordance: runs.iter().map(|run| concordance(&run.results)).collect(),
        rank_agreement: agreement(n_runs, n_languages, &mut noise),
        doubts: vec![Doubt {
            what: "small and other: computed by engine in f32 and by engine in bf16".to_owned(),
            advice: "run one of them again in the other's `--dtype`".to_owned(),
        }],
        pairs,
        runs,
    }
}

fn run(place: usize, n_languages: usize) -> ComparedRun {
    let (label, family, tuning, parameters) = RUNS[place % RUNS.len()];
    let round = place / RUNS.len();
    let mut results = results_from(n_languages, 7 + place as u64);
    results.stereotypes = StereotypeId::all().filter_map(|id| overall(&results, id)).collect();
    let mut spec = spec(&results);
    let grown = 2_u64.pow(round as u32);
    spec.identity.model.name = format!("made-up-{label}");
    spec.identity.model.parameters = parameters * grown;
    ComparedRun {
        label: if round == 0 { label.to_owned() } else { format!("{label}-{grown}x") },
        family: family.map(str::to_owned),
        tuning,
        spec,
        results,
    }
}

fn overall(results: &Results, id: StereotypeId) -> Option<OverallStereotype> {
    let of = |language: &'_ stereometer_record::LanguageResult| -> Option<Estimate> {
        language.stereotypes.iter().find(|one| one.stereotype == id)?.inclination.clone()
    };
    let there: Vec<Estimate> = results.languages.iter().filter_map(of).collect();
    let missing = results.languages.iter().filter(|one| of(one).is_none());
    let missing: Vec<Language> = missing.map(|one| one.language.clone()).collect();
    let count = |wanted| there.iter().filter(|one| Verdict::of(one, 0.0) == wanted).count();
    let mean = there.iter().map(|one| one.value).sum::<f64>() / there.len().max(1) as f64;
    (!results.languages.is_empty()).then(|| OverallStereotype {
        stereotype: id,
        languages: there.len(),
        missing,
        inclination: (!there.is_empty()).then(|| estimate(mean, 0.004, 16)),
        towards: count(Verdict::Above),
        against: count(Verdict::Below),
    })
}

fn pairs(runs: &[ComparedRun]) -> Vec<RunPair> {
    let pair = |first, second, kind| RunPair {
        first,
        second,
        kind,
        shared: 7200,
        only_first: 12,
        only_second: second,
    };
    let mut pairs: Vec<RunPair> =
        (1..runs.len()).map(|second| pair(0, second, PairKind::Reference)).collect();
    for second in 4..runs.len() {
        if runs[second].tuning == Some(Tuning::Instruct) && runs[second - 1].tuning == Some(Tuning::Base) {
            pairs.push(pair(second - 1, second, PairKind::Tuning));
        }
    }
    pairs
}

fn of_pair(runs: &[ComparedRun], pairs: &[RunPair], place: usize, noise: &mut Noise) -> Vec<Difference> {
    let [first, second] = [pairs[place].first, pairs[place].second].map(|run| &runs[run].results);
    let rule = first.rule;
    let mut row =
        |statistic, language: Option<&Language>, stereotype, values: Option<(f64, f64)>, half: f64| {
            let (first, second) = values?;
            let p = ((noise.next() + 1.0) / 4.0).max(0.0005);
            Some(Difference {
                pair: place,
                statistic,
                rule,
                form: None,
                language: language.cloned(),
                stereotype,
                first,
                second,
                items: 240,
                difference: estimate(second - first, half, 240),
                test: Some(Test { p, holm: (p * 4.0).min(1.0), bh: (p * 2.0).min(1.0) }),
            })
        };
    let mean = |results: &Results| results.mean_g_s.as_ref().map(|one| one.value);
    let both = |a: Option<f64>, b: Option<f64>| Some((a?, b?));
    let mut found = Vec::new();
    found.extend(row(Statistic::GS, None, None, both(mean(first), mean(second)), 0.006));
    for id in StereotypeId::all() {
        let of = |results: &Results| {
            results
                .stereotypes
                .iter()
                .find(|one| one.stereotype == id)?
                .inclination
                .as_ref()
                .map(|one| one.value)
        };
        found.extend(row(Statistic::Inclination, None, Some(id), both(of(first), of(second)), 0.01));
    }
    for (a, b) in first.languages.iter().zip(&second.languages) {
        let value = |one: &Option<Estimate>| one.as_ref().map(|one| one.value);
        found.extend(row(Statistic::GS, Some(&a.language), None, both(value(&a.g_s), value(&b.g_s)), 0.02));
        for (a_cell, b_cell) in a.stereotypes.iter().zip(&b.stereotypes) {
            let values = Some((a_cell.q.value, b_cell.q.value));
            found.extend(row(Statistic::Q, Some(&a.language), Some(a_cell.stereotype), values, 0.02));
        }
    }
    let choices = [(Rule::Sum, None), (Rule::Divergence, None), (rule, Some(Form::Pronoun))];
    let untested: Vec<Difference> = found
        .first()
        .filter(|one| one.language.is_none())
        .into_iter()
        .flat_map(|one| {
            choices.map(|(rule, form)| Difference {
                rule,
                form,
                difference: estimate(one.difference.value * 0.8, 0.02, 200),
                test: None,
                ..one.clone()
            })
        })
        .collect();
    found.extend(untested);
    found
}

fn trends(runs: &[ComparedRun]) -> Vec<Trend> {
    let of = |tuning: Tuning| {
        let is_of =
            |run: &ComparedRun| run.family.as_deref() == Some("made-up") && run.tuning == Some(tuning);
        let mut places: Vec<usize> = (0..runs.len()).filter(|&place| is_of(&runs[place])).collect();
        places.sort_by_key(|&place| runs[place].spec.identity.model.parameters);
        (places.len() > 1).then(|| Trend {
            family: "made-up".to_owned(),
            tuning: Some(tuning),
            runs: places,
            tau: Some(1.0),
            p: Some(1.0),
        })
    };
    [Tuning::Base, Tuning::Instruct].into_iter().filter_map(of).collect()
}

fn concordance(results: &Results) -> Option<RankConcordance> {
    (results.languages.len() > 2).then(|| RankConcordance {
        w: 0.71,
        languages: results.languages.len() - 1,
        stereotypes: 16,
        left_out: vec![results.languages[2].language.clone()],
        p: 0.0001,
    })
}

fn agreement(n_runs: usize, n_languages: usize, noise: &mut Noise) -> Vec<RankAgreement> {
    let pairs = (0..n_runs).flat_map(|first| (first + 1..n_runs).map(move |second| (first, second)));
    pairs
        .map(|(first, second)| RankAgreement {
            first,
            second,
            rho: (n_languages > 0).then(|| noise.next()),
            stereotypes: if n_languages > 0 { 16 } else { 0 },
        })
        .collect()
}
