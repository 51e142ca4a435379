//! A language pack: how a language quotes a sentence and says who spoke it.
//!
//! A neutral sentence becomes a minimal pair by its templates (EuroGEST, section 3): opening mark + sentence + closing mark +
//! space + “he said” or “she said”. A pack is one TOML file, `languages/<tag>.toml`; the ones in this crate are built in.

use std::sync::Arc;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use stereometer_core::{Form, Language};
use unicode_normalization::UnicodeNormalization;

use crate::bare::bare;
use crate::{DataError, Fault, Place, Problem};

/// Which of the two templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TemplateKind {
    /// “he / she said”.
    Pronoun,
    /// “the man / the woman said”.
    Noun,
}

impl TemplateKind {
    /// The form of the items that this template makes.
    pub fn form(self) -> Form {
        match self {
            Self::Pronoun => Form::Pronoun,
            Self::Noun => Form::Noun,
        }
    }
}

/// A template, or the reason why the language has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Template {
    /// It exists.
    Present {
        /// “he said”.
        masculine: String,
        /// “she said”.
        feminine: String,
    },
    /// It does not: both variants would be the same string.
    Absent {
        /// Why, in a clause.
        reason: String,
    },
}

/// The marks around a quoted sentence.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quotes {
    /// What stands before the sentence.
    pub open: String,
    /// What stands after it: the closing mark together with the comma or dash that the construction asks for.
    pub close: String,
}

/// What the program knows of a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguagePack {
    tag: Language,
    name: String,
    endonym: String,
    script: String,
    genderless_first_person: bool,
    gender_marked_on: Vec<String>,
    checked_by: String,
    quotes: Quotes,
    pronoun: Template,
    noun: Template,
    sha256: String,
}

impl LanguagePack {
    /// Reads and checks a pack. `file` names it in errors, and has to be `<tag>.toml` after its last slash.
    pub fn parse(file: &str, toml: &str) -> Result<Self, DataError> {
        let file: Arc<str> = Arc::from(file);
        let raw: Raw = toml::from_str(toml).map_err(|error| toml_problem(&file, toml, &error))?;
        let at = |key: &str, fault| DataError::from(Problem { place: Place::file(&file).column(key), fault });
        let stem = file.rsplit(['/', '\\']).next().and_then(|name| name.strip_suffix(".toml"));
        if stem != Some(raw.tag.as_str()) {
            return Err(at("tag", Fault::PackName { tag: raw.tag }));
        }
        let pronoun = raw.templates.pronoun.check().map_err(|fault| at("templates.pronoun", fault))?;
        let noun = raw.templates.noun.check().map_err(|fault| at("templates.noun", fault))?;
        Ok(Self {
            tag: raw.tag,
            name: nfc(&raw.name),
            endonym: nfc(&raw.endonym),
            script: raw.script,
            genderless_first_person: raw.genderless_first_person,
            gender_marked_on: raw.gender_marked_on,
            checked_by: nfc(&raw.checked_by),
            quotes: Quotes { open: nfc(&raw.quotes.open), close: nfc(&raw.quotes.close) },
            pronoun,
            noun,
            sha256: hex(&Sha256::digest(toml.as_bytes())),
        })
    }

    /// The two variants of a neutral sentence: masculine, then feminine. `None` where the language has no such template.
    pub fn wrap(&self, sentence: &str, kind: TemplateKind) -> Option<(String, String)> {
        let Template::Present { masculine, feminine } = self.template(kind) else { return None };
        let Quotes { open, close } = &self.quotes;
        let sentence = bare(sentence);
        let with = |said: &str| format!("{open}{sentence}{close} {said}");
        Some((with(masculine), with(feminine)))
    }

    /// One of the two templates.
    pub fn template(&self, kind: TemplateKind) -> &Template {
        match kind {
            TemplateKind::Pronoun => &self.pronoun,
            TemplateKind::Noun => &self.noun,
        }
    }

    /// The language's tag, which is also the name of the pack's file.
    pub fn tag(&self) -> &Language {
        &self.tag
    }

    /// The language's English name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The language's own name.
    pub fn endonym(&self) -> &str {
        &self.endonym
    }

    /// Its script, as in ISO 15924.
    pub fn script(&self) -> &str {
        &self.script
    }

    /// Whether the first person never shows the speaker's gender.
    pub fn genderless_first_person(&self) -> bool {
        self.genderless_first_person
    }

    /// The parts of speech that show it, where there are any.
    pub fn gender_marked_on(&self) -> &[String] {
        &self.gender_marked_on
    }

    /// Who wrote the pack and who has checked it.
    pub fn checked_by(&self) -> &str {
        &self.checked_by
    }

    /// The marks around a quoted sentence.
    pub fn quotes(&self) -> &Quotes {
        &self.quotes
    }

    /// SHA-256 of the pack's file, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    tag: Language,
    name: String,
    endonym: String,
    script: String,
    genderless_first_person: bool,
    gender_marked_on: Vec<String>,
    checked_by: String,
    quotes: Quotes,
    templates: RawTemplates,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTemplates {
    pronoun: RawTemplate,
    noun: RawTemplate,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTemplate {
    masculine: Option<String>,
    feminine: Option<String>,
    absent: Option<String>,
}

impl RawTemplate {
    fn check(self) -> Result<Template, Fault> {
        match (self.masculine, self.feminine, self.absent) {
            (Some(masculine), Some(feminine), None) => {
                let [masculine, feminine] = [nfc(&masculine), nfc(&feminine)];
                if let Some(text) = [&masculine, &feminine].into_iter().find(|text| text.trim() != **text) {
                    return Err(Fault::PaddedTemplate { text: text.clone() });
                }
                if masculine.is_empty() || feminine.is_empty() {
                    return Err(Fault::UnclearTemplate);
                }
                if masculine == feminine {
                    return Err(Fault::EqualTemplates { text: masculine });
                }
                Ok(Template::Present { masculine, feminine })
            }
            (None, None, Some(reason)) if !reason.trim().is_empty() => {
                Ok(Template::Absent { reason: nfc(&reason) })
            }
            _ => Err(Fault::UnclearTemplate),
        }
    }
}

pub(crate) fn nfc(text: &str) -> String {
    text.nfc().collect()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

/// A TOML error as a problem: the parser's own message, on its line.
pub(crate) fn toml_problem(file: &Arc<str>, toml: &str, error: &toml::de::Error) -> Problem {
    let line = error.span().map(|span| {
        let before = toml.as_bytes().iter().take(span.start).filter(|byte| **byte == b'\n').count();
        before as u64 + 1
    });
    let detail = error.message().trim().replace('\n', ", ");
    Problem { place: Place { line, ..Place::file(file) }, fault: Fault::Toml { detail } }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACK: &str = r#"
tag = "xx"
name = "Test"
endonym = "Test"
script = "Latn"
genderless_first_person = true
gender_marked_on = []
checked_by = "nobody"
[quotes]
open = "„"
close = "” –"
[templates.pronoun]
absent = "no gendered pronoun"
[templates.noun]
masculine = "said the man"
feminine = "said the woman"
"#;

    fn refused(toml: &str) -> String {
        LanguagePack::parse("xx.toml", toml).unwrap_err().to_string()
    }

    #[test]
    fn a_sentence_is_wrapped_without_its_own_punctuation() {
        let pack = LanguagePack::parse("some/where/xx.toml", PACK).unwrap();
        let (masculine, feminine) = pack.wrap(" Sírok. ", TemplateKind::Noun).unwrap();
        assert_eq!(masculine, "„Sírok” – said the man");
        assert_eq!(feminine, "„Sírok” – said the woman");
        assert_eq!(pack.wrap("Sírok.", TemplateKind::Pronoun), None);
    }

    #[test]
    fn a_template_whose_variants_are_equal_is_refused() {
        let equal = PACK.replace("said the woman", "said the man");
        assert_eq!(
            refused(&equal),
            "xx.toml, key `templates.noun`: both variants of the template are `said the man`"
        );
        // … also when they only look different to a computer.
        let nfd = PACK.replace("the man", "m\u{e4}n").replace("the woman", "ma\u{308}n");
        assert!(refused(&nfd).contains("both variants of the template are"), "{}", refused(&nfd));
    }

    #[test]
    fn an_unclear_pack_is_refused_with_its_place() {
        assert_eq!(
            refused(&PACK.replace("absent = \"no gendered pronoun\"", "masculine = \"he said\"")),
            "xx.toml, key `templates.pronoun`: give either `masculine` and `feminine`, or `absent` with a reason"
        );
        assert_eq!(
            refused(&PACK.replace("\"said the man\"", "\"said the man \"")),
            "xx.toml, key `templates.noun`: `said the man ` begins or ends with white space"
        );
        assert_eq!(
            refused(&PACK.replace("\"xx\"", "\"xy\"")),
            "xx.toml, key `tag`: the pack's tag `xy` is not the file's name"
        );
        assert_eq!(
            refused(&PACK.replace("script", "skript")),
            "xx.toml, line 5: unknown field `skript`, expected one of `tag`, `name`, `endonym`, `script`, \
             `genderless_first_person`, `gender_marked_on`, `checked_by`, `quotes`, `templates`"
        );
        // Not YAML: an unquoted `no` is no language and no boolean, it is an error.
        assert!(refused("tag = no").starts_with("xx.toml, line 1: "));
    }
}
