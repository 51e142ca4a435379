#!/usr/bin/env python3
"""Every number of an analysis once more, from `items.jsonl` alone, in another language by other libraries.

    pip install numpy scipy
    python recompute.py RUN [RUN ...]          prints what results.json (one run) or comparison.json (several) should say
    python recompute.py RUN [RUN ...] --against FILE     compares with such a file: its settings, its every number
    python recompute.py --golden               writes ../../expected/recomputed.json

Formulas: EuroGEST, section 4; Efron (1987), Davison and Hinkley (1997), Rao and Wu (1988). What is done where something is
missing is said in the heads of crates/score, crates/stats and crates/audit, and followed here. The names of the fields are
those of the files, so that a number and its recomputation are found in the same place. Log-probabilities are single-precision
numbers, of which the file holds the shortest decimals: they are read as such.
Not recomputed: texts, warnings and doubts, and what needs the families of models (trends, pairs of tunings).
`crates/audit/tests/recomputed.rs` and `crates/cli/tests/program/recomputed.rs` compare the program with the golden file.

Made with Python 3.11, NumPy 2.4.6, SciPy 1.17.1.
"""

import argparse
import json
import math
import pathlib
import sys

import numpy as np
import scipy

import draws
from analysis import SETTINGS, Analysis
from comparison import Comparison
from rows import CAUSAL_RULES, Run

GOLDEN = pathlib.Path(__file__).resolve().parents[2]
# Sums in another order; differences of rates that nearly cancel; and the ends of BCa intervals, which are read at a level
# from the normal distribution function, where that of the Rust crate statrs 0.19 is off by up to 2.5e-11.
RELATIVE, ABSOLUTE, ABSOLUTE_BCA = 1e-9, 1e-12, 1e-10


def analysed(runs, settings):
    return Comparison(runs, settings).comparison() if len(runs) > 1 else Analysis(runs, settings).results(runs[0])


def plain(value):
    """What JSON can hold, floats with 15 digits."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(one) for one in value]
    if isinstance(value, (bool, np.bool_)) or value is None or isinstance(value, str):
        return bool(value) if isinstance(value, np.bool_) else value
    if isinstance(value, (int, np.integer)):
        return int(value)
    assert math.isfinite(value), value
    return float(f"{value:.15g}")


def leaves(value, path=""):
    """Every number, word and gap with its path."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, f"{path}/{key}")
    elif isinstance(value, list):
        yield f"{path}/length", len(value)
        for place, one in enumerate(value):
            yield from leaves(one, f"{path}/{place}")
    else:
        yield path, value


def against(ours, file):
    """Says what differs, and what the file holds beyond; the number of disagreements."""
    ours, theirs = dict(leaves(ours)), dict(leaves(file))
    wrong, largest = [], (0.0, "")
    for path, value in ours.items():
        other = theirs.get(path)
        if type(value) in (int, float) and type(other) in (int, float):
            difference = abs(value - other)
            allowed = RELATIVE * abs(value) + (ABSOLUTE_BCA if "/bca/" in path else ABSOLUTE)
            largest = max(largest, (difference / allowed, path))
            is_equal = difference <= allowed
        else:
            # A run's label is a name that `compare` gave it.
            is_equal = value == other or path.endswith("/label")
        if not is_equal:
            wrong.append(f"{path}: {other} there, {value} here")
    print("".join(f"{line}\n" for line in wrong[:40]), end="")
    beyond = (path for path, value in theirs.items() if path not in ours and type(value) in (int, float))
    skipped = ("/spec/", "/warnings/", "/trends/", "/length", "/format_version")
    beyond = [path for path in beyond if not any(one in path for one in skipped)]
    print(f"{len(ours)} values compared, {len(wrong)} disagree; {len(beyond)} numbers of the file were not recomputed")
    print(f"the largest difference is {largest[0]:.2g} of what is allowed, at {largest[1]}")
    return len(wrong)


def golden():
    """Two comparisons, with few resamples: whole runs, and a run with gaps under the other average and rule."""
    folders = [GOLDEN / "runs" / name for name in ("llama", "qwen2")]
    whole = [Run(folder) for folder in folders]
    settings = {key: whole[0].spec[key] for key in SETTINGS} | {"resamples": 400}
    # A third of all items; a stereotype with one source in German, and one with none in Finnish.
    records = whole[0].records
    without = [one["id"] for one in records[1::3]]
    emptied = [one for one in records if (one["language"], one["stereotype"]) in {("de", 5), ("fi", 9)}]
    without += [one["id"] for one in emptied if one["language"] == "fi" or one["source"] != emptied[0]["source"]]
    thinned = [Run(folders[0], set(without)), whole[1]]
    written = {
        "format_version": 1,
        "made_by": "golden/generators/recompute/recompute.py --golden",
        "versions": {"python": sys.version.split()[0], "numpy": np.__version__, "scipy": scipy.__version__},
        "tolerance": {"relative": RELATIVE, "absolute": ABSOLUTE, "absolute_bca": ABSOLUTE_BCA, "why": "recompute.py"},
        "draws": draws_table(settings["seed"]),
        "rules": CAUSAL_RULES,
        "rates": {
            run.label: {one["id"]: [rate_or_none(one["rates"][rule]) for rule in run.rules] for one in run.records}
            for run in whole
        },
        "whole": analysed(whole, settings),
        "without": sorted(set(without)),
        "thinned": analysed(thinned, settings | {"rule": "divergence", "average": "arithmetic"}),
    }
    target = GOLDEN / "expected" / "recomputed.json"
    target.write_text(pretty(plain(written)) + "\n")


def rate_or_none(rate):
    return rate[0] if isinstance(rate, tuple) else None


def draws_table(seed):
    """A few draws of each kind; 3,000,000,000 of them need a correction in some streams."""
    stream = draws.stream_seed(seed, "bootstrap/stereotype-1")
    words = draws.endless(stream)
    row = list(range(20))
    shuffled = [draws.shuffle(row, words.__next__) or list(row) for _ in range(3)]
    return {
        "stream_seed": str(stream),
        "weights": draws.weights(seed, 1, 7, 5),
        "integers": [
            {"below": n, "first": draws.integers(stream, range(3), n, 20)} for n in (2, 7, 1000, 3_000_000_000)
        ],
        "flips": draws.flips(seed, 1, 40, 3),
        "shuffles_of_20": shuffled,
    }


def pretty(value, indent=""):
    """A line for every object that holds no longer one, so that a change shows in a diff."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) < 1000 or not isinstance(value, (dict, list)):
        return flat
    inner = indent + " "
    if isinstance(value, dict):
        parts = (f"{json.dumps(key)}: {pretty(one, inner)}" for key, one in value.items())
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + pretty(one, inner) for one in value) + f"\n{indent}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="*", metavar="RUN")
    parser.add_argument("--against", metavar="FILE", help="results.json or comparison.json")
    parser.add_argument("--golden", action="store_true")
    arguments = parser.parse_args()
    if arguments.golden:
        return golden()
    if not arguments.runs:
        parser.error("name the folder of a run")
    runs = [Run(folder) for folder in arguments.runs]
    file = json.loads(pathlib.Path(arguments.against).read_text()) if arguments.against else runs[0].spec
    ours = plain(analysed(runs, {key: file[key] for key in SETTINGS}))
    if not arguments.against:
        return print(pretty(ours))
    sys.exit(1 if against(ours, file) else 0)


if __name__ == "__main__":
    main()
