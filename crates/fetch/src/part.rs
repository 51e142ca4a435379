//! A file that is not whole yet: `<final>.part`, which becomes `<final>` only after its size and checksum were compared.
//!
//! Both ways in (a download, a join of wheel members) write through it, so that the promise “a half file never lies
//! under the final name” has one place. A lock beside it (`<final>.lock`, the same name that `hf-hub` uses) lets one
//! process write at a time; the system drops the lock when the process dies, however it dies.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::{Event, FetchError, Watch};

/// What is known of a file before it is here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expected {
    /// Its size in bytes.
    pub size: Option<u64>,
    /// Its SHA-256 in lowercase hexadecimal.
    pub sha256: Option<String>,
}

/// A file that grows.
pub(crate) struct Part {
    target: PathBuf,
    path: PathBuf,
    label: String,
    file: File,
    sum: Sha256,
    len: u64,
    lock: File,
}

impl Part {
    /// The part of `target`; nothing when `target` is there already. Waits while another process writes it.
    /// What an earlier call left is either [taken up](Self::take_up) or [forgotten](Self::restart).
    pub(crate) fn open(
        target: &Path,
        label: &str,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Self>, FetchError> {
        if target.exists() {
            return Ok(None);
        }
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(FetchError::io("create", parent))?;
        }
        let Some(lock) = lock(target, label, watch)? else { return Ok(None) };
        let path = beside(target, ".part");
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(FetchError::io("write", &path))?;
        let (target, label) = (target.to_path_buf(), label.to_owned());
        Ok(Some(Self { target, path, label, file, sum: Sha256::new(), len: 0, lock }))
    }

    /// Goes on with what an earlier call left.
    pub(crate) fn take_up(&mut self) -> Result<(), FetchError> {
        self.len = digest(&mut self.file, &mut self.sum).map_err(FetchError::io("read", &self.path))?;
        Ok(())
    }

    /// Bytes that are here.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Forgets what is here.
    pub(crate) fn restart(&mut self) -> Result<(), FetchError> {
        self.file.set_len(0).map_err(FetchError::io("write", &self.path))?;
        self.file.seek(SeekFrom::Start(0)).map_err(FetchError::io("write", &self.path))?;
        self.sum = Sha256::new();
        self.len = 0;
        Ok(())
    }

    /// Adds bytes at the end.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), FetchError> {
        self.file.write_all(bytes).map_err(FetchError::io("write", &self.path))?;
        self.sum.update(bytes);
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Compares what is here with what is known of the file.
    pub(crate) fn verify(&self, expected: &Expected) -> Result<(), FetchError> {
        let file = self.label.clone();
        if let Some(size) = expected.size
            && size != self.len
        {
            return Err(FetchError::WrongSize { file, expected: size, actual: self.len });
        }
        let actual = hex(&self.sum.clone().finalize());
        match &expected.sha256 {
            Some(sum) if *sum != actual => Err(FetchError::WrongSum { file, expected: sum.clone(), actual }),
            _ => Ok(()),
        }
    }

    /// Gives the file its final name.
    pub(crate) fn finish(self, watch: &mut Watch<'_>) -> Result<(), FetchError> {
        // The bytes must be on the disk before the name is: a power cut must not leave an empty whole file.
        self.file.sync_all().map_err(FetchError::io("write", &self.path))?;
        fs::rename(&self.path, &self.target).map_err(FetchError::io("rename", &self.path))?;
        // Nobody needs the lock any more: whoever waits for it sees the final file first. It may stay where it is.
        let _ = fs::remove_file(beside(&self.target, ".lock"));
        drop(self.lock);
        watch(Event::Finished { file: &self.label, bytes: self.len });
        Ok(())
    }

    /// Removes what is here, because it can never become the file.
    pub(crate) fn discard(self) {
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(beside(&self.target, ".lock"));
    }
}

/// The SHA-256 of a file, in lowercase hexadecimal.
pub fn sha256_of(path: &Path) -> Result<String, FetchError> {
    let mut sum = Sha256::new();
    let mut file = File::open(path).map_err(FetchError::io("read", path))?;
    digest(&mut file, &mut sum).map_err(FetchError::io("read", path))?;
    Ok(hex(&sum.finalize()))
}

pub(crate) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// Reads to the end, and leaves the file there.
fn digest(file: &mut File, sum: &mut Sha256) -> io::Result<u64> {
    let mut buffer = vec![0; 1 << 18];
    let mut len = 0;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(len),
            Ok(n) => {
                sum.update(&buffer[..n]);
                len += n as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The right to write `target`; nothing when somebody else has written it meanwhile.
fn lock(target: &Path, label: &str, watch: &mut Watch<'_>) -> Result<Option<File>, FetchError> {
    let path = beside(target, ".lock");
    loop {
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(FetchError::io("write", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                watch(Event::Waiting { file: label });
                file.lock().map_err(FetchError::io("lock", &path))?;
            }
            // Some network file systems have no locks; a user with one process needs none.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(Some(file));
            }
            Err(TryLockError::Error(error)) => return Err(FetchError::io("lock", &path)(error)),
        }
        if target.exists() {
            return Ok(None);
        }
        // Whoever held it may have removed it: then the next one locks another file, and this lock is worth nothing.
        if is_at(&file, &path) {
            return Ok(Some(file));
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |data: io::Result<fs::Metadata>| data.ok().map(|data| (data.dev(), data.ino()));
    identity(file.metadata()) == identity(fs::metadata(path))
}

/// Elsewhere an open file is not removed.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

fn beside(target: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(target.as_os_str());
    name.push(ending);
    PathBuf::from(name)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn open(target: &Path) -> Option<Part> {
        let mut part = Part::open(target, "abc", &mut |_| {}).unwrap()?;
        part.take_up().unwrap();
        Some(part)
    }

    #[test]
    fn a_part_goes_on_where_it_was_left() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("deep/abc");
        open(&target).unwrap().append(b"a").unwrap();
        assert!(!target.exists());

        let mut part = open(&target).unwrap();
        assert_eq!(part.len(), 1);
        part.append(b"bc").unwrap();
        part.verify(&Expected { size: Some(3), sha256: Some(ABC.into()) }).unwrap();
        part.finish(&mut |_| {}).unwrap();

        assert_eq!(fs::read(&target).unwrap(), b"abc");
        assert_eq!(sha256_of(&target).unwrap(), ABC);
        assert_eq!(fs::read_dir(target.parent().unwrap()).unwrap().count(), 1, "no part and no lock remain");
        assert!(open(&target).is_none(), "what is there is not written again");
    }

    #[test]
    fn sizes_and_sums_are_compared_and_told() {
        let dir = tempfile::tempdir().unwrap();
        let mut part = open(&dir.path().join("abc")).unwrap();
        part.append(b"abd").unwrap();
        let short = part.verify(&Expected { size: Some(4), sha256: None }).unwrap_err();
        assert_eq!(short.to_string(), "abc has 3 bytes, not the expected 4");
        let other = part.verify(&Expected { size: Some(3), sha256: Some(ABC.into()) }).unwrap_err();
        assert!(matches!(other, FetchError::WrongSum { .. }), "{other}");
        part.restart().unwrap();
        part.append(b"abc").unwrap();
        part.verify(&Expected { size: Some(3), sha256: Some(ABC.into()) }).unwrap();
    }

    #[test]
    fn one_writer_at_a_time_and_the_second_finds_the_file_there() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("abc");
        let mut first = open(&target).unwrap();
        let (told, waits) = std::sync::mpsc::channel();
        let second = std::thread::spawn({
            let target = target.clone();
            move || {
                Part::open(&target, "abc", &mut |event| told.send(format!("{event:?}")).unwrap())
                    .unwrap()
                    .is_none()
            }
        });
        assert!(waits.recv().unwrap().contains("Waiting"));
        first.append(b"abc").unwrap();
        first.finish(&mut |_| {}).unwrap();
        assert!(second.join().unwrap());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no part and no lock remain");
    }

    #[test]
    fn when_the_first_writer_gives_up_the_second_one_writes() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("abc");
        let first = open(&target).unwrap();
        let (told, waits) = std::sync::mpsc::channel();
        let second = std::thread::spawn({
            let target = target.clone();
            move || Part::open(&target, "abc", &mut |_| told.send(()).unwrap()).unwrap().unwrap()
        });
        waits.recv().unwrap();
        first.discard();
        let mut part = second.join().unwrap();
        part.append(b"abc").unwrap();
        part.finish(&mut |_| {}).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"abc");
    }

    #[test]
    fn only_lowercase_hexadecimal_is_a_sha256() {
        assert!(is_sha256(ABC));
        assert!(!is_sha256(&ABC.to_uppercase()));
        assert!(!is_sha256(&ABC[1..]));
    }
}
