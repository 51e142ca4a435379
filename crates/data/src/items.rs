//! From sentences to items, the minimal pairs that get a score (EuroGEST, section 3).

use std::collections::BTreeMap;

use stereometer_core::{Form, Item, Language, TemplateChoice, Warning};

use crate::{LanguagePack, Packs, Sentence, StereotypeSet, Template, TemplateKind, Text};

impl StereotypeSet {
    /// The items of some languages, in the order of the sentences; of one sentence the pronoun item comes before the noun item.
    ///
    /// A gendered pair is one item, whatever the template. A pair of equal texts is an item as well: that it has no score is
    /// for the audit to record. The warnings say what has no item, and which languages borrow another one's templates.
    pub fn items(
        &self,
        packs: &Packs,
        template: TemplateChoice,
        languages: &[Language],
    ) -> (Vec<Item>, Vec<Warning>) {
        let mut items = Vec::new();
        let mut left_out: BTreeMap<&Language, usize> = BTreeMap::new();
        let mut borrowed: BTreeMap<&Language, &Language> = BTreeMap::new();
        for sentence in self.sentences.iter().filter(|sentence| languages.contains(&sentence.language)) {
            match &sentence.text {
                Text::Gendered { masculine, feminine } => {
                    items.push(item(sentence, Form::Gendered, (masculine.clone(), feminine.clone())));
                }
                Text::Neutral(text) => {
                    let pack = packs.get(&sentence.language);
                    let kinds = pack.map_or_else(Vec::new, |pack| kinds(pack, template));
                    let wrapped = |kind: &TemplateKind| Some((kind.form(), pack?.wrap(text, *kind)?));
                    items.extend(
                        kinds.iter().filter_map(wrapped).map(|(form, pair)| item(sentence, form, pair)),
                    );
                    if kinds.is_empty() {
                        *left_out.entry(&sentence.language).or_default() += 1;
                    }
                    if let Some(other) = pack.map(LanguagePack::tag).filter(|tag| **tag != sentence.language)
                    {
                        borrowed.insert(&sentence.language, other);
                    }
                }
            }
        }
        let left_out = left_out.into_iter().map(|(language, sentences)| Warning::NoTemplate {
            language: language.clone(),
            template: name(template).to_owned(),
            sentences,
        });
        let borrowed = borrowed.into_iter().map(|(language, other)| Warning::Data {
            detail: format!("{language}: its neutral sentences are wrapped in the templates of `{other}`"),
        });
        (items, left_out.chain(borrowed).collect())
    }
}

fn item(sentence: &Sentence, form: Form, (masculine, feminine): (String, String)) -> Item {
    Item {
        id: Item::id_of(&sentence.language, &sentence.source, form),
        language: sentence.language.clone(),
        source: sentence.source.clone(),
        stereotype: sentence.stereotype,
        form,
        masculine,
        feminine,
    }
}

/// The templates that a choice means in a language, of those that exist there.
fn kinds(pack: &LanguagePack, choice: TemplateChoice) -> Vec<TemplateKind> {
    use TemplateKind::{Noun, Pronoun};
    let exists = |kind: &TemplateKind| matches!(pack.template(*kind), Template::Present { .. });
    let wanted: &[TemplateKind] = match choice {
        TemplateChoice::Auto if !exists(&Pronoun) => &[Noun],
        TemplateChoice::Auto | TemplateChoice::Pronoun => &[Pronoun],
        TemplateChoice::Noun => &[Noun],
        TemplateChoice::Both => &[Pronoun, Noun],
    };
    wanted.iter().copied().filter(exists).collect()
}

fn name(choice: TemplateChoice) -> &'static str {
    match choice {
        TemplateChoice::Pronoun => "pronoun",
        TemplateChoice::Noun => "noun",
        TemplateChoice::Auto | TemplateChoice::Both => "pronoun or noun",
    }
}
