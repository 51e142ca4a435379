//! `explain`.

use crate::{model, run};

#[test]
fn explain_shows_where_a_pair_diverges_and_every_rule() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(
        folder.path(),
        &["explain", "--model", &model("llama"), "“I am here,” he said", "“I am here,” she said"],
    );
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stdout.contains("<- first difference"), "{}", done.stdout);
    for rule in ["mean", "sum", "per-byte", "divergence", "released-code", "first-token"] {
        assert!(done.stdout.lines().any(|line| line.starts_with(rule)), "{rule}: {}", done.stdout);
    }
    let equal = run(folder.path(), &["explain", "--model", &model("llama"), "same", "same"]);
    assert_eq!(equal.code, 5);
    assert!(equal.stdout.contains("the two variants are the same text"), "{}", equal.stdout);
}
