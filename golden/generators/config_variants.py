#!/usr/bin/env python3
"""Reference values for settings that the tiny checkpoints do not have: the same weights under other configuration keys.

A key that is read wrongly moves the numbers by more than 1, so a few texts are enough.  Each `../variants/<name>.json`
holds the checkpoint's name, the keys that are changed (null: taken away) and, for some texts of its expectation, what
`transformers` computes in float64.

    python config_variants.py        # needs ../models and ../expected; the packages of make_goldens.py

Made with Python 3.11, torch 2.15.0, transformers 5.24.0.
"""

import json
import pathlib
import shutil
import tempfile

import make_goldens

GOLDEN = pathlib.Path(__file__).resolve().parent.parent
N_TEXTS = 6

VARIANTS = {
    # LongRoPE in both spellings; every golden text is shorter than the original context.
    "phi3-longrope": (
        "phi3",
        {
            "rope_parameters": {
                "rope_type": "longrope",
                "rope_theta": 10000.0,
                "partial_rotary_factor": 0.75,
                "short_factor": [1.0, 1.1, 1.3, 1.5, 1.9, 2.5],
                "long_factor": [2.0] * 6,
            },
            "original_max_position_embeddings": 256,
            "max_position_embeddings": 1024,
        },
    ),
    "phi3-longrope-old-keys": (
        "phi3",
        {
            "rope_parameters": None,
            "rope_scaling": {
                "type": "longrope",
                "short_factor": [1.0, 1.1, 1.3, 1.5, 1.9, 2.5, 3.0, 3.5],
                "long_factor": [2.0] * 8,
            },
            "rope_theta": 20000.0,
            "original_max_position_embeddings": 256,
            "max_position_embeddings": 2048,
        },
    ),
    "phi3-longrope-attention-factor": (
        "phi3",
        {
            "rope_parameters": {
                "rope_type": "longrope",
                "rope_theta": 10000.0,
                "short_factor": [1.0, 1.1, 1.3, 1.5, 1.9, 2.5, 3.0, 3.5],
                "long_factor": [2.0] * 8,
                "attention_factor": 1.7,
            },
        },
    ),
    "gpt_neox-serial": ("gpt_neox", {"use_parallel_residual": False, "hidden_act": "gelu_new"}),
    "gpt_neox-linear": (
        "gpt_neox",
        {
            "rope_parameters": {
                "rope_type": "linear",
                "factor": 4.0,
                "rope_theta": 500.0,
                "partial_rotary_factor": 0.5,
            }
        },
    ),
    "gpt2-gelu-unscaled": ("gpt2", {"activation_function": "gelu", "scale_attn_weights": False}),
    "mistral-no-window": ("mistral", {"sliding_window": "null", "hidden_act": "gelu"}),
    "mistral-default-window": ("mistral", {"sliding_window": None}),
    "cohere2-pattern": ("cohere2", {"layer_types": None, "sliding_window_pattern": 2}),
    "qwen3-window": (
        "qwen3",
        {"use_sliding_window": True, "sliding_window": 5, "max_window_layers": 1, "layer_types": None},
    ),
    "gemma2-no-caps": ("gemma2", {"final_logit_softcapping": "null", "attn_logit_softcapping": "null"}),
    "gemma2-default-caps": (
        "gemma2",
        {"final_logit_softcapping": None, "attn_logit_softcapping": None, "query_pre_attn_scalar": None},
    ),
    "olmo2-linear": ("olmo2", {"rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 500000.0}}),
}


def changed(keys, changes):
    """The configuration with other keys: None takes a key away, "null" writes null."""
    kept = {key: value for key, value in keys.items() if key not in changes}
    return kept | {key: None if value == "null" else value for key, value in changes.items() if value is not None}


def variant(base, changes):
    """What transformers computes."""
    with tempfile.TemporaryDirectory() as directory:
        model_dir = pathlib.Path(directory) / base
        shutil.copytree(GOLDEN / "models" / base, model_dir)
        config = model_dir / "config.json"
        config.write_text(json.dumps(changed(json.loads(config.read_text()), changes)))
        model = make_goldens.load64("causal", model_dir)
    expected = json.loads((GOLDEN / "expected" / f"{base}.json").read_text())
    texts, furthest = [], 0.0
    with make_goldens.float64():
        for text in [text for text in expected["texts"] if len(text["ids"]) > 20][:N_TEXTS]:
            logprobs = make_goldens.causal_logprobs(model, text["ids"])
            furthest = max(furthest, *(abs(a - b) for a, b in zip(logprobs, text["logprobs"][1:])))
            texts.append({"ids": text["ids"], "logprobs": make_goldens.rnd([None, *logprobs])})
    return texts, furthest


def main():
    out = GOLDEN / "variants"
    out.mkdir(exist_ok=True)
    for name, (base, changes) in VARIANTS.items():
        texts, furthest = variant(base, changes)
        assert furthest > 0.1, (name, furthest)
        record = {"base": base, "changes": changes, "texts": texts}
        (out / f"{name}.json").write_text(json.dumps(record, ensure_ascii=False) + "\n")
        print(f"{name:32s} differs from {base} by up to {furthest:.2f}")


if __name__ == "__main__":
    main()
