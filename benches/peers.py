#!/usr/bin/env python3
"""How fast does Stereometer score a set, next to the ordinary way of doing it in Python, on the same weights?

Work: K neutral sentences of the built-in set `mini`, round robin over the languages that have pronoun and noun templates.
An item is one sentence in four variants: “…,” he said / she said / the man said / the woman said.  Every tool reads the
same texts, answers with each text's mean log-likelihood, and times its own scoring: tokenising counts, loading does not.

Peer: transformers on PyTorch, float32, `no_grad`, log-softmax over the logits, gather; one text at a time, and in its
best batch (texts sorted by length, so that little is padded; size chosen by a pilot run).  It runs the GGUF's
weights dequantised to float32, saved once as safetensors, and gets a warm-up pass that is not timed.

    python peers.py gemma-3-270m.gguf --stereometer ../target/release/stereometer     # compare.sh prepares all of this
    python peers.py gemma-3-270m.gguf                                                 # the peer alone

Each round runs every tool once, in turn, in a process of its own; the table has medians over the rounds, with the
slowest and fastest.  Memory is the whole process's peak (`ru_maxrss`), loading included.
"""

import argparse
import csv
import importlib.metadata
import itertools
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "crates" / "data"
LOOSE = ".,;:!?…·;¡¿ "
TEMPLATES, GENDERS = ("pronoun", "noun"), ("masculine", "feminine")
BATCHES = (4, 8, 16, 32)


# ---------------------------------------------------------------- the work


def items_of(path: pathlib.Path) -> Iterator[list[dict[str, str]]]:
    """Every item of one language: its four texts. None if the language lacks a template."""
    pack = tomllib.loads(path.read_text(encoding="utf-8"))
    rows = DATA / "sets" / "mini" / f"items.{pack['tag']}.csv"
    if "absent" in pack["templates"]["pronoun"] or not rows.exists():
        return
    for row in csv.DictReader(rows.open(encoding="utf-8", newline="")):
        sentence = pack["quotes"]["open"] + row["neutral"].strip(LOOSE) + pack["quotes"]["close"]
        if row["neutral"]:
            yield [
                {"id": f"{pack['tag']}/{row['id']}/{t}/{g}", "text": f"{sentence} {pack['templates'][t][g]}"}
                for t, g in itertools.product(TEMPLATES, GENDERS)
            ]


def work(n_items: int) -> list[dict[str, str]]:
    languages = [list(items_of(path)) for path in sorted((DATA / "languages").glob("*.toml"))]
    rounds = itertools.zip_longest(*filter(None, languages))
    items = [item for one_each in rounds for item in one_each if item]
    if len(items) < n_items:
        sys.exit(f"the set has {len(items)} neutral items, fewer than {n_items}")
    return [text for item in items[:n_items] for text in item]


def write_lines(path: pathlib.Path, rows: list[dict]) -> pathlib.Path:
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")
    return path


def read_lines(path: pathlib.Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# ---------------------------------------------------------------- the peer (each function runs in its own process)


def convert(source: pathlib.Path, folder: pathlib.Path) -> None:
    """The GGUF's weights as float32 safetensors, and its tokenizer as tokenizer.json."""
    import gguf
    import torch
    from transformers import AutoModelForCausalLM

    sys.path.insert(0, str(ROOT / "golden" / "generators"))
    from real_models import hugging_face_tokenizers

    meta = {k: f.contents() for k, f in gguf.GGUFReader(source).fields.items()}
    model = AutoModelForCausalLM.from_pretrained(source.parent, gguf_file=source.name, dtype=torch.float32)
    del model.config.quantization_config
    model.hf_quantizer = None
    model.save_pretrained(folder)
    hugging_face_tokenizers(source, meta)[0].save(str(folder / "tokenizer.json"))


def peer(folder: pathlib.Path, batch: int, threads: int, texts: pathlib.Path, output: pathlib.Path) -> None:
    """Answers like `stereometer logprobs --timing`: lines with id and mean, one JSON line on stderr."""
    import torch
    from tokenizers import Tokenizer
    from transformers import AutoModelForCausalLM

    torch.set_num_threads(threads)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()

    @torch.no_grad()
    def means(batch_ids: list[list[int]]) -> list[float]:
        ids = torch.nn.utils.rnn.pad_sequence([torch.tensor(i) for i in batch_ids], batch_first=True)
        lengths = torch.tensor([len(i) for i in batch_ids])
        present = torch.arange(ids.shape[1]) < lengths[:, None]
        mask = None if present.all() else present.long()
        logits = model(ids, attention_mask=mask, use_cache=False).logits[:, :-1]
        scores = logits.log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]
        return ((scores * present[:, 1:]).sum(-1) / (lengths - 1)).tolist()

    rows = read_lines(texts)
    means([tokenizer.encode(rows[0]["text"]).ids])  # warm-up
    began = time.perf_counter()
    encoded = [(row["id"], tokenizer.encode(row["text"]).ids) for row in rows]
    if batch > 1:
        encoded.sort(key=lambda one: len(one[1]))
    answers = []
    for start in range(0, len(encoded), batch):
        part = encoded[start : start + batch]
        values = means([ids for _, ids in part])
        answers += [{"id": n, "token_ids": ids, "mean": m} for (n, ids), m in zip(part, values, strict=True)]
    seconds = time.perf_counter() - began
    write_lines(output, answers)
    tokens = sum(len(i) for _, i in encoded)
    timing = {"texts": len(rows), "seconds": seconds, "tree_tokens": tokens, "tokens": tokens, "threads": threads}
    print(json.dumps(timing), file=sys.stderr)


# ---------------------------------------------------------------- the comparison


@dataclass
class Tool:
    name: str
    dtype: str
    command: list[str]  # {texts} and {output} are filled in
    timings: list[dict] = field(default_factory=list)
    answers: dict[str, dict] = field(default_factory=dict)

    def run(self, texts: pathlib.Path, folder: pathlib.Path, threads: int) -> dict:
        """One run in a process of its own; its timing line with the peak memory in MB added."""
        output = folder / "answers.jsonl"
        command = [part.format(texts=texts, output=output) for part in self.command]
        limits = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"), str(threads))
        quiet = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error", "TOKENIZERS_PARALLELISM": "false"}
        child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | limits | quiet)
        log = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{log}\nexit code {child.returncode}")
        self.answers = {row["id"]: row for row in read_lines(output)}
        return json.loads(log.strip().splitlines()[-1]) | {"peak_mb": usage.ru_maxrss / 1024}

    def median(self, key: str) -> float:
        return statistics.median(t[key] for t in self.timings)


def compare(tool: Tool, reference: Tool) -> str:
    """Largest difference of a text's mean log-likelihood, once the ids are known to be the same."""
    for name, answer in reference.answers.items():
        other = tool.answers[name]
        if other.get("token_ids") != answer["token_ids"]:
            return f"ids differ at {name}: {other.get('token_ids', other)} and {answer['token_ids']}"
    differences = (abs(tool.answers[n]["mean"] - a["mean"]) for n, a in reference.answers.items())
    return f"{max(differences):.1e}"


def best_batch(tools: list[Tool], texts: pathlib.Path, folder: pathlib.Path, threads: int) -> Tool:
    pilot = write_lines(folder / "pilot.jsonl", read_lines(texts)[:96])
    return min(tools, key=lambda tool: tool.run(pilot, folder, threads)["seconds"])


def table(tools: list[Tool], n_items: int) -> str:
    reference = next(tool for tool in tools if tool.name.startswith("transformers"))
    lines = ["| tool | dtype | items/s | slowest – fastest | ratio | peak MB | tokens run | max abs diff of means |"]
    lines.append("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for tool in tools:
        speeds = [n_items / t["seconds"] for t in tool.timings]
        ratio = reference.median("seconds") / tool.median("seconds")
        lines.append(
            f"| {tool.name} | {tool.dtype} | {statistics.median(speeds):.2f} | {min(speeds):.2f} – {max(speeds):.2f} "
            f"| {ratio:.2f} | {tool.median('peak_mb'):.0f} | {tool.timings[0]['tree_tokens']} | {compare(tool, reference)} |"
        )
    return "\n".join(lines)


def processor() -> str:
    info = pathlib.Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.processor()}, {os.cpu_count()} cores"


def load(limit: float, when: str) -> str:
    """The machine's load. Other work makes every number meaningless: PyTorch's threads spin while they wait for each other."""
    now = os.getloadavg()[0]
    if now > limit:
        print(f"warning: load {now:.1f} {when}: other work is running, so these numbers are worth nothing", file=sys.stderr)
    return f"load {now:.1f} {when}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gguf", type=pathlib.Path)
    parser.add_argument("--stereometer", help="the program; without it only the peer is measured")
    parser.add_argument("--items", type=int, default=48)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "target" / "bench", help="where converted weights are kept")
    args = parser.parse_args()

    before = load(0.7, "before")
    source, folder = args.gguf.resolve(), args.work.resolve() / args.gguf.stem
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "tokenizer.json").exists():
        subprocess.run([sys.executable, __file__, "convert", str(source), str(folder)], check=True)
    texts = write_lines(folder / "texts.jsonl", work(args.items))

    def python(batch: int) -> Tool:
        name = "transformers, one text at a time" if batch == 1 else f"transformers, batches of {batch}"
        command = [sys.executable, __file__, "peer", str(folder), str(batch), str(args.threads), "{texts}", "{output}"]
        return Tool(name, "f32", command)

    tools = [python(1), best_batch([python(b) for b in BATCHES], texts, folder, args.threads)]
    for dtype in ("auto", "f32") if args.stereometer else ():
        command = [args.stereometer, "logprobs", "--model", str(source), "--dtype", dtype, "--threads", str(args.threads)]
        label = "as stored" if dtype == "auto" else dtype
        tools.append(Tool("Stereometer", label, command + ["--input", "{texts}", "--output", "{output}", "--timing"]))
    for _ in range(args.rounds):
        for tool in tools:
            tool.timings.append(tool.run(texts, folder, args.threads))

    after = load(args.threads + 0.7, "after")
    versions = ", ".join(f"{p} {importlib.metadata.version(p)}" for p in ("torch", "transformers", "tokenizers"))
    print(f"{source.name}: {args.items} items, {4 * args.items} texts, {tools[0].timings[0]['tokens']} tokens; ", end="")
    print(f"{args.threads} threads, medians of {args.rounds} rounds; {processor()}, {before}, {after}; {versions}\n")
    print(table(tools, args.items))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["convert", gguf_file, target]:
            convert(pathlib.Path(gguf_file), pathlib.Path(target))
        case ["peer", target, size, n_threads, source_texts, answers_file]:
            peer(pathlib.Path(target), int(size), int(n_threads), pathlib.Path(source_texts), pathlib.Path(answers_file))
        case _:
            main()
