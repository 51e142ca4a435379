//! Read a stereotype set in a language, check it, and build items; say where every row came from.
//!
//! ```no_run
//! use stereometer_core::TemplateChoice;
//! use stereometer_data::{Packs, open};
//!
//! let packs = Packs::builtin()?;
//! let set = open("mini", None, &packs)?;
//! let languages = packs.select("eu24", &set.languages())?;
//! let (items, warnings) = set.items(&packs, TemplateChoice::Auto, &languages);
//! # Ok::<(), stereometer_data::DataError>(())
//! ```
//!
//! A set is opened by name or by path, in one of the formats of `docs/formats.md`, and is checked once, at the door:
//! whoever holds a [`StereotypeSet`] has NFC text without outer white space, known stereotypes and languages, pairs with
//! both halves, and unique items. What was repaired on the way is a note of the set; what cannot be repaired is a
//! [`Problem`] with its file, record and column. Nothing is skipped in silence.

mod bare;
mod catalogue;
mod check;
mod door;
mod error;
mod fault;
pub mod humans;
mod inventory;
mod items;
mod language;
mod note;
mod packs;
mod read;
mod script;
mod set;
mod subset;

pub use catalogue::{KnownSet, known, open, read_bytes};
pub use check::{Info, LanguageInfo, Report, check};
pub use error::{DataError, ErrorKind};
pub use fault::{Fault, Place, Problem, excerpt};
pub use inventory::{
    Aliases, Group, Inventory, InventoryCounts, InventoryFault, InventoryLanguage, InventoryReport,
    KnownInventory, Pole, StudyInputs, TemplateFilter, TraitPair, check_inventory, is_inventory,
    known_inventories,
};
pub use language::{LanguagePack, Quotes, Template, TemplateKind};
pub use packs::Packs;
pub use set::{Origin, Provenance, Sentence, SetFile, StereotypeSet, Text};

/// What is compiled into the program; listed by `build.rs`.
mod embedded {
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
}
