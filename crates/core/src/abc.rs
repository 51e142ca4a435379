//! The ABC model of social groups (Koch et al. 2016) and the kinds of groups of the Leakage study (Cao et al.).

use std::fmt;

use serde::{Deserialize, Serialize};

/// A dimension of the ABC model. Of each trait pair the right pole is the high end: powerful, modern, warm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dimension {
    /// Agency, or socio-economic success.
    Agency,
    /// Beliefs: conservative to progressive.
    Beliefs,
    /// Communion.
    Communion,
}

impl Dimension {
    /// All three, in the order of their letters.
    pub const ALL: [Self; 3] = [Self::Agency, Self::Beliefs, Self::Communion];

    /// The name in files and in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agency => "agency",
            Self::Beliefs => "beliefs",
            Self::Communion => "communion",
        }
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Whether a pole is a praise, a reproach or neither: what makes a leak positive, negative or non-polar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Valence {
    /// A praise.
    Positive,
    /// A reproach.
    Negative,
    /// Neither.
    NonPolar,
}

impl Valence {
    /// The name in files and in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Positive => "positive",
            Self::Negative => "negative",
            Self::NonPolar => "non-polar",
        }
    }
}

impl fmt::Display for Valence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How widely a group is known, and whether what is said of it is expected to be alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupCategory {
    /// Known in all languages, with stereotypes expected to be shared.
    SharedShared,
    /// Known in all languages, with stereotypes expected to differ.
    SharedNonShared,
    /// Known in its home language above all.
    NonShared,
}

impl GroupCategory {
    /// All three, in the order of the study.
    pub const ALL: [Self; 3] = [Self::SharedShared, Self::SharedNonShared, Self::NonShared];

    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SharedShared => "shared-shared",
            Self::SharedNonShared => "shared-non-shared",
            Self::NonShared => "non-shared",
        }
    }

    /// In words.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::SharedShared => "shared groups, shared stereotypes",
            Self::SharedNonShared => "shared groups, non-shared stereotypes",
            Self::NonShared => "non-shared groups",
        }
    }
}

impl fmt::Display for GroupCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
