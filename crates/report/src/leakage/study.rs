//! The results with what the figures look up in them: names, cells, fits.

use std::collections::BTreeMap;

use stereometer_core::{HumanCell, Language, Slug};
use stereometer_record::{
    Association, Evidence, FitChoice, LeakageCoefficient, LeakageFit, LeakageResults, PairSummary, Predictor,
};

use crate::comparison::runs::shortened;

type Place<'a> = (&'a Language, &'a Slug, &'a Slug);

/// Results with their index.
#[derive(Debug)]
pub struct Study<'a> {
    /// The results.
    pub results: &'a LeakageResults,
    labels: Vec<String>,
    people: BTreeMap<Place<'a>, &'a HumanCell>,
    models: BTreeMap<(usize, Place<'a>), &'a Association>,
    groups: BTreeMap<&'a Slug, usize>,
    poles: BTreeMap<&'a Slug, usize>,
}

/// What a coefficient is about, seen from its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// People of the target language itself.
    Own,
    /// People of another language: what may leak.
    Leak,
    /// The monolingual model of the target language.
    Monolingual,
}

/// A coefficient with the fit it belongs to.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// The fit.
    pub fit: &'a LeakageFit,
    /// The coefficient.
    pub coefficient: &'a LeakageCoefficient,
}

impl<'a> Line<'a> {
    /// What it is about.
    pub fn role(&self) -> Role {
        match &self.coefficient.predictor {
            Predictor::People(language) if *language == self.fit.target => Role::Own,
            Predictor::People(_) => Role::Leak,
            Predictor::Monolingual(_) => Role::Monolingual,
        }
    }

    /// The people's language, of those about people.
    pub fn source(&self) -> Option<&'a Language> {
        match &self.coefficient.predictor {
            Predictor::People(language) => Some(language),
            Predictor::Monolingual(_) => None,
        }
    }

    /// Whether people's stereotypes of another language show in the target.
    pub fn is_leak(&self) -> bool {
        self.role() == Role::Leak && self.coefficient.evidence == Evidence::Positive
    }
}

impl<'a> Study<'a> {
    /// Makes the index.
    pub fn new(results: &'a LeakageResults) -> Self {
        let poles = results.inventory.pairs.iter().flat_map(|pair| [&pair.left.id, &pair.right.id]);
        Self {
            labels: shortened(results.runs.iter().map(|run| run.label.as_str())),
            people: results
                .humans
                .cells
                .iter()
                .map(|cell| ((&cell.language, &cell.group, &cell.pole), cell))
                .collect(),
            models: results
                .associations
                .iter()
                .map(|one| ((one.run, (&one.language, &one.group, &one.pole)), one))
                .collect(),
            groups: results.inventory.groups.iter().enumerate().map(|(at, group)| (&group.id, at)).collect(),
            poles: poles.enumerate().map(|(at, pole)| (pole, at)).collect(),
            results,
        }
    }

    /// A run's name, short enough for a figure.
    pub fn label(&self, run: usize) -> &str {
        &self.labels[run]
    }

    /// A run's whole name.
    pub fn run(&self, run: usize) -> &'a str {
        &self.results.runs[run].label
    }

    /// Languages of the survey and of the runs, in the order of the inventory.
    pub fn languages(&self) -> Vec<&'a Language> {
        let asked = self.results.humans.languages.iter().map(|one| &one.language);
        let of_runs = self.results.runs.iter().flat_map(|run| &run.languages);
        let mut found: Vec<&Language> = Vec::new();
        for language in asked.chain(of_runs) {
            if !found.contains(&language) {
                found.push(language);
            }
        }
        let known = &self.results.inventory.languages;
        found.sort_by_key(|language| {
            known.iter().position(|one| one.language == **language).unwrap_or(known.len())
        });
        found
    }

    /// English name of a language.
    pub fn language_name<'b>(&'b self, language: &'b Language) -> &'b str {
        let known = self.results.inventory.languages.iter().find(|one| one.language == *language);
        known.map_or(language.as_str(), |one| one.name.as_str())
    }

    /// English name of a group.
    pub fn group_name<'b>(&'b self, group: &'b Slug) -> &'b str {
        self.groups.get(group).map_or(group.as_str(), |&at| self.results.inventory.groups[at].name.as_str())
    }

    /// English name of a pole.
    pub fn pole_name<'b>(&'b self, pole: &'b Slug) -> &'b str {
        self.poles.get(pole).map_or(pole.as_str(), |&at| {
            let pair = &self.results.inventory.pairs[at / 2];
            if at % 2 == 0 { pair.left.name.as_str() } else { pair.right.name.as_str() }
        })
    }

    /// A group's name in a language.
    pub fn native_group(&self, language: &Language, group: &Slug) -> Option<&'a str> {
        let names = &self.results.inventory.languages.iter().find(|one| one.language == *language)?.groups;
        names.get(*self.groups.get(group)?)?.as_deref()
    }

    /// A pole's name in a language.
    pub fn native_pole(&self, language: &Language, pole: &Slug) -> Option<&'a str> {
        let names = &self.results.inventory.languages.iter().find(|one| one.language == *language)?.poles;
        names.get(*self.poles.get(pole)?)?.as_deref()
    }

    /// What people of a language say; none where nobody rated.
    pub fn human(&self, language: &Language, group: &Slug, pole: &Slug) -> Option<f64> {
        self.people.get(&(language, group, pole))?.score
    }

    /// What a run associates; none where no template has a score.
    pub fn association(&self, run: usize, language: &Language, group: &Slug, pole: &Slug) -> Option<f64> {
        self.models.get(&(run, (language, group, pole)))?.score
    }

    /// Right minus left pole of a pair: of people (no run), or of a run.
    pub fn difference(
        &self,
        run: Option<usize>,
        language: &Language,
        group: &Slug,
        pair: &PairSummary,
    ) -> Option<f64> {
        let of = |pole: &Slug| match run {
            None => self.human(language, group, pole),
            Some(run) => self.association(run, language, group, pole),
        };
        Some(of(&pair.right.id)? - of(&pair.left.id)?)
    }

    /// Every coefficient under a choice, fit by fit.
    pub fn lines(&self, choice: FitChoice) -> Vec<Line<'a>> {
        let fits = self.results.fits.iter().filter(|fit| fit.choice == choice);
        fits.flat_map(|fit| fit.coefficients.iter().map(move |coefficient| Line { fit, coefficient }))
            .collect()
    }

    /// Every coefficient under the choice asked for.
    pub fn chosen(&self) -> Vec<Line<'a>> {
        self.lines(self.results.settings.choice)
    }

    /// Choices that any fit was made or tried under, the one asked for first.
    pub fn choices(&self) -> Vec<FitChoice> {
        let first = self.results.settings.choice;
        let made = self.results.fits.iter().map(|fit| fit.choice);
        let mut all: Vec<FitChoice> = made.chain(self.results.skipped.iter().map(|one| one.choice)).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|choice| *choice != first);
        all.insert(0, first);
        all
    }

    /// Targets of any fit or of a fit that could not be made, in the order of the languages.
    pub fn targets(&self) -> Vec<&'a Language> {
        let results = self.results;
        let is_target = |language: &Language| {
            results.fits.iter().any(|fit| fit.target == *language)
                || results.skipped.iter().any(|one| one.target == *language)
        };
        self.languages().into_iter().filter(|language| is_target(language)).collect()
    }

    /// Languages of the survey, in order.
    pub fn sources(&self) -> Vec<&'a Language> {
        self.results.humans.languages.iter().map(|one| &one.language).collect()
    }

    /// Runs that are explained; monolingual ones only explain.
    pub fn explained(&self) -> Vec<usize> {
        let is_tried = |run: &usize| {
            self.results.fits.iter().any(|fit| fit.run == *run)
                || self.results.skipped.iter().any(|one| one.run == *run)
        };
        (0..self.results.runs.len()).filter(is_tried).collect()
    }

    /// Whose scores a coefficient belongs to, in words.
    pub fn predictor(&self, predictor: &Predictor) -> String {
        match predictor {
            Predictor::People(language) => format!("people, {}", self.language_name(language)),
            Predictor::Monolingual(run) => format!("monolingual model {}", self.run(*run)),
        }
    }
}
