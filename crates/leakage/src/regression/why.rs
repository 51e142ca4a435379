//! Why a regression cannot be made, in terms of runs and people, and what to do about it.

use stereometer_core::{Language, Subject};
use stereometer_record::Predictor;

use super::cells::{MONOLINGUAL, Variables};
use crate::associate::Prior;
use crate::inputs::RunInput;

/// Why a run has no association at all in a language; `unscored`: reasons of the whole run, the most frequent first.
pub fn no_associations(
    run: &RunInput,
    target: &Language,
    prior: Prior,
    unscored: &[(String, usize)],
) -> (String, String) {
    let own = || run.rows.iter().filter(|row| row.language == *target);
    if !own().any(|row| matches!(row.subject, Subject::Group(_))) {
        let reason = format!("the run has no sentence about a group in {target} yet");
        return (reason, "go on with it: `associate` with the same options and `--out`".to_owned());
    }
    if prior == Prior::Neutral && !own().any(|row| row.subject == Subject::Prior) {
        let reason =
            format!("the run has no sentence about the neutral noun in {target} to compare groups with");
        return (
            reason,
            "read it with `--prior none`, or measure it again with `associate --prior neutral`".to_owned(),
        );
    }
    let most = unscored.first().map(|(reason, _)| format!("; most often: {reason}")).unwrap_or_default();
    let advice = "measure it by another `--method`, or with a language model that knows the language";
    (format!("no trait has a score in {target}{most}"), advice.to_owned())
}

/// Why no cell takes part, where the run has associations.
pub fn no_cells(variables: &Variables) -> (String, String) {
    let cells = 0..variables.response.len();
    let is_there = |cell: &usize| variables.response[*cell].is_some();
    let of = |is_people: bool, cell: usize| {
        let wanted = variables
            .predictors
            .iter()
            .filter(move |column| matches!(column.predictor, Predictor::People(_)) == is_people);
        wanted.clone().all(|column| column.values[cell].is_some())
    };
    if !cells.clone().any(|cell| of(true, cell)) {
        return (
            "no cell was rated by people of every language".to_owned(),
            "use `--missing zero`, or a survey in which the same groups were rated everywhere".to_owned(),
        );
    }
    if !cells.clone().filter(is_there).any(|cell| of(false, cell)) {
        return (
            "no cell has an association of both the run and the monolingual model".to_owned(),
            "leave `--monolingual` out, or measure both with the same inventory and options".to_owned(),
        );
    }
    (
        "no cell has an association and a human score in every language".to_owned(),
        "use `--missing zero`, or finish the run: cells that people rated everywhere have no association"
            .to_owned(),
    )
}

/// Why the scores of `column` add nothing to those of `others`.
pub fn repeated(column: &str, others: &[String]) -> (String, String) {
    let scores = |name: &str| {
        if name == MONOLINGUAL { "the monolingual model".to_owned() } else { name.to_owned() }
    };
    let named: Vec<String> =
        others.iter().filter(|name| *name != "(Intercept)").map(|name| scores(name)).collect();
    let own = scores(column);
    match named.as_slice() {
        [] => (
            format!("the scores of {own} are the same in every cell that takes part: they explain nothing"),
            "look whether its ratings were read as meant; leave its file out if nobody rated anything else"
                .to_owned(),
        ),
        [one] => (
            format!(
                "the scores of {own} and {one} say the same: which of them goes with the model cannot be told"
            ),
            "look whether a file was given twice; leave one of the two out".to_owned(),
        ),
        [first @ .., last] => (
            format!(
                "the scores of {own} follow from those of {} and {last}: whose goes with the model cannot be told",
                first.join(", ")
            ),
            "look whether a file was given twice; leave one of them out".to_owned(),
        ),
    }
}
