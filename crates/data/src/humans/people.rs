//! Whose ratings a row holds: the language that the user, a column or the file's name says, and the person's name.

use stereometer_core::Language;

use super::fault::SurveyFault;
use super::intake::Intake;
use crate::fault::excerpt;
use crate::language::nfc;
use crate::read::table::Record;
use crate::{Fault, Place};

/// What is known about a file's language besides its rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Speakers {
    /// What the user says; a row that says another language contradicts it.
    pub given: Option<Language>,
    /// What the file's name says; a column comes before it.
    pub named: Option<Language>,
    /// Contradictions that were told already.
    told: Vec<Language>,
}

impl Speakers {
    pub fn new(given: Option<Language>, named: Option<Language>) -> Self {
        Self { given, named, told: Vec::new() }
    }

    /// The language of a file whose rows say nothing.
    pub fn of_file(&self) -> Option<Language> {
        self.given.clone().or_else(|| self.named.clone())
    }

    /// The language of a row, where the file has a column for it.
    pub fn of_row(
        &mut self,
        record: &Record,
        column: Option<usize>,
        intake: &mut Intake<'_>,
    ) -> Option<Language> {
        let cell = record.get(column);
        if column.is_none() || (cell.trim().is_empty() && self.given.is_some()) {
            return self.of_file();
        }
        let place = record.place.column("language");
        let row = intake.language(cell, &place)?;
        if let Some(given) = self.given.clone().filter(|given| *given != row) {
            if !self.told.contains(&row) {
                self.told.push(row.clone());
                intake.refuse(place, SurveyFault::LanguageDiffers { row, given });
            }
            return None;
        }
        Some(row)
    }
}

/// The name of a person, as every file writes it: composed, without outer white space.
pub(super) fn name_of(text: &str, place: &Place, intake: &mut Intake<'_>) -> Option<String> {
    let name = nfc(text.trim());
    if name.is_empty() {
        let is_key = place.record.is_none();
        intake.refuse(place.clone(), if is_key { SurveyFault::NoName } else { Fault::EmptyCell.into() });
        return None;
    }
    if name != text.trim() {
        intake.remark(format!("the name `{}` was brought to Unicode normal form C", excerpt(&name)), place);
    }
    Some(name)
}
