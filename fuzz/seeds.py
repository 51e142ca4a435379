#!/usr/bin/env python3
"""Writes the first inputs of every target into corpus/: from golden/, the built-in set, the examples of docs/formats.md,
and tiny checkpoints made here. Needs nothing but Python 3.9; `python3 seeds.py RUN` takes the folder of a small run too.
"""

import base64
import json
import pathlib
import random
import re
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
RANDOM = random.Random(1)


def put(target, name, content):
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def files(parts):
    """Several files in one input, as `write_files` of src/lib.rs takes them apart: number of the name → content."""
    return b"".join(b"\n==== %d\n%s" % (number, content) for number, content in parts)


# ---- GGUF: one layer, every type of the ggml list that is read

TYPES = {  # name: (number, values of a block, bytes of a block)
    "F32": (0, 1, 4), "F16": (1, 1, 2), "BF16": (30, 1, 2),
    "Q4_0": (2, 32, 18), "Q4_1": (3, 32, 20), "Q5_0": (6, 32, 22), "Q5_1": (7, 32, 24),
    "Q8_0": (8, 32, 34), "Q8_1": (9, 32, 36),
    "Q2_K": (10, 256, 84), "Q3_K": (11, 256, 110), "Q4_K": (12, 256, 144), "Q5_K": (13, 256, 176),
    "Q6_K": (14, 256, 210), "Q8_K": (15, 256, 292),
}  # fmt: skip
PIECES = ["<unk>", "<s>", "</s>", "▁", "H", "e", "c", "o", "k", "s", ".", "▁H", "▁He", "oo", "ok", "ks"]
LETTERS = ["<s>", "</s>", "Ġ", "H", "e", "c", "o", "k", "s", ".", "I", "12", "He", "oo", "ok", "ĠI"]


def text(value):
    return struct.pack("<Q", len(value.encode())) + value.encode()


def value(value):
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, str):
        return struct.pack("<I", 8) + text(value)
    kind = {str: 8, float: 6, int: 5}[type(value[0])]
    packed = [text(v) if kind == 8 else struct.pack("<f" if kind == 6 else "<i", v) for v in value]
    return struct.pack("<IIQ", 9, kind, len(value)) + b"".join(packed)


def gguf(architecture, dtype, spm, extra_keys=(), extra_tensors=()):
    wide = 256 if dtype.endswith("_K") else 32
    p = architecture
    keys = {
        "general.architecture": p, "general.alignment": 32,
        f"{p}.block_count": 1, f"{p}.embedding_length": wide, f"{p}.feed_forward_length": 2,
        f"{p}.attention.head_count": 1, f"{p}.attention.head_count_kv": 1, f"{p}.context_length": 64,
        f"{p}.attention.key_length": 2, f"{p}.attention.value_length": 2,
        f"{p}.attention.layer_norm_rms_epsilon": 1e-5, f"{p}.rope.freq_base": 10000.0,
        "tokenizer.ggml.bos_token_id": 1 if spm else 0, "tokenizer.ggml.add_bos_token": True,
    }  # fmt: skip
    if spm:
        kinds = [2, 3, 3] + [1] * 13
        keys |= {"tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": PIECES}
        keys |= {"tokenizer.ggml.scores": [-float(i) for i in range(16)], "tokenizer.ggml.token_type": kinds}
    else:
        keys |= {"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.tokens": LETTERS, "tokenizer.ggml.pre": "smollm"}
        keys |= {"tokenizer.ggml.merges": ["H e", "o o", "o k", "Ġ I"], "tokenizer.ggml.token_type": [3, 3] + [1] * 14}
    keys |= dict(extra_keys)
    tensors = [
        ("token_embd.weight", [16, wide], dtype), ("output_norm.weight", [wide], "F32"),
        ("blk.0.attn_norm.weight", [wide], "F32"), ("blk.0.ffn_norm.weight", [wide], "F32"),
        ("blk.0.attn_q.weight", [2, wide], dtype), ("blk.0.attn_k.weight", [2, wide], dtype),
        ("blk.0.attn_v.weight", [2, wide], dtype), ("blk.0.attn_output.weight", [wide, 2], "F16"),
        ("blk.0.ffn_gate.weight", [2, wide], dtype), ("blk.0.ffn_up.weight", [2, wide], dtype),
        ("blk.0.ffn_down.weight", [wide, 2], "F16"),
    ]  # fmt: skip
    tensors += [(f"blk.0.{name}.weight", [size or wide], "F32") for name, size in extra_tensors]
    header = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys))
    header += b"".join(text(key) + value(keys[key]) for key in keys)
    data = b""
    for name, shape, kind in tensors:
        number, block, size = TYPES[kind]
        n_values = 1
        for axis in shape:
            n_values *= axis
        header += text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *reversed(shape))
        header += struct.pack("<IQ", number, len(data))
        content = bytes(RANDOM.randrange(60) for _ in range(n_values // block * size))
        data += content + bytes(-len(content) % 32)
    return header + bytes(-len(header) % 32) + data


def all_gguf():
    for number, dtype in enumerate(TYPES):
        put("gguf", f"llama-{dtype}", gguf("llama", dtype, spm=number % 2 == 0))
    norms = [("post_attention_norm", 0), ("post_ffw_norm", 0)]
    heads = [("attn_q_norm", 2), ("attn_k_norm", 2)]
    put("gguf", "qwen2", gguf("qwen2", "F32", spm=False))
    put("gguf", "qwen3", gguf("qwen3", "F32", spm=False, extra_tensors=heads))
    caps = {"gemma2.attn_logit_softcapping": 50.0, "gemma2.attention.sliding_window": 4}
    put("gguf", "gemma2", gguf("gemma2", "F32", True, caps, norms))
    put("gguf", "gemma3", gguf("gemma3", "BF16", True, {"gemma3.attention.sliding_window": 4}, norms + heads))


# ---- safetensors: a tiny Llama, whole and in two shards

CONFIG = {
    "model_type": "llama", "hidden_size": 4, "intermediate_size": 4, "num_hidden_layers": 1,
    "num_attention_heads": 2, "num_key_value_heads": 1, "vocab_size": 8, "max_position_embeddings": 32,
    "tie_word_embeddings": False,
}  # fmt: skip
WORDS = {
    "version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "Whitespace"}, "normalizer": None,
    "post_processor": None, "decoder": None, "truncation": None, "padding": None,
    "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "He": 1, "cooks": 2, ".": 3, "Ich": 4}, "unk_token": "[UNK]"},
}  # fmt: skip


def safetensors(tensors, dtype):
    size = 4 if dtype == "F32" else 2
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, shape in tensors:
        n_bytes = size * shape[0] * (shape[1] if len(shape) > 1 else 1)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + n_bytes]}
        data += bytes(RANDOM.randrange(60) for _ in range(n_bytes))
    packed = json.dumps(header, separators=(",", ":")).encode()
    packed += b" " * (-len(packed) % 8)
    return struct.pack("<Q", len(packed)) + packed + data


def all_safetensors():
    layer = "model.layers.0."
    tensors = [
        ("model.embed_tokens.weight", [8, 4]), ("model.norm.weight", [4]), ("lm_head.weight", [8, 4]),
        (layer + "input_layernorm.weight", [4]), (layer + "post_attention_layernorm.weight", [4]),
        (layer + "self_attn.q_proj.weight", [4, 4]), (layer + "self_attn.k_proj.weight", [2, 4]),
        (layer + "self_attn.v_proj.weight", [2, 4]), (layer + "self_attn.o_proj.weight", [4, 4]),
        (layer + "mlp.gate_proj.weight", [4, 4]), (layer + "mlp.up_proj.weight", [4, 4]),
        (layer + "mlp.down_proj.weight", [4, 4]),
    ]  # fmt: skip
    common = [(0, json.dumps(CONFIG).encode()), (1, json.dumps(WORDS).encode())]
    for dtype in ["F32", "F16", "BF16"]:
        put("safetensors", dtype, files(common + [(2, safetensors(tensors, dtype))]))
    shards = {name: "ab"[index % 2] + ".safetensors" for index, (name, _) in enumerate(tensors)}
    index = json.dumps({"metadata": {"total_size": 0}, "weight_map": shards}).encode()
    parts = [(4 + half, safetensors(tensors[half::2], "F32")) for half in range(2)]
    put("safetensors", "sharded", files(common + [(3, index)] + parts))


# ---- tokenizers, configurations


def smaller(tokenizer):
    """The same tokenizer with a vocabulary of a few dozen pieces and an empty table of normalisation."""
    model = tokenizer["model"]
    if isinstance(model["vocab"], list):
        model["vocab"] = model["vocab"][:60]
    else:
        merges = [pair.split(" ") if isinstance(pair, str) else pair for pair in model.get("merges", [])][:30]
        kept = {piece for pair in merges for piece in [*pair, "".join(pair)]} | {model.get("unk_token")}
        least = sorted(model["vocab"].values())[:40]
        model["vocab"] = {p: i for p, i in model["vocab"].items() if i in least or p in kept or len(p) == 1}
        if "merges" in model:
            model["merges"] = [pair for pair in model["merges"][:30]]
    empty = base64.b64encode(struct.pack("<257I", 1024, *[0] * 256) + b"a\0").decode()
    packed = json.dumps(tokenizer, ensure_ascii=False)
    return re.sub(r'"precompiled_charsmap": "[^"]*"', f'"precompiled_charsmap": "{empty}"', packed)


def all_tokenizers():
    for path in sorted((ROOT / "golden/models").glob("*/tokenizer.json")):
        put("tokenizer", path.parent.name, b"t" + smaller(json.loads(path.read_text())).encode())
    for path in sorted((ROOT / "golden/spm").glob("*.model")):
        put("tokenizer", path.stem, b"s" + path.read_bytes())
        put("tokenizer", path.stem + "-framed", b"b" + path.read_bytes())
    for path in sorted((ROOT / "golden/tokenizers").glob("*.json")):
        vocabulary = json.loads(path.read_text()).get("vocabulary")
        if isinstance(vocabulary, dict):
            put("tokenizer", path.stem + "-gguf", b"g" + json.dumps(vocabulary).encode())


def all_configurations():
    for path in sorted((ROOT / "golden/models").glob("*/config*.json")):
        put("config", f"{path.parent.name}-{path.stem}", path.read_bytes())


# ---- sets, language packs, runs


def all_sets():
    names = {
        "items.de.csv": 0, "set.toml": 2, "gest_translations_gender_insensitive.csv": 3,
        "gest_translations_gender_sensitive.csv": 4, "Bulgarian.csv": 5, "my.jsonl": 7, "is.toml": 8,
    }  # fmt: skip
    examples = re.findall(r"^```\w+ (\S+)\n(.*?)^```", (ROOT / "docs/formats.md").read_text(), re.M | re.S)
    parts = {name: (names[name], content.encode()) for name, content in examples if name in names}
    for name, part in parts.items():
        put("set", name, files([part]))
    put("set", "plain", files([parts[name] for name in ["set.toml", "items.de.csv", "is.toml"]]))
    put("set", "wide", files([part for name, part in parts.items() if name.startswith("gest_")]))
    for language in ["de", "el", "fr", "uk"]:
        rows = (ROOT / f"crates/data/sets/mini/items.{language}.csv").read_text().splitlines(True)[:9]
        put("set", f"mini-{language}", files([(0 if language == "de" else 6, "".join(rows).encode())]))
    for language in ["de", "tr"]:
        pack = (ROOT / f"crates/data/languages/{language}.toml").read_bytes()
        put("set", f"pack-{language}", files([parts["items.de.csv"], (9 if language == "de" else 8, pack)]))
    for path in (ROOT / "crates/data/tests/fixtures").glob("*.parquet"):
        put("parquet", path.stem, path.read_bytes())


def all_runs(folder):
    spec = (folder / "spec.json").read_bytes()
    rows = (folder / "items.jsonl").read_bytes().splitlines(True)
    put("run", "whole", files([(0, spec), (1, b"".join(rows[:2]))]))
    put("run", "torn", files([(0, spec), (1, rows[0] + rows[1][:90])]))


all_gguf()
all_safetensors()
all_tokenizers()
all_configurations()
all_sets()
if len(sys.argv) > 1:
    all_runs(pathlib.Path(sys.argv[1]))
for folder in sorted((HERE / "corpus").iterdir()):
    sizes = [path.stat().st_size for path in folder.iterdir()]
    print(f"{folder.name}: {len(sizes)} inputs, {sum(sizes) // 1024} KiB, the longest {max(sizes)} bytes")
