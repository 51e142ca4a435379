//! What a row of a table or a part of a drawing is about, and where the sentences behind it stand.
//!
//! The page filters by it: a row that names no language stays whatever languages are chosen.

use std::collections::BTreeMap;

use stereometer_core::{Language, StereotypeId};

/// What a row or a part of a drawing is about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct About {
    /// One language, or all.
    pub language: Option<Language>,
    /// One stereotype, or all.
    pub stereotype: Option<StereotypeId>,
}

impl About {
    /// A language, over all stereotypes.
    pub fn language(language: &Language) -> Self {
        Self { language: Some(language.clone()), stereotype: None }
    }

    /// A stereotype, over all languages.
    pub fn stereotype(id: StereotypeId) -> Self {
        Self { language: None, stereotype: Some(id) }
    }

    /// One stereotype in one language.
    pub fn cell(language: &Language, id: StereotypeId) -> Self {
        Self { language: Some(language.clone()), stereotype: Some(id) }
    }

    /// As attributes of an element, with a space before each.
    pub fn attributes(&self) -> String {
        let language = self.language.iter().map(|language| format!(" data-language=\"{language}\""));
        let stereotype = self.stereotype.iter().map(|id| format!(" data-stereotype=\"{id}\""));
        language.chain(stereotype).collect()
    }
}

/// Where the sentences of each stereotype in each language stand; empty where they stand nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Links(BTreeMap<(Language, StereotypeId), String>);

impl Links {
    /// Notes that the sentences of a cell stand at this address, relative to the page.
    pub fn insert(&mut self, language: &Language, id: StereotypeId, href: String) {
        self.0.insert((language.clone(), id), href);
    }

    /// The address, if this is a cell whose sentences stand somewhere.
    pub fn get(&self, about: &About) -> Option<&str> {
        let (Some(language), Some(id)) = (&about.language, about.stereotype) else { return None };
        self.0.get(&(language.clone(), id)).map(String::as_str)
    }
}

/// The id of the place where the sentences of a cell stand.
pub fn anchor(language: &Language, id: StereotypeId) -> String {
    format!("s-{language}-{id}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_cell_has_sentences() {
        let (german, seven) = ("de".parse().unwrap(), StereotypeId::try_from(7).unwrap());
        let mut links = Links::default();
        links.insert(&german, seven, format!("#{}", anchor(&german, seven)));
        let cell = About::cell(&german, seven);
        assert_eq!(links.get(&cell), Some("#s-de-7"));
        assert_eq!(cell.attributes(), " data-language=\"de\" data-stereotype=\"7\"");
        for other in [About::default(), About::language(&german), About::stereotype(seven)] {
            assert_eq!(links.get(&other), None, "{other:?}");
        }
    }
}
