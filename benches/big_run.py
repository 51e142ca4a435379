#!/usr/bin/env python3
"""A run of any size from a small one, to measure analysis and report without a model.

    python benches/big_run.py RUN OUT --copies 39
    time stereometer report OUT --out OUT-report

Every copy has source sentences of its own, the texts of the original, and log-probabilities moved by noise (seed 1), the same
for all tokens of a variant. Keys are made anew (see `ItemRecord` in crates/record), so that the program takes the rows for its
own. No number in such a run was measured.
"""

import argparse
import copy
import hashlib
import json
import pathlib
import random


def identity_hash(identity):
    text = json.dumps(identity, ensure_ascii=False, separators=(",", ":"))
    old = ',"method":"likelihood"}'
    return hashlib.sha256((text[: -len(old)] + "}" if text.endswith(old) else text).encode()).hexdigest()


def key(run, row):
    parts = [run, row["id"], str(row["stereotype"]), *row["texts"]]
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


def copied(row, number, noise):
    row = copy.deepcopy(row)
    row["source"] += f"x{number}"
    row["id"] = f"{row['language']}/{row['source']}/{row['form']}"
    for variant in row["outcome"].get("scored", {}).values():
        shift = noise.gauss(0, 0.3)
        variant["logprobs"] = [None if one is None else min(-1e-4, round(one + shift, 6)) for one in variant["logprobs"]]
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--copies", type=int, default=39)
    arguments = parser.parse_args()
    spec = json.loads((arguments.run / "spec.json").read_text(encoding="utf-8"))
    lines = (arguments.run / "items.jsonl").read_text(encoding="utf-8").splitlines()
    rows, noise, run = [json.loads(line) for line in lines], random.Random(1), identity_hash(spec["identity"])
    assert key(run, rows[0]) == rows[0]["key"], "the run has keys of another kind"
    arguments.out.mkdir(parents=True)
    spec["n_items"] = len(rows) * arguments.copies
    (arguments.out / "spec.json").write_text(json.dumps(spec, ensure_ascii=False, indent=2), encoding="utf-8")
    with open(arguments.out / "items.jsonl", "w", encoding="utf-8") as file:
        for number in range(arguments.copies):
            for row in rows:
                row = copied(row, number, noise)
                row["key"] = key(run, row)
                file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
