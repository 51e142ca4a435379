#!/usr/bin/env python3
"""Does the cost of an audit grow linearly, and how long would the whole of EuroGEST take?

Audits every nth row of EuroGEST's released files (each row has all its languages), from about 100 items to 10,000, through
the whole program: reading, tokenising, scoring, recording, analysis and report. Prints items, tree tokens and seconds of scoring, the line through
them, and what it means for the whole; `--figure FILE.svg` draws them (needs matplotlib).

    python scaling.py EUROGEST_FOLDER --program target/release/stereometer --model gemma-3-270m [--dtype bf16]
"""

import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

FILES = ("gest_translations_gender_insensitive.csv", "gest_translations_gender_sensitive.csv")
STEPS = (710, 237, 71, 20, 7)


def every(step: int, source: pathlib.Path, target: pathlib.Path) -> None:
    target.mkdir()
    for name in FILES:
        with (source / name).open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        # Header lines first: the file of pairs has two.
        n_heads = 2 if "sensitive" in name and "insensitive" not in name else 1
        kept = rows[:n_heads] + rows[n_heads:][step // 2 :: step]
        with (target / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(kept)


def audit(step: int, source: pathlib.Path, args: argparse.Namespace) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        sample = pathlib.Path(folder) / "set"
        every(step, source, sample)
        run = pathlib.Path(folder) / "run"
        command = [args.program, "audit", "--model", args.model, "--set", str(sample), "--dtype", args.dtype]
        began = time.perf_counter()
        done = subprocess.run(command + ["--threads", str(args.threads), "--out", str(run), "-q"], capture_output=True, text=True)
        whole = time.perf_counter() - began
        if done.returncode not in (0, 5):
            sys.exit(f"{' '.join(command)}\n{done.stderr}\nexit code {done.returncode}")
        events = [json.loads(line) for line in (run / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    timing = next(found for event in reversed(events) if (found := find(event)))
    return {"step": step, "items": timing["scored_items"], "tree_tokens": timing["tree_tokens"], "seconds": timing["seconds"], "whole": whole}


def find(event: object) -> dict | None:
    """The object with `tree_tokens`, however deep it lies."""
    if not isinstance(event, dict):
        return None
    return event if "tree_tokens" in event else next((found for value in event.values() if (found := find(value))), None)


def line(points: list[dict]) -> tuple[float, float]:
    """Seconds for each tree token through the origin, and the largest relative distance of a point from it."""
    slope = sum(p["seconds"] for p in points) / sum(p["tree_tokens"] for p in points)
    return slope, max(abs(p["seconds"] / (slope * p["tree_tokens"]) - 1) for p in points)


def draw(points: list[dict], slope: float, path: pathlib.Path, title: str) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "cost"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4))
    tokens = [p["tree_tokens"] for p in points]
    axes.plot(tokens, [slope * t for t in tokens], color="#666666", linewidth=1, label="one cost for every tree token")
    axes.plot(tokens, [p["seconds"] for p in points], "o", color="#0072b2", label="measured")
    for p in points:
        axes.annotate(f"{p['items']:,} items", (p["tree_tokens"], p["seconds"]), textcoords="offset points", xytext=(6, -12), fontsize=8)
    axes.set(xscale="log", yscale="log", xlabel="tree tokens", ylabel="seconds of scoring", title=title)
    axes.margins(x=0.15, y=0.12)
    axes.legend(frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("eurogest", type=pathlib.Path)
    parser.add_argument("--program", required=True)
    parser.add_argument("--model", default="gemma-3-270m")
    parser.add_argument("--dtype", default="bf16")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--figure", type=pathlib.Path)
    args = parser.parse_args()
    print(f"{args.model}, {args.dtype}, {args.threads} threads; load {os.getloadavg()[0]:.1f} before")
    print("every nth row | items | tree tokens | seconds of scoring | items/s | seconds of the whole command")
    points = []
    for step in STEPS:
        point = audit(step, args.eurogest, args)
        points.append(point)
        print(
            f"{step} | {point['items']} | {point['tree_tokens']} | {point['seconds']:.1f} "
            f"| {point['items'] / point['seconds']:.1f} | {point['whole']:.1f}",
            flush=True,
        )
    slope, off = line(points)
    twentieth = next(p for p in points if p["step"] == 20)
    print(f"{1 / slope:.0f} tree tokens/s; no point is further than {off:.1%} from the line; load {os.getloadavg()[0]:.1f} after")
    print(f"the whole of EuroGEST, 20 times the twentieth: {20 * twentieth['items']} items, {20 * twentieth['seconds'] / 60:.0f} minutes")
    if args.figure:
        draw(points, slope, args.figure, f"Scoring EuroGEST: {args.model}, {args.dtype}, {args.threads} cores")


if __name__ == "__main__":
    main()
