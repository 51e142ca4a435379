//! Whether a language has every form that its templates need.

use super::InventoryLanguage;
use super::fault::{Faults, InventoryFault};
use super::scheme::Scheme;
use super::template::{Part, render};

impl InventoryLanguage {
    /// A group that is called as the neutral noun is has no difference from it.
    pub(crate) fn check_priors(&self, faults: &mut Faults) {
        for (group, cells) in &self.groups {
            let shared = self.forms.iter().find_map(|form| {
                let same = |case: &usize| {
                    let noun = form.prior.get(&form.key, *case);
                    noun.is_some() && noun == cells.get(&form.key, *case)
                };
                let case = (0..self.cases.group.len()).find(same)?;
                Some((form, form.prior.get(&form.key, case)?.to_owned()))
            });
            if let Some((form, text)) = shared {
                let group = group.to_string();
                faults.at(&format!("forms.{}.prior", form.key), InventoryFault::PriorIsGroup { text, group });
            }
        }
    }

    /// Every form that a template needs has to be there: of the neutral noun, of every trait, and of every group that has the
    /// form at all.
    pub(crate) fn check_templates(&self, scheme: &Scheme, faults: &mut Faults) {
        for template in &self.templates {
            let place = format!("templates.{}", template.key);
            for (form, parts) in &template.texts {
                let lacking = |of: &str| InventoryFault::NoForm { form: form.to_string(), of: of.to_owned() };
                if self.prior_sentence(template, form).is_none() {
                    faults.at(&place, lacking("the neutral noun"));
                }
                for group in &scheme.groups {
                    let cells = self.groups.get(&group.id).filter(|cells| cells.0.contains_key(form));
                    if cells.is_some_and(|cells| render(parts, form, cells, &self.words).is_none()) {
                        faults.at(&place, lacking(group.id.as_str()));
                    }
                }
                let case = parts.iter().find_map(|part| match part {
                    Part::Trait { case } => Some(*case),
                    _ => None,
                });
                let Some(case) = case else { continue };
                let agrees =
                    self.forms.iter().find(|known| known.key == *form).map(|known| &known.prior_agrees);
                for (pole, cells) in &self.traits {
                    let own = cells.get(form, case);
                    if own.is_none() {
                        faults.at(&place, lacking(pole.as_str()));
                    }
                    // A group and its neutral noun are compared in the same trait: its text has to be the same for both.
                    let prior = agrees.and_then(|agrees| cells.get(agrees, case));
                    if let (Some(own), Some(prior)) = (own, prior)
                        && own != prior
                    {
                        let [pole, own, prior] = [pole.as_str(), own, prior].map(str::to_owned);
                        faults.at(&place, InventoryFault::PriorTrait { pole, own, prior });
                    }
                }
            }
        }
    }
}
