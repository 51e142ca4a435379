//! How the study's inputs name things: which list holds which form, which map resolves it, what the placeholders stand for.

use super::Kind;

/// A list of surface forms.
pub(super) struct List {
    pub(super) tag: &'static str,
    /// Its key, with a dot between levels.
    pub(super) key: &'static str,
    /// The map of `name_maps.json` that resolves it.
    pub(super) map: &'static str,
    pub(super) kind: Kind,
    /// The forms whose text it gives, in one case.
    pub(super) forms: &'static [&'static str],
    pub(super) case: usize,
}

/// The neutral noun of a form.
pub(super) struct Prior {
    pub(super) tag: &'static str,
    pub(super) form: &'static str,
    /// One key for each case.
    pub(super) keys: &'static [&'static str],
    /// The form whose sentence and traits the noun has.
    pub(super) agrees: &'static str,
}

/// A placeholder of the study's templates for a group: forms and case.
pub(super) struct Placeholder {
    pub(super) tag: &'static str,
    pub(super) text: &'static str,
    pub(super) forms: &'static [&'static str],
    pub(super) case: usize,
}

const SINGULAR: &[&str] = &["singular"];
const PLURAL: &[&str] = &["plural"];
const PLAIN: &[&str] = &["plain"];
const MASCULINE: &[&str] = &["singular-masculine"];
const FEMININE: &[&str] = &["singular-feminine"];
const MASCULINES: &[&str] = &["plural-masculine"];
const FEMININES: &[&str] = &["plural-feminine"];
/// A form of its own: the list of Hindi oblique plurals is not split by gender.
const OBLIQUE: &[&str] = &["plural-oblique"];
const HINDI: &[&str] =
    &["singular-masculine", "singular-feminine", "plural-masculine", "plural-feminine", "plural-oblique"];

const fn groups(
    tag: &'static str,
    key: &'static str,
    map: &'static str,
    forms: &'static [&'static str],
    case: usize,
) -> List {
    List { tag, key, map, kind: Kind::Group, forms, case }
}

const fn traits(
    tag: &'static str,
    key: &'static str,
    map: &'static str,
    forms: &'static [&'static str],
    case: usize,
) -> List {
    List { tag, key, map, kind: Kind::Pole, forms, case }
}

pub(super) const LISTS: &[List] = &[
    groups("en", "groups_sing", "group_en2en", SINGULAR, 0),
    groups("en", "groups_plur", "pluralgroup_en2en", PLURAL, 0),
    groups("en", "groups_cap_plur", "pluralcapgroup_en2en", PLURAL, 1),
    traits("en", "traits", "trait_en2en", &["singular", "plural"], 0),
    groups("zh", "groups", "group_zh2en", PLAIN, 0),
    traits("zh", "traits", "trait_zh2en", PLAIN, 0),
    groups("ru", "csgroup.masculine", "csgroup_masc_ru2en", MASCULINE, 0),
    groups("ru", "csgroup.feminine", "csgroup_fem_ru2en", FEMININE, 0),
    groups("ru", "pluralgroups.pgroup", "pluralgroup_pgroup_ru2en", PLURAL, 0),
    groups("ru", "pluralgroups.cpgroup", "pluralgroup_cpgroup_ru2en", PLURAL, 1),
    traits("ru", "strait.masculine", "strait_masc_ru2en", MASCULINE, 0),
    traits("ru", "strait.feminine", "strait_fem_ru2en", FEMININE, 0),
    traits("ru", "pluraltraits.ptrait", "pluraltrait_ptrait_ru2en", PLURAL, 0),
    traits("ru", "pluraltraits.ptrait2", "pluraltrait_ptrait2_ru2en", PLURAL, 1),
    // Groups of women and men have the masculine sentences: `sn`, `pn` beside `sm`, `pm`.
    groups("hi", "smgroup", "smgroup_hi2en", MASCULINE, 0),
    groups("hi", "sngroup", "sngroup_hi2en", MASCULINE, 0),
    groups("hi", "sfgroup", "sfgroup_hi2en", FEMININE, 0),
    groups("hi", "pmgroup", "pmgroup_hi2en", MASCULINES, 0),
    groups("hi", "pngroup", "pngroup_hi2en", MASCULINES, 0),
    groups("hi", "pfgroup", "pfgroup_hi2en", FEMININES, 0),
    groups("hi", "pgroup2", "pgroup2_hi2en", OBLIQUE, 0),
    traits("hi", "traits", "trait_hi2en", HINDI, 0),
];

/// In the order of the forms.
pub(super) const PRIORS: &[Prior] = &[
    Prior { tag: "en", form: "singular", keys: &["prior_g_sing"], agrees: "singular" },
    Prior { tag: "en", form: "plural", keys: &["prior_g_plur", "prior_g_cap_plur"], agrees: "plural" },
    Prior { tag: "zh", form: "plain", keys: &["prior_group"], agrees: "plain" },
    Prior { tag: "ru", form: "singular-masculine", keys: &["prior_g_cs"], agrees: "singular-masculine" },
    Prior { tag: "ru", form: "singular-feminine", keys: &["prior_g_cs"], agrees: "singular-masculine" },
    Prior { tag: "ru", form: "plural", keys: &["prior_g_p", "prior_g_cp"], agrees: "plural" },
    Prior { tag: "hi", form: "singular-masculine", keys: &["prior_g_s"], agrees: "singular-masculine" },
    Prior { tag: "hi", form: "singular-feminine", keys: &["prior_g_s"], agrees: "singular-masculine" },
    Prior { tag: "hi", form: "plural-masculine", keys: &["prior_g_p"], agrees: "plural-masculine" },
    Prior { tag: "hi", form: "plural-feminine", keys: &["prior_g_p"], agrees: "plural-masculine" },
    Prior { tag: "hi", form: "plural-oblique", keys: &["prior_g_g2"], agrees: "plural-oblique" },
];

pub(super) const PLACEHOLDERS: &[Placeholder] = &[
    Placeholder { tag: "en", text: "<sgroup>", forms: SINGULAR, case: 0 },
    Placeholder { tag: "en", text: "<pgroup>", forms: PLURAL, case: 0 },
    Placeholder { tag: "en", text: "<cpgroup>", forms: PLURAL, case: 1 },
    Placeholder { tag: "zh", text: "<group>", forms: PLAIN, case: 0 },
    Placeholder {
        tag: "ru",
        text: "<csgroup>",
        forms: &["singular-masculine", "singular-feminine"],
        case: 0,
    },
    Placeholder { tag: "ru", text: "<pgroup>", forms: PLURAL, case: 0 },
    Placeholder { tag: "ru", text: "<cpgroup>", forms: PLURAL, case: 1 },
    Placeholder { tag: "hi", text: "<smgroup>", forms: MASCULINE, case: 0 },
    Placeholder { tag: "hi", text: "<sfgroup>", forms: FEMININE, case: 0 },
    Placeholder { tag: "hi", text: "<pmgroup>", forms: MASCULINES, case: 0 },
    Placeholder { tag: "hi", text: "<pfgroup>", forms: FEMININES, case: 0 },
    Placeholder { tag: "hi", text: "<pgroup2>", forms: OBLIQUE, case: 0 },
];

/// The placeholders of a trait, with the case.
pub(super) const TRAITS: &[(&str, usize)] =
    &[("<mask>", 0), ("<strait>", 0), ("<ptrait>", 0), ("<ptrait2>", 1)];

/// The tables of templates. Those of one row are read side by side: the same sentence for a feminine and a masculine group.
pub(super) const TEMPLATES: &[(&str, &[&str])] = &[
    ("en", &["tplts"]),
    ("zh", &["tplts"]),
    ("ru", &["tplts"]),
    ("hi", &["tplts_msc", "tplts_fem"]),
    ("hi", &["tplts_extra"]),
];

/// What the study calls the kinds of its templates.
pub(super) const KINDS: &[(&str, &str)] = &[
    ("sing_plur", "number"),
    ("sing_plur1", "number"),
    ("sing_plur2", "number"),
    ("dec_int", "mood"),
    ("adv", "adverb"),
    ("fact_belif", "belief"),
    ("fact_belif2", "belief"),
    ("fact_socExpt", "social-expectation"),
    ("gt_tg", "inverted-order"),
    ("comp", "comparison"),
];

/// Surface forms that stand for several poles, in the order in which the list repeats them.
pub(super) const SHARED: &[(&str, &str, &[&str])] = &[("hi", "बेईमान", &["untrustworthy", "dishonest"])];
