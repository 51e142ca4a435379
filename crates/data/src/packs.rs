//! All language packs: the built-in ones, and those that a user adds.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use stereometer_core::Language;

use crate::embedded::LANGUAGES;
use crate::{DataError, LanguagePack};

/// Tags that a pack serves beside its own. Region and script are never dropped in silence: `pt-br` needs a pack.
///
/// `nn` is served by the pack of `no`, which is written in Bokmål; items in `nn` say so in a warning.
const ALIASES: [(&str, &str); 2] = [("nb", "no"), ("nn", "no")];

/// Names for several languages at once. `all`, every language of the set, needs no list.
const GROUPS: [(&str, &[&str]); 1] = [(
    "eu24", // the official languages of the European Union
    &[
        "bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "ga", "hr", "hu", "it", "lt", "lv", "mt",
        "nl", "pl", "pt", "ro", "sk", "sl", "sv",
    ],
)];

/// Language packs by tag.
#[derive(Debug, Clone)]
pub struct Packs(BTreeMap<Language, LanguagePack>);

impl Packs {
    /// The packs that come with the program.
    pub fn builtin() -> Result<Self, DataError> {
        let mut packs = Self(BTreeMap::new());
        for (file, toml) in LANGUAGES {
            packs.insert(LanguagePack::parse(file, toml)?);
        }
        Ok(packs)
    }

    /// Adds every `<tag>.toml` of a directory; a pack for a tag that is there already takes its place.
    pub fn with_directory(mut self, directory: &Path) -> Result<Self, DataError> {
        let io = |path: &Path, source| DataError::Io { path: path.to_owned(), source };
        let mut files = Vec::new();
        for entry in fs::read_dir(directory).map_err(|source| io(directory, source))? {
            let path = entry.map_err(|source| io(directory, source))?.path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                files.push(path);
            }
        }
        files.sort();
        for path in files {
            let toml = fs::read_to_string(&path).map_err(|source| io(&path, source))?;
            self.insert(LanguagePack::parse(&path.to_string_lossy(), &toml)?);
        }
        Ok(self)
    }

    fn insert(&mut self, pack: LanguagePack) {
        self.0.insert(pack.tag().clone(), pack);
    }

    /// The pack that serves a language: its own, or the one that the table of aliases names.
    pub fn get(&self, language: &Language) -> Option<&LanguagePack> {
        let alias = || ALIASES.iter().find(|(alias, _)| *alias == language.as_str());
        let served =
            || self.0.values().find(|pack| alias().is_some_and(|(_, tag)| pack.tag().as_str() == *tag));
        self.0.get(language).or_else(served)
    }

    /// Every pack, by tag.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &LanguagePack> {
        self.0.values()
    }

    /// The language that a tag, an English name or a language's own name stands for, if a pack serves it.
    pub fn find(&self, name: &str) -> Option<Language> {
        let name = name.trim();
        if let Some(tag) = name.parse().ok().filter(|tag| self.get(tag).is_some()) {
            return Some(tag);
        }
        let lower = name.to_lowercase();
        let named =
            |pack: &&LanguagePack| [pack.name(), pack.endonym()].iter().any(|n| n.to_lowercase() == lower);
        self.0.values().find(named).map(|pack| pack.tag().clone())
    }

    /// The tags of all packs, for messages.
    pub fn tags(&self) -> String {
        list(self.0.keys())
    }

    /// The languages that a choice such as `de,fr,Ukrainian` or `eu24` or `all` names among those of a set, each once, in
    /// the set's order. A group takes what the set has of it; a language named alone has to be there.
    pub fn select(&self, choice: &str, available: &[Language]) -> Result<Vec<Language>, DataError> {
        let mut chosen = Vec::new();
        for word in choice.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            if word == "all" {
                chosen.extend_from_slice(available);
            } else if let Some((_, tags)) = GROUPS.iter().find(|(group, _)| *group == word) {
                chosen.extend(available.iter().filter(|language| tags.contains(&language.as_str())).cloned());
            } else {
                chosen.push(self.select_one(word, available)?);
            }
        }
        let selected: Vec<Language> =
            available.iter().filter(|language| chosen.contains(language)).cloned().collect();
        if selected.is_empty() {
            return Err(DataError::NothingSelected { choice: choice.to_owned(), available: list(available) });
        }
        Ok(selected)
    }

    fn select_one(&self, word: &str, available: &[Language]) -> Result<Language, DataError> {
        let language = self.find(word).ok_or_else(|| DataError::UnknownLanguage {
            name: word.to_owned(),
            known: format!("{}, eu24, all", self.tags()),
        })?;
        if available.contains(&language) {
            return Ok(language);
        }
        let tag = |language: &Language| self.get(language).map(LanguagePack::tag);
        let same_pack = available.iter().find(|other| tag(other) == tag(&language));
        same_pack
            .cloned()
            .ok_or_else(|| DataError::LanguageNotInSet { name: word.to_owned(), available: list(available) })
    }
}

/// Languages separated by commas.
pub(crate) fn list<'a>(languages: impl IntoIterator<Item = &'a Language>) -> String {
    languages.into_iter().map(Language::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    fn languages(tags: &str) -> Vec<Language> {
        tags.split_whitespace().map(|tag| tag.parse().unwrap()).collect()
    }

    fn select(choice: &str, available: &str) -> Result<String, DataError> {
        Ok(list(&Packs::builtin()?.select(choice, &languages(available))?))
    }

    #[test]
    fn a_language_is_chosen_by_tag_by_name_or_by_group() {
        assert_eq!(select("fi,da", "da en fi").unwrap(), "da, fi");
        assert_eq!(select("Finnish, dansk,fi", "da en fi").unwrap(), "da, fi");
        assert_eq!(select("all", "da en fi").unwrap(), "da, en, fi");
        assert_eq!(select("eu24", "da en fi no tr").unwrap(), "da, en, fi");
        assert_eq!(select("eu24,tr", "da en fi no tr").unwrap(), "da, en, fi, tr");
    }

    #[test]
    fn norwegian_is_served_under_three_tags() {
        let packs = Packs::builtin().unwrap();
        for tag in ["no", "nb", "nn"] {
            assert_eq!(packs.get(&tag.parse().unwrap()).unwrap().tag().as_str(), "no");
        }
        assert_eq!(packs.find("Norwegian").unwrap().as_str(), "no");
        assert_eq!(select("nb", "da no").unwrap(), "no");
        assert_eq!(select("no", "da nb").unwrap(), "nb");
    }

    #[test]
    fn a_wrong_choice_says_what_there_is() {
        let error = select("da,qq", "da en").unwrap_err();
        assert!(error.to_string().starts_with("unknown language `qq`; known: "), "{error}");
        assert_eq!(error.kind(), ErrorKind::CommandLine);
        let error = select("da,fi", "da en").unwrap_err();
        assert_eq!(error.to_string(), "the set has no sentences in `fi`; it has: da, en");
        let error = select("eu24", "no tr").unwrap_err();
        assert_eq!(error.to_string(), "`eu24` selects none of the set's languages (no, tr)");
        assert_eq!(error.kind(), ErrorKind::NothingSelected);
        assert_eq!(select("", "no tr").unwrap_err().kind(), ErrorKind::NothingSelected);
    }

    #[test]
    fn the_group_of_the_union_has_24_languages() {
        let (_, tags) = GROUPS[0];
        assert_eq!(tags.len(), 24);
        assert!(tags.is_sorted());
    }

    #[test]
    fn a_users_pack_is_added_and_replaces() {
        let directory = tempfile::tempdir().unwrap();
        let english = LANGUAGES.iter().find(|(file, _)| *file == "en.toml").unwrap().1;
        let mine = english.replace("he said", "he whispered").replace("sthe", "she");
        fs::write(directory.path().join("en.toml"), mine).unwrap();
        let icelandic = english.replace("\"en\"", "\"is\"").replace("English", "Icelandic");
        fs::write(directory.path().join("is.toml"), icelandic).unwrap();
        fs::write(directory.path().join("README.md"), "not a pack").unwrap();
        let packs = Packs::builtin().unwrap().with_directory(directory.path()).unwrap();
        assert_eq!(packs.find("Icelandic").unwrap().as_str(), "is");
        let english = packs.get(&"en".parse().unwrap()).unwrap();
        let wrapped = english.wrap("I cook.", crate::TemplateKind::Pronoun).unwrap();
        assert_eq!(wrapped.0, "“I cook,” he whispered");
        let error = Packs::builtin().unwrap().with_directory(&directory.path().join("none")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input);
    }
}
