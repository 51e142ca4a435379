//! Data sets from the Hub, and how the Hub is spoken to.

use std::path::Path;
use std::time::Duration;

use stereometer_fetch::{
    CacheDir, FetchError, Hub, HubSettings, Patience, Pip, Places, RepoId, RepoKind, find_set, pull_set,
};

use crate::server::{Route, Server};
use crate::{bytes, files, sha256};

pub const COMMIT: &str = "653f06b000000000000000000000000000000000";

/// How much a server tells of its files.
#[derive(Clone, Copy, PartialEq)]
pub enum Telling {
    /// Names, sizes and checksums in the list, as the Hub does.
    Everything,
    /// Names in the list, the rest in each file's headers, as `hf-hub` expects it.
    InHeaders,
    /// Names, and nothing else anywhere.
    Names,
}

/// Puts a repository on a server.
pub fn publish(server: &Server, repo: &RepoId, content: &[(&str, Vec<u8>)], telling: Telling) {
    let (api, prefix) = match repo.kind() {
        RepoKind::Model => ("models", ""),
        RepoKind::Dataset => ("datasets", "datasets/"),
    };
    let mut siblings = Vec::new();
    for (name, body) in content {
        let large = ["safetensors", "parquet", "gguf"].iter().any(|ending| name.ends_with(ending));
        let sum = sha256(body);
        let etag = if large { sum.clone() } else { sum[..40].to_owned() };
        let mut route = Route::of(body.clone());
        siblings.push(match (telling, large) {
            (Telling::Everything, true) => format!(
                r#"{{"rfilename":"{name}","size":{len},"blobId":"{oid}","lfs":{{"sha256":"{sum}","size":{len},"pointerSize":134}}}}"#,
                len = body.len(),
                oid = &sum[..40]
            ),
            (Telling::Everything, false) => {
                format!(r#"{{"rfilename":"{name}","size":{},"blobId":"{etag}"}}"#, body.len())
            }
            _ => format!(r#"{{"rfilename":"{name}"}}"#),
        });
        if telling == Telling::InHeaders {
            route = route.header("ETag", format!("\"{etag}\"")).header("X-Repo-Commit", COMMIT);
        }
        server.route(&format!("/{prefix}{}/resolve/main/{name}", repo.id()), route);
    }
    let list = format!(r#"{{"id":"{}","sha":"{COMMIT}","siblings":[{}]}}"#, repo.id(), siblings.join(","));
    server.route(&format!("/api/{api}/{}/revision/main", repo.id()), Route::of(list));
}

pub fn hub(endpoint: &str, cache: &Path, change: impl FnOnce(&mut HubSettings)) -> Hub {
    let patience = Patience { retries: 0, pause: Duration::ZERO, ..Patience::default() };
    let cache = cache.to_path_buf();
    let mut settings =
        HubSettings { endpoint: endpoint.to_owned(), cache, token: None, offline: false, patience };
    change(&mut settings);
    Hub::new(settings).unwrap()
}

fn places(hub: Hub) -> Places {
    Places { cache: CacheDir::at("/nonexistent"), hub, wheels: Box::new(Pip::of(Vec::new())) }
}

fn eurogest() -> RepoId {
    RepoId::parse(RepoKind::Dataset, "utter-project/EuroGEST").unwrap()
}

fn content() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        (".gitattributes", b"* text".to_vec()),
        ("README.md", b"# EuroGEST".to_vec()),
        ("Bulgarian.csv", bytes(4000)),
        ("data/Welsh.parquet", bytes(3000)),
        ("EuroGEST.py", b"import os".to_vec()),
    ]
}

#[test]
fn a_set_comes_as_plain_files_and_stays() {
    for telling in [Telling::Everything, Telling::InHeaders, Telling::Names] {
        let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
        publish(&server, &eurogest(), &content(), telling);
        let online = places(hub(&server.address, cache.path(), |_| {}));
        assert!(find_set("eurogest", &online).is_none());

        let set = pull_set("EuroGEST", &online, &mut |_| {}).unwrap();
        assert_eq!((set.name.as_str(), set.commit.as_str()), ("eurogest", COMMIT));
        assert_eq!(files(&set.path), ["Bulgarian.csv", "README.md", "data/Welsh.parquet"], "and no code");
        assert_eq!(std::fs::read(set.path.join("Bulgarian.csv")).unwrap(), bytes(4000));
        assert_eq!(
            std::fs::read_to_string(cache.path().join("datasets--utter-project--EuroGEST/refs/main"))
                .unwrap(),
            COMMIT
        );

        server.seen();
        assert_eq!(pull_set("eurogest", &online, &mut |_| {}).unwrap(), set);
        let offline = places(hub(&server.address, cache.path(), |settings| settings.offline = true));
        assert_eq!(pull_set("utter-project/EuroGEST", &offline, &mut |_| {}).unwrap().path, set.path);
        assert!(server.paths().is_empty(), "what is complete is not asked for again");
    }
}

#[test]
fn an_interrupted_set_is_not_taken_for_a_whole_one() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    publish(&server, &eurogest(), &content(), Telling::Everything);
    let route = Route { cut_once: Some(1000), ..Route::of(bytes(3000)) };
    let path = "/datasets/utter-project/EuroGEST/resolve/main/data/Welsh.parquet";
    server.route(path, route);
    let online = places(hub(&server.address, cache.path(), |_| {}));
    let error = pull_set("eurogest", &online, &mut |_| {}).unwrap_err();
    assert!(
        error.to_string().starts_with("data/Welsh.parquet broke off after 1000 of 3000 bytes"),
        "{error}"
    );
    assert!(find_set("eurogest", &online).is_none());
    let offline = places(hub(&server.address, cache.path(), |settings| settings.offline = true));
    assert!(matches!(pull_set("eurogest", &offline, &mut |_| {}), Err(FetchError::Offline { .. })));

    server.seen();
    pull_set("eurogest", &online, &mut |_| {}).unwrap();
    let seen = server.seen();
    assert_eq!(seen.len(), 2, "the list, and the file that was missing: {seen:?}");
    assert_eq!(seen[1].range.as_deref(), Some("bytes=1000-"));
}

#[test]
fn offline_asks_nobody_and_says_so() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    publish(&server, &eurogest(), &content(), Telling::Everything);
    let offline = places(hub(&server.address, cache.path(), |settings| settings.offline = true));
    let error = pull_set("eurogest", &offline, &mut |_| {}).unwrap_err();
    let expected = format!(
        "HF_HUB_OFFLINE is set and utter-project/EuroGEST is not in the Hub's cache at {}",
        cache.path().display()
    );
    assert_eq!(error.to_string(), expected);
    assert!(error.hint().unwrap().contains("unset HF_HUB_OFFLINE"));
    assert!(server.paths().is_empty());
}

#[test]
fn offline_takes_what_another_tool_has_fetched() {
    let cache = tempfile::tempdir().unwrap();
    let repo = cache.path().join("datasets--utter-project--EuroGEST");
    std::fs::create_dir_all(repo.join("refs")).unwrap();
    std::fs::write(repo.join("refs/main"), COMMIT).unwrap();
    std::fs::create_dir_all(repo.join("snapshots").join(COMMIT)).unwrap();
    let offline = places(hub("http://127.0.0.1:9", cache.path(), |settings| settings.offline = true));
    assert!(find_set("eurogest", &offline).is_none(), "an empty snapshot is none");
    std::fs::write(repo.join("snapshots").join(COMMIT).join("Irish.csv"), "a,b").unwrap();
    assert!(find_set("eurogest", &offline).is_some());
    let online = places(hub("http://127.0.0.1:9", cache.path(), |_| {}));
    assert!(find_set("eurogest", &online).is_none(), "nobody knows whether that is all");
}

#[test]
fn a_gated_repository_says_where_to_ask() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    publish(&server, &eurogest(), &content(), Telling::Everything);
    let gated = |status| Route::error(status).header("X-Error-Code", "GatedRepo");
    server.route("/datasets/utter-project/EuroGEST/resolve/main/README.md", gated(401));
    let page = format!("{}/datasets/utter-project/EuroGEST", server.address);

    let stranger = places(hub(&server.address, cache.path(), |_| {}));
    let error = pull_set("eurogest", &stranger, &mut |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "utter-project/EuroGEST is gated");
    assert_eq!(
        error.hint().unwrap(),
        format!("accept the licence at {page}, then set HF_TOKEN to a token of that account")
    );
    assert_eq!(server.seen().last().unwrap().token, None);

    server.route("/datasets/utter-project/EuroGEST/resolve/main/README.md", gated(403));
    let known = places(hub(&server.address, cache.path(), |settings| settings.token = Some("hf_x".into())));
    let error = pull_set("eurogest", &known, &mut |_| {}).unwrap_err();
    assert_eq!(
        error.to_string(),
        "utter-project/EuroGEST is gated: the token in HF_TOKEN has no access to it"
    );
    assert!(error.hint().unwrap().contains("with the account that the token belongs to"));
    assert_eq!(server.seen().last().unwrap().token.as_deref(), Some("hf_x"));
    assert!(!format!("{error:?}").contains("hf_x"));
}

#[test]
fn a_gated_repository_on_a_mirror_says_so_too() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    publish(&server, &eurogest(), &content(), Telling::InHeaders);
    server.route("/datasets/utter-project/EuroGEST/resolve/main/README.md", Route::error(403));
    let error =
        pull_set("eurogest", &places(hub(&server.address, cache.path(), |_| {})), &mut |_| {}).unwrap_err();
    assert!(matches!(error, FetchError::Gated { with_token: false, .. }), "{error:?}");
}

#[test]
fn a_repository_that_does_not_exist_is_not_called_gated() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let route = Route::error(401).header("X-Error-Code", "RepoNotFound");
    server.route("/api/datasets/org/nothing/revision/main", route);
    let places = places(hub(&server.address, cache.path(), |_| {}));
    let error = pull_set("org/nothing", &places, &mut |_| {}).unwrap_err();
    assert_eq!(error.to_string(), format!("org/nothing was not found at {}", server.address));
    let error = pull_set("org/neither", &places, &mut |_| {}).unwrap_err();
    assert!(matches!(error, FetchError::NotFound { .. }), "{error:?}");
}

#[test]
fn a_set_made_by_a_script_is_refused() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let repo = RepoId::parse(RepoKind::Dataset, "org/scripted").unwrap();
    publish(&server, &repo, &[("scripted.py", b"import os".to_vec())], Telling::Everything);
    let error = pull_set("org/scripted", &places(hub(&server.address, cache.path(), |_| {})), &mut |_| {})
        .unwrap_err();
    assert_eq!(error.to_string(), "org/scripted has no CSV, Parquet or JSON Lines file");
}

#[test]
fn a_listing_that_points_outside_is_refused() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let repo = RepoId::parse(RepoKind::Dataset, "org/evil").unwrap();
    publish(&server, &repo, &[("../../../evil.csv", b"x".to_vec())], Telling::Everything);
    let error =
        pull_set("org/evil", &places(hub(&server.address, cache.path(), |_| {})), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("\"../../../evil.csv\" is no file name"), "{error}");
    server.route("/api/datasets/org/evil/revision/main", Route::of("<html>"));
    let error =
        pull_set("org/evil", &places(hub(&server.address, cache.path(), |_| {})), &mut |_| {}).unwrap_err();
    assert!(error.to_string().starts_with("the file list of org/evil cannot be read"), "{error}");
    assert!(error.hint().unwrap().contains("HF_ENDPOINT"));
}

#[test]
fn an_unknown_set_names_those_that_are_known() {
    let cache = tempfile::tempdir().unwrap();
    let error = pull_set("eurogset", &places(hub("http://127.0.0.1:9", cache.path(), |_| {})), &mut |_| {})
        .unwrap_err();
    assert_eq!(error.to_string(), "there is no set named \"eurogset\"; did you mean eurogest?");
}
