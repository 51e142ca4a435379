#!/usr/bin/env python3
"""GGUF files of the tiny Qwen 3 and Gemma 2 checkpoints, and what transformers computes from them.

The names of tensors and keys are those of the `gguf` package, which llama.cpp's converter uses; what the converter does
to the weights (Gemma's norms plus 1) is done here, and transformers' own GGUF loader must read the same weights back.
The expected values are those of the checkpoint itself: nothing of this file decides them.  Configuration keys that
transformers does not read from such files are printed.

The files hold no tokenizer: `tokenizer.json` lies beside them.  Writes ../models/<name>-gguf and
../expected/<name>-gguf-f32.json.

    python gguf_architectures.py     # needs ../models and ../expected; the packages of make_goldens.py

Made with Python 3.11, torch 2.15.0, transformers 5.24.0, gguf 0.19.0.
"""

import json
import pathlib
import shutil

import gguf
import make_goldens
import numpy as np
import torch
from safetensors.torch import load_file
from transformers import AutoConfig, AutoModelForCausalLM

GOLDEN = pathlib.Path(__file__).resolve().parent.parent
ARCHITECTURES = {"qwen3": gguf.MODEL_ARCH.QWEN3, "gemma2": gguf.MODEL_ARCH.GEMMA2}


def write(path, name, config, weights):
    arch = ARCHITECTURES[name]
    writer = gguf.GGUFWriter(str(path), gguf.MODEL_ARCH_NAMES[arch])
    writer.add_name(f"golden {name}")
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    head_dim = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_vocab_size(config["vocab_size"])
    writer.add_key_length(head_dim)
    writer.add_value_length(head_dim)
    if name == "qwen3":
        writer.add_rope_freq_base(config["rope_parameters"]["rope_theta"])
    if name == "gemma2":
        writer.add_attn_logit_softcapping(config["attn_logit_softcapping"])
        writer.add_final_logit_softcapping(config["final_logit_softcapping"])
        writer.add_sliding_window(config["sliding_window"])
    names = gguf.get_tensor_name_map(arch, config["num_hidden_layers"])
    for key, value in weights.items():
        value = value + 1 if name == "gemma2" and key.endswith("norm.weight") else value
        tensor = names.get_name(key, try_suffixes=(".weight",))
        writer.add_tensor(tensor, np.ascontiguousarray(value, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    for name in ARCHITECTURES:
        base, out = GOLDEN / "models" / name, GOLDEN / "models" / f"{name}-gguf"
        out.mkdir(exist_ok=True)
        shutil.copyfile(base / "tokenizer.json", out / "tokenizer.json")
        config = json.loads((base / "config.json").read_text())
        weights = {key: value.numpy() for key, value in load_file(base / "model.safetensors").items()}
        path = out / f"{name}.F32.gguf"
        write(path, name, config, weights)

        # GGUF has no key for the scale of Gemma 2's scores: it is that of the head, but in the 27B model.
        changes = {"query_pre_attn_scalar": config["head_dim"]} if name == "gemma2" else {}
        with make_goldens.float64():
            wanted = AutoConfig.from_pretrained(base, **changes)
            model = AutoModelForCausalLM.from_pretrained(
                base, config=wanted, dtype=torch.float64, attn_implementation="eager"
            ).eval()
        theirs = AutoModelForCausalLM.from_pretrained(
            out, gguf_file=path.name, config=wanted, dtype=torch.float32
        ).eval()
        mine = model.state_dict()
        for key, value in theirs.state_dict().items():
            assert torch.allclose(value.double(), mine[key], atol=1e-6), (name, key)
        read = AutoConfig.from_pretrained(out, gguf_file=path.name).to_dict()
        ignored = {"architectures", "dtype", "bos_token_id", "eos_token_id", "pad_token_id"}
        pairs = {key: (value, read.get(key)) for key, value in wanted.to_dict().items() if key not in ignored}
        print(name, {key: pair for key, pair in pairs.items() if pair[0] != pair[1]})

        expected = json.loads((base.parent.parent / "expected" / f"{name}.json").read_text())
        texts = []
        with make_goldens.float64():
            for text in expected["texts"]:
                logprobs = make_goldens.causal_logprobs(model, text["ids"])
                kept = {key: text[key] for key in ("id", "lang", "text", "ids", "tokens")}
                texts.append(kept | {"logprobs": make_goldens.rnd([None, *logprobs])})
        record = {"format_version": 1, "name": f"{name}-gguf-f32", "kind": "causal", "texts": texts}
        target = GOLDEN / "expected" / f"{name}-gguf-f32.json"
        target.write_text(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
