//! A smaller set with the same shape, for a quick look.
//!
//! Every source sentence has a permanent random number, drawn from the seed, its stereotype and its identifier alone. A language
//! takes, of each stereotype, the sentences with the smallest numbers among those that it has. So the languages share as many
//! source sentences as they can, each still gets its full count, and adding a language or a sentence moves no other choice
//! (coordinated sampling with permanent random numbers; Brewer, Early & Joyce 1972).

use std::collections::{BTreeMap, BTreeSet};

use stereometer_core::{Language, Seed, StereotypeId, Warning};

use crate::note::grouped;
use crate::{Sentence, StereotypeSet};

impl StereotypeSet {
    /// The set reduced to some languages and to at most `per_stereotype` source sentences of each stereotype in each of them,
    /// with a warning if that left something out.
    #[must_use]
    pub fn subset(
        &self,
        languages: &[Language],
        per_stereotype: usize,
        seed: Seed,
    ) -> (Self, Option<Warning>) {
        let mut sources: BTreeMap<(&Language, StereotypeId), BTreeSet<(u64, &str)>> = BTreeMap::new();
        let wanted = || self.sentences.iter().filter(|sentence| languages.contains(&sentence.language));
        for sentence in wanted() {
            let cell = sources.entry((&sentence.language, sentence.stereotype)).or_default();
            cell.insert((number(seed, sentence), &sentence.source));
            if cell.len() > per_stereotype {
                cell.pop_last();
            }
        }
        let is_chosen = |sentence: &&Sentence| {
            let cell = sources.get(&(&sentence.language, sentence.stereotype));
            cell.is_some_and(|cell| cell.contains(&(number(seed, sentence), &*sentence.source)))
        };
        let sentences: Vec<Sentence> = wanted().filter(is_chosen).cloned().collect();
        let (kept, all) = (sentences.len(), wanted().count());
        let warning = (kept < all).then(|| Warning::Subset {
            detail: format!(
                "{} of {} sentences, at most {per_stereotype} a stereotype and language, chosen by seed {}; \
                 the languages share their source sentences where they have them",
                grouped(kept),
                grouped(all),
                seed.0
            ),
        });
        (Self { sentences, ..self.clone() }, warning)
    }
}

/// The permanent random number of a source sentence.
fn number(seed: Seed, sentence: &Sentence) -> u64 {
    seed.stream(&format!("subset/{}/{}", sentence.stereotype, sentence.source))
}
