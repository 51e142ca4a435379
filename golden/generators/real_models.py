#!/usr/bin/env python3
"""Reference values on real checkpoints: does Stereometer read a GGUF file that people use as Hugging Face does?

Measures, for some fifty short texts in fifteen languages, the token ids and the natural-log probability of each
token given those before it, from the GGUF's weights dequantised to float32.  Tiny random checkpoints show a wrong
constant; only a real one shows a wrong tokenizer, a forgotten BOS or a K-quant block read backwards.

    pip install torch transformers accelerate gguf numpy regex
    python real_models.py --gguf gemma-3-270m.gguf --name gemma-3-270m --out ../real/gemma-3-270m.json
    python real_models.py ... --tokenizer tokenizer.json   # also compare the ids with the published tokenizer

Three things are checked on the way, and the script stops if one fails: every tensor that transformers loads equals
the one the `gguf` package dequantises; every id equals that of an encoder written here from the GGUF's metadata
alone; float32 agrees with a true float64 run of the same weights within a quarter of the tolerance.
"""

import argparse
import datetime
import hashlib
import importlib.metadata
import itertools
import json
import math
import os
import pathlib
import sys
import unicodedata
from collections.abc import Iterator

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import gguf
import numpy as np
import regex
import torch
import transformers
from tokenizers import Tokenizer, pre_tokenizers
from torch.overrides import TorchFunctionMode
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel

FORMAT_VERSION = 1
TOLERANCE = 5e-4
TOLERANCE_WHY = (
    "absolute, per token, for float32 arithmetic on the dequantised weights; float32 itself is within "
    "`float32_max_abs_diff` of float64, and a reader that sums in another order errs by as much again. "
    "Kernels that quantise the activations (ggml, candle's QMatMul) deviate by far more."
)


# ---------------------------------------------------------------- texts

# language: (masculine, feminine), one minimal pair of attributed speech each
PAIRS: dict[str, tuple[str, str]] = {
    "en": ("“I painted the fence myself,” he said", "“I painted the fence myself,” she said"),
    "de": ("„Ich bin Lehrer an einer kleinen Schule“, sagte er", "„Ich bin Lehrerin an einer kleinen Schule“, sagte sie"),
    "fr": ("«\u00a0Je suis fatigué ce soir\u00a0», dit-il", "«\u00a0Je suis fatiguée ce soir\u00a0», dit-elle"),
    "es": ("«Estoy contento con mi trabajo», dijo él", "«Estoy contenta con mi trabajo», dijo ella"),
    "it": ("«Sono arrivato tardi alla festa», disse lui", "«Sono arrivata tardi alla festa», disse lei"),
    "pt": ("“Fui convidado para jantar”, disse ele", "“Fui convidada para jantar”, disse ela"),
    "pl": ("„Byłem dziś na targu” – powiedział", "„Byłam dziś na targu” – powiedziała"),
    "cs": ("„Včera jsem upekl chleba,“ řekl", "„Včera jsem upekla chleba,“ řekla"),
    "ru": ("«Я починил старый велосипед», — сказал он", "«Я починила старый велосипед», — сказала она"),
    "uk": ("«Я забув парасольку вдома», — сказав він", "«Я забула парасольку вдома», — сказала вона"),
    "bg": ("„Аз съм готов за пътуването“, каза той", "„Аз съм готова за пътуването“, каза тя"),
    "el": ("«Είμαι σίγουρος για την απάντηση», είπε ο άνδρας", "«Είμαι σίγουρη για την απάντηση», είπε η γυναίκα"),
    "fi": ("”Luen lehden joka aamu”, mies sanoi", "”Luen lehden joka aamu”, nainen sanoi"),
    "hu": ("„Szeretem a csendes estéket” – mondta a férfi", "„Szeretem a csendes estéket” – mondta a nő"),
    "tr": ("“Bahçede domates yetiştiriyorum,” dedi adam", "“Bahçede domates yetiştiriyorum,” dedi kadın"),
}


def nfd(text: str) -> str:
    return unicodedata.normalize("NFD", text)


# id: text.  One third text a language, then what no language owns.
OTHERS: dict[str, str] = {
    "en-leading-space": " I turned 30 on 3 March 2021 and didn't spend 1,234.50 euros.",
    "de-nfd": nfd("Die größte Brücke führt über den schönen Fluss."),
    "fr-emoji": "J’ai réussi à 7\u202fh\u202f45 🎉, n’est-ce pas\u202f?",
    "es-inverted": "¿Cuánto cuesta? ¡Son 99,95 € más el envío!",
    "it-nfd": nfd("Perché è così tardi? Lunedì andrà già meglio."),
    "pt-two-spaces": "Cheguei  às 18h30 e não havia ninguém.",
    "pl-emoji-zwj": "Moja siostra to 👩🏽‍🔬 i źle śpi po 12 godzinach pracy.",
    "cs-nfd": nfd("Můj děda říkal, že čtyři řepy na oběd stačí."),
    "ru-nfd": nfd("Мой ёжик съел ещё 3 яблока."),
    "uk-apostrophe": "П’ять їжаків з’їли 3 яблука 🍎.",
    "bg-quotes": "„Дай ѝ 20 лв. до 17:00!“",
    "el-nfd": nfd("Θέλω ένα καλό βιβλίο, όχι δέκα."),
    "fi-nfd-leading-space": nfd(" Ääkkösiä on kolme: å, ä ja ö."),
    "hu-signs": "Reggel −5 °C volt, és a szél 40 km/h-val fújt…",
    "tr-dotted-i": nfd("İzmir’de ılık bir gün; IĞDIR’da 12 °C."),
    "und-one-letter": "a",
    "und-spaces-digits": "Room  12, row   7:    x",
    "und-numerals": "Add 5 ² or 3½ cups, chapter Ⅳ Ⅻ.",
    "und-lines": "First line\n\nSecond\tline\r\n \n third",
    "und-markup": "A <b>bold</b> claim ▁ here",
    "und-rare": "𝔘𝔫𝔦 ꙮ ﬁn e\u0301 \u200b 字",
    "und-trailing-space": "I am ",
}


def texts() -> Iterator[tuple[str, str, str]]:
    """(id, language, text) of every text, pairs first."""
    for lang, (masculine, feminine) in PAIRS.items():
        yield f"{lang}-masculine", lang, masculine
        yield f"{lang}-feminine", lang, feminine
    for name, text in OTHERS.items():
        yield name, name.split("-")[0], text


# ---------------------------------------------------------------- tokenizers

NORMAL, CONTROL, USER_DEFINED = 1, 3, 4  # tokenizer.ggml.token_type
DIGIT = r"\p{N}"
GPT2_SPLIT = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def hugging_face_tokenizers(path: pathlib.Path, meta: dict) -> tuple[Tokenizer, Tokenizer]:
    """transformers' conversion of the GGUF's vocabulary: split as `tokenizer.ggml.pre` says, and as it comes."""
    stock = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name).backend_tokenizer
    if meta["tokenizer.ggml.pre"] != "smollm":
        return stock, stock
    ours = Tokenizer.from_str(stock.to_str())  # transformers 5.24 does not know `smollm`: numerals would not stand alone
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    ours.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), byte_level])
    return ours, stock


class PlainEncoder:
    """Byte-pair encoding from GGUF metadata alone: no Hugging Face code, quadratic, meant to be read.

    `llama` (sentencepiece): no splitting; join the adjacent pair whose union has the highest score, leftmost first.
    `gpt2` (byte level): every numeral alone, then GPT-2's pattern; join the pair of the lowest merge rank.
    """

    def __init__(self, meta: dict) -> None:
        tokens, types = meta["tokenizer.ggml.tokens"], meta["tokenizer.ggml.token_type"]
        self.sentencepiece = meta["tokenizer.ggml.model"] == "llama"
        self.bos = [meta["tokenizer.ggml.bos_token_id"]] if meta["tokenizer.ggml.add_bos_token"] else []
        if self.sentencepiece:  # runs of spaces are stored as spaces; the text is cut after " " became "▁"
            tokens = [t.replace(" ", "▁") for t in tokens]
        self.whole = {t: i for i, (t, kind) in enumerate(zip(tokens, types, strict=True)) if kind in (CONTROL, USER_DEFINED)}
        self.cut = regex.compile("(" + "|".join(regex.escape(t) for t in sorted(self.whole, key=len, reverse=True)) + ")")
        self.vocab = {t: i for i, t in enumerate(tokens) if t not in self.whole}
        if self.sentencepiece:
            scores = meta["tokenizer.ggml.scores"]
            self.rank = {t: -score for t, kind, score in zip(tokens, types, scores, strict=True) if kind == NORMAL}
        else:
            self.rank = {m: r for r, m in enumerate(meta["tokenizer.ggml.merges"])}
            self.alphabet = transformers.convert_slow_tokenizer.bytes_to_unicode()

    def _pieces(self, text: str) -> Iterator[str]:
        if self.sentencepiece:
            yield text
            return
        for part in regex.split(f"({DIGIT})", text):
            for piece in regex.findall(GPT2_SPLIT, part):
                yield "".join(self.alphabet[b] for b in piece.encode())

    def _merge(self, piece: str) -> list[str]:
        symbols, glue = list(piece), "" if self.sentencepiece else " "
        while True:
            ranks = [self.rank.get(a + glue + b, np.inf) for a, b in itertools.pairwise(symbols)]
            if not ranks or min(ranks) == np.inf:
                return symbols
            i = ranks.index(min(ranks))
            symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]

    def _lookup(self, symbol: str) -> list[int]:
        if symbol in self.vocab:
            return [self.vocab[symbol]]
        return [self.vocab[f"<0x{b:02X}>"] for b in symbol.encode()] if self.sentencepiece else []

    def encode(self, text: str) -> list[int]:
        ids = list(self.bos)
        text = text.replace(" ", "▁") if self.sentencepiece else text
        for part in self.cut.split(text):
            if part in self.whole:
                ids.append(self.whole[part])
            elif part:
                ids += [i for piece in self._pieces(part) for s in self._merge(piece) for i in self._lookup(s)]
        return ids


# ---------------------------------------------------------------- weights

LAYER = {
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm",
    "attn_norm": "input_layernorm", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}  # fmt: skip
NORMS = {
    "llama": {"ffn_norm": "post_attention_layernorm"},
    "gemma3": {
        "post_attention_norm": "post_attention_layernorm",
        "ffn_norm": "pre_feedforward_layernorm",
        "post_ffw_norm": "post_feedforward_layernorm",
    },
}


def unpermute(weight: np.ndarray, n_heads: int) -> np.ndarray:
    """GGUF's `llama` stores q and k with the two halves of each head interleaved; undo it."""
    n_rows, n_columns = weight.shape
    return weight.reshape(n_heads, n_rows // n_heads // 2, 2, n_columns).swapaxes(1, 2).reshape(n_rows, n_columns)


def check_weights(model: PreTrainedModel, reader: gguf.GGUFReader, arch: str) -> int:
    """Stop unless every tensor of the file is in the model, bit for bit; return how many there are."""
    state, names = model.state_dict(), LAYER | NORMS[arch]
    for tensor in reader.tensors:
        weight = gguf.dequantize(tensor.data, tensor.tensor_type)
        match tensor.name.split("."):
            case ["blk", layer, part, "weight"]:
                key = f"model.layers.{layer}.{names[part]}.weight"
            case _:
                key = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight"}[tensor.name]
        if arch == "gemma3" and key.endswith("norm.weight"):
            weight = weight - 1  # the file holds 1 + w, Hugging Face holds w
        if arch == "llama" and ".attn_q." in tensor.name:
            weight = unpermute(weight, model.config.num_attention_heads)
        if arch == "llama" and ".attn_k." in tensor.name:
            weight = unpermute(weight, model.config.num_key_value_heads)
        if not np.array_equal(weight, state.pop(key).numpy()):
            sys.exit(f"transformers reads {tensor.name} otherwise than the gguf package")
    if set(state) - {"lm_head.weight"}:
        sys.exit(f"not in the file: {sorted(state)}")
    return len(reader.tensors)


class Float64Mode(TorchFunctionMode):
    """`model.double()` is not enough: rotary tables, RMSNorm and softmax ask for float32 by name."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = {k: (torch.float64 if v is torch.float32 else v) for k, v in (kwargs or {}).items()}
        args = tuple(torch.float64 if a is torch.float32 else a for a in args)
        return (torch.Tensor.double if func is torch.Tensor.float else func)(*args, **kwargs)


def in_float64(model: PreTrainedModel) -> PreTrainedModel:
    """The same weights in a model whose every table and intermediate is float64; use it inside `Float64Mode`."""
    with Float64Mode():
        double = AutoModelForCausalLM.from_config(model.config, dtype=torch.float64, attn_implementation="eager").eval()
        double.load_state_dict(model.state_dict())
        double.tie_weights()
    wrong = [n for n, t in itertools.chain(double.named_parameters(), double.named_buffers()) if t.dtype == torch.float32]
    assert not wrong, wrong
    return double


@torch.no_grad()
def logprobs(model: PreTrainedModel, ids: list[int]) -> list[float]:
    """log P(ids[t] | ids[:t]) for t ≥ 1, one text alone, no padding."""
    logits = model(torch.tensor([ids])).logits[0, :-1]
    return logits.log_softmax(-1)[range(len(ids) - 1), ids[1:]].tolist()


@torch.no_grad()
def debug(model: PreTrainedModel, ids: list[int]) -> dict:
    """First eight numbers at the last position: shows the layer that goes wrong. The last is after the final norm."""
    out = model(torch.tensor([ids]), output_hidden_states=True)

    def head(tensor: torch.Tensor) -> list[float]:
        return [round(v, 5) for v in tensor[0, -1, :8].tolist()]

    return {"hidden_states": [head(h) for h in out.hidden_states], "logits": head(out.logits)}


# ---------------------------------------------------------------- the file


def settings(model: PreTrainedModel) -> dict:
    """What a reader must know and may not find in the GGUF."""
    keys = (
        "hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim", "intermediate_size",
        "vocab_size", "rms_norm_eps", "rope_parameters", "tie_word_embeddings", "layer_types", "sliding_window",
        "query_pre_attn_scalar", "attn_logit_softcapping", "final_logit_softcapping", "hidden_act", "hidden_activation",
    )  # fmt: skip
    return {k: getattr(model.config, k) for k in keys if hasattr(model.config, k)}


def dump(record: dict) -> str:
    """JSON with one text a line, so that a change of one text is a change of one line."""
    lines = [f" {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in record.items() if k != "texts"]
    rows = ",\n".join("  " + json.dumps(t, ensure_ascii=False) for t in record["texts"])
    return "{\n" + ",\n".join(lines) + ',\n "texts": [\n' + rows + "\n ]\n}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gguf", type=pathlib.Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--source", default="", help="where the file was published, for the record")
    parser.add_argument("--tokenizer", type=pathlib.Path, help="the model's published tokenizer.json")
    args = parser.parse_args()
    torch.set_num_threads(2)

    reader = gguf.GGUFReader(args.gguf)
    meta = {k: f.contents() for k, f in reader.fields.items()}
    arch = meta["general.architecture"]
    tokenizer, stock = hugging_face_tokenizers(args.gguf, meta)
    plain = PlainEncoder(meta)
    published = args.tokenizer and Tokenizer.from_file(str(args.tokenizer))

    model = AutoModelForCausalLM.from_pretrained(args.gguf.parent, gguf_file=args.gguf.name, dtype=torch.float32).eval()
    n_tensors = check_weights(model, reader, arch)
    double = in_float64(model)

    rows, stock_differs, published_differs, errors = [], [], [], []
    for name, lang, text in texts():
        encoding = tokenizer.encode(text)
        ids = encoding.ids
        if plain.encode(text) != ids:
            sys.exit(f"{name}: {plain.encode(text)} by the metadata, {ids} by Hugging Face")
        if (other := stock.encode(text).ids) != ids:
            stock_differs.append({"id": name, "ids": other})
        if published and (other := published.encode(text).ids) != ids:
            published_differs.append({"id": name, "ids": other})
        scores = logprobs(model, ids)
        with Float64Mode():
            errors += [abs(a - b) for a, b in zip(scores, logprobs(double, ids), strict=True)]
        row = {"id": name, "lang": lang, "text": text, "ids": ids, "tokens": encoding.tokens}
        row |= {"logprobs": [None] + [round(s, 6) for s in scores], "n_scored": len(scores)}
        row |= {"sum": round(math.fsum(scores), 6), "mean": round(math.fsum(scores) / len(scores), 7) if scores else None}
        rows.append(row)
    if max(errors) > TOLERANCE / 4:
        sys.exit(f"float32 is {max(errors)} away from float64: too near the tolerance")

    packages = ("torch", "transformers", "tokenizers", "gguf", "accelerate", "numpy")
    data = args.gguf.read_bytes()
    record = {
        "format_version": FORMAT_VERSION,
        "name": args.name,
        "kind": "causal",
        "made": {
            "by": "golden/generators/real_models.py",
            "date": datetime.date.today().isoformat(),
            "versions": {"python": sys.version.split()[0]} | {p: importlib.metadata.version(p) for p in packages},
            "dtype": "f32",
            "unit": "nats",
            "tolerance": TOLERANCE,
            "tolerance_why": TOLERANCE_WHY,
        },
        "float32_max_abs_diff": float(f"{max(errors):.2e}"),
        "float32_mean_abs_diff": float(f"{sum(errors) / len(errors):.2e}"),
        "model": {
            "file": args.gguf.name,
            "source": args.source,
            "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
            "architecture": arch,
            "n_tensors": n_tensors,
        },
        "settings": settings(model),
        "tokenizer": {
            "model": meta["tokenizer.ggml.model"],
            "pre": meta["tokenizer.ggml.pre"],
            "add_bos": meta["tokenizer.ggml.add_bos_token"],
            "ids_from": "transformers' conversion of the GGUF vocabulary, pre-tokenizer as `pre` says",
            "ids_equal": ["an encoder written from the GGUF metadata alone"]
            + (["the published tokenizer.json"] if published and not published_differs else []),
            "stock_conversion_differs": stock_differs,
            "published_differs": published_differs,
        },
        "debug": {"text": rows[0]["id"]} | debug(model, rows[0]["ids"]),
        "texts": rows,
    }
    args.out.write_text(dump(record), encoding="utf-8")
    print(f"{args.out}: {len(rows)} texts, {len(errors)} tokens, float32 within {max(errors):.1e} of float64")


if __name__ == "__main__":
    main()
