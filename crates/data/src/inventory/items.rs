//! From an inventory to items: every template in every form that a group has, and the same about the neutral noun.

use std::collections::BTreeMap;

use stereometer_core::{AssociationItem, Language, Slug, Subject, Warning};

use super::template::{Template, render};
use super::{Inventory, InventoryLanguage};

/// Which templates to use; all of them, by default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TemplateFilter {
    /// Only these kinds; empty: every kind.
    pub kinds: Vec<Slug>,
    /// At most so many templates of a kind, the first ones: for a quick run.
    pub per_kind: Option<usize>,
}

impl TemplateFilter {
    fn choose<'a>(&self, templates: &'a [Template]) -> Vec<&'a Template> {
        let mut seen: BTreeMap<&Slug, usize> = BTreeMap::new();
        templates
            .iter()
            .filter(|template| self.kinds.is_empty() || self.kinds.contains(&template.kind))
            .filter(|template| {
                let n = seen.entry(&template.kind).or_default();
                *n += 1;
                self.per_kind.is_none_or(|most| *n <= most)
            })
            .collect()
    }
}

impl Inventory {
    /// Every item of the languages, and what was left out: language by language in the inventory's order, template by
    /// template, form by form, the neutral noun before the groups.
    pub fn items(&self, languages: &[Language]) -> (Vec<AssociationItem>, Vec<Warning>) {
        self.items_of(languages, &TemplateFilter::default())
    }

    /// The items of some templates.
    pub fn items_of(
        &self,
        languages: &[Language],
        filter: &TemplateFilter,
    ) -> (Vec<AssociationItem>, Vec<Warning>) {
        let (mut items, mut warnings) = (Vec::new(), Vec::new());
        for language in self.languages.iter().filter(|one| languages.contains(&one.language)) {
            for template in filter.choose(&language.templates) {
                let mut without: Vec<&Slug> = self.groups.iter().map(|group| &group.id).collect();
                for (form, _) in &template.texts {
                    items.extend(language.prior_item(template, form));
                    for group in &self.groups {
                        if let Some(item) = language.group_item(template, form, &group.id) {
                            items.push(item);
                            without.retain(|id| **id != group.id);
                        }
                    }
                }
                if !without.is_empty() {
                    warnings.push(Warning::Data { detail: left_out(language, template, &without) });
                }
            }
        }
        (items, warnings)
    }
}

fn left_out(language: &InventoryLanguage, template: &Template, groups: &[&Slug]) -> String {
    let groups = super::scheme::join(groups);
    let tag = &language.language;
    format!("{tag}: no sentence `{}` about {groups}: no form that this template is for", template.key)
}

/// A sentence with its blank, and the traits that fit there.
pub(crate) struct Rendered<'a> {
    text: String,
    /// The case of the traits.
    case: usize,
    /// The form that words and traits agree with.
    agrees: &'a Slug,
}

impl InventoryLanguage {
    fn group_item(&self, template: &Template, form: &Slug, group: &Slug) -> Option<AssociationItem> {
        let (text, case) = render(template.text(form)?, form, self.groups.get(group)?, &self.words)?;
        self.item(template, form, Subject::Group(group.clone()), Rendered { text, case, agrees: form })
    }

    fn prior_item(&self, template: &Template, form: &Slug) -> Option<AssociationItem> {
        self.item(template, form, Subject::Prior, self.prior_sentence(template, form)?)
    }

    /// The sentence about the neutral noun in the place of a group of this form. It agrees with the noun, where that has another
    /// gender than the group.
    pub(crate) fn prior_sentence(&self, template: &Template, form: &Slug) -> Option<Rendered<'_>> {
        let noun = self.forms.iter().find(|known| known.key == *form)?;
        let agrees = &noun.prior_agrees;
        let parts = template.text(agrees).or_else(|| template.text(form))?;
        let (text, case) = render(parts, agrees, &noun.prior_cells(), &self.words)?;
        Some(Rendered { text, case, agrees })
    }

    fn item(
        &self,
        template: &Template,
        form: &Slug,
        subject: Subject,
        sentence: Rendered<'_>,
    ) -> Option<AssociationItem> {
        let Rendered { text, case, agrees } = sentence;
        let trait_of =
            |pole: &Slug| Some((pole.clone(), self.traits.get(pole)?.get(agrees, case)?.to_owned()));
        Some(AssociationItem {
            id: AssociationItem::id_of(&self.language, &template.key, form, &subject),
            language: self.language.clone(),
            template: template.key.clone(),
            kind: template.kind.clone(),
            form: form.clone(),
            subject,
            text,
            traits: self.poles.iter().map(trait_of).collect::<Option<_>>()?,
        })
    }
}
