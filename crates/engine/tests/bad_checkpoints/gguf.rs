//! GGUF files: cut, hostile, damaged.

use stereometer_engine::{LoadOptions, load};

use crate::Copy;

#[test]
fn an_epsilon_of_a_gguf_file_that_can_only_make_nonsense_is_refused() {
    let (copy, file, key) =
        (Copy::of("llama-gguf"), "llama.Q4_0.gguf", "llama.attention.layer_norm_rms_epsilon");
    let mut bytes = std::fs::read(copy.file(file)).unwrap();
    let at = bytes.windows(key.len()).position(|window| window == key.as_bytes()).unwrap();
    let number = at + key.len() + 4; // after the number of its type
    for (value, shown) in [(f32::NAN, "NaN"), (-0.5, "-0.5"), (f32::INFINITY, "inf")] {
        bytes[number..number + 4].copy_from_slice(&value.to_le_bytes());
        std::fs::write(copy.file(file), &bytes).unwrap();
        let message = format!("{file}: {key} = {shown} is not supported; a number from 0 to 1 is needed");
        assert_eq!(copy.refusal(file), message);
    }
}

#[test]
fn a_gguf_file_cut_anywhere_is_an_error() {
    let file = "llama.Q4_0.gguf";
    let copy = Copy::of("llama-gguf");
    let whole = std::fs::read(copy.file(file)).unwrap();
    // All short lengths, then some of each part.
    let lengths = (0..64).chain((64..whole.len()).step_by(997)).chain([whole.len() - 1]);
    for keep in lengths {
        std::fs::write(copy.file(file), &whole[..keep]).unwrap();
        let message = copy.refusal(file);
        assert!(message.starts_with(&format!("{file}: download incomplete: ")), "{keep}: {message}");
        assert!(message.contains(&format!("the file has {keep};")), "{keep}: {message}");
    }
}

#[test]
fn a_hostile_gguf_header_takes_no_memory() {
    let copy = Copy::of("llama-gguf");
    let file = "hostile.gguf";
    let header = |n_tensors: u64, n_keys: u64, rest: &[u8]| {
        let mut bytes = b"GGUF".to_vec();
        bytes.extend(3_u32.to_le_bytes());
        bytes.extend(n_tensors.to_le_bytes());
        bytes.extend(n_keys.to_le_bytes());
        bytes.extend(rest);
        bytes.resize(bytes.len().max(200), 0);
        bytes
    };
    // A key "a" that holds an array of 2⁶⁰ numbers, texts, or arrays; a text of 2⁶⁰ bytes.
    let array = |element: u32| {
        let mut rest = 1_u64.to_le_bytes().to_vec();
        rest.push(b'a');
        rest.extend(9_u32.to_le_bytes());
        rest.extend(element.to_le_bytes());
        rest.extend((1_u64 << 60).to_le_bytes());
        rest
    };
    let mut tensor = 1_u64.to_le_bytes().to_vec();
    tensor.push(b't');
    tensor.extend(2_u32.to_le_bytes());
    tensor.extend([u64::MAX, u64::MAX].map(u64::to_le_bytes).concat());
    tensor.extend(0_u32.to_le_bytes());
    tensor.extend(0_u64.to_le_bytes());
    let mut far = tensor.clone();
    far[13..29].copy_from_slice(&[4_u64, 4].map(u64::to_le_bytes).concat());
    far[33..41].copy_from_slice(&u64::MAX.to_le_bytes());
    let cases = [
        header(u64::MAX, 0, &[]),
        header(0, u64::MAX, &[]),
        header(0, 1, &array(4)),
        header(0, 1, &array(8)),
        header(0, 1, &array(9)),
        header(0, 1, &u64::MAX.to_le_bytes()),
        header(1, 0, &tensor),
        header(1, 0, &far),
        b"GGUF".to_vec(),
        b"GGML9999".to_vec(),
        Vec::new(),
    ];
    for bytes in cases {
        std::fs::write(copy.file(file), &bytes).unwrap();
        let message = copy.refusal(file);
        assert!(message.starts_with("hostile.gguf: "), "{message}");
    }
    std::fs::write(copy.file(file), header(0, 0, &[])).unwrap();
    assert_eq!(copy.refusal(file), "hostile.gguf: general.architecture is missing");
}

#[test]
fn every_damaged_byte_of_a_gguf_header_is_survived() {
    let copy = Copy::of("llama-gguf");
    let file = "llama.Q4_0.gguf";
    let whole = std::fs::read(copy.file(file)).unwrap();
    for position in (0..2000).step_by(7).chain((2000..24_000).step_by(331)) {
        let mut bytes = whole.clone();
        bytes[position] ^= 0xff;
        std::fs::write(copy.file(file), &bytes).unwrap();
        // Some damage cannot be seen (the model's name, a token); what matters is that nothing panics.
        let _ = load(&copy.file(file), &LoadOptions { threads: 1, ..LoadOptions::default() });
    }
}

/// A GGUF file of these metadata values (key, type and value) and tensors (name, shape, offset) of f32 zeros.
fn gguf(keys: &[(&str, Vec<u8>)], tensors: &[(&str, &[u64], u64)]) -> Vec<u8> {
    let text = |bytes: &mut Vec<u8>, text: &str| {
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
    };
    let mut bytes = b"GGUF".to_vec();
    bytes.extend(3_u32.to_le_bytes());
    bytes.extend((tensors.len() as u64).to_le_bytes());
    bytes.extend((keys.len() as u64).to_le_bytes());
    for (key, value) in keys {
        text(&mut bytes, key);
        bytes.extend(value);
    }
    for (name, shape, offset) in tensors {
        text(&mut bytes, name);
        bytes.extend((shape.len() as u32).to_le_bytes());
        bytes.extend(shape.iter().rev().flat_map(|axis| axis.to_le_bytes()));
        bytes.extend(0_u32.to_le_bytes());
        bytes.extend(offset.to_le_bytes());
    }
    bytes.resize(bytes.len().next_multiple_of(32) + 4096, 0);
    bytes
}

fn number(number: u32) -> Vec<u8> {
    [4, number].map(u32::to_le_bytes).concat()
}

fn word(word: &str) -> Vec<u8> {
    [&8_u32.to_le_bytes()[..], &(word.len() as u64).to_le_bytes(), word.as_bytes()].concat()
}

#[test]
fn tensors_that_share_a_name_or_bytes_are_refused() {
    let copy = Copy::of("llama-gguf");
    for (tensors, detail) in [
        ([("a", &[4, 32][..], 0), ("b", &[4, 32], 480)], "tensors a and b share bytes of the file"),
        ([("b", &[4, 32], 512), ("a", &[1000], 0)], "tensors a and b share bytes of the file"),
        ([("a", &[4, 32], 0), ("a", &[4, 32], 512)], "tensor a is listed twice"),
    ] {
        std::fs::write(copy.file("x.gguf"), gguf(&[], &tensors)).unwrap();
        assert_eq!(copy.refusal("x.gguf"), format!("x.gguf: {detail}"));
    }
    std::fs::write(copy.file("x.gguf"), gguf(&[("k", number(1)), ("k", number(2))], &[])).unwrap();
    assert_eq!(copy.refusal("x.gguf"), "x.gguf: the key k stands there twice");
}

#[test]
fn more_heads_than_features_are_refused() {
    let copy = Copy::of("llama-gguf");
    let keys = [
        ("general.architecture", word("llama")),
        ("llama.block_count", number(1)),
        ("llama.embedding_length", number(32)),
        ("llama.attention.head_count", number(64)),
    ];
    std::fs::write(copy.file("x.gguf"), gguf(&keys, &[])).unwrap();
    let message =
        "x.gguf: llama.attention.head_count = 64 is not supported; it must not exceed the 32 features";
    assert_eq!(copy.refusal("x.gguf"), message);
}
