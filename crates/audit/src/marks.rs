//! Languages whose texts lose marks to the tokenizer.

use stereometer_core::{Item, Language, Warning};
use stereometer_lm::{Tokenizer, TokenizerError};

/// A warning over all languages that lose any, with the first word that does.
pub fn lost_marks(items: &[Item], tokenizer: &Tokenizer) -> Result<Option<Warning>, TokenizerError> {
    let (mut languages, mut example): (Vec<Language>, Option<(String, String)>) = (Vec::new(), None);
    for item in items {
        if languages.contains(&item.language) {
            continue;
        }
        let lost = match tokenizer.lost_marks(&item.masculine)? {
            Some(lost) => Some(lost),
            None => tokenizer.lost_marks(&item.feminine)?,
        };
        if let Some(lost) = lost {
            languages.push(item.language.clone());
            example.get_or_insert(lost);
        }
    }
    Ok(example.map(|(written, read)| Warning::LostMarks { languages, written, read }))
}
