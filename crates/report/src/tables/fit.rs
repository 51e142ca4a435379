//! Does the model know the language at all?

use stereometer_core::Method;
use stereometer_record::{LanguageFit, LanguageResult, Results};

use crate::{Cell, Column, Table};

/// Languages from the best predicted to the worst.
pub fn table(results: &Results) -> Table {
    let mut columns = Column::language().to_vec();
    columns.extend([
        Column::new("n_items", "items", "scored items; both variants of each are counted"),
        Column::new(
            "nats_per_character",
            "nats a character",
            "mean cost of a character (Unicode scalar value); low = well predicted",
        ),
        Column::new(
            "characters_per_token",
            "characters a token",
            "low = the tokenizer cuts the language into small pieces",
        ),
    ]);
    let mut fits: Vec<(&LanguageResult, LanguageFit)> =
        results.languages.iter().filter_map(|language| Some((language, language.fit?))).collect();
    fits.sort_by(|a, b| a.1.nats_per_character.total_cmp(&b.1.nats_per_character));
    let rows = fits.into_iter().map(|(language, fit)| {
        let mut row = Cell::language(language).to_vec();
        row.extend([
            Cell::Count(language.n_items),
            Cell::Number(fit.nats_per_character, format!("{:.2}", fit.nats_per_character)),
            Cell::Number(fit.characters_per_token, format!("{:.2}", fit.characters_per_token)),
        ]);
        row
    });
    Table {
        name: "fit",
        caption: format!(
            "How well the language model predicts each language's sentences{}, best first; descriptive, without intervals.",
            seeing(results.method)
        ),
        columns,
        rows: rows.collect(),
    }
}

/// A masked model sees more than it predicts.
fn seeing(method: Method) -> &'static str {
    match method {
        Method::Likelihood | Method::MaskedDifference => "",
        Method::PllOriginal => ", each token with the rest of its sentence in sight",
        Method::PllWithinWord => ", each token with the other words of its sentence in sight",
    }
}
