#!/usr/bin/env python3
"""One Python peer on one file of texts, in a process of its own: what `compare.py` starts.

    python peers.py convert MODEL.gguf FOLDER       # weights as float32 safetensors, the tokenizer, numbers of parameters
    python peers.py run TOOL DTYPE BATCH THREADS FOLDER TEXTS ANSWERS
    python peers.py peak THREADS                    # operations a second of PyTorch's matrix product alone

Tools: `transformers` (`no_grad`, log-softmax over the logits, gather; texts sorted by length in batches, so that little
is padded), `lm-eval` (lm-evaluation-harness: HFLM.loglikelihood with an empty context, which it sorts itself), `minicons`
(IncrementalLMScorer.sequence_score, texts sorted by length). Each answers lines with `id` and `mean`, and one JSON line on
stderr with the seconds of scoring: tokenising counts, loading and a first text for warming up do not.
"""

import json
import pathlib
import sys
import time

import torch
from work import ROOT, read_lines, write_lines

DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16}


def convert(source: pathlib.Path, folder: pathlib.Path) -> None:
    import gguf
    from transformers import AutoModelForCausalLM

    sys.path.insert(0, str(ROOT / "golden" / "generators"))
    from real_models import hugging_face_tokenizers

    meta = {k: f.contents() for k, f in gguf.GGUFReader(source).fields.items()}
    model = AutoModelForCausalLM.from_pretrained(source.parent, gguf_file=source.name, dtype=torch.float32)
    del model.config.quantization_config
    model.hf_quantizer = None
    model.save_pretrained(folder)
    block = sum(p.numel() for p in model.model.layers.parameters() if p.ndim == 2)
    counts = {"block": block, "head": model.lm_head.weight.numel(), "starts": meta.get("tokenizer.ggml.bos_token_id", 0)}
    (folder / "parameters.json").write_text(json.dumps(counts))
    hugging_face_tokenizers(source, meta)[0].save(str(folder / "tokenizer.json"))


def load(folder: pathlib.Path, dtype: str):
    """The model, and the tokenizer as each library wants it."""
    from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    start = json.loads((folder / "parameters.json").read_text())["starts"]
    token = tokenizer.convert_ids_to_tokens(start)
    tokenizer.bos_token = tokenizer.eos_token = tokenizer.pad_token = token
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=DTYPES[dtype]).eval()
    return model, tokenizer


def transformers_means(model, tokenizer, batch: int):
    @torch.no_grad()
    def means(batch_ids: list[list[int]]) -> list[float]:
        ids = torch.nn.utils.rnn.pad_sequence([torch.tensor(i) for i in batch_ids], batch_first=True)
        lengths = torch.tensor([len(i) for i in batch_ids])
        present = torch.arange(ids.shape[1]) < lengths[:, None]
        mask = None if present.all() else present.long()
        logits = model(ids, attention_mask=mask, use_cache=False).logits[:, :-1]
        scores = logits.float().log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]
        return ((scores * present[:, 1:]).sum(-1) / (lengths - 1)).tolist()

    def score(rows: list[dict]) -> list[dict]:
        encoded = [(row["id"], tokenizer(row["text"])["input_ids"]) for row in rows]
        if batch > 1:
            encoded.sort(key=lambda one: len(one[1]))
        answers = []
        for start in range(0, len(encoded), batch):
            part = encoded[start : start + batch]
            values = means([ids for _, ids in part])
            answers += [{"id": n, "token_ids": ids, "mean": m} for (n, ids), m in zip(part, values, strict=True)]
        return answers

    return score


def lm_eval_means(model, tokenizer, batch: int):
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    lm = HFLM(pretrained=model, tokenizer=tokenizer, backend="causal", batch_size=batch, device="cpu")

    def score(rows: list[dict]) -> list[dict]:
        asked = [
            Instance(request_type="loglikelihood", doc={}, arguments=("", row["text"]), idx=i) for i, row in enumerate(rows)
        ]
        sums = [value for value, _ in lm.loglikelihood(asked, disable_tqdm=True)]
        # An empty context becomes the prefix token, so every token of the text is scored.
        counts = [len(lm.tok_encode(row["text"], add_special_tokens=False)) for row in rows]
        return [{"id": row["id"], "mean": s / n, "n_scored": n} for row, s, n in zip(rows, sums, counts, strict=True)]

    return score


def minicons_means(model, tokenizer, batch: int):
    from minicons.scorer import IncrementalLMScorer

    lm = IncrementalLMScorer(model, "cpu", tokenizer=tokenizer)

    def score(rows: list[dict]) -> list[dict]:
        rows = sorted(rows, key=lambda row: len(row["text"])) if batch > 1 else rows
        answers = []
        for start in range(0, len(rows), batch):
            part = rows[start : start + batch]
            scores = lm.sequence_score([row["text"] for row in part], reduction=lambda x: (x.mean(0).item(), len(x)))
            answers += [{"id": r["id"], "mean": m, "n_scored": n} for r, (m, n) in zip(part, scores, strict=True)]
        return answers

    return score


TOOLS = {"transformers": transformers_means, "lm-eval": lm_eval_means, "minicons": minicons_means}


def run(tool: str, dtype: str, batch: int, threads: int, folder: pathlib.Path, texts: pathlib.Path, output: pathlib.Path) -> None:
    torch.set_num_threads(threads)
    score = TOOLS[tool](*load(folder, dtype), batch)
    rows = read_lines(texts)
    score(rows[:1])
    began = time.perf_counter()
    answers = score(rows)
    seconds = time.perf_counter() - began
    write_lines(output, answers)
    tokens = sum(len(a["token_ids"]) if "token_ids" in a else a["n_scored"] for a in answers)
    print(json.dumps({"texts": len(rows), "seconds": seconds, "tree_tokens": tokens, "tokens": tokens}), file=sys.stderr)


def peak(threads: int) -> None:
    torch.set_num_threads(threads)
    speeds = {}
    for name, dtype in DTYPES.items():
        x, w = torch.randn(1024, 1024).to(dtype), torch.randn(3072, 1024).to(dtype)
        best = float("inf")
        for _ in range(40):
            began = time.perf_counter()
            torch.nn.functional.linear(x, w)
            best = min(best, time.perf_counter() - began)
        speeds[name] = 2 * 1024 * 1024 * 3072 / best
    print(json.dumps(speeds))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["convert", gguf_file, target]:
            convert(pathlib.Path(gguf_file), pathlib.Path(target))
        case ["run", tool, dtype, batch, threads, folder, texts, output]:
            run(tool, dtype, int(batch), int(threads), *map(pathlib.Path, (folder, texts, output)))
        case ["peak", threads]:
            peak(int(threads))
        case _:
            sys.exit(__doc__)
