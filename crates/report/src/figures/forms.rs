//! The forms of items in words, and which of them a run has.

use stereometer_core::Form;
use stereometer_record::{LanguageResult, Results, TemplateRow};

use crate::words::list;

const FORMS: [Form; 3] = [Form::Gendered, Form::Pronoun, Form::Noun];

/// The forms with a scored item in some language.
pub fn forms(results: &Results) -> Vec<Form> {
    let has = |form: &Form| results.languages.iter().any(|language| of(language, *form).is_some());
    FORMS.into_iter().filter(has).collect()
}

/// A language's result on the items of one form.
pub fn of(language: &LanguageResult, form: Form) -> Option<&TemplateRow> {
    language.by_form.iter().find(|row| row.form == form)
}

/// “gendered pairs”, over a panel.
pub fn name(form: Form) -> &'static str {
    match form {
        Form::Gendered => "gendered pairs",
        Form::Pronoun => "pronoun template",
        Form::Noun => "noun template",
    }
}

/// The same over a column of a grid.
pub fn short(form: Form) -> &'static str {
    match form {
        Form::Gendered => "gendered",
        Form::Pronoun => "pronoun",
        Form::Noun => "noun",
    }
}

/// What a language without the form says, also in its table.
pub fn none(form: Form) -> &'static str {
    match form {
        Form::Gendered => "no gendered pair",
        Form::Pronoun => "no pronoun item",
        Form::Noun => "no noun item",
    }
}

/// Which forms the whole run lacks, so that a missing panel or column is known to be none; empty if it has all.
pub fn lacking(results: &Results) -> String {
    let there = forms(results);
    let lacking: Vec<&str> = FORMS.into_iter().filter(|form| !there.contains(form)).map(none).collect();
    if lacking.is_empty() { String::new() } else { format!(" The run has {}.", list(&lacking)) }
}
