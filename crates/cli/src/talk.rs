//! Everything the program says that is not data: to stderr, with a bar only on a terminal, quiet on request.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use stereometer_core::Warning;
use stereometer_fetch::Event;
use stereometer_record::{Progress, Tally};

use crate::failure::Failure;
use crate::words::plural;

/// The program's voice.
#[derive(Debug)]
pub struct Talk {
    quiet: bool,
    verbose: bool,
    colour: bool,
}

impl Talk {
    /// `quiet` says only errors, `verbose` also what is usually of no interest.
    pub fn new(quiet: bool, verbose: bool) -> Self {
        let colour = std::io::stderr().is_terminal()
            && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { quiet, verbose, colour }
    }

    /// A line of talk.
    pub fn say(&self, line: &str) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }

    /// A line that only `--verbose` shows.
    pub fn detail(&self, line: &str) {
        if self.verbose {
            self.say(line);
        }
    }

    /// A doubt, with advice.
    pub fn warn(&self, warning: &Warning) {
        self.doubt(&warning.to_string(), Some(warning.advice()));
    }

    /// A doubt as `set check` and `humans check` say it: the advice of some is to run them.
    pub fn warn_in_check(&self, warning: &Warning) {
        let is_here = matches!(warning, Warning::Data { .. } | Warning::Survey { .. });
        self.doubt(&warning.to_string(), Some(warning.advice()).filter(|_| !is_here));
    }

    /// A doubt in words.
    pub fn doubt(&self, text: &str, advice: Option<&str>) {
        let label = self.paint("33", "warning:");
        let advice = advice.map(|advice| format!(" ({advice})")).unwrap_or_default();
        self.say(&format!("{label} {text}{advice}"));
    }

    /// The last words of a command that failed.
    pub fn failure(&self, failure: &Failure) {
        let mut stderr = std::io::stderr();
        let _ = writeln!(stderr, "{} {}", self.paint("31", "error:"), failure.message);
        if let Some(hint) = &failure.hint {
            let _ = writeln!(stderr, "{} {hint}", self.paint("36", "hint:"));
        }
    }

    /// Tells what happens while something is fetched.
    pub fn fetch_watcher(&self) -> impl FnMut(Event<'_>) {
        let (quiet, verbose) = (self.quiet, self.verbose);
        let mut bar: Option<ProgressBar> = None;
        move |event| {
            let say = |line: String| {
                if !quiet {
                    let _ = writeln!(std::io::stderr(), "{line}");
                }
            };
            match event {
                Event::Licence { model, licence } => {
                    say(format!("{model} comes under the {}: {}", licence.name, licence.url));
                    if let Some(notice) = &licence.notice {
                        say(notice.trim().to_owned());
                    }
                }
                Event::Trying { name, source } => say(format!("fetching {name} from {source}")),
                Event::Failed { source, reason, .. } => say(format!("{source} did not give it: {reason}")),
                Event::Waiting { file } => say(format!("another process is fetching {file}: waiting for it")),
                Event::Started { file, done, total } => {
                    if verbose {
                        say(format!("{file}: {} here already", HumanBytes(done)));
                    }
                    bar = Some(bytes_bar(file, done, total, quiet));
                }
                Event::Advanced { done, .. } => {
                    if let Some(bar) = &bar {
                        bar.set_position(done);
                    }
                }
                Event::Interrupted { file, reason, retry_in } => {
                    say(format!("{file}: {reason}; trying again in {} s", retry_in.as_secs()));
                }
                Event::Finished { file, bytes } => {
                    if let Some(bar) = bar.take() {
                        bar.finish_and_clear();
                    }
                    say(format!("{file}: {}, checked", HumanBytes(bytes)));
                }
            }
        }
    }

    /// Shows how far an audit is.
    pub fn scoring(&self) -> Scoring {
        Scoring { quiet: self.quiet, bar: None, said: 0, began: Instant::now() }
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

fn bytes_bar(file: &str, done: u64, total: Option<u64>, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(total, target).with_position(done).with_prefix(file.to_owned());
    if let Ok(style) =
        ProgressStyle::with_template("{prefix} {bar:24} {bytes}/{total_bytes} {bytes_per_sec} {eta} left")
    {
        bar.set_style(style);
    }
    bar
}

/// Progress of an audit: a bar on a terminal, a line for every tenth elsewhere.
#[derive(Debug)]
pub struct Scoring {
    quiet: bool,
    bar: Option<ProgressBar>,
    said: usize,
    began: Instant,
}

impl Scoring {
    /// Time since scoring began.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    fn line(&mut self, tally: Tally) {
        let tenth = tally.done * 10 / tally.total.max(1);
        if tenth > self.said || tally.done == tally.total {
            self.said = tenth;
            let rate = (tally.done - tally.resumed) as f64 / self.began.elapsed().as_secs_f64().max(1e-9);
            let left = (tally.total - tally.done) as f64 / rate.max(1e-9);
            let _ = writeln!(
                std::io::stderr(),
                "scored {} of {}, {rate:.1} items/s, {left:.0} s left",
                tally.done,
                plural(tally.total, "item")
            );
        }
    }
}

impl Progress for Scoring {
    fn advance(&mut self, tally: Tally) {
        if self.quiet || tally.done == tally.resumed {
            return;
        }
        if !std::io::stderr().is_terminal() {
            self.line(tally);
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new(tally.total as u64).with_position(tally.resumed as u64);
            let template = "scoring {bar:32} {pos}/{len} items, {per_sec}, {eta} left";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.reset_eta();
            bar
        });
        bar.set_position(tally.done as u64);
        if tally.done == tally.total {
            bar.finish_and_clear();
        }
    }
}
