//! Models from the Hub.

use std::fs;

use stereometer_fetch::{
    CacheDir, Expected, FetchError, Hub, ModelKind, Origin, Pip, Places, RepoId, RepoKind, find_model,
    resolve_model,
};

use crate::hub::{COMMIT, Telling, hub, publish};
use crate::server::{Route, Server};
use crate::{bytes, files, sha256};

fn places(hub: Hub) -> Places {
    Places { cache: CacheDir::at("/nonexistent"), hub, wheels: Box::new(Pip::of(Vec::new())) }
}

fn repo(id: &str) -> RepoId {
    RepoId::parse(RepoKind::Model, id).unwrap()
}

/// A model of two shards, among what else lies in such a repository.
fn sharded() -> Vec<(&'static str, Vec<u8>)> {
    let index = br#"{"metadata":{},"weight_map":{
        "a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors","c":"model-00001-of-00002.safetensors"}}"#;
    vec![
        ("README.md", b"card".to_vec()),
        ("config.json", b"{}".to_vec()),
        ("generation_config.json", b"{}".to_vec()),
        ("model-00001-of-00002.safetensors", bytes(5000)),
        ("model-00002-of-00002.safetensors", bytes(6000)),
        ("model.safetensors.index.json", index.to_vec()),
        ("modeling_odd.py", b"import os".to_vec()),
        ("original/consolidated.00.pth", bytes(100)),
        ("pytorch_model.bin", bytes(100)),
        ("tokenizer.json", b"{\"model\":{}}".to_vec()),
    ]
}

const TAKEN: [&str; 5] = [
    "config.json",
    "model-00001-of-00002.safetensors",
    "model-00002-of-00002.safetensors",
    "model.safetensors.index.json",
    "tokenizer.json",
];

#[test]
fn a_model_of_two_shards_comes_as_a_directory() {
    for telling in [Telling::Everything, Telling::InHeaders, Telling::Names] {
        let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
        publish(&server, &repo("org/two"), &sharded(), telling);
        let online = places(hub(&server.address, cache.path(), |_| {}));
        let model = resolve_model("org/two", &online, &mut |_| {}).unwrap();
        assert_eq!((model.name.as_str(), model.kind), ("org/two", ModelKind::Hub));
        assert_eq!(model.origin, Origin::Hub { repo: "org/two".into(), commit: COMMIT.into() });
        assert_eq!(files(&model.path), TAKEN);
        assert_eq!(fs::read(model.path.join(TAKEN[2])).unwrap(), bytes(6000));

        server.seen();
        assert_eq!(resolve_model("org/two", &online, &mut |_| {}).unwrap(), model);
        assert_eq!(find_model("org/two", &online), Some(model));
        assert!(server.paths().is_empty(), "what is complete is not asked for again");
    }
}

#[test]
fn tokenizers_and_chat_templates_of_every_kind_come_along() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let extra = ["chat_template.jinja", "sentencepiece.bpe.model", "spiece.model", "tokenizer.model"];
    let mut content: Vec<_> = sharded().into_iter().filter(|(name, _)| *name != "tokenizer.json").collect();
    content.extend(extra.map(|name| (name, bytes(50))));
    publish(&server, &repo("org/pieces"), &content, Telling::Everything);
    let online = places(hub(&server.address, cache.path(), |_| {}));
    let model = resolve_model("org/pieces", &online, &mut |_| {}).unwrap();
    let there = files(&model.path);
    assert!(extra.iter().all(|name| there.iter().any(|file| file == name)), "{there:?}");
}

#[cfg(unix)]
#[test]
fn a_model_that_another_tool_fetched_needs_a_tokenizer_of_some_kind() {
    let cache = tempfile::tempdir().unwrap();
    let folder = cache.path().join("models--org--theirs");
    let snapshot = folder.join("snapshots").join(COMMIT);
    fs::create_dir_all(&snapshot).unwrap();
    fs::create_dir_all(folder.join("refs")).unwrap();
    fs::write(folder.join("refs/main"), COMMIT).unwrap();
    for name in ["config.json", "model.safetensors"] {
        fs::write(snapshot.join(name), "{}").unwrap();
    }
    let places = places(hub("http://127.0.0.1:9", cache.path(), |_| {}));
    assert!(find_model("org/theirs", &places).is_none());
    for name in ["tokenizer.json", "tokenizer.model", "spiece.model", "sentencepiece.bpe.model"] {
        fs::write(snapshot.join(name), "x").unwrap();
        assert!(find_model("org/theirs", &places).is_some(), "{name}");
        fs::remove_file(snapshot.join(name)).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn the_cache_is_laid_out_as_other_tools_expect_it() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    publish(&server, &repo("org/two"), &sharded(), Telling::Everything);
    let path = resolve_model("org/two", &places(hub(&server.address, cache.path(), |_| {})), &mut |_| {})
        .unwrap()
        .path;
    let folder = cache.path().join("models--org--two");
    assert_eq!(path, folder.join("snapshots").join(COMMIT));
    assert_eq!(fs::read_to_string(folder.join("refs/main")).unwrap(), COMMIT);
    let link = fs::read_link(path.join(TAKEN[1])).unwrap();
    assert_eq!(link.to_str().unwrap(), format!("../../blobs/{}", sha256(&bytes(5000))));
    let theirs = hf_hub::Cache::new(cache.path().to_path_buf()).model("org/two".into());
    assert_eq!(theirs.get("tokenizer.json").unwrap(), path.join("tokenizer.json"));
}

#[test]
fn a_damaged_shard_is_not_used() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    publish(&server, &repo("org/two"), &sharded(), Telling::Everything);
    let mut other = bytes(6000);
    other[100] ^= 1;
    server.route(&format!("/org/two/resolve/main/{}", TAKEN[2]), Route::of(other));
    let online = places(hub(&server.address, cache.path(), |_| {}));
    let error = resolve_model("org/two", &online, &mut |_| {}).unwrap_err();
    assert!(error.to_string().starts_with(&format!("{} is not the expected file", TAKEN[2])), "{error}");
    assert!(find_model("org/two", &online).is_none());

    publish(&server, &repo("org/two"), &sharded(), Telling::Everything);
    server.seen();
    resolve_model("org/two", &online, &mut |_| {}).unwrap();
    let rest: Vec<_> = server.paths().into_iter().skip(1).collect();
    assert_eq!(rest, [format!("/org/two/resolve/main/{}", TAKEN[2])], "the rest was kept");
}

#[test]
fn an_index_that_names_an_absent_shard_is_told() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let content: Vec<_> = sharded().into_iter().filter(|(name, _)| *name != TAKEN[2]).collect();
    publish(&server, &repo("org/torn"), &content, Telling::Everything);
    let error = resolve_model("org/torn", &places(hub(&server.address, cache.path(), |_| {})), &mut |_| {})
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "model.safetensors.index.json of org/torn names model-00002-of-00002.safetensors, which the repository does not have"
    );
    let shards = server.paths().into_iter().filter(|path| path.ends_with("safetensors")).count();
    assert_eq!(shards, 0, "that is known before gigabytes have come");
}

#[test]
fn offline_names_the_files_that_are_missing() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    publish(&server, &repo("org/two"), &sharded(), Telling::Everything);
    let online = places(hub(&server.address, cache.path(), |_| {}));
    let path = resolve_model("org/two", &online, &mut |_| {}).unwrap().path;
    fs::remove_file(path.join(TAKEN[2])).unwrap();
    let offline = places(hub(&server.address, cache.path(), |settings| settings.offline = true));
    let error = resolve_model("org/two", &offline, &mut |_| {}).unwrap_err().to_string();
    assert!(error.starts_with("HF_HUB_OFFLINE is set and org/two is not in the Hub's cache at "), "{error}");
    assert!(error.ends_with(": model-00002-of-00002.safetensors missing"), "{error}");
    // Online the link alone is set again: the content is still there.
    server.seen();
    resolve_model("org/two", &online, &mut |_| {}).unwrap();
    assert_eq!(server.paths(), ["/api/models/org/two/revision/main"]);
}

#[test]
fn weights_in_other_formats_are_refused() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let content = [("config.json", b"{}".to_vec()), ("pytorch_model.bin", bytes(100))];
    publish(&server, &repo("org/old"), &content, Telling::Everything);
    let error = resolve_model("org/old", &places(hub(&server.address, cache.path(), |_| {})), &mut |_| {})
        .unwrap_err();
    assert_eq!(error.to_string(), "org/old has neither safetensors nor GGUF weights");
}

#[test]
fn of_several_gguf_files_one_has_to_be_named() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let content = [("m-q4.gguf", bytes(3000)), ("m-q8.gguf", bytes(4000))];
    publish(&server, &repo("org/many"), &content, Telling::Everything);
    let online = places(hub(&server.address, cache.path(), |_| {}));
    let error = resolve_model("org/many", &online, &mut |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "org/many has 2 GGUF files: m-q4.gguf, m-q8.gguf");
    assert_eq!(error.hint().unwrap(), "name one of them: org/many/m-q4.gguf");

    let model = resolve_model("org/many/m-q8.gguf", &online, &mut |_| {}).unwrap();
    assert_eq!((model.name.as_str(), model.kind), ("org/many/m-q8.gguf", ModelKind::Gguf));
    assert_eq!(fs::read(&model.path).unwrap(), bytes(4000));
    assert_eq!(find_model("org/many/m-q8.gguf", &online), Some(model));

    let error = resolve_model("org/many/m-q2.gguf", &online, &mut |_| {}).unwrap_err();
    assert!(error.to_string().starts_with("m-q2.gguf of org/many was not found"), "{error}");
}

#[test]
fn a_repository_of_one_gguf_file_is_that_file() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    publish(&server, &repo("org/one"), &[("m.gguf", bytes(3000))], Telling::Everything);
    let online = places(hub(&server.address, cache.path(), |_| {}));
    let model = resolve_model("org/one", &online, &mut |_| {}).unwrap();
    assert_eq!((model.kind, fs::read(&model.path).unwrap()), (ModelKind::Gguf, bytes(3000)));
    server.seen();
    assert_eq!(resolve_model("org/one", &online, &mut |_| {}).unwrap(), model);
    assert!(server.paths().is_empty());
}

#[test]
fn a_catalogue_file_is_known_by_its_checksum_and_not_by_its_name() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let content = [("renamed.gguf", bytes(3000)), ("other.gguf", bytes(3001))];
    publish(&server, &repo("org/many"), &content, Telling::Everything);
    let online = hub(&server.address, cache.path(), |_| {});
    let known = Expected { size: Some(3000), sha256: Some(sha256(&bytes(3000))) };
    let found = online.fetch_gguf(&repo("org/many"), &known, &mut |_| {}).unwrap();
    assert!(found.path.ends_with("renamed.gguf"));
    server.seen();
    assert_eq!(online.fetch_gguf(&repo("org/many"), &known, &mut |_| {}).unwrap(), found);
    assert!(server.paths().is_empty());

    publish(&server, &repo("org/changed"), &[("m.gguf", bytes(2999))], Telling::Everything);
    let error = online.fetch_gguf(&repo("org/changed"), &known, &mut |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "m.gguf has 2999 bytes, not the expected 3000");
    assert_eq!(server.paths().len(), 1, "the list is enough to know that");

    let mut other = bytes(3000);
    other[7] ^= 1;
    publish(&server, &repo("org/mirrored"), &[("m.gguf", other)], Telling::Names);
    let error = online.fetch_gguf(&repo("org/mirrored"), &known, &mut |_| {}).unwrap_err();
    assert!(matches!(error, FetchError::WrongSum { .. }), "{error:?}");
    assert!(online.find_gguf(&repo("org/mirrored"), &known).is_none());
}

#[test]
fn a_pinned_revision_is_asked_for() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let places = places(hub(&server.address, cache.path(), |_| {}));
    let error = resolve_model("org/name@v1.0", &places, &mut |_| {}).unwrap_err();
    assert_eq!(error.to_string(), format!("org/name@v1.0 was not found at {}", server.address));
    assert_eq!(server.paths(), ["/api/models/org/name/revision/v1.0"]);
}
