//! What can be wrong with an inventory.

use std::sync::Arc;

use thiserror::Error;

use crate::{Fault, Place, Problem};

/// What can be wrong with an inventory; the place has the file and the key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InventoryFault {
    /// A list that may not be empty.
    #[error("the inventory has no {what}")]
    Nothing {
        /// Groups, pairs, versions, templates …
        what: &'static str,
    },
    /// A folder without the file that makes it an inventory.
    #[error("the folder holds no `inventory.toml`")]
    NoScheme,
    /// A key that is there twice.
    #[error("`{key}` is there twice")]
    Twice {
        /// The key.
        key: String,
    },
    /// A group and a pole of one key: names are looked up by key.
    #[error("`{key}` is both a group and a pole")]
    GroupAndPole {
        /// The key.
        key: String,
    },
    /// A key that nothing defines.
    #[error("unknown {what} `{key}`; known: {known}")]
    Unknown {
        /// Group, pole, version, form, case, word …
        what: &'static str,
        /// What was found.
        key: String,
        /// What there is.
        known: String,
    },
    /// A non-shared group without a home, or a shared one with a home.
    #[error("a group has a home language if its category is `non-shared`, and only then")]
    Home,
    /// An alias of two keys.
    #[error("`{alias}` stands for `{first}` and for `{second}`")]
    AliasTwice {
        /// The alias.
        alias: String,
        /// One key.
        first: String,
        /// The other.
        second: String,
    },
    /// A key of the inventory that a language has nothing for.
    #[error("nothing for `{key}`")]
    Missing {
        /// The key.
        key: String,
    },
    /// Another spelling in the place of a key.
    #[error("`{found}` is another spelling of `{key}`")]
    Spelling {
        /// What was found.
        found: String,
        /// The key.
        key: String,
    },
    /// Something that is neither a text nor a list of texts.
    #[error("neither a text nor a list of texts")]
    NotText,
    /// A list that is longer than the list of cases, or empty.
    #[error("{found} texts where the language has {cases} cases")]
    CaseCount {
        /// Texts.
        found: usize,
        /// Cases.
        cases: usize,
    },
    /// A text that is not in composed form.
    #[error("`{text}` is not in Unicode's composed form (NFC)")]
    NotComposed {
        /// The text, composed.
        text: String,
    },
    /// An empty text, or one with outer white space or braces.
    #[error("`{text}` is empty, has outer white space or braces")]
    Untidy {
        /// The text.
        text: String,
    },
    /// A text with a character that is not to be seen.
    #[error("`{text}` has the character {code}, which no reader sees")]
    Invisible {
        /// The text.
        text: String,
        /// The character.
        code: String,
    },
    /// The name of an inventory that no command line or file takes.
    #[error("`{name}` cannot be the name of an inventory")]
    BadName {
        /// The name.
        name: String,
    },
    /// A key that has a meaning of its own.
    #[error("`{key}` is the neutral noun, and no group")]
    Reserved {
        /// The key.
        key: String,
    },
    /// A template that is there already.
    #[error("this is the sentence of the template `{first}` once more")]
    SameTemplate {
        /// The other.
        first: String,
    },
    /// A group that is called as the neutral noun is.
    #[error(
        "the neutral noun `{text}` is also what the group `{group}` is called, so that they cannot be compared"
    )]
    PriorIsGroup {
        /// The noun.
        text: String,
        /// The group.
        group: String,
    },
    /// A text without a letter of the language's script.
    #[error("`{text}` has no letter of the script {script}")]
    Script {
        /// The text.
        text: String,
        /// ISO 15924.
        script: String,
    },
    /// A brace without its partner.
    #[error("a brace of `{text}` has no partner")]
    Braces {
        /// The text.
        text: String,
    },
    /// A placeholder that has to be there once.
    #[error("{name} is there {found} times, not once")]
    Placeholder {
        /// The placeholder.
        name: &'static str,
        /// How often.
        found: usize,
    },
    /// A form that a template needs and nobody wrote.
    #[error("the form `{form}` of {of} lacks what this template needs")]
    NoForm {
        /// The form.
        form: String,
        /// Of what.
        of: String,
    },
    /// A trait that the group and its neutral noun would have in two forms.
    #[error(
        "`{pole}` is `{own}` for a group and `{prior}` for its neutral noun, so that the two cannot be compared"
    )]
    PriorTrait {
        /// The pole.
        pole: String,
        /// Its text beside the group.
        own: String,
        /// Its text beside the noun.
        prior: String,
    },
    /// One text for two keys.
    #[error("`{text}` stands for both `{first}` and `{second}`")]
    SharedText {
        /// The text.
        text: String,
        /// One key.
        first: String,
        /// The other.
        second: String,
    },
    /// The study's files are not as they were released.
    #[error("these are not the study's inputs as released: {detail}")]
    Study {
        /// What is not.
        detail: String,
    },
    /// A surface form that the study's maps do not resolve.
    #[error(
        "`{text}` stands for nothing known: not in `{map}` of name_maps.json, nor in the table of shared forms"
    )]
    Unmapped {
        /// The surface form.
        text: String,
        /// The map.
        map: &'static str,
    },
    /// Two surface forms for one form of one key.
    #[error("`{key}` has two texts, `{first}` and `{second}`")]
    TwoTexts {
        /// The key.
        key: String,
        /// One text.
        first: String,
        /// The other.
        second: String,
    },
}

impl InventoryFault {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::GroupAndPole { .. } => Some("call the group `poor-person`, say, beside the trait `poor`"),
            Self::Spelling { .. } => Some("use the key; other spellings belong in `aliases`"),
            Self::SharedText { .. } => Some("give one of them another word, or name both in `shared_forms`"),
            Self::Invisible { .. } => Some("write the text anew, or take the character out"),
            Self::BadName { .. } => Some(
                "letters, digits and hyphens will do; no outer white space, no dot in front, none of / \\ : * ? \" < > |",
            ),
            Self::Reserved { .. } => Some("give the group another key"),
            Self::SameTemplate { .. } => Some("take one of the two out: the sentence would count twice"),
            Self::PriorIsGroup { .. } => Some("choose a noun that stands for anybody"),
            Self::NotComposed { .. } => Some("write the text as the message shows it"),
            Self::NoForm { .. } => Some("add the form or the case, or take the form off the template"),
            Self::PriorTrait { .. } => {
                Some("choose a trait that does not change, or a noun of the same gender")
            }
            Self::NoScheme | Self::Unknown { .. } | Self::Missing { .. } => {
                Some("docs/formats.md shows an inventory with all its parts")
            }
            Self::Nothing { .. }
            | Self::Twice { .. }
            | Self::NotText
            | Self::Study { .. }
            | Self::Unmapped { .. }
            | Self::TwoTexts { .. }
            | Self::CaseCount { .. }
            | Self::Untidy { .. }
            | Self::Script { .. }
            | Self::Braces { .. }
            | Self::Placeholder { .. }
            | Self::Home
            | Self::AliasTwice { .. } => None,
        }
    }
}

/// Problems of one file, in the order in which they are found.
#[derive(Debug)]
pub(crate) struct Faults {
    file: Arc<str>,
    pub(crate) found: Vec<Problem>,
}

impl Faults {
    pub(crate) fn of(file: &str) -> Self {
        Self { file: Arc::from(file), found: Vec::new() }
    }

    pub(crate) fn file(&self) -> &Arc<str> {
        &self.file
    }

    /// Notes a fault of the whole file.
    pub(crate) fn whole(&mut self, fault: InventoryFault) {
        self.found.push(Problem { place: Place::file(&self.file), fault: Fault::Inventory(fault) });
    }

    /// Notes a fault at a key of the file.
    pub(crate) fn at(&mut self, key: &str, fault: InventoryFault) {
        let place = Place { column: Some(key.to_owned()), ..Place::file(&self.file) };
        self.found.push(Problem { place, fault: Fault::Inventory(fault) });
    }

    /// The same, if there is one.
    pub(crate) fn found_at(&mut self, key: &str, fault: Option<InventoryFault>) {
        if let Some(fault) = fault {
            self.at(key, fault);
        }
    }
}
