//! Safetensors files and their index: cut, hostile, incomplete.

use crate::Copy;

#[test]
fn a_cut_safetensors_file_tells_both_lengths() {
    for (keep, message) in [
        (
            400_000,
            "model.safetensors: download incomplete: 576864 bytes expected (the tensors), the file has 400000; fetch it again",
        ),
        (
            1000,
            "model.safetensors: download incomplete: 2144 bytes expected (the header), the file has 1000; fetch it again",
        ),
        (
            3,
            "model.safetensors: download incomplete: 8 bytes expected (the header's length), the file has 3; fetch it again",
        ),
    ] {
        let copy = Copy::of("llama");
        copy.cut("model.safetensors", keep);
        assert_eq!(copy.refusal(""), message);
    }
    let copy = Copy::of("llama-sharded");
    copy.cut("model-00002-of-00002.safetensors", 100_000);
    let message = copy.refusal("");
    assert!(message.starts_with("model-00002-of-00002.safetensors: download incomplete: "), "{message}");
    assert!(message.contains("163960 bytes expected (the tensors), the file has 100000"), "{message}");
}

#[test]
fn a_hostile_safetensors_header_takes_no_memory() {
    let copy = Copy::of("llama");
    for length in [u64::MAX, u64::MAX - 8, 1 << 40] {
        let mut bytes = length.to_le_bytes().to_vec();
        bytes.extend_from_slice(b"{}");
        std::fs::write(copy.file("model.safetensors"), bytes).unwrap();
        let message = "model.safetensors: not a safetensors file: it does not begin with a header";
        assert_eq!(copy.refusal(""), message);
    }
    for header in [
        "",
        "[]",
        "{\"a\":{}}",
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[18446744073709551615,9],\"data_offsets\":[0,4]}}",
    ] {
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(&[0; 4]);
        std::fs::write(copy.file("model.safetensors"), bytes).unwrap();
        assert!(copy.refusal("").contains("not a safetensors file"), "{header}: {}", copy.refusal(""));
    }
    std::fs::write(copy.file("model.safetensors"), "").unwrap();
    assert!(copy.refusal("").contains("download incomplete"));
}

#[test]
fn a_shard_that_is_not_there_is_named_by_the_index() {
    let copy = Copy::of("llama-sharded");
    std::fs::remove_file(copy.file("model-00002-of-00002.safetensors")).unwrap();
    let message = copy.refusal("");
    assert_eq!(
        message,
        "model.safetensors.index.json: names the shard model-00002-of-00002.safetensors, which is not there \
         (tensors in it: 1); fetch it again"
    );
    let copy = Copy::of("llama-sharded");
    std::fs::write(copy.file("model.safetensors.index.json"), r#"{"weight_map":{"a":"../elsewhere"}}"#)
        .unwrap();
    assert_eq!(copy.refusal(""), "model.safetensors.index.json: \"../elsewhere\" is not the name of a shard");
    std::fs::write(copy.file("model.safetensors.index.json"), "{").unwrap();
    assert!(copy.refusal("").starts_with("model.safetensors.index.json: EOF"));
}
