//! A file that a reader sees whole or not at all: it grows under another name and gets its own when it is finished.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::RecordError;

/// A file in the making. Dropped unfinished, it leaves what was there before.
#[derive(Debug)]
pub struct WholeFile {
    file: Option<BufWriter<File>>,
    path: PathBuf,
    temporary: PathBuf,
}

impl WholeFile {
    /// Begins `<path>.tmp`.
    pub fn create(path: &Path) -> Result<Self, RecordError> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".tmp");
        let temporary = path.with_file_name(name);
        let file = File::create(&temporary).map_err(RecordError::io(path, "cannot write"))?;
        Ok(Self { file: Some(BufWriter::with_capacity(1 << 18, file)), path: path.to_owned(), temporary })
    }

    /// Where it will lie.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Brings everything to the disk, so that only the name is missing: of several files all can be settled before the
    /// first is finished.
    pub fn settle(&mut self) -> Result<(), RecordError> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.flush()
            .and_then(|()| file.get_ref().sync_all())
            .map_err(RecordError::io(&self.path, "cannot write"))
    }

    /// Puts it in its place.
    pub fn finish(mut self) -> Result<(), RecordError> {
        self.settle()?;
        fs::rename(&self.temporary, &self.path).map_err(RecordError::io(&self.path, "cannot write"))?;
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
        if let Some(file) = self.file.take() {
            // What is still in the buffer would be written to a file that goes.
            drop(file.into_parts());
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Writes a file so that a reader sees the old content or the new one, never a part. A link stays a link; devices and
/// pipes, which nothing may take the place of, are written straight through.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        let mut stream =
            File::options().write(true).open(path).map_err(RecordError::io(path, "cannot write"))?;
        return stream.write_all(bytes).map_err(RecordError::io(path, "cannot write"));
    }
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut file = WholeFile::create(&target)?;
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
