//! Paths and directories.

use std::fs;
use std::path::Path;

use stereometer_data::{ErrorKind, check, open};

use crate::HEADER;
use crate::common::packs;

#[test]
fn a_set_or_a_path_that_does_not_exist() {
    let packs = packs();
    let error = open("minni", None, packs).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown set `minni`: neither a known name (mini, eurogest) nor an existing file or directory"
    );
    assert_eq!(error.kind(), ErrorKind::CommandLine);
    assert_eq!(error.hint().unwrap(), "`stereometer set list` shows the known sets");
    let error = open("eurogest", None, packs).unwrap_err();
    assert_eq!(error.to_string(), "the set `eurogest` is not on this machine yet");
    assert_eq!(error.kind(), ErrorKind::NotPulled);
    assert_eq!(error.hint().unwrap(), "`stereometer set pull eurogest` fetches it");
}

/// A directory with these files.
fn directory(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory for the test");
    for (name, content) in files {
        fs::write(directory.path().join(name), content).expect("a file for the test");
    }
    directory
}

/// The message of a refused directory, without the directory's own path.
fn refused_directory(files: &[(&str, &str)]) -> String {
    let directory = directory(files);
    let error = open(path(directory.path()), None, packs()).expect_err("the directory should be refused");
    assert_eq!(error.kind(), ErrorKind::Input);
    error.to_string().replace(path(directory.path()), "DIR")
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn a_directory_that_is_no_set() {
    let rows = format!("{HEADER}a,1,Ich koche.,,\n");
    assert_eq!(refused_directory(&[]), "DIR: the directory holds no file of a stereotype set");
    assert_eq!(
        refused_directory(&[("README.md", "words")]),
        "DIR: the directory holds no file of a stereotype set"
    );
    assert_eq!(
        refused_directory(&[("Bulgarian.csv", "GEST_ID,Stereotype_ID,Neutral\n"), ("my.csv", &rows)]),
        "DIR: the directory mixes formats: Bulgarian.csv and my.csv"
    );
    assert_eq!(
        refused_directory(&[
            ("items.de.csv", &rows),
            ("set.toml", "name = \"mine\"\nstereotypes = \"mine\"\n")
        ]),
        "DIR/set.toml, line 2: unknown variant `mine`, expected `gest`"
    );
    assert_eq!(
        refused_directory(&[("items.de.csv", &rows), ("items.fr.csv", &rows.replace("a,1", "a,1,"))]),
        "DIR/items.fr.csv, record 1 (line 2): 6 cells where the header has 5"
    );
}

#[test]
fn a_directory_of_the_plain_format_is_a_set() {
    let rows = format!("{HEADER}a,1,Ich koche.,,\n");
    let toml =
        "name = \"mine\"\nversion = \"2\"\nlicence = \"CC0-1.0\"\norigin = \"us\"\nstereotypes = \"gest\"\n";
    let json = "{\"id\":\"a\",\"stereotype\":1,\"neutral\":\"Je cuisine.\"}\n";
    let directory = directory(&[
        ("items.de.csv", &rows),
        ("items.fr.jsonl", json),
        ("set.toml", toml),
        ("other.csv", "a,b\n"),
    ]);
    let set = open(path(directory.path()), None, packs()).unwrap();
    assert_eq!((set.name(), set.version()), ("mine", Some("2")));
    assert_eq!(set.provenance().licence.as_deref(), Some("CC0-1.0"));
    let files: Vec<(&str, usize)> =
        set.provenance().files.iter().map(|file| (&*file.name, file.sentences)).collect();
    assert_eq!(files, [("items.de.csv", 1), ("items.fr.jsonl", 1)]);
    let origins: Vec<String> = set.sentences().iter().map(|sentence| sentence.origin.to_string()).collect();
    assert_eq!(origins, ["items.de.csv, record 1", "items.fr.jsonl, record 1"]);
}

#[test]
fn a_single_file_is_a_set_of_its_name() {
    let directory = directory(&[("items.de.csv", &format!("{HEADER}a,1,Ich koche.,,\n"))]);
    let set = open(path(&directory.path().join("items.de.csv")), None, packs()).unwrap();
    assert_eq!((set.name(), set.provenance().licence.as_deref()), ("items.de", None));
    assert_eq!(set.sentences()[0].origin.to_string(), "items.de.csv, record 1");
}

#[test]
fn a_check_lists_every_problem_and_every_doubt() {
    let rows = "a,17,Ich koche.,,\nb,1,,Ich bin Koch.,\nc,2,,Ich singe.,Ich singe.\nd,3,Ich tanze.,,\ne,3,Ich tanze.,,\n";
    let directory = directory(&[("items.de.csv", &format!("{HEADER}{rows}"))]);
    let report = check(path(directory.path()), None, packs()).unwrap();
    assert_eq!(report.problems.len(), 2);
    assert_eq!(report.info.summary(), "2 neutral sentences in 1 language and 1 gendered pair in 1 language");
    let notes: Vec<String> = report.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "de: pairs whose two sentences are the same, which get no score: 1 (first: items.de.csv, record 3)",
            "de: sentences that another row has as well: 1 (first: items.de.csv, record 5)",
            "de: no sentence for stereotypes 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16",
        ]
    );
    let error = open(path(directory.path()), None, packs()).unwrap_err();
    assert_eq!(error.hint().unwrap(), "`stereometer set check` lists this problem and 1 more");
}
