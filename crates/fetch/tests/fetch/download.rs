//! One file over HTTP.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use stereometer_fetch::{Download, Event, Expected, FetchError, Http, Patience, download};

use crate::server::{Route, Server};
use crate::{bytes, files, sha256};

/// A server with one file, and a directory to put it into.
struct Scene {
    server: Server,
    directory: tempfile::TempDir,
    content: Vec<u8>,
}

impl Scene {
    fn new() -> Self {
        Self { server: Server::start(), directory: tempfile::tempdir().unwrap(), content: bytes(600_000) }
    }

    fn serve(&self, change: impl FnOnce(&mut Route)) {
        let mut route = Route::of(self.content.clone());
        change(&mut route);
        self.server.route("/file", route);
    }

    fn target(&self) -> PathBuf {
        self.directory.path().join("file.bin")
    }

    fn known(&self) -> Expected {
        Expected { size: Some(self.content.len() as u64), sha256: Some(sha256(&self.content)) }
    }

    fn run(&self, expected: Expected, retries: u32) -> Result<Vec<String>, FetchError> {
        let mut told = Vec::new();
        let patience = Patience { retries, pause: Duration::ZERO, ..Patience::default() };
        let url = self.server.url("/file");
        let target = self.target();
        let wanted = Download { url: &url, target: &target, label: "file.bin", expected, token: None };
        download(&Http::new(patience), &wanted, &mut |event| {
            told.push(match event {
                Event::Started { done, .. } => format!("started at {done}"),
                Event::Advanced { done, total } => format!("{done} of {total:?}"),
                Event::Interrupted { reason, .. } => format!("interrupted: {reason}"),
                Event::Finished { bytes, .. } => format!("finished {bytes}"),
                other => format!("{other:?}"),
            });
        })?;
        Ok(told)
    }

    fn ranges(&self) -> Vec<Option<String>> {
        self.server.seen().into_iter().map(|seen| seen.range).collect()
    }

    fn assert_whole(&self) {
        assert_eq!(fs::read(self.target()).unwrap(), self.content);
        assert_eq!(files(self.directory.path()), ["file.bin"], "no part and no lock remain");
    }
}

#[test]
fn a_file_comes_whole_and_its_progress_is_told() {
    let scene = Scene::new();
    scene.serve(|_| {});
    let told = scene.run(scene.known(), 0).unwrap();
    scene.assert_whole();
    assert_eq!(told.first().unwrap(), "started at 0");
    assert_eq!(told[told.len() - 2], "600000 of Some(600000)");
    assert_eq!(told.last().unwrap(), "finished 600000");
    assert_eq!(scene.ranges(), [None]);

    assert!(scene.run(scene.known(), 0).unwrap().is_empty(), "what is there is not fetched again");
    assert!(scene.ranges().is_empty());
}

#[test]
fn a_cut_connection_is_taken_up_where_it_broke() {
    let scene = Scene::new();
    scene.serve(|route| route.cut_once = Some(250_000));
    let told = scene.run(scene.known(), 1).unwrap();
    scene.assert_whole();
    assert_eq!(scene.ranges(), [None, Some("bytes=250000-".into())], "only the rest is asked for");
    assert!(
        told.iter()
            .any(|told| told.starts_with("interrupted: file.bin broke off after 250000 of 600000 bytes"))
    );
    assert!(told.contains(&"started at 250000".to_owned()));
}

#[test]
fn the_next_call_goes_on_with_the_part() {
    let scene = Scene::new();
    scene.serve(|route| route.cut_once = Some(250_000));
    let error = scene.run(scene.known(), 0).unwrap_err();
    assert!(matches!(error, FetchError::CutOff { done: 250_000, total: Some(600_000), .. }), "{error:?}");
    assert!(error.hint().unwrap().contains("goes on where this one stopped"));
    assert!(!scene.target().exists());

    scene.run(scene.known(), 0).unwrap();
    scene.assert_whole();
    assert_eq!(scene.ranges(), [None, Some("bytes=250000-".into())]);
}

#[test]
fn a_part_that_is_complete_is_only_verified() {
    let scene = Scene::new();
    scene.serve(|_| {});
    fs::write(scene.target().with_extension("bin.part"), &scene.content).unwrap();
    scene.run(scene.known(), 0).unwrap();
    scene.assert_whole();
    assert!(scene.ranges().is_empty());
    // Without a known size the server is asked, and says 416: there is nothing after the end.
    fs::rename(scene.target(), scene.target().with_extension("bin.part")).unwrap();
    scene.run(Expected::default(), 0).unwrap();
    scene.assert_whole();
}

#[test]
fn a_server_without_ranges_sends_it_all_again() {
    let scene = Scene::new();
    scene.serve(|route| {
        route.ranges = false;
        route.cut_once = Some(250_000);
    });
    scene.run(scene.known(), 1).unwrap();
    scene.assert_whole();
}

#[test]
fn another_content_never_gets_the_final_name() {
    let scene = Scene::new();
    let mut other = scene.content.clone();
    other[300_000] ^= 1;
    scene.serve(|route| route.body = other);
    let error = scene.run(scene.known(), 3).unwrap_err();
    assert!(matches!(error, FetchError::WrongSum { .. }), "{error:?}");
    assert!(error.to_string().starts_with("file.bin is not the expected file: its sha256 is "));
    assert!(files(scene.directory.path()).is_empty(), "nothing is left");
    assert_eq!(scene.ranges().len(), 1);
}

#[test]
fn a_part_of_an_older_version_does_not_spoil_the_file() {
    let scene = Scene::new();
    scene.serve(|_| {});
    fs::write(scene.target().with_extension("bin.part"), vec![0; 1000]).unwrap();
    scene.run(scene.known(), 0).unwrap();
    scene.assert_whole();
    assert_eq!(scene.ranges(), [Some("bytes=1000-".into()), None]);
}

#[test]
fn a_wrong_length_is_told_before_the_download() {
    let scene = Scene::new();
    scene.serve(|_| {});
    let known = Expected { size: Some(500), sha256: None };
    let error = scene.run(known, 3).unwrap_err();
    assert_eq!(error.to_string(), "file.bin has 600000 bytes, not the expected 500");
    assert!(files(scene.directory.path()).is_empty());
}

#[test]
fn a_busy_server_is_asked_again_and_a_missing_file_is_not() {
    let scene = Scene::new();
    scene.serve(|route| route.status_once = Some(503));
    let told = scene.run(scene.known(), 2).unwrap();
    scene.assert_whole();
    assert!(told[0].starts_with("interrupted: ") && told[0].ends_with("/file answered 503"), "{}", told[0]);

    let scene = Scene::new();
    let error = scene.run(scene.known(), 2).unwrap_err();
    assert!(error.to_string().ends_with("/file answered 404"), "{error}");
    assert_eq!(scene.ranges().len(), 1);
    assert!(files(scene.directory.path()).is_empty());
}

#[test]
fn a_token_stays_with_the_host_that_it_is_for() {
    let (hub, storage) = (Server::start(), Server::start());
    storage.route("/blob", Route::of("content"));
    // Another host by name, though it is this machine as well.
    let elsewhere = storage.url("/blob").replace("127.0.0.1", "localhost");
    hub.route("/file", Route { status: 302, ..Route::of("") }.header("Location", elsewhere));
    let directory = tempfile::tempdir().unwrap();
    let (url, target) = (hub.url("/file"), directory.path().join("file"));
    let wanted = Download {
        url: &url,
        target: &target,
        label: "file",
        expected: Expected::default(),
        token: Some("hf_secret"),
    };
    download(&Http::new(Patience::default()), &wanted, &mut |_| {}).unwrap();
    assert_eq!(fs::read(&target).unwrap(), b"content");
    assert_eq!(hub.seen()[0].token.as_deref(), Some("hf_secret"));
    assert_eq!(storage.seen()[0].token, None);
}

#[test]
fn a_host_that_is_not_there_is_given_up_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let target = directory.path().join("file");
    let expected = Expected::default();
    let wanted =
        Download { url: "http://127.0.0.1:9/x", target: &target, label: "file", expected, token: None };
    let mut told = 0;
    let error = download(&Http::new(Patience::default()), &wanted, &mut |_| told += 1).unwrap_err();
    assert!(error.to_string().starts_with("cannot reach 127.0.0.1:9: "), "{error}");
    assert_eq!(told, 0);
}
