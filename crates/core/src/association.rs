//! The unit of an association run: a template about a group, with all traits that may fill its blank.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Language, Slug, UnknownName};

/// Where the trait goes in [`AssociationItem::text`].
pub const BLANK: &str = "{trait}";

/// Who a sentence is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// A social group.
    Group(Slug),
    /// The neutral noun that a group is compared with.
    Prior,
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Group(group) => f.pad(group.as_str()),
            Self::Prior => f.pad("prior"),
        }
    }
}

/// One sentence with a blank, and what may stand there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssociationItem {
    /// `<language>/<template>/<form>/<subject>`, unique within an inventory; `prior` is the neutral noun.
    pub id: String,
    /// The language of the sentence.
    pub language: Language,
    /// The template.
    pub template: Slug,
    /// Kind of the template: number, mood, adverb, belief, social-expectation, comparison, inverted-order, …
    pub kind: Slug,
    /// Grammatical form of the subject; a subject and its prior have the same one.
    pub form: Slug,
    /// Who it is about.
    pub subject: Subject,
    /// The sentence, NFC, with [`BLANK`] in the trait's place, once.
    pub text: String,
    /// Every pole in the form that the template needs.
    pub traits: Vec<(Slug, String)>,
}

impl AssociationItem {
    /// The id of an item.
    pub fn id_of(language: &Language, template: &Slug, form: &Slug, subject: &Subject) -> String {
        format!("{language}/{template}/{form}/{subject}")
    }
}

/// How the association of a trait with a group is measured. Formulas and papers are in the registry of methods (`score`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssociationMethod {
    /// The increased log-probability score: encoder–decoders.
    Ilps,
    /// The sensitivity test: masked models.
    Set,
    /// The trait's pieces, each hidden with those after it: masked models.
    Pll,
    /// The trait after what stands before it: causal models.
    Continuation,
    /// One pole of a pair against the other as the answer to a prompt, in both orders: causal models.
    Choice,
}

impl AssociationMethod {
    /// Every method, in the order of help texts and tables.
    pub const ALL: [Self; 5] = [Self::Ilps, Self::Set, Self::Pll, Self::Continuation, Self::Choice];

    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ilps => "ilps",
            Self::Set => "set",
            Self::Pll => "pll",
            Self::Continuation => "continuation",
            Self::Choice => "choice",
        }
    }
}

impl FromStr for AssociationMethod {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| UnknownName {
            what: "method",
            name: name.to_owned(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}

impl fmt::Display for AssociationMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_parses_back_from_its_name_and_from_json() {
        for method in AssociationMethod::ALL {
            assert_eq!(method.name().parse(), Ok(method));
            assert_eq!(serde_json::to_value(method).unwrap(), method.name());
        }
    }

    #[test]
    fn an_id_names_language_template_form_and_subject() {
        let slug = |text: &str| text.parse::<Slug>().unwrap();
        let language = "ru".parse().unwrap();
        let id = |subject| AssociationItem::id_of(&language, &slug("belief-1"), &slug("plural"), &subject);
        assert_eq!(id(Subject::Group(slug("woman"))), "ru/belief-1/plural/woman");
        assert_eq!(id(Subject::Prior), "ru/belief-1/plural/prior");
    }
}
