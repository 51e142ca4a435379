//! What an analysis says where there is little to say, and that it says the same whatever the order of the rows.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

mod study;

use stereometer_core::{AssociationMethod, Outcome, Subject, Unscorable, Valence, Warning};
use stereometer_leakage::{CHOICES, HOLD, Inputs, LeakageError, Prior, RunInput, Settings, analyse};
use stereometer_record::{
    Evidence, Judge, LeakageFit, LeakageResults, MissingCells, Predictor, RandomEffects,
};

use study::{LANGUAGES, People, Scores, humans, inputs, language, run, slug, synthetic_people};

/// The people of a language as a model, somewhat blurred.
fn echo(people: &People, source: usize) -> Scores {
    let mut place = 0.0_f64;
    people.scores[source]
        .iter()
        .map(|(cell, score)| {
            place += 1.0;
            (cell.clone(), score / 100.0 + 0.05 * (7.3 * place).sin())
        })
        .collect()
}

fn echoing(people: &People, label: &str, tags: &[&'static str]) -> RunInput {
    let place = |tag: &str| LANGUAGES.iter().position(|other| *other == tag).unwrap();
    let languages: Vec<(&str, Scores)> = tags.iter().map(|tag| (*tag, echo(people, place(tag)))).collect();
    run(label, people, &languages, 2)
}

fn chosen(results: &LeakageResults) -> Vec<&LeakageFit> {
    results.fits.iter().filter(|fit| fit.choice == results.settings.choice).collect()
}

#[test]
fn a_language_without_people_is_no_predictor_and_no_target() {
    let mut people = synthetic_people(3);
    people.scores[3].clear();
    let runs = vec![echoing(&synthetic_people(3), "all", &LANGUAGES)];
    let results = analyse(&inputs(&people, runs), &Settings::default()).unwrap();
    assert_eq!(results.warnings, [Warning::NoPeople { language: language("hi") }]);
    assert_eq!(results.fits.len(), 3 * CHOICES.len());
    for fit in &results.fits {
        assert_eq!(fit.coefficients.len(), 3, "{}", fit.formula);
        assert!(!fit.formula.contains("hi"));
    }
    assert_eq!(results.skipped.len(), CHOICES.len());
    assert_eq!(results.skipped[0].target, language("hi"));
    assert_eq!(results.skipped[0].reason, "nobody was asked in hi: what its people think is unknown");
}

#[test]
fn people_who_say_the_same_are_named_as_collinear() {
    let mut people = synthetic_people(4);
    people.scores[1] = people.scores[0].clone();
    let runs = vec![echoing(&people, "all", &["zh"])];
    let results = analyse(&inputs(&people, runs), &Settings::default()).unwrap();
    assert_eq!((results.fits.len(), results.skipped.len()), (0, CHOICES.len()));
    for skipped in &results.skipped {
        // A language that nobody knows a group of keeps a share of 0.
        let said = ["the scores of ru and en say the same: ", "the scores of ru follow from those of en"];
        assert!(said.iter().any(|words| skipped.reason.starts_with(words)), "{}", skipped.reason);
        assert!(skipped.advice.starts_with("look whether a file was given twice"), "{}", skipped.advice);
    }
    people.scores[1].values_mut().for_each(|score| *score = 0.0);
    let runs = vec![echoing(&people, "all", &["zh"])];
    let results = analyse(&inputs(&people, runs), &Settings::default()).unwrap();
    assert_eq!(results.skipped.len(), CHOICES.len());
    for skipped in &results.skipped {
        let said = "the scores of ru are the same in every cell that takes part: they explain nothing";
        assert_eq!(skipped.reason, said);
    }
}

#[test]
fn too_few_cells_are_said_and_never_fitted() {
    let people = synthetic_people(5);
    let mut scores = echo(&people, 0);
    let kept: Vec<_> = scores.keys().take(3).cloned().collect();
    scores.retain(|cell, _| kept.contains(cell));
    let runs = vec![run("three cells", &people, &[("en", scores)], 1)];
    let results = analyse(&inputs(&people, runs), &Settings::default()).unwrap();
    assert!(results.fits.is_empty());
    for skipped in &results.skipped {
        let said = ["cannot be told apart", "level where a factor needs two or more", "no cell has"];
        assert!(said.iter().any(|words| skipped.reason.contains(words)), "{}", skipped.reason);
    }
    let none = vec![run("no cell", &people, &[("en", Scores::new())], 1)];
    let results = analyse(&inputs(&people, none), &Settings::default()).unwrap();
    let reason = "no trait has a score in en; most often: ";
    assert!(
        results.skipped.iter().all(|skipped| skipped.reason.starts_with(reason)),
        "{:?}",
        results.skipped
    );
    assert_eq!(results.runs[0].unscored[0].1, 960);
}

#[test]
fn a_fit_that_cannot_be_made_says_its_own_cause() {
    let people = synthetic_people(6);
    let said = |people: &People, run: RunInput, settings: &Settings| {
        let results = analyse(&inputs(people, vec![run]), settings).unwrap();
        let mut said: Vec<(String, String)> =
            results.skipped.iter().map(|one| (one.reason.clone(), one.advice.clone())).collect();
        said.dedup();
        said
    };
    let whole = echoing(&people, "all", &["en"]);
    let mut empty = whole.clone();
    empty.rows.clear();
    let found = said(&people, empty, &Settings::default());
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "the run has no sentence about a group in en yet");
    let mut alone = whole.clone();
    alone.rows.retain(|row| row.subject != Subject::Prior);
    let found = said(&people, alone.clone(), &Settings::default());
    assert_eq!(found[0].0, "the run has no sentence about the neutral noun in en to compare groups with");
    assert!(found[0].1.starts_with("read it with `--prior none`"), "{found:?}");
    assert!(said(&people, alone, &Settings { prior: Prior::None, ..Settings::default() }).is_empty());
    let mut nobody = people.clone();
    nobody.scores.iter_mut().for_each(Scores::clear);
    assert_eq!(
        said(&nobody, whole.clone(), &Settings::default())[0].0,
        "nobody rated anything in any language"
    );
    let mut apart = people.clone();
    let groups = people.groups.iter().enumerate();
    for (place, group) in groups {
        apart.scores[place % 2].retain(|(own, _), _| own != group);
    }
    let found = said(&apart, whole, &Settings::default());
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "no cell was rated by people of every language");
    assert!(found[0].1.starts_with("use `--missing zero`"), "{found:?}");
}

#[test]
fn missing_cells_are_left_out_or_zero_but_never_zero_by_themselves() {
    let people = synthetic_people(6);
    let results = analyse(&inputs(&people, vec![echoing(&people, "all", &["en"])]), &Settings::default());
    let results = results.unwrap();
    let whole = people.groups.iter().flat_map(|group| people.poles.iter().map(move |pole| (group, pole)));
    let rated = |(group, pole): &(&String, &String)| {
        people.scores.iter().all(|scores| scores.contains_key(&((*group).clone(), (*pole).clone())))
    };
    let n = whole.filter(rated).count();
    for fit in &results.fits {
        let expected = match fit.choice.missing {
            MissingCells::Drop => n,
            // A model without an association of its own is not made zero either.
            MissingCells::Zero => people.scores[0].len(),
        };
        assert_eq!((fit.n, fit.left_out), (expected, 960 - expected), "{}", fit.choice);
        let terms = if fit.choice.random == RandomEffects::Trait { 1 } else { 2 };
        assert_eq!(fit.random.len(), terms);
    }
}

#[test]
fn adjusted_p_values_belong_to_families() {
    let people = synthetic_people(8);
    let runs = vec![echoing(&people, "one", &LANGUAGES), echoing(&people, "two", &["zh", "hi"])];
    let results = analyse(&inputs(&people, runs), &Settings::default()).unwrap();
    let fits = chosen(&results);
    let of = |is_own: bool| {
        let all = fits.iter().flat_map(|fit| fit.coefficients.iter().map(move |one| (fit, one)));
        all.filter(move |(fit, one)| (one.predictor == Predictor::People(fit.target.clone())) == is_own)
            .map(|(_, one)| one)
            .collect::<Vec<_>>()
    };
    for (family, n) in [(of(true), 6), (of(false), 18)] {
        assert_eq!(family.len(), n);
        let least = family.iter().min_by(|a, b| a.p_t.unwrap().total_cmp(&b.p_t.unwrap())).unwrap();
        assert!((least.holm - (least.p_t.unwrap() * n as f64).min(1.0)).abs() < 1e-12, "{least:?}");
        assert!(family.iter().all(|one| one.holm >= one.bh && one.bh >= one.p_t.unwrap()));
    }
    assert!(of(true).iter().all(|one| one.evidence == Evidence::Positive));
}

#[test]
fn a_monolingual_model_stands_beside_runs_of_its_language_and_method() {
    let people = synthetic_people(9);
    let mut own = echoing(&people, "zh only", &["zh"]);
    own.is_monolingual = true;
    let mut other = own.clone();
    other.label = "zh by pll".to_owned();
    other.spec.association.method = AssociationMethod::Pll;
    let runs =
        vec![run("all", &people, &[("zh", echo(&people, 1)), ("en", echo(&people, 0))], 1), own, other];
    let results = analyse(&inputs(&people, runs), &Settings::default()).unwrap();
    assert_eq!(results.fits.len(), 2 * CHOICES.len());
    for fit in &results.fits {
        let is_beside = fit.coefficients.iter().any(|one| one.predictor == Predictor::Monolingual(1));
        assert_eq!(is_beside, fit.target == language("zh"), "{}", fit.formula);
        assert_eq!(fit.formula.contains(" + monolingual + "), is_beside);
    }
    let said: Vec<String> = results.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["the monolingual run `zh by pll` takes no part: no run was measured by `pll` in zh"]);
    assert!(results.qualitative.iter().all(|leak| leak.run == 0));
}

#[test]
fn single_leaks_are_those_that_were_planted() {
    let mut people = synthetic_people(10);
    let (group, left, right) = ("group-05", "left-03", "right-03");
    let mut lean = |language: usize, value: f64| {
        for (pole, score) in [(left, (-value).max(0.0)), (right, value.max(0.0))] {
            people.scores[language].insert((group.to_owned(), pole.to_owned()), score);
        }
    };
    lean(1, -5.0); // the target's people lean the other way,
    lean(2, 30.0); // one source holds it,
    lean(0, HOLD - 0.1); // another is not sure,
    lean(3, -20.0);
    let mut scores = echo(&people, 1);
    for (pole, score) in [(left, -0.4), (right, 0.4)] {
        scores.insert((group.to_owned(), pole.to_owned()), score);
    }
    let mut inputs = inputs(&people, vec![run("one", &people, &[("ru", scores)], 1)]);
    for cell in inputs.humans.cells.iter_mut().filter(|cell| cell.group == slug(group)) {
        cell.annotators = match (cell.language.as_str(), cell.pole.as_str()) {
            ("zh", "left-03") => Some(4),
            ("zh", "right-03") => Some(9),
            ("ru", _) => Some(7),
            _ => None,
        };
    }
    let results = analyse(&inputs, &Settings::default()).unwrap();
    let found: Vec<_> = results
        .qualitative
        .iter()
        .filter(|leak| leak.group == slug(group) && [slug(left), slug(right)].contains(&leak.pole))
        .collect();
    assert_eq!(found.len(), 1, "{found:?}");
    let leak = found[0];
    assert_eq!((leak.source.as_str(), leak.target.as_str(), leak.pole.as_str()), ("zh", "ru", right));
    assert_eq!((leak.people_source, leak.people_target), (30.0, 0.0));
    assert!((leak.model - 0.4).abs() < 1e-9 && (leak.model_other.unwrap() + 0.4).abs() < 1e-9, "{leak:?}");
    assert_eq!(leak.valence, Valence::Positive);
    assert_eq!((leak.people_source_n, leak.people_target_n), (Some(4), Some(7)));
    assert!(leak.is_of_few());
    let others = results.qualitative.iter().filter(|leak| leak.group != slug(group));
    assert!(others.clone().count() > 0, "a survey that does not say how many has its leaks");
    assert!(others.clone().all(|leak| leak.people_source_n.is_none() && !leak.is_of_few()));
    assert!(results.qualitative.windows(2).all(|pair| pair[0].strength >= pair[1].strength));
    assert!(results.qualitative.iter().all(|leak| leak.strength > 0.0 && leak.source != leak.target));
}

#[test]
fn a_mirrored_judge_has_mirrored_positions() {
    let people = synthetic_people(11);
    let mirrored: Scores =
        people.scores[0].iter().map(|(cell, score)| (cell.clone(), -score / 100.0)).collect();
    let runs = vec![run("mirror", &people, &[("en", mirrored)], 1)];
    let results = analyse(&inputs(&people, runs), &Settings::default()).unwrap();
    assert_eq!(results.positions.len(), 30 * (LANGUAGES.len() + 1));
    let of = |judge: &Judge| {
        let all = results.positions.iter();
        all.filter(|one| one.judge == *judge && one.language == language("en")).collect::<Vec<_>>()
    };
    let mut n = 0;
    for (theirs, mirror) in of(&Judge::People).into_iter().zip(of(&Judge::Run(0))) {
        assert_eq!(theirs.group, mirror.group);
        for (a, b) in theirs.at.iter().zip(&mirror.at) {
            let (Some(a), Some(b)) = (a, b) else { continue };
            assert!((a.value + b.value).abs() < 1e-9, "{a:?} {b:?}");
            let (a, b) = (a.interval().unwrap(), b.interval().unwrap());
            assert!((a.low + b.high).abs() < 1e-9 && a.low < a.high);
            n += 1;
        }
    }
    assert!(n > 60, "{n}");
}

#[test]
fn templates_weigh_alike_whatever_their_forms_and_reasons_are_counted() {
    let people = synthetic_people(12);
    let cell = (people.groups[0].clone(), people.poles[0].clone());
    let only = |score: f64| Scores::from([(cell.clone(), score)]);
    let mut first = run("one", &people, &[("en", only(0.1))], 1);
    // The first template twice, in two forms (0.1 and 0.3); a second template in one (0.8).
    let mut add = |score: f64, template: &str, form: &str| {
        for mut row in run("other", &people, &[("en", only(score))], 1).rows {
            (row.template, row.form) = (slug(template), slug(form));
            first.rows.push(row);
        }
    };
    add(0.3, "template-0", "plural");
    add(0.8, "template-1", "singular");
    // The neutral noun has no score in a third one.
    add(0.9, "template-2", "singular");
    let prior = first.rows.iter_mut().rfind(|row| row.subject == Subject::Prior).unwrap();
    for one in &mut prior.traits {
        one.outcome = Outcome::Unscored(Unscorable::UnknownToken);
    }
    first.spec.n_items = first.rows.len() + 2;
    let results = analyse(&inputs(&people, vec![first.clone()]), &Settings::default()).unwrap();
    let found = &results.associations[0];
    assert_eq!((&found.group, &found.pole), (&slug(&cell.0), &slug(&cell.1)));
    assert!((found.score.unwrap() - 0.5).abs() < 1e-9, "{found:?}");
    assert!((found.spread.unwrap() - 0.18_f64.sqrt()).abs() < 1e-9, "{found:?}");
    assert_eq!(found.templates, 2);
    assert_eq!((results.associations[1].score, results.associations[1].spread), (None, None));
    assert_eq!(results.runs[0].asked, 4 * 960);
    let step = "the output layer would have to move by 1 or more, where ln(1 − norm) does not exist";
    let noun = "of the neutral noun: the text contains a token that the tokenizer does not know";
    assert_eq!(results.runs[0].unscored, [(step.to_owned(), 4 * 959), (noun.to_owned(), 1)]);
    let (rows, run) = (first.rows.len(), "one".to_owned());
    assert_eq!(results.warnings, [Warning::Unfinished { run, rows, items: rows + 2 }]);

    first.rows.retain(|row| row.subject != Subject::Prior);
    let alone = Settings { prior: Prior::None, ..Settings::default() };
    let raw = analyse(&inputs(&people, vec![first.clone()]), &alone).unwrap();
    // Helper scores stand 3 below the associations.
    assert_eq!((raw.associations[0].templates, raw.settings.prior.as_str()), (3, "none"));
    assert!((raw.associations[0].score.unwrap() - (1.9 / 3.0 - 3.0)).abs() < 1e-9);
    let lost = analyse(&inputs(&people, vec![first]), &Settings::default()).unwrap();
    let reason = "the run has no row about the neutral noun in this template and form";
    assert_eq!(lost.runs[0].unscored[1], (reason.to_owned(), 4));
}

#[test]
fn the_order_of_rows_and_the_number_of_threads_change_nothing() {
    let people = synthetic_people(13);
    let straight = inputs(&people, vec![echoing(&people, "one", &["en", "ru"])]);
    let mut turned = straight.clone();
    turned.runs[0].rows.reverse();
    turned.humans.cells.reverse();
    let settings = Settings::default();
    let whole = analyse(&straight, &settings).unwrap();
    let mut other = analyse(&turned, &settings).unwrap();
    other.humans = whole.humans.clone();
    assert_eq!(whole, other);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(whole, one.install(|| analyse(&straight, &settings)).unwrap());
    let json = serde_json::to_string(&whole).unwrap();
    assert_eq!(serde_json::from_str::<LeakageResults>(&json).unwrap(), whole);
}

type Change<'a> = &'a dyn Fn(&mut Inputs);

#[test]
fn what_does_not_fit_together_is_refused_by_name() {
    let people = synthetic_people(14);
    let good = inputs(&people, vec![echoing(&people, "one", &["en"])]);
    let refused = |change: Change<'_>| -> LeakageError {
        let mut inputs = good.clone();
        change(&mut inputs);
        analyse(&inputs, &Settings::default()).unwrap_err()
    };
    let cases: [(Change<'_>, &str); 9] = [
        (
            &|inputs| inputs.runs[0].is_monolingual = true,
            "no association run to explain: all 1 are monolingual models",
        ),
        (
            &|inputs| {
                inputs.runs.push(inputs.runs[0].clone());
                inputs.runs[1].spec.association.model.weights_sha256 = "others".to_owned();
            },
            "two runs are called `one`",
        ),
        (
            &|inputs| {
                inputs.runs.push(inputs.runs[0].clone());
                inputs.runs[1].label = "a copy".to_owned();
            },
            "`one` and `a copy` are the same model asked the same questions: one model would count as two",
        ),
        (
            &|inputs| {
                inputs.runs.push(inputs.runs[0].clone());
                inputs.runs[1].label = "own".to_owned();
                inputs.runs[1].is_monolingual = true;
            },
            "the monolingual run `own` has the weights of `one`: a model would explain itself",
        ),
        (
            &|inputs| {
                inputs.runs.push(inputs.runs[0].clone());
                inputs.runs[1].label = "zh and en".to_owned();
                inputs.runs[1].is_monolingual = true;
                inputs.runs[1].spec.association.model.weights_sha256 = "others".to_owned();
                inputs.runs[1].spec.association.languages = vec![language("zh"), language("en")];
            },
            "the run `zh and en` has 2 languages, a monolingual one has one",
        ),
        (
            &|inputs| inputs.inventory.groups.truncate(29),
            "human scores: the group `group-29` is not in the inventory `by-hand`",
        ),
        (
            &|inputs| inputs.runs[0].rows[1].traits[4].pole = slug("brave"),
            "run `one`: the trait `brave` is not in the inventory `by-hand`",
        ),
        (
            &|inputs| inputs.humans.cells.push(humans(&people).cells[0].clone()),
            "human scores: en, group-00, left-00 stands there twice",
        ),
        (
            &|inputs| inputs.humans.languages.truncate(3),
            "human scores: a cell in hi, which is not among their languages",
        ),
    ];
    for (change, said) in cases {
        let error = refused(change);
        assert_eq!(error.to_string(), said);
        assert!(!error.hint().is_empty());
    }
}
