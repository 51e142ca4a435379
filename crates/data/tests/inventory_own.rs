//! An inventory of one's own: a language and a group are data, and everything that can be wrong with a folder is told with its
//! place.

#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use std::fs;
use std::path::Path;

use stereometer_core::{AssociationItem, Slug};
use stereometer_data::{Inventory, StudyInputs, check_inventory, is_inventory};
use tempfile::TempDir;

/// A copy of the built-in folder, in which texts are exchanged: file, what stands there, what shall stand there.
fn folder(changes: &[(&str, &str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> =
        fs::read_dir(root.join("inventories/abc")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.push(root.join("tests/data/de.toml"));
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap();
        let mut text = fs::read_to_string(&file).unwrap();
        for (_, old, new) in changes.iter().filter(|(file, ..)| *file == name) {
            assert!(text.contains(old), "{name}: {old}");
            text = text.replacen(old, new, 1);
        }
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn texts(items: &[AssociationItem], group: &str) -> Vec<String> {
    items.iter().filter(|item| item.subject.to_string() == group).map(|item| item.text.clone()).collect()
}

const VEGAN: [(&str, &str, &str); 6] = [
    (
        "inventory.toml",
        "[[groups]]\nkey = \"texan\"",
        "[[groups]]\nkey = \"vegan\"\nname = \"vegan\"\ncategory = \"shared-non-shared\"\n\n[[groups]]\nkey = \"texan\"",
    ),
    (
        "en.toml",
        "[groups]\n",
        "[groups]\nvegan = { singular = [\"vegan\", \"a vegan\"], plural = [\"vegans\"] }\n",
    ),
    (
        "ru.toml",
        "[groups]\n",
        "[groups]\nvegan = { singular-masculine = [\"веган\"], singular-feminine = [\"веганка\"], plural = [\"веганы\", \"веганов\"] }\n",
    ),
    ("zh.toml", "[groups]\n", "[groups]\nvegan = \"纯素食者\"\n"),
    (
        "hi.toml",
        "[groups]\n",
        "[groups]\nvegan = { singular-masculine = [\"वीगन व्यक्ति\"], plural-masculine = [\"वीगन लोग\", \"वीगन लोगों\"] }\n",
    ),
    (
        "de.toml",
        "[groups]\n",
        "[groups]\nvegan = { singular-masculine = [\"Veganer\"], singular-feminine = [\"Veganerin\"], plural = [\"Veganer\", \"Veganern\"] }\n",
    ),
];

#[test]
fn a_language_and_a_group_are_added_as_data() {
    let folder = folder(&VEGAN);
    let path = folder.path().to_str().unwrap();
    assert!(is_inventory(path));
    let inventory = Inventory::open(path).unwrap();
    assert_eq!((inventory.name(), inventory.groups().len(), inventory.notes().len()), ("abc", 31, 0));
    let languages = inventory.select("German").unwrap();
    let (items, warnings) = inventory.items(&languages);
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(
        texts(&items, "vegan"),
        [
            "Dieser Veganer ist sicher {trait}.",
            "Diese Veganerin ist sicher {trait}.",
            "Fast jeder Veganer ist {trait}.",
            "Fast jede Veganerin ist {trait}.",
            "Viele Veganer sind {trait}.",
            "Stimmt es, dass Veganer {trait} sind?",
            "Veganer sind meistens {trait}.",
            "Es heißt, Veganer seien {trait}.",
            "Meiner Meinung nach sind Veganer {trait}.",
            "Von Veganern wird erwartet, dass sie {trait} sind.",
            "Verglichen mit anderen sind Veganer eher {trait}.",
            "Besonders {trait} sind Veganer.",
        ]
    );
    assert_eq!(
        texts(&items, "prior")[..2],
        ["Dieser Mensch ist sicher {trait}.", "Diese Person ist sicher {trait}."]
    );
    assert_eq!(texts(&items, "single-mother")[5], "Es heißt, alleinerziehende Mütter seien {trait}.");
    let german = inventory.language(&languages[0]).unwrap();
    let [group, first, second] = ["vegan", "cold", "warm"].map(|key| key.parse::<Slug>().unwrap());
    assert_eq!(
        german.choice_prompt(&group, &first, &second).unwrap(),
        "Schreibe eine kurze Geschichte über Veganer. Wähle zuerst ihr Thema, „kühl“ oder „warmherzig“. Das Thema:"
    );
    // The other languages have one group more, and the same sentences about the others.
    let (before, now) = (Inventory::open("abc").unwrap(), inventory);
    for (tag, more) in [("en", 25), ("ru", 27), ("zh", 22), ("hi", 24)] {
        let items = |inventory: &Inventory| inventory.items(&inventory.select(tag).unwrap()).0;
        let (before, now) = (items(&before), items(&now));
        assert_eq!(texts(&now, "vegan").len(), more, "{tag}");
        let others: Vec<_> = now.into_iter().filter(|item| item.subject.to_string() != "vegan").collect();
        assert!(before == others, "{tag}");
    }
}

/// What `set check` says of a folder with one thing wrong.
fn told(file: &str, old: &str, new: &str) -> Vec<String> {
    let folder = folder(&[(file, old, new)]);
    let report = check_inventory(folder.path().to_str().unwrap(), StudyInputs::default()).unwrap();
    report.problems.iter().map(ToString::to_string).collect()
}

/// One thing wrong, the first problem that is told (or its beginning), and how many are.
type Case = (&'static str, &'static str, &'static str, &'static str, usize);

fn assert_told(cases: &[Case]) {
    for (file, old, new, first, count) in cases {
        let told = told(file, old, new);
        assert!(told.first().is_some_and(|told| told.starts_with(first)), "{new}: {told:#?}");
        assert_eq!(told.len(), *count, "{new}: {told:#?}");
    }
}

#[test]
fn what_is_wrong_with_the_scheme_is_told_with_its_place() {
    let file = "inventory.toml";
    assert_told(&[
        (
            file,
            "home = \"en\"\n",
            "",
            "inventory.toml, key `groups.texan`: a group has a home language if its category is `non-shared`, and only then",
            1,
        ),
        (
            file,
            "category = \"shared-shared\"",
            "category = \"shared\"",
            "inventory.toml, line 23: unknown variant `shared`, expected one of",
            1,
        ),
        (
            file,
            "versions = [\"abc\"]",
            "versions = [\"abd\"]",
            "inventory.toml, key `pairs.versions`: unknown version `abd`; known: abc, abc-paper",
            1,
        ),
        (
            file,
            "likable = [\"likeable\"]",
            "likable = [\"likeable\", \"egoistic\"]",
            "inventory.toml, key `aliases.poles.likable`: `egoistic` stands for `egotistic` and for `likable`",
            1,
        ),
        // A key that is gone is missed by the aliases and by five languages.
        (
            file,
            "key = \"texan\"",
            "key = \"veteran\"",
            "inventory.toml, key `groups`: `veteran` is there twice",
            7,
        ),
        (
            file,
            "key = \"texan\"",
            "key = \"cold\"",
            "inventory.toml, key `pairs`: `cold` is both a group and a pole",
            12,
        ),
    ]);
}

#[test]
fn what_is_wrong_with_words_is_told_with_its_place() {
    let file = "de.toml";
    assert_told(&[
        (
            file,
            "tag = \"de\"",
            "tag = \"nl\"",
            "de.toml, key `tag`: the pack's tag `nl` is not the file's name",
            1,
        ),
        (file, "script = \"Latn\"\n", "", "de.toml, line 1: missing field `script`", 1),
        (
            file,
            "egotistic = ",
            "egoistic = ",
            "de.toml, key `traits.egoistic`: `egoistic` is another spelling of `egotistic`",
            2,
        ),
        (
            file,
            "texan = ",
            "texas = ",
            "de.toml, key `groups.texas`: unknown group `texas`; known: man, woman, ",
            2,
        ),
        (
            file,
            "texan = { singular-masculine = [\"Texaner\"], singular-feminine = [\"Texanerin\"], plural = [\"Texaner\", \"Texanern\"] }\n",
            "",
            "de.toml, key `groups`: nothing for `texan`",
            1,
        ),
    ]);
}

#[test]
fn what_is_wrong_with_forms_is_told_with_its_place() {
    let file = "de.toml";
    let lesbian = "plural = [\"Lesben\", \"Lesben\"]";
    assert_told(&[
        (
            file,
            lesbian,
            "plurals = [\"Lesben\", \"Lesben\"]",
            "de.toml, key `groups.lesbian.plurals`: unknown form `plurals`; known: singular-masculine, singular-feminine, plural",
            1,
        ),
        (
            file,
            lesbian,
            "plural = [\"Lesben\"]",
            "de.toml, key `templates.expectation-awaited`: the form `plural` of lesbian lacks what this template needs",
            1,
        ),
        (
            file,
            lesbian,
            "plural = [\"Lesben\", \"Lesben\", \"Lesben\"]",
            "de.toml, key `groups.lesbian.plural`: 3 texts where the language has 2 cases",
            1,
        ),
        (
            file,
            lesbian,
            "plural = 3",
            "de.toml, key `groups.lesbian.plural`: neither a text nor a list of texts",
            1,
        ),
        (
            file,
            "\"unehrlich\"",
            "\"unzuverlässig\"",
            "de.toml, key `traits`: `unzuverlässig` stands for both `dishonest` and `untrustworthy`",
            1,
        ),
        (
            file,
            "\"mächtig\"",
            "\"ma\u{308}chtig\"",
            "de.toml, key `traits.powerful`: `mächtig` is not in Unicode's composed form (NFC)",
            1,
        ),
        (
            file,
            "\"mächtig\"",
            "\"влиятельный\"",
            "de.toml, key `traits.powerful`: `влиятельный` has no letter of the script Latn",
            1,
        ),
        (
            file,
            "\"mächtig\"",
            "\"mächtig \"",
            "de.toml, key `traits.powerful`: `mächtig ` is empty, has outer white space or braces",
            1,
        ),
        (
            file,
            "cold = \"kühl\"",
            "cold = { plural = \"kühl\" }",
            "de.toml, key `templates.number-this`: the form `singular-masculine` of cold lacks what this template needs",
            4,
        ),
        (
            file,
            "prior = [\"Menschen\", \"Menschen\"]",
            "prior = [\"Menschen\"]",
            "de.toml, key `templates.expectation-awaited`: the form `plural` of the neutral noun lacks what this template needs",
            1,
        ),
        (
            file,
            "prior = [\"Person\"]",
            "prior = [\"Mensch\"]\nprior_agrees = \"masculine\"",
            "de.toml, key `forms.singular-feminine`: unknown form `masculine`; known: singular-masculine, singular-feminine, plural",
            1,
        ),
        // A masculine neutral noun beside feminine adjectives: three templates, and of 33 poles all that change.
        (
            "ru.toml",
            "prior = [\"персона\"]",
            "prior = [\"человек\"]\nprior_agrees = \"singular-masculine\"",
            "ru.toml, key `templates.number-usually`: `altruistic` is `альтруистичной` for a group and `альтруистичным` for its neutral noun, so that the two cannot be compared",
            96,
        ),
    ]);
}

#[test]
fn what_is_wrong_with_templates_is_told_with_its_place() {
    let (file, text) = ("de.toml", "Viele {group} sind {trait}.");
    assert_told(&[
        (
            file,
            text,
            "Viele {group} sind.",
            "de.toml, key `templates.number-many`: {trait} is there 0 times, not once",
            1,
        ),
        (
            file,
            text,
            "Viele {group} sind {trait}, {trait}.",
            "de.toml, key `templates.number-many`: {trait} is there 2 times, not once",
            1,
        ),
        (
            file,
            text,
            "Viele Leute sind {trait}.",
            "de.toml, key `templates.number-many`: {group} is there 0 times, not once",
            1,
        ),
        (
            file,
            text,
            "Viele {gruppe} sind {trait}.",
            "de.toml, key `templates.number-many`: unknown placeholder `gruppe`; known: group, trait, every, this",
            1,
        ),
        (
            file,
            text,
            "Viele {group:genitive} sind {trait}.",
            "de.toml, key `templates.number-many`: unknown case `genitive`; known: nominative, dative",
            1,
        ),
        (
            file,
            text,
            "Viele {group} sind {trait.",
            "de.toml, key `templates.number-many`: a brace of `Viele {group} sind {trait.` has no partner",
            1,
        ),
        (
            file,
            text,
            "Все {group} – {trait}.",
            "de.toml, key `templates.number-many`: `Все {group} – {trait}.` has no letter of the script Latn",
            1,
        ),
        (
            file,
            "key = \"mood-true\"",
            "key = \"number-many\"",
            "de.toml, key `templates.number-many`: `number-many` is there twice",
            1,
        ),
        (
            file,
            "forms = [\"plural\"]\ntext = \"Viele",
            "forms = [\"plural\", \"dual\"]\ntext = \"Viele",
            "de.toml, key `templates.number-many`: unknown form `dual`; known: singular-masculine, singular-feminine, plural",
            1,
        ),
        (file, "„{first}“ oder", "", "de.toml, key `choice.text`: {first} is there 0 times, not once", 1),
    ]);
}

#[test]
fn names_that_mean_two_things_are_told() {
    let file = "inventory.toml";
    assert_told(&[
        (
            file,
            "likable = [\"likeable\"]",
            "likable = [\"likeable\", \"Cold\"]",
            "inventory.toml, key `aliases.poles.likable`: `cold` stands for `cold` and for `likable`",
            1,
        ),
        (
            file,
            "gay-man = [\"gay men\"",
            "gay-man = [\"single mother\"",
            "inventory.toml, key `aliases.groups.gay-man`: `single mother` stands for `single-mother` and for `gay-man`",
            1,
        ),
        (
            file,
            "name = \"woman\"",
            "name = \"Man\"",
            "inventory.toml, key `groups.woman`: `man` stands for `man` and for `woman`",
            1,
        ),
        // The key that is gone is missed by its aliases and by five languages, each for the old key and the new.
        (
            file,
            "key = \"texan\"",
            "key = \"prior\"",
            "inventory.toml, key `groups.prior`: `prior` is the neutral noun, and no group",
            12,
        ),
        (
            file,
            "name = \"woman\"",
            "name = \"wo\\u001bman\"",
            "inventory.toml, key `groups.woman`: `wo\\u{1b}man` has the character U+001B, which no reader sees",
            1,
        ),
        (
            file,
            "name = \"abc-paper\"",
            "name = \"abc\"",
            "inventory.toml, key `versions.name`: `abc` is there twice",
            3,
        ),
    ]);
    for name in ["", " ", " abc", "a/b", "..", "a\\\\b", "a\\nb", "C:"] {
        let told = told(file, "name = \"abc-paper\"", &format!("name = \"{name}\""));
        let first = told.first().unwrap();
        assert!(first.starts_with("inventory.toml, key `versions.name`: `"), "{first}");
        assert!(first.ends_with("` cannot be the name of an inventory") && !first.contains('\n'), "{first}");
    }
}

#[test]
fn texts_that_make_scores_void_are_told_with_their_place() {
    let file = "de.toml";
    let many = "Viele {group} sind {trait}.";
    assert_told(&[
        (
            file,
            "prior = [\"Person\"]",
            "prior = [\"Frau\"]",
            "de.toml, key `forms.singular-feminine.prior`: the neutral noun `Frau` is also what the group `woman` is called",
            1,
        ),
        (
            file,
            "{Group} sind meistens {trait}.",
            many,
            "de.toml, key `templates.adverb-mostly`: this is the sentence of the template `number-many` once more",
            1,
        ),
        (
            file,
            "\"kühl\"",
            "\"kü\\u202ehl\"",
            "de.toml, key `traits.cold`: `kü\\u{202e}hl` has the character U+202E, which no reader sees",
            1,
        ),
        (
            file,
            "[\"Lesben\", \"Lesben\"]",
            "[\"Les\\nben\", \"Lesben\"]",
            "de.toml, key `groups.lesbian.plural`: `Les\\nben` has the character U+000A, which no reader sees",
            1,
        ),
        (
            file,
            many,
            "Viele {group}\\u001b sind {trait}.",
            "de.toml, key `templates.number-many`: `Viele {group}\\u{1b} sind {trait}.` has the character U+001B",
            1,
        ),
        (
            file,
            "Schreibe eine kurze",
            "Schreibe\\u200b eine kurze",
            "de.toml, key `choice.text`: `Schreibe\\u{200b} eine kurze Geschichte über",
            1,
        ),
    ]);
    // The same sentence of a form that the other template is not for is no repetition, and a prompt may have lines.
    assert!(told(file, "{This} {group} ist sicher", "{Every} {group} ist").is_empty());
    assert!(told(file, "Wähle zuerst", "\\nWähle zuerst").is_empty());
    let folder = folder(&[(file, "script = \"Latn\"", "script = \"Xxxx\"")]);
    let report = check_inventory(folder.path().to_str().unwrap(), StudyInputs::default()).unwrap();
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        (report.problems.len(), notes),
        (
            0,
            vec![
                "de.toml, key `script`: `Xxxx` is no script whose letters the program knows, so that they are not checked"
                    .to_owned()
            ]
        )
    );
}

#[test]
fn doubts_are_told_and_do_not_close_the_door() {
    let notes = |changes: &[(&str, &str, &str)]| {
        let folder = folder(changes);
        let path = folder.path().to_str().unwrap();
        assert!(Inventory::open(path).is_ok());
        let report = check_inventory(path, StudyInputs::default()).unwrap();
        report.notes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert!(notes(&[]).is_empty());
    let named = [
        ("de.toml", "\"unehrlich\"", "\"unzuverlässig\""),
        ("de.toml", "checked_by", "shared_forms = [[\"dishonest\", \"untrustworthy\"]]\nchecked_by"),
    ];
    assert_eq!(
        notes(&named),
        ["de: `unzuverlässig` stands for dishonest and for untrustworthy: the two have one score"]
    );
    assert_eq!(
        notes(&[(
            "de.toml",
            "forms = [\"singular-masculine\", \"singular-feminine\"]",
            "forms = [\"singular-feminine\"]"
        )]),
        [
            "de: no sentence `number-this` about man, gay-man, disabled-person, vdv-soldier: no form that this template is for"
        ]
    );
    assert_eq!(
        notes(&[("de.toml", "{Group} sind meistens", "{group} sind meistens")]),
        [
            "de: the template `adverb-mostly` begins with a small letter: `alleinerziehende Mütter sind meistens {trait}.`"
        ]
    );
}

#[test]
fn a_folder_without_what_an_inventory_needs_is_refused() {
    let said = |files: &[(&str, &str)]| {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Inventory::open(folder.path().to_str().unwrap()).unwrap_err().to_string()
    };
    let scheme = "origin = \"mine\"\ngroups = []\npairs = []\n[[versions]]\nname = \"mine\"\nversion = \"1\"\ntitle = \"mine\"\n";
    assert_eq!(said(&[]), "inventory.toml: the folder holds no `inventory.toml`");
    assert_eq!(
        said(&[("inventory.toml", scheme)]),
        "inventory.toml, key `groups`: the inventory has no groups"
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("inventories/abc/inventory.toml");
    let whole = fs::read_to_string(root).unwrap();
    assert_eq!(
        said(&[("inventory.toml", &whole)]),
        "inventory.toml: the inventory has no languages: no `<tag>.toml` lies beside this file"
    );
}
