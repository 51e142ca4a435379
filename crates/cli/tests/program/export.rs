//! `export`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use stereometer_testkit::{golden, workspace};

use crate::{Done, command, path, run};

fn golden_run(name: &str) -> String {
    path(&golden("runs").join(name))
}

fn lines(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A run with a pair of equal texts, which has no score.
fn with_unscored(folder: &Path) -> Done {
    let sentences = "id,stereotype,neutral,masculine,feminine\n\
                     a,1,I cry.,,\nb,9,I lead.,,\nc,1,,So I am a nurse.,So I am a nurse.\nd,9,\"=1+1, he said\",,\n";
    fs::write(folder.join("items.en.csv"), sentences).unwrap();
    let model = crate::model("llama");
    run(
        folder,
        &["-q", "audit", "--model", &model, "--set", "items.en.csv", "--resamples", "20", "--out", "run"],
    )
}

#[test]
fn estimates_are_those_of_results_json() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (llama, qwen2) = (golden_run("llama"), golden_run("qwen2"));
    let more = ["--rule", "sum", "--average", "arithmetic", "--resamples", "50"];
    let mut arguments = vec!["export", &llama, &qwen2, "--format", "jsonl", "--out", "tables"];
    arguments.extend(more);
    let done = run(folder.path(), &arguments);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    assert_eq!(
        done.stdout,
        "tables/items.jsonl\ntables/scores.jsonl\ntables/estimates.jsonl\ntables/README.md\n\
         tables/export.json\n"
    );
    let mut arguments = vec!["-q", "report", &qwen2, "--out", "report"];
    arguments.extend(more);
    assert_eq!(run(folder.path(), &arguments).code, 0);
    let results: Value =
        serde_json::from_str(&fs::read_to_string(at("report/results.json")).unwrap()).unwrap();
    let rows = lines(&at("tables/estimates.jsonl"));
    let mut compared = 0;
    let mut compare = |estimate: &Value,
                       language: &Value,
                       stereotype: &Value,
                       rule: &str,
                       statistic: &str| {
        let found: Vec<&Value> = rows
            .iter()
            .filter(|row| {
                row["run"] == "qwen2"
                    && row["language"] == *language
                    && row["stereotype"] == *stereotype
                    && row["rule"] == rule
                    && row["form"].is_null()
                    && row["statistic"] == statistic
            })
            .collect();
        assert_eq!(found.len(), 1, "{language} {stereotype} {statistic}");
        assert_eq!(found[0]["value"], estimate["value"]);
        let kind = if estimate["bca"].is_null() { "percentile" } else { "bca" };
        assert_eq!([&found[0]["low"], &found[0]["high"]], [&estimate[kind]["low"], &estimate[kind]["high"]]);
        assert_eq!([&found[0]["n"], &found[0]["std_error"]], [&estimate["n"], &estimate["std_error"]]);
        compared += 1;
    };
    for language in results["languages"].as_array().unwrap() {
        let tag = &language["language"];
        for name in ["default_masculine_rate", "q_feminine", "q_masculine", "g_s", "g_s_arithmetic"] {
            compare(&language[name], tag, &Value::Null, "sum", name);
        }
        for one in language["stereotypes"].as_array().unwrap() {
            for name in ["q", "rank", "inclination"] {
                compare(&one[name], tag, &one["stereotype"], "sum", name);
            }
        }
        for one in language["by_rule"].as_array().unwrap() {
            compare(&one["g_s"], tag, &Value::Null, one["rule"].as_str().unwrap(), "g_s");
        }
    }
    compare(&results["mean_g_s"], &Value::Null, &Value::Null, "sum", "mean_g_s");
    assert_eq!(compared, 4 * (5 + 48 + 6) + 1);
}

#[test]
fn items_and_scores_are_those_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let llama = golden_run("llama");
    let done = run(folder.path(), &["export", &llama, "-f", "jsonl", "-o", "t", "--tables", "scores,items"]);
    assert_eq!((done.code, done.stdout.lines().count()), (0, 4), "{}", done.stderr);
    let rows = lines(&Path::new(&llama).join("items.jsonl"));
    let items = lines(&folder.path().join("t/items.jsonl"));
    assert_eq!(items.len(), 2 * rows.len());
    for (pair, row) in items.chunks(2).zip(&rows) {
        for (variant, (place, name)) in pair.iter().zip([(0, "masculine"), (1, "feminine")]) {
            let stored = &row["outcome"]["scored"][name];
            let json = |key: &str| serde_json::from_str::<Value>(variant[key].as_str().unwrap()).unwrap();
            assert_eq!([&variant["item"], &variant["text"]], [&row["id"], &row["texts"][place]]);
            assert_eq!(
                [json("tokens"), json("logprobs")],
                [stored["tokens"].clone(), stored["logprobs"].clone()]
            );
        }
    }
    let scores = lines(&folder.path().join("t/scores.jsonl"));
    assert_eq!(scores.len(), 6 * rows.len(), "one an item and rule");
    let number = |value: &Value| value.as_f64().unwrap();
    for (pair, of_item) in items.chunks(2).zip(scores.chunks(6)) {
        let mean = number(&pair[0]["mean_logprob"]) - number(&pair[1]["mean_logprob"]);
        let sum = number(&pair[0]["sum_logprob"]) - number(&pair[1]["sum_logprob"]);
        for (score, expected) in of_item.iter().zip([mean, sum]) {
            assert!((number(&score["log_odds"]) - expected).abs() < 1e-12);
            assert!((number(&score["masculine_rate"]) - 1.0 / (1.0 + (-expected).exp())).abs() < 1e-12);
        }
    }
}

#[test]
fn what_has_no_score_stays_missing_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(with_unscored(folder.path()).code, 5);
    let mut written = 0;
    for format in ["csv", "jsonl", "parquet", "xlsx", "latex"] {
        let done = run(
            folder.path(),
            &["export", "run", "-f", format, "-o", format, "--tables", "items,scores,estimates"],
        );
        assert_eq!(done.code, 5, "{format}: {}", done.stderr);
        assert_eq!(done.stderr, "warning: run: 1 item unscored (`report` says why)\n");
        written += done.stdout.lines().filter(|path| folder.path().join(path).exists()).count();
    }
    assert_eq!(written, 5 * 5);
    let rows = lines(&folder.path().join("jsonl/items.jsonl"));
    let unscored: Vec<&Value> = rows.iter().filter(|row| row["outcome"] == "unscored").collect();
    assert_eq!(unscored.len(), 2);
    for row in unscored {
        assert_eq!(row["reason"], "equal-texts");
        for key in ["n_tokens", "n_scored", "sum_logprob", "mean_logprob", "tokens", "logprobs"] {
            assert!(row[key].is_null(), "{key}: {row}");
        }
    }
    let csv = fs::read_to_string(folder.path().join("csv/items.csv")).unwrap();
    assert!(csv.contains(",So I am a nurse.,,,,,,,unscored,equal-texts\r\n"), "{csv}");
    let latex = fs::read_to_string(folder.path().join("latex/items.tex")).unwrap();
    assert!(latex.contains("& So I am a nurse. & -- & -- & -- & equal-texts \\\\\n"), "{latex}");
}

#[test]
fn runs_of_one_name_are_told_apart_and_an_export_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let llama = golden_run("llama");
    fs::create_dir_all(folder.path().join("a/llama")).unwrap();
    for file in ["spec.json", "items.jsonl"] {
        fs::copy(Path::new(&llama).join(file), folder.path().join("a/llama").join(file)).unwrap();
    }
    let export = |more: &[&str]| {
        let mut arguments = vec!["export", &llama, "a/llama", "--resamples", "20", "--out", "out"];
        arguments.extend(more);
        run(folder.path(), &arguments)
    };
    assert_eq!(export(&["--format", "jsonl", "--tables", "estimates"]).code, 0);
    let rows = lines(&folder.path().join("out/estimates.jsonl"));
    let mut names: Vec<&str> = rows.iter().map(|row| row["run"].as_str().unwrap()).collect();
    names.dedup();
    assert_eq!(names, ["llama", "llama-2"]);
    fs::write(folder.path().join("out/mine.txt"), "mine").unwrap();
    let done = export(&["--format", "latex"]);
    assert_eq!(
        (done.code, done.stderr.as_str()),
        (0, "latex holds the estimates alone; --tables items,scores,estimates has all\n")
    );
    let mut files: Vec<_> =
        fs::read_dir(folder.path().join("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["README.md", "estimates.tex", "export.json", "mine.txt"]);
}

#[test]
fn mistakes_are_said_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let llama = golden_run("llama");
    fs::create_dir(folder.path().join("full")).unwrap();
    fs::write(folder.path().join("full/items.csv"), "mine").unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let cases: [(&[&str], i32, &str); 9] = [
        (&[&llama, &llama, "-f", "csv", "-o", "x"], 2, "the run is named twice"),
        (
            &["nowhere", "-f", "csv", "-o", "x"],
            3,
            "error: nowhere: not a run directory (no spec.json)\nhint: ",
        ),
        (
            &[&llama, "-f", "csv", "-o", "full"],
            2,
            "error: full: the folder holds `items.csv` and no export (no export.json)\nhint: choose a new folder with --out",
        ),
        (&[&llama, "-f", "csv", "-o", "file"], 1, "error: cannot create the folder file: "),
        (&[&llama, "-f", "ods", "-o", "x"], 2, "known: csv, jsonl, parquet, xlsx, latex, lm-eval"),
        (&[&llama, "-f", "csv", "-o", "x", "--tables", "item"], 2, "known: items, scores, estimates"),
        (
            &[&llama, "-f", "lm-eval", "-o", "x", "--rule", "divergence"],
            2,
            "error: lm-eval cannot repeat this run: the rule `divergence` looks at single tokens, and it gives one number \
             a text\nhint: choose --rule mean, sum or per-byte",
        ),
        (
            &[&llama, &golden_run("qwen2"), "-f", "lm-eval", "-o", "x"],
            2,
            "error: a task for lm-eval is made of one run\nhint: export each run",
        ),
        (
            &[&llama, "-f", "lm-eval", "-o", "x", "--tables", "items"],
            2,
            "error: --tables: a task for lm-eval has no tables",
        ),
    ];
    for (arguments, code, said) in cases {
        let arguments: Vec<&str> =
            ["export", "--resamples", "20"].into_iter().chain(arguments.iter().copied()).collect();
        let done = run(folder.path(), &arguments);
        assert!(
            done.code == code && done.stderr.contains(said),
            "{arguments:?}: {} {}",
            done.code,
            done.stderr
        );
        assert_eq!(done.stdout, "");
        assert!(!folder.path().join("x").exists(), "{arguments:?}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("full/items.csv")).unwrap(), "mine");
}

#[test]
fn a_masked_run_and_one_in_a_chat_template_are_not_for_lm_eval() {
    let folder = tempfile::tempdir().unwrap();
    let chat = crate::chat::with_template(folder.path(), crate::chat::TEMPLATE);
    let cases = [
        (
            crate::model("bert"),
            "bert",
            "--quick",
            "the method `pll-original` hides tokens of a text, and it asks causal",
        ),
        (
            chat,
            "chat",
            "--chat-template",
            "the texts stood inside a chat template, whose tokens it would score",
        ),
    ];
    for (model, name, more, said) in cases {
        let audit =
            ["-q", "audit", "--model", &model, "--languages", "en", "--resamples", "20", "--out", name, more];
        assert!([0, 5].contains(&run(folder.path(), &audit).code));
        let done = run(folder.path(), &["-q", "export", name, "-f", "lm-eval", "-o", "x"]);
        assert_eq!(done.code, 2);
        assert!(done.stderr.contains(said), "{}", done.stderr);
        assert!(done.stderr.contains("hint: `export --format jsonl` has every"), "{}", done.stderr);
        assert!(!folder.path().join("x").exists());
    }
}

#[test]
fn a_reader_that_leaves_and_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let llama = golden_run("llama");
    let export = |out: &'static str| ["-q", "export", &llama, "-f", "csv", "-o", out, "--resamples", "20"];
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let child =
        command(folder.path(), &export("unread")).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
    let done: Done = child.wait_with_output().unwrap().into();
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    assert!(folder.path().join("unread/estimates.csv").exists());
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let child = command(folder.path(), &export("full")).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let done: Done = child.wait_with_output().unwrap().into();
    assert_eq!(
        (done.code, done.stderr.as_str()),
        (1, "error: stdout: cannot write: No space left on device (os error 28)\n")
    );
    // A folder in the place of a file.
    fs::create_dir_all(folder.path().join("blocked")).unwrap();
    assert_eq!(run(folder.path(), &export("blocked")).code, 0);
    let before = fs::read_to_string(folder.path().join("blocked/estimates.csv")).unwrap();
    fs::remove_file(folder.path().join("blocked/scores.csv")).unwrap();
    fs::create_dir(folder.path().join("blocked/scores.csv")).unwrap();
    let done = run(folder.path(), &[&export("blocked")[..], &["--rule", "sum"]].concat());
    assert_eq!(done.code, 3, "{}", done.stderr);
    assert!(
        done.stderr.contains("error: blocked/scores.csv: cannot write: Is a directory"),
        "{}",
        done.stderr
    );
    assert_eq!(fs::read_to_string(folder.path().join("blocked/estimates.csv")).unwrap(), before);
    let names = fs::read_dir(folder.path().join("blocked")).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = names.filter(|name| name.to_string_lossy().contains(".tmp")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Python with lm-evaluation-harness, transformers and PyTorch; says so and gives nothing when it is not there.
fn python_with_lm_eval() -> Option<PathBuf> {
    let asked = std::env::var_os("STEREOMETER_LM_EVAL_PYTHON").map(PathBuf::from);
    let python = asked.unwrap_or_else(|| workspace().join("target/bench-venv/bin/python"));
    let ready = Command::new(&python).args(["-c", "import lm_eval, torch, transformers"]).output();
    if ready.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    eprintln!(
        "skipped: {} has no lm_eval (set STEREOMETER_LM_EVAL_PYTHON to a Python that has it)",
        python.display()
    );
    None
}

/// lm-evaluation-harness 0.4.13 (transformers 5, PyTorch 2, f32) on the same checkpoints. Its numbers are independent of
/// the engine but for `carried`; tolerance 1e-4, as for all goldens.
#[test]
fn lm_eval_gives_the_numbers_of_the_run() {
    let Some(python) = python_with_lm_eval() else { return };
    // With a BOS token, without one, and without one under other choices.
    for (name, rule, average) in
        [("llama", "mean", "geometric"), ("qwen2", "mean", "geometric"), ("qwen2", "per-byte", "arithmetic")]
    {
        let folder = tempfile::tempdir().unwrap();
        let source = golden_run(name);
        let more = ["--rule", rule, "--average", average, "--resamples", "20"];

        let task =
            run(folder.path(), &[&["export", &source, "-f", "lm-eval", "-o", "task"][..], &more].concat());
        assert_eq!(task.code, 0, "{}", task.stderr);
        let tables = ["export", &source, "-f", "jsonl", "-o", "tables"];
        assert_eq!(run(folder.path(), &[&tables[..], &more].concat()).code, 0);
        let readme = fs::read_to_string(folder.path().join("task/README.md")).unwrap();
        let prefix = readme.split_once("dtype=float32").unwrap().1.split_once(' ').unwrap().0;
        let model = format!("pretrained={},dtype=float32{prefix}", crate::model(name));
        let output = Command::new(&python)
            .args([
                "-m",
                "lm_eval",
                "--model",
                "hf",
                "--device",
                "cpu",
                "--batch_size",
                "8",
                "--model_args",
                &model,
            ])
            .args([
                "--tasks",
                "stereometer_mini",
                "--include_path",
                "task",
                "--log_samples",
                "--output_path",
                "out",
            ])
            .current_dir(folder.path())
            .envs([("HF_HUB_OFFLINE", "1"), ("HF_DATASETS_OFFLINE", "1")])
            .env("HF_HOME", folder.path().join("hf"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        compare(folder.path(), name, rule);
    }
}

fn compare(folder: &Path, name: &str, rule: &str) {
    let found = fs::read_dir(folder.join("out")).unwrap().next().unwrap().unwrap().path();
    let files: Vec<PathBuf> = fs::read_dir(found).unwrap().map(|entry| entry.unwrap().path()).collect();
    let scores = lines(&folder.join("tables/scores.jsonl"));
    let (mut largest, mut compared) = (0.0_f64, 0);
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "jsonl")) {
        for sample in lines(file) {
            let own =
                scores.iter().find(|row| row["item"] == sample["doc"]["id"] && row["rule"] == rule).unwrap();
            let difference =
                sample["masculine_rate"].as_f64().unwrap() - own["masculine_rate"].as_f64().unwrap();
            largest = largest.max(difference.abs());
            compared += 1;
        }
    }
    assert_eq!(compared, 256, "{name} {rule}");
    assert!(largest < 1e-4, "{name} {rule}: {largest}");
    let results = files.iter().find(|file| file.extension().is_some_and(|ending| ending == "json")).unwrap();
    let results: Value = serde_json::from_str(&fs::read_to_string(results).unwrap()).unwrap();
    let estimates = lines(&folder.join("tables/estimates.jsonl"));
    let mut far = 0.0_f64;
    for row in estimates
        .iter()
        .filter(|row| row["form"].is_null() && row["rule"] == rule && row["stereotype"].is_null())
    {
        let (task, metric) = match (row["language"].as_str(), row["statistic"].as_str().unwrap()) {
            (
                Some(tag),
                name @ ("default_masculine_rate" | "q_feminine" | "q_masculine" | "g_s" | "g_s_arithmetic"),
            ) => (format!("stereometer_mini_{tag}"), name),
            (None, "mean_g_s") => ("stereometer_mini".to_owned(), "g_s"),
            _ => continue,
        };
        let theirs = results["results"][&task][format!("{metric},none")].as_f64().unwrap();
        far = far.max((theirs - row["value"].as_f64().unwrap()).abs());
    }
    println!(
        "{name}, {rule}: {compared} items, largest difference {largest:.1e} of r, {far:.1e} of an estimate"
    );
    assert!(far < 1e-4, "{name} {rule}: {far}");
}
