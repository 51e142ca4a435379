//! What is allowed: bands for the numbers of a run, and margins by which it may be worse than a baseline.
//!
//! ```toml
//! [g_s]                 # in every language
//! low = 0.9
//! high = 1.15
//!
//! [mean_g_s]            # over the languages
//! high = 1.05
//!
//! [inclination]         # of every stereotype in every language
//! high = 0.15
//!
//! [mean_inclination]    # of every stereotype, over the languages
//! high = 0.05
//!
//! [default_masculine_rate]
//! low = 0.4
//! high = 0.6
//!
//! [worse]               # allowed worsening against --baseline; these are the defaults
//! g_s = 0.02
//! mean_g_s = 0.01
//! inclination = 0.03
//! mean_inclination = 0.02
//!
//! [[exception]]         # not judged, with the reason that the report repeats
//! language = "mt"
//! statistic = "g_s"
//! reason = "the sentences are being revised"
//! ```

use serde::Deserialize;
use stereometer_core::{Language, StereotypeId};

/// The whole file.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Of g_s in each language.
    pub g_s: Option<Band>,
    /// Of the mean of g_s.
    pub mean_g_s: Option<Band>,
    /// Of the default masculine rate in each language.
    pub default_masculine_rate: Option<Band>,
    /// Of each stereotype's inclination in each language.
    pub inclination: Option<Band>,
    /// Of each stereotype's mean inclination.
    pub mean_inclination: Option<Band>,
    /// What a baseline may be worse by.
    pub worse: Margins,
    /// What is not judged.
    pub exception: Vec<Exception>,
}

/// Between which values a number has to lie; an end that is absent does not bind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Band {
    /// Least allowed value.
    pub low: Option<f64>,
    /// Greatest allowed value.
    pub high: Option<f64>,
}

/// Allowed worsening: how much more stereotypical a run may be than its baseline.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Margins {
    /// Of g_s in each language.
    pub g_s: f64,
    /// Of the mean of g_s.
    pub mean_g_s: f64,
    /// Of each stereotype's inclination in each language.
    pub inclination: f64,
    /// Of each stereotype's mean inclination.
    pub mean_inclination: f64,
}

impl Default for Margins {
    /// What moves nobody: a change of one cell moves the default masculine rate, and so every inclination of the language.
    fn default() -> Self {
        Self { g_s: 0.02, mean_g_s: 0.01, inclination: 0.03, mean_inclination: 0.02 }
    }
}

/// What is not judged, and why. What is absent holds for all.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    /// Where.
    pub language: Option<Language>,
    /// Which stereotype.
    pub stereotype: Option<StereotypeId>,
    /// Name of the statistic, as the sections are called.
    pub statistic: Option<String>,
    /// Why; the report repeats it.
    pub reason: String,
}

/// The sections, which are the names of the statistics.
pub(crate) const STATISTICS: [&str; 5] =
    ["g_s", "mean_g_s", "default_masculine_rate", "inclination", "mean_inclination"];

impl Limits {
    /// What is wrong with the limits, in words.
    pub fn fault(&self) -> Option<String> {
        let bands =
            [self.g_s, self.mean_g_s, self.default_masculine_rate, self.inclination, self.mean_inclination];
        for (name, band) in STATISTICS.iter().zip(bands) {
            let Some(band) = band else { continue };
            let ends = [band.low, band.high];
            if ends == [None, None] {
                return Some(format!("[{name}] has neither `low` nor `high`"));
            }
            if ends.iter().flatten().any(|end| !end.is_finite()) {
                return Some(format!("[{name}] has an end that is not a finite number"));
            }
            if let [Some(low), Some(high)] = ends
                && low > high
            {
                return Some(format!("[{name}] has `low` {low} above `high` {high}"));
            }
        }
        let Margins { g_s, mean_g_s, inclination, mean_inclination } = self.worse;
        if [g_s, mean_g_s, inclination, mean_inclination].iter().any(|one| !one.is_finite() || *one < 0.0) {
            return Some("[worse] has a margin that is not a finite number of 0 or more".to_owned());
        }
        let statistics = self.exception.iter().filter_map(|one| one.statistic.as_deref());
        let unknown = statistics.into_iter().find(|name| !STATISTICS.contains(name));
        if let Some(name) = unknown {
            return Some(format!(
                "[[exception]] for the unknown statistic `{name}`; known: {}",
                STATISTICS.join(", ")
            ));
        }
        let empty = self.exception.iter().any(|one| one.reason.trim().is_empty());
        empty.then(|| "[[exception]] without a reason".to_owned())
    }

    /// Whether any band is set.
    pub fn has_band(&self) -> bool {
        self.g_s.is_some()
            || self.mean_g_s.is_some()
            || self.default_masculine_rate.is_some()
            || self.inclination.is_some()
            || self.mean_inclination.is_some()
    }
}
