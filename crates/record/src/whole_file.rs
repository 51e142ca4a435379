//! A file that a reader sees whole or not at all: it grows under another name and gets its own when it is finished.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::RecordError;

/// A file in the making. Dropped unfinished, it leaves what was there before.
///
/// A link stays a link: what it leads to is replaced. Devices and pipes, whose place nothing may take, are written straight
/// through.
#[derive(Debug)]
pub struct WholeFile {
    file: Option<BufWriter<File>>,
    path: PathBuf,
    /// Where it grows; `None` for a stream.
    temporary: Option<PathBuf>,
}

impl WholeFile {
    /// Begins a file beside the path, under a name that nobody has.
    pub fn create(path: &Path) -> Result<Self, RecordError> {
        let failed = RecordError::io(path, "cannot write");
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            let file = File::options().write(true).open(path).map_err(failed)?;
            return Ok(Self { file: Some(BufWriter::new(file)), path: path.to_owned(), temporary: None });
        }
        let path = behind_links(path);
        let (file, temporary) = beside(&path).map_err(failed)?;
        Ok(Self { file: Some(BufWriter::with_capacity(1 << 18, file)), path, temporary: Some(temporary) })
    }

    /// Where it will lie.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Brings everything to the disk, so that only the name is missing: of several files all can be settled before the
    /// first is finished.
    pub fn settle(&mut self) -> Result<(), RecordError> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let is_stream = self.temporary.is_none();
        file.flush()
            .and_then(|()| if is_stream { Ok(()) } else { file.get_ref().sync_all() })
            .map_err(RecordError::io(&self.path, "cannot write"))
    }

    /// Puts it in its place.
    pub fn finish(mut self) -> Result<(), RecordError> {
        self.settle()?;
        if let Some(temporary) = &self.temporary {
            fs::rename(temporary, &self.path).map_err(RecordError::io(&self.path, "cannot write"))?;
        }
        self.file = None;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let (Some(temporary), Some(file)) = (&self.temporary, self.file.take()) {
            // What is still in the buffer would be written to a file that goes.
            drop(file.into_parts());
            let _ = fs::remove_file(temporary);
        }
    }
}

/// A new file under a name that nobody uses.
fn beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let mut number = 0;
    loop {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}-{number}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        match File::create_new(&temporary) {
            Ok(file) => return Ok((file, temporary)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 100 => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// The file that a path means.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..16 {
        let Ok(link) = fs::read_link(&path) else { break };
        path = path.parent().map_or_else(|| link.clone(), |folder| folder.join(&link));
    }
    path
}

/// Writes a file so that a reader sees the old content or the new one, never a part.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes).map_err(RecordError::io(path, "cannot write"))?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_device_stays_one_and_a_link_leads_where_it_led() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        write_atomically(Path::new("/dev/null"), b"gone").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        assert!(write_atomically(Path::new("/dev/full"), b"too much").is_err());
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        symlink(&real, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert!(link.is_symlink() && fs::read(&real).unwrap() == b"new");
    }

    #[test]
    fn an_unfinished_file_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        write_atomically(&path, b"old").unwrap();
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
