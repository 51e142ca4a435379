//! How much room a run's flows take: what each ribbon looks like, how thick it is, how high the nodes are.

use stereometer_core::Language;
use stereometer_record::Evidence;

use crate::leakage::study::{Line, Role, Study};

/// Thickness of the largest coefficient of a panel.
pub const THICKEST: f64 = 24.0;
/// Room for a ribbon's number at its target.
const LINE: f64 = 14.0;
const HAIR: f64 = 6.0;
const GAP: f64 = 16.0;
const LEAST: f64 = 36.0;

/// What a ribbon looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Positive, and Holm leaves it.
    Sure,
    /// Positive before adjustment.
    Pale,
    /// Negative.
    Negative,
    /// No effect found.
    Hair,
}

/// How a coefficient is drawn.
pub fn look(study: &Study<'_>, line: &Line<'_>) -> Look {
    let one = line.coefficient;
    match one.evidence {
        Evidence::Positive if one.holm < study.results.settings.alpha => Look::Sure,
        Evidence::Positive => Look::Pale,
        Evidence::Negative => Look::Negative,
        Evidence::Open => Look::Hair,
    }
}

/// One run's flows.
pub struct Panel<'a> {
    /// The run.
    pub run: usize,
    /// Whose people.
    pub sources: Vec<&'a Language>,
    /// Languages in which it answers.
    pub targets: Vec<&'a Language>,
    /// Its coefficients of people.
    pub lines: Vec<Line<'a>>,
    /// Pixels of a unit.
    pub unit: f64,
}

impl<'a> Panel<'a> {
    /// From the coefficients of all runs.
    pub fn new(study: &Study<'a>, run: usize, all: &[Line<'a>]) -> Self {
        let lines: Vec<Line<'a>> =
            all.iter().filter(|line| line.fit.run == run && line.source().is_some()).copied().collect();
        let most = lines.iter().map(|line| line.coefficient.estimate.abs()).fold(0.0, f64::max);
        let languages = &study.results.runs[run].languages;
        Self {
            run,
            sources: study.sources(),
            targets: study.targets().into_iter().filter(|target| languages.contains(target)).collect(),
            lines,
            unit: if most > 0.0 { THICKEST / most } else { 0.0 },
        }
    }

    /// In pixels; no coefficient is invisible.
    pub fn thickness(&self, line: &Line<'_>) -> f64 {
        (line.coefficient.estimate.abs() * self.unit).max(1.5)
    }

    /// The coefficient of a way.
    pub fn leak(&self, source: &Language, target: &Language) -> Option<&Line<'a>> {
        self.lines.iter().find(|line| {
            line.source() == Some(source) && line.fit.target == *target && line.role() == Role::Leak
        })
    }

    /// That of the target's own people.
    pub fn own(&self, target: &Language) -> Option<&Line<'a>> {
        self.lines.iter().find(|line| line.fit.target == *target && line.role() == Role::Own)
    }

    /// Height that a ribbon takes at its nodes.
    pub fn slot(&self, study: &Study<'_>, line: &Line<'_>) -> f64 {
        match look(study, line) {
            Look::Hair => HAIR,
            _ => (self.thickness(line) + 2.0).max(LINE),
        }
    }

    /// Height of a node: its ribbons, its own effect, its name.
    fn height(&self, study: &Study<'_>, leaks: &[Option<&Line<'a>>]) -> f64 {
        leaks.iter().flatten().map(|line| self.slot(study, line)).sum::<f64>().max(LEAST)
    }

    /// Heights of sources and of targets.
    pub fn nodes(&self, study: &Study<'_>) -> [Vec<f64>; 2] {
        let into = |target: &&'a Language| -> Vec<Option<&Line<'a>>> {
            self.sources.iter().map(|source| self.leak(source, target)).collect()
        };
        let out = |source: &&'a Language| -> Vec<Option<&Line<'a>>> {
            self.targets.iter().map(|target| self.leak(source, target)).collect()
        };
        [
            self.sources.iter().map(|one| self.height(study, &out(one))).collect(),
            self.targets.iter().map(|one| self.height(study, &into(one))).collect(),
        ]
    }
}

/// Height of nodes below one another.
pub fn column(heights: &[f64]) -> f64 {
    heights.iter().sum::<f64>() + GAP * (heights.len().max(1) - 1) as f64
}

/// Where each node begins, the column in the middle of this height.
pub fn tops(heights: &[f64], within: f64) -> Vec<f64> {
    let mut y = (within - column(heights)) / 2.0;
    heights
        .iter()
        .map(|height| {
            let top = y;
            y += height + GAP;
            top
        })
        .collect()
}
