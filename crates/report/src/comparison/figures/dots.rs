//! A dot and its interval for every run within one row, one below the other so that none hides another.

use stereometer_core::{Estimate, Verdict};

use crate::comparison::runs::MARKS;
use crate::figures::rows::Rows;
use crate::scale::Scale;
use crate::svg::Svg;
use crate::words::Kind;

/// What the dots of a row share.
pub struct Dots<'a> {
    /// Where the rows are.
    pub rows: Rows,
    /// Where the values are.
    pub scale: &'a Scale,
    /// What they are.
    pub kind: Kind,
    /// Their neutral point: filled dots are those whose interval leaves it out.
    pub neutral: f64,
    /// Names of the runs.
    pub labels: &'a [String],
}

impl Dots<'_> {
    /// Draws a row: one estimate a run, or none.
    pub fn draw(&self, svg: &mut Svg, row: usize, name: &str, values: &[Option<&Estimate>]) {
        let step = 18.0 / values.len().max(2) as f64;
        let first = self.rows.middle(row) - step * (values.len() as f64 - 1.0) / 2.0;
        for (run, estimate) in values.iter().enumerate() {
            let Some(estimate) = estimate else { continue };
            let y = first + step * run as f64;
            let class = match Verdict::of(estimate, self.neutral) {
                Verdict::Above | Verdict::Below => "mark",
                Verdict::Open | Verdict::Unknown => "open",
            };
            svg.open("dot", &format!("{name}, {}: {}", self.labels[run], self.kind.brief(estimate)));
            if let Some(interval) = estimate.interval() {
                let ends = [interval.low, interval.high].map(|end| (self.scale.place(end), y));
                svg.line(&format!("run{run}-whisker"), ends[0], ends[1]);
            }
            svg.mark(MARKS[run], &format!("run{run}-{class}"), (self.scale.place(estimate.value), y), 3.4);
            svg.close();
        }
    }
}

/// The values and interval ends that an axis must hold.
pub fn extent<'a>(estimates: impl Iterator<Item = &'a Estimate>) -> impl Iterator<Item = f64> {
    estimates.flat_map(|one| {
        let interval = one.interval();
        [Some(one.value), interval.map(|one| one.low), interval.map(|one| one.high)].into_iter().flatten()
    })
}
