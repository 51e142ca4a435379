//! `associate` on tiny checkpoints, and from its runs to a leakage page.

use std::fs;

use stereometer_testkit::golden;

use crate::{path, run};

fn model(name: &str) -> String {
    path(&golden("models").join(name))
}

/// People of two languages who lean by a rule of arithmetic.
fn survey(path: &std::path::Path) {
    let inventory = stereometer_data::Inventory::open("abc").unwrap();
    let mut text = "language,participant,group,pair,rating\n".to_owned();
    for (place, group) in inventory.groups().iter().enumerate() {
        for (number, pair) in inventory.pairs().iter().enumerate() {
            for (language, step) in [("en", 13), ("ru", 29)] {
                for participant in 0..5 {
                    let rating = (place * step + number * 17 + participant * 7) % 101;
                    let pair = format!("{} - {}", pair.left.id, pair.right.id);
                    let row = [language, &format!("{language}{participant}"), group.id.as_str(), &pair];
                    text += &row.join(",");
                    text += if rating < 50 { ",-" } else { "," };
                    text += &rating.abs_diff(50).to_string();
                    text.push('\n');
                }
            }
        }
    }
    fs::write(path, text).unwrap();
}

#[test]
fn every_kind_of_model_is_asked_by_its_own_method_and_ends_in_a_page() {
    let folder = tempfile::tempdir().unwrap();
    for (name, method, languages, code) in
        [("bert", "set", "en", 5), ("mt5", "ilps", "en,ru", 0), ("llama", "continuation", "ru", 0)]
    {
        let arguments =
            ["associate", "--model", &model(name), "--languages", languages, "--quick", "--out", name];
        let done = run(folder.path(), &arguments);
        assert_eq!(done.code, code, "{}", done.stderr);
        assert!(done.stderr.contains(&format!("with {name} by {method}\n")), "{}", done.stderr);
        assert!(done.stdout.contains("associations: "), "{}", done.stdout);
        let table = fs::read_to_string(folder.path().join(name).join("associations.csv")).unwrap();
        assert_eq!(table.lines().count(), 1 + 960 * languages.split(',').count(), "{name}");
        assert!(table.starts_with("language,group,pole,score,spread,templates\n"), "{table}");
        // Missing is an empty cell.
        for cell in table.lines().skip(1).filter_map(|line| line.split(',').nth(3)) {
            assert!(cell.is_empty() || cell.parse::<f64>().unwrap().is_finite(), "{name}: {cell}");
        }
    }
    survey(&folder.path().join("people.csv"));
    let arguments = ["leakage", "--runs", "mt5", "llama", "--humans", "people.csv", "--out", "leak"];
    let done = run(folder.path(), &arguments);
    assert!([0, 6].contains(&done.code), "{}", done.stderr);
    assert!(done.stdout.contains("llama by continuation"), "{}", done.stdout);
    assert!(folder.path().join("leak/report/index.html").is_file());
    let done = run(folder.path(), &["leakage", "--runs", "mt5", "mt5", "--humans", "people.csv"]);
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("are the same model asked the same questions"), "{}", done.stderr);
}

#[test]
fn a_cut_run_goes_on_to_the_same_bytes_and_another_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let model = model("mt5");
    let whole = ["associate", "--model", &model, "--languages", "en", "--quick", "--out", "run"];
    assert_eq!(run(folder.path(), &whole).code, 0);
    let rows = folder.path().join("run/items.jsonl");
    let bytes = fs::read(&rows).unwrap();
    fs::write(&rows, &bytes[..bytes.len() / 3]).unwrap();
    let resumed = run(folder.path(), &[&whole[..], &["--resume"]].concat());
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert_eq!(fs::read(&rows).unwrap(), bytes);
    let again = run(folder.path(), &whole);
    assert_eq!(again.code, 2, "{}", again.stderr);
    assert!(again.stderr.contains("there is a run in this folder already"), "{}", again.stderr);
    let other = ["associate", "--model", &model, "--languages", "ru", "--quick", "--out", "run", "--resume"];
    let refused = run(folder.path(), &other);
    assert!(refused.stderr.contains("cannot resume: the languages w"), "{}", refused.stderr);
    let shown = run(folder.path(), &["runs", "show", "run"]);
    assert!(shown.stdout.contains("inventory       abc 1: "), "{}", shown.stdout);
    let listed = run(folder.path(), &["runs", "list", "."]);
    assert!(listed.stdout.contains("ilps"), "{}", listed.stdout);
    let wrong = run(folder.path(), &["report", "run"]);
    assert_eq!(wrong.code, 3);
    assert!(wrong.stderr.contains("a run of associations (`associate`), not an audit"), "{}", wrong.stderr);
    assert!(wrong.stderr.contains("hint: `stereometer leakage` reads such runs"), "{}", wrong.stderr);
}

#[test]
fn what_cannot_be_asked_is_said_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let bert = model("bert");
    for (arguments, code, said) in [
        (
            &["--method", "ilps"][..],
            2,
            "the method `ilps` is for encoder–decoder language models, this one is masked",
        ),
        (&["--method", "sette"], 2, "unknown method `sette`"),
        (&["--languages", "en,xx"], 2, "the inventory has no language `xx`; it has: en, ru, zh, hi"),
        (&["--inventory", "nowhere"], 2, "nowhere"),
    ] {
        let done =
            run(folder.path(), &[&["associate", "--model", &bert, "--out", "run"], arguments].concat());
        assert_eq!(done.code, code, "{arguments:?}: {}", done.stderr);
        assert!(done.stderr.contains(said), "{arguments:?}: {}", done.stderr);
        assert!(!folder.path().join("run").exists());
    }
}
