#!/usr/bin/env python3
"""How fast does Stereometer score a set, next to the usual ways of doing it in Python, on the same weights?

Every tool reads the same texts (work.py), answers with each text's mean log-likelihood, and times its own scoring
(peers.py says what that is for each). Batch sizes of the peers are chosen by a pilot run; each round runs every tool
once, in turn, in a process of its own; the table has medians over the rounds, with the slowest and fastest. Memory is
the whole process's peak (`ru_maxrss`), loading included.

The limit: the packed prefix trees need 2 · (parameters of the blocks + of the output layer) operations for every token
that has a successor. Over the speed of the matrix product alone, PyTorch's or ours, whichever is faster, measured before
and after the rounds, this gives the items/s that no program with these products could pass.

    python compare.py MODEL.gguf ... --program target/release/stereometer --peak target/release/examples/peak   # see compare.sh
"""

import argparse
import importlib.metadata
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
from dataclasses import dataclass, field

from work import ROOT, read_lines, work, write_lines

BATCHES = (4, 8, 16, 32)
PEERS = pathlib.Path(__file__).with_name("peers.py")


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
        child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment(threads))
        log = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{log}\nexit code {child.returncode}")
        self.answers = {row["id"]: row for row in read_lines(output)}
        return json.loads(log.strip().splitlines()[-1]) | {"peak_mb": usage.ru_maxrss / 1024}

    def median(self, key: str) -> float:
        return statistics.median(t[key] for t in self.timings)


def environment(threads: int) -> dict[str, str]:
    limits = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"), str(threads))
    quiet = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error", "TOKENIZERS_PARALLELISM": "false"}
    return os.environ | limits | quiet


def compare(tool: Tool, reference: Tool) -> str:
    """Largest difference of a text's mean log-likelihood, once the tokens are known to be the same ones."""
    differences = []
    for name, answer in reference.answers.items():
        other = tool.answers[name]
        if "token_ids" in other and other["token_ids"] != answer["token_ids"]:
            return f"ids differ at {name}"
        if other.get("n_scored", len(answer["token_ids"]) - 1) != len(answer["token_ids"]) - 1:
            return "scores other tokens"
        differences.append(abs(other["mean"] - answer["mean"]))
    return f"{max(differences):.1e}"


def peer(tool: str, dtype: str, batch: int, folder: pathlib.Path, threads: int) -> Tool:
    command = [sys.executable, str(PEERS), "run", tool, dtype, str(batch), str(threads), str(folder), "{texts}", "{output}"]
    return Tool(f"{tool}, " + ("one text at a time" if batch == 1 else f"batches of {batch}"), dtype, command)


def best_batch(tool: str, dtype: str, texts: pathlib.Path, folder: pathlib.Path, threads: int) -> Tool:
    pilot = write_lines(folder / "pilot.jsonl", read_lines(texts)[:32])
    tools = [peer(tool, dtype, batch, folder, threads) for batch in BATCHES]
    return min(tools, key=lambda one: one.run(pilot, folder, threads)["seconds"])


def peaks(program: str | None, threads: int) -> dict[str, float]:
    """Operations a second of the product alone, in each dtype."""
    best: dict[str, float] = {}
    commands = [[sys.executable, str(PEERS), "peak", str(threads)]] + ([[program, str(threads)]] if program else [])
    for command in commands:
        found = subprocess.run(command, check=True, capture_output=True, text=True, env=environment(threads)).stdout
        for dtype, speed in json.loads(found).items():
            best[dtype] = max(speed, best.get(dtype, 0.0))
    return best


def operations(reference: Tool, folder: pathlib.Path) -> float:
    """What the packed trees of one run need: tokens with a successor, each prefix once within an item."""
    prefixes = set()
    for name, answer in reference.answers.items():
        item = name.rsplit("/", 2)[0]
        prefixes |= {(item, tuple(answer["token_ids"][:n])) for n in range(1, len(answer["token_ids"]))}
    counts = json.loads((folder / "parameters.json").read_text())
    return 2.0 * (counts["block"] + counts["head"]) * len(prefixes)


def table(tools: list[Tool], n_items: int, limits: dict[str, float]) -> str:
    reference = tools[0]
    lines = ["| tool | dtype | items/s | slowest – fastest | ratio | of the limit | peak MB | tokens run | difference of means |"]
    lines.append("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for tool in tools:
        speeds = [n_items / t["seconds"] for t in tool.timings]
        ratio = reference.median("seconds") / tool.median("seconds")
        ours = tool.name == "Stereometer"
        share = f"{statistics.median(speeds) / limits[tool.dtype]:.0%}" if ours else ""
        lines.append(
            f"| {tool.name} | {tool.dtype} | {statistics.median(speeds):.2f} | {min(speeds):.2f} – {max(speeds):.2f} "
            f"| {ratio:.1f} | {share} | {tool.median('peak_mb'):.0f} | {tool.timings[0]['tree_tokens']} | {compare(tool, reference)} |"
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


def one_model(source: pathlib.Path, args: argparse.Namespace) -> None:
    before = load(args.threads + 0.7, "before")
    folder = args.work.resolve() / source.stem
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "parameters.json").exists() or not (folder / "tokenizer.json").exists():
        subprocess.run([sys.executable, str(PEERS), "convert", str(source), str(folder)], check=True)
    texts = write_lines(folder / "texts.jsonl", work(args.items))

    tools = [peer("transformers", "f32", 1, folder, args.threads)]
    for name, dtype in (
        ("transformers", "f32"),
        ("transformers", "bf16"),
        ("lm-eval", "f32"),
        ("lm-eval", "bf16"),
        ("minicons", "f32"),
    ):
        tools.append(best_batch(name, dtype, texts, folder, args.threads))
    for dtype in ("f32", "bf16", "q8"):
        command = [args.program, "logprobs", "--model", str(source), "--dtype", dtype, "--threads", str(args.threads)]
        tools.append(Tool("Stereometer", dtype, command + ["--input", "{texts}", "--output", "{output}", "--timing"]))
    best = peaks(args.peak, args.threads)
    for _ in range(args.rounds):
        for tool in tools:
            tool.timings.append(tool.run(texts, folder, args.threads))
    for dtype, speed in peaks(args.peak, args.threads).items():
        best[dtype] = max(speed, best[dtype])
    limits = {dtype: speed * args.items / operations(tools[0], folder) for dtype, speed in best.items()}

    after = load(args.threads + 0.7, "after")
    packages = ("torch", "transformers", "lm_eval", "minicons")
    versions = ", ".join(f"{p} {importlib.metadata.version(p)}" for p in packages)
    print(f"{source.name}: {args.items} items, {4 * args.items} texts, {tools[0].timings[0]['tokens']} tokens; ", end="")
    print(f"{args.threads} threads, medians of {args.rounds} rounds; {processor()}, {before}, {after}; {versions}")
    product = ", ".join(f"{dtype} {speed / 1e9:.0f}" for dtype, speed in best.items())
    print(f"product alone, billion operations/s: {product}; limit, items/s: ", end="")
    print(", ".join(f"{dtype} {limit:.1f}" for dtype, limit in limits.items()) + "\n")
    print(table(tools, args.items, limits) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gguf", type=pathlib.Path, nargs="+")
    parser.add_argument("--program", required=True, help="stereometer")
    parser.add_argument("--peak", help="the example `peak` of the engine")
    parser.add_argument("--items", type=int, default=48)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "target" / "bench", help="where converted weights are kept")
    args = parser.parse_args()
    for source in args.gguf:
        one_model(source.resolve(), args)


if __name__ == "__main__":
    main()
