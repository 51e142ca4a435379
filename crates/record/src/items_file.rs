//! `items.jsonl`: append-only, one line an item, in item order. A torn last line is dropped on resume.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::RecordError;

/// Appends records; each batch reaches the file in one write, so a kill can tear at most its last line.
#[derive(Debug)]
pub struct ItemsWriter {
    file: File,
    path: PathBuf,
}

impl ItemsWriter {
    /// Opens the file for appending, cuts off a torn last line, and returns the records that are whole.
    pub fn open<R: DeserializeOwned>(path: &Path) -> Result<(Self, Vec<R>), RecordError> {
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .write(true)
            .truncate(false)
            .open(path)
            .map_err(RecordError::io(path, "cannot open"))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(RecordError::io(path, "cannot read"))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        // Whatever is not a run's rows stays untouched.
        let records = parse(&bytes[..whole], path)?;
        if whole < bytes.len() {
            file.set_len(whole as u64)
                .map_err(RecordError::io(path, "cannot cut off the torn last line of"))?;
        }
        file.seek(SeekFrom::Start(whole as u64)).map_err(RecordError::io(path, "cannot seek in"))?;
        Ok((Self { file, path: path.to_owned() }, records))
    }

    /// Appends records in one write and leaves the file as it was if that fails.
    pub fn append<R: Serialize>(&mut self, records: &[R]) -> Result<(), RecordError> {
        let mut text = String::new();
        for record in records {
            let line = serde_json::to_string(record).map_err(|error| RecordError::Malformed {
                path: self.path.clone(),
                line: 0,
                detail: error.to_string(),
            })?;
            text.push_str(&line);
            text.push('\n');
        }
        let before = self.file.stream_position().map_err(RecordError::io(&self.path, "cannot write"))?;
        self.file.write_all(text.as_bytes()).map_err(|error| {
            // A full disk takes part of a line; what is not whole is taken back, so that the file stays readable.
            let _ = self.file.set_len(before);
            let _ = self.file.seek(SeekFrom::Start(before));
            RecordError::io(&self.path, "cannot write")(error)
        })
    }
}

/// All whole records of an `items.jsonl`; a torn last line is passed over.
pub fn read_items<R: DeserializeOwned>(path: &Path) -> Result<Vec<R>, RecordError> {
    let file = File::open(path).map_err(RecordError::io(path, "cannot open"))?;
    let mut reader = BufReader::new(file);
    let mut records = Vec::new();
    let mut line = String::new();
    loop {
        line.clear();
        reader.read_line(&mut line).map_err(RecordError::io(path, "cannot read"))?;
        if !line.ends_with('\n') {
            return Ok(records);
        }
        records.push(parse_line(line.as_bytes(), records.len() + 1, path)?);
    }
}

fn parse<R: DeserializeOwned>(bytes: &[u8], path: &Path) -> Result<Vec<R>, RecordError> {
    let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    lines.enumerate().map(|(index, line)| parse_line(line, index + 1, path)).collect()
}

fn parse_line<R: DeserializeOwned>(line: &[u8], number: usize, path: &Path) -> Result<R, RecordError> {
    serde_json::from_slice(line).map_err(|error| RecordError::Malformed {
        path: path.to_owned(),
        line: number,
        detail: error.to_string(),
    })
}
