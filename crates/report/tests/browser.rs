//! The pages of a run and of a comparison in a real browser: a headless Chromium, driven by `browser/driver.js` from a page beside the report.
//!
//! Chromium is found on the path, or named by `CHROME`; without it the tests say that they are skipped.

#![cfg(unix)] // process groups
#![allow(clippy::unwrap_used)] // a failed helper is a failed test

use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use stereometer_audit::{Settings, analyse};
use stereometer_record::{Results, RunSpec, read_items};
use stereometer_report::{Options, ReportInput, write, write_comparison};
use stereometer_testkit::golden;
use tempfile::TempDir;

mod specimen;

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// For one start of the browser, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(45);
/// One browser at a time; where one hangs, the next is not waited for.
static BROWSER: Mutex<()> = Mutex::new(());

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROME").filter(|name| !name.is_empty()).map(PathBuf::from);
    let found = named.or_else(|| NAMES.into_iter().find_map(on_path));
    if found.is_none() {
        eprintln!("skipped: no Chromium on the path (set CHROME to one)");
    }
    found
}

/// What Chromium prints, and what it says besides; it does not outlive the test.
fn run(program: &Path, folder: &Path, arguments: &[&str]) -> (String, String) {
    let _alone = BROWSER.lock().expect("the browser failed in another test");
    let [out, err] = ["stdout", "stderr"].map(|name| folder.join(name));
    let mut profile = OsString::from("--user-data-dir=");
    profile.push(folder.join("profile"));
    let mut child = Command::new(program)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-extensions", "--disable-dev-shm-usage"])
        .args(["--allow-file-access-from-files", "--enable-logging=stderr"])
        .arg(profile)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(File::create(&out).unwrap())
        .stderr(File::create(&err).unwrap())
        .process_group(0)
        .spawn()
        .unwrap();
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if began.elapsed() > PATIENCE {
            break None;
        }
        sleep(Duration::from_millis(50));
    };
    // Its helpers are in its group; where all have ended, there is nothing to kill.
    let group = format!("-{}", child.id());
    let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
    let _ = child.wait();
    let read = |path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    let (stdout, stderr) = (read(&out), read(&err));
    assert!(
        status.is_some_and(|status| status.success()),
        "{status:?} after {:?}: {stderr}",
        began.elapsed()
    );
    (stdout, stderr)
}

fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}

fn specimen_in(folder: &Path) -> PathBuf {
    let results = specimen::results(30);
    let (spec, items) = (specimen::spec(&results), specimen::items(&results));
    let input = ReportInput { spec: &spec, results: &results, items: &items };
    write(&input, folder, &Options::default()).unwrap().page
}

/// A run with byte-level pieces, analysed as `report` does.
fn golden_in(folder: &Path) -> PathBuf {
    let run = golden("runs/llama");
    let spec: RunSpec = serde_json::from_slice(&fs::read(run.join("spec.json")).unwrap()).unwrap();
    let items = read_items(&run.join("items.jsonl")).unwrap();
    let names: Vec<_> = spec.identity.languages.iter().map(|one| (one.clone(), one.to_string())).collect();
    let settings = Settings { resamples: 200, ..Settings::default() };
    let results: Results = analyse(&items, &names, spec.identity.method, &settings);
    let input = ReportInput { spec: &spec, results: &results, items: &items };
    write(&input, folder, &Options::default()).unwrap().page
}

/// Three runs: dots, a panel a run and a panel a pair.
fn comparison_in(folder: &Path) -> PathBuf {
    let comparison = specimen::comparison::comparison(3, 30);
    write_comparison(&comparison, folder, &Options::default()).unwrap().page
}

/// A page with the reports in frames of both widths.
fn wrapper(folder: &Path, paper: &str) -> PathBuf {
    specimen_in(&folder.join("specimen"));
    golden_in(&folder.join("golden"));
    comparison_in(&folder.join("comparison"));
    // The last one has no scripts.
    let frames = [
        ("narrow", "specimen/index.html", 360, ""),
        ("wide", "specimen/index.html", 1600, ""),
        ("golden", "golden/index.html", 360, ""),
        ("comparison-narrow", "comparison/index.html", 360, ""),
        ("comparison-wide", "comparison/index.html", 1600, ""),
        ("plain", "specimen/index.html#s-de-2", 360, "sandbox=\"allow-same-origin\""),
    ];
    let frames = frames.map(|(id, source, width, sandbox)| {
        format!(
            "<iframe id=\"{id}\" data-paper=\"{paper}\" src=\"{source}\" {sandbox} \
             style=\"width:{width}px;height:900px;border:0\"></iframe>\n"
        )
    });
    let frames = frames.concat();
    fs::write(folder.join("driver.js"), include_str!("browser/driver.js")).unwrap();
    let path = folder.join("wrapper.html");
    let html = format!(
        "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n{frames}<pre id=\"result\"></pre>\n\
         <script src=\"driver.js\"></script>\n"
    );
    fs::write(&path, html).unwrap();
    path
}

/// What the driver wrote into its page.
fn result(dom: &str) -> Value {
    let json = dom.split("<pre id=\"result\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let json = json.unwrap_or_default().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {dom}"))
}

/// Lines of the browser's console, without the two that must be there: a script that is not ours is refused by the page's
/// policy, and ours in the frame without scripts.
fn console(stderr: &str) -> Vec<&str> {
    let lines = stderr.lines().filter(|line| line.contains("CONSOLE"));
    let asked = ["Content Security Policy directive 'script-src", "frame is sandboxed"];
    let (expected, others): (Vec<&str>, Vec<&str>) =
        lines.partition(|line| asked.iter().any(|words| line.contains(words)));
    assert_eq!(asked.map(|words| expected.iter().any(|line| line.contains(words))), [true; 2], "{stderr}");
    others
}

fn drive(scheme: &str, paper: &str) {
    let Some(program) = chromium() else { return };
    let folder = TempDir::new().unwrap();
    let page = wrapper(folder.path(), paper);
    let scheme = format!("--blink-settings=preferredColorScheme={scheme}");
    let arguments =
        ["--dump-dom", "--virtual-time-budget=4000", "--window-size=1700,1000", &scheme, &address(&page)];
    let (dom, stderr) = run(&program, folder.path(), &arguments);
    assert_eq!(console(&stderr), Vec::<&str>::new());
    let result = result(&dom);
    let found = result["found"].as_array().unwrap();
    let failed: Vec<&Value> = found.iter().filter(|one| one[1] != true).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(found.len() > 90, "{}", found.len());
    // What is saved from the page is what lies beside it.
    let beside = |name: &str| fs::read_to_string(folder.path().join("specimen").join(name)).unwrap();
    assert_eq!(result["saved"]["csv"], beside("tables/rank_heat_map.csv"));
    let (saved, file) = (result["saved"]["svg"].as_str().unwrap(), beside("figures/rank_heat_map.svg"));
    for element in ["<rect", "<line", "<text", "<title", "<style"] {
        assert_eq!(saved.matches(element).count(), file.matches(element).count(), "{element}");
    }
    let style = |svg: &str| svg.split("<style>").nth(1).unwrap().split("</style>").next().unwrap().to_owned();
    assert_eq!(style(saved), style(&file));
}

#[test]
fn the_page_filters_sorts_opens_and_saves_in_the_light() {
    drive("1", "rgb(255, 255, 255)");
}

#[test]
fn the_page_filters_sorts_opens_and_saves_in_the_dark() {
    drive("0", "rgb(20, 23, 27)");
}

/// The page, and what is read in its print; every figure is there, with languages in at least so many of them.
fn printed(make: fn(&Path) -> PathBuf, at_least: usize) -> Option<[String; 2]> {
    let program = chromium()?;
    let Some(pdftotext) = on_path("pdftotext") else {
        eprintln!("skipped: no pdftotext on the path (package poppler-utils)");
        return None;
    };
    let folder = TempDir::new().unwrap();
    let page = make(folder.path());
    let html = fs::read_to_string(&page).unwrap();
    let pdf = folder.path().join("page.pdf");
    let print = format!("--print-to-pdf={}", pdf.display());
    run(&program, folder.path(), &[&print, "--no-pdf-header-footer", &address(&page)]);
    let output = Command::new(pdftotext).args(["-layout".as_ref(), pdf.as_os_str(), "-".as_ref()]).output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    let figures = html.matches("<b>Figure ").count();
    assert!(figures >= 10, "{figures}");
    for number in 1..=figures {
        assert!(text.contains(&format!("Figure {number}.")), "{number}: {text}");
    }
    for language in ["Bulgarian", "Ukrainian"] {
        let label = format!(">{language}</text>");
        // What stands upright in a figure; a turned label is cut into letters when a PDF is read back.
        let upright = |figure: &str| {
            figure.split("<text").any(|text| text.contains(&label) && !text.contains("rotate("))
        };
        let figures = html.split("<figure>").skip(1).filter_map(|part| part.split("</figure>").next());
        let naming = figures.filter(|figure| upright(figure)).count();
        let read = text.matches(language).count();
        assert!(naming >= at_least && read >= naming, "{language}, {naming}, {read}: {text}");
    }
    Some([html, text])
}

#[test]
fn print_has_every_figure_and_no_sentences() {
    let Some([html, text]) = printed(specimen_in, 5) else { return };
    for word in ["The pairs behind every cell", "Languages: ", "Examples"] {
        assert!(html.contains(word), "{word}");
        assert!(!text.contains(word), "{word}: {text}");
    }
}

#[test]
fn print_of_a_comparison_has_every_figure() {
    let Some([_, text]) = printed(comparison_in, 2) else { return };
    for run in ["small", "small-tuned", "other"] {
        assert!(text.contains(run), "{run}: {text}");
    }
    assert!(!text.contains("Languages: "), "{text}");
}
