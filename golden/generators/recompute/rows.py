"""A run's rows, and the masculine rate of each under every rule (methods, section 1)."""

import json
import math
import pathlib

import numpy as np

CAUSAL_RULES = ["mean", "sum", "per-byte", "divergence", "released-code", "first-token"]
RULES = {
    "likelihood": CAUSAL_RULES,
    "pll-original": CAUSAL_RULES[:3],
    "pll-within-word": CAUSAL_RULES[:3],
    "masked-difference": CAUSAL_RULES[:1],
}
FORMS = ["gendered", "pronoun", "noun"]


class Run:
    def __init__(self, folder, without=()):
        folder = pathlib.Path(folder)
        self.label, self.spec = folder.name, json.loads((folder / "spec.json").read_text())
        lines = (folder / "items.jsonl").read_text().split("\n")
        self.records = [json.loads(line) for line in lines if line]
        self.records = [record for record in self.records if record["id"] not in without]
        self.method, self.languages = (self.spec["identity"][key] for key in ("method", "languages"))
        self.rules = RULES[self.method]
        for record in self.records:
            record["rates"] = {rule: rate(record, rule) for rule in self.rules}


def rate(record, rule):
    """The masculine rate and its logarithm, or the reason why there is none."""
    if "unscored" in record["outcome"]:
        return record["outcome"]["unscored"]["reason"]
    sides = [record["outcome"]["scored"][side] for side in ("masculine", "feminine")]
    ids = [side["token_ids"] for side in sides]
    first = next((place for place, (a, b) in enumerate(zip(*ids)) if a != b), min(map(len, ids)))
    scores = []
    for side, text in zip(sides, record["texts"]):
        logprobs = [None if value is None else float(np.float32(value)) for value in side["logprobs"]]
        scored = [value for value in logprobs if value is not None]
        if first == 0 and logprobs[:1] == [None] and rule != "sum":
            return "first-token-differs"
        if not scored and rule == "mean" or not text and rule == "per-byte":
            return "nothing-scored"
        if rule in ("mean", "sum", "per-byte"):
            divisor = {"mean": len(scored), "sum": 1, "per-byte": len(text.encode())}[rule]
        else:
            end = first + 1 if rule == "first-token" else None
            begin = max(first - 1, 0) if rule == "released-code" else first
            scored = [value for value in logprobs[begin:end] if value is not None]
            if not scored:
                return "one-is-prefix"
            divisor = len(scored)
        scores.append(math.fsum(scored) / divisor)
    ln = -np.logaddexp(0.0, scores[1] - scores[0])
    return float(np.exp(ln)), float(ln)


def scored(records, rule, form=None):
    return [one for one in records if isinstance(one["rates"][rule], tuple) and form in (None, one["form"])]


def rows(records, rule):
    return [(one["stereotype"], one["source"], *one["rates"][rule]) for one in records]
