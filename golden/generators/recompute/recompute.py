#!/usr/bin/env python3
"""Every number of an analysis once more, from `items.jsonl` alone, in another language by other libraries.

    pip install numpy scipy
    python recompute.py RUN [RUN ...]          prints what results.json (one run) or comparison.json (several) should say
    python recompute.py RUN [RUN ...] --against FILE     compares with such a file: its settings, its every number
    python recompute.py --golden               writes ../../expected/recomputed.json

Written from docs/methods.md and the documentation of the formulas' sources; the names of the fields are those of the files,
so that a number and its recomputation are found in the same place. Log-probabilities are single-precision numbers, of which
the file holds the shortest decimals: they are read as such.
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
from estimates import FEMININE, MASCULINE, Language, Series, Sources, adjusted, correlation, kendalls_w, permutation_p
from scipy import stats

GOLDEN = pathlib.Path(__file__).resolve().parents[2]
CAUSAL_RULES = ["mean", "sum", "per-byte", "divergence", "released-code", "first-token"]
RULES = {
    "likelihood": CAUSAL_RULES,
    "pll-original": CAUSAL_RULES[:3],
    "pll-within-word": CAUSAL_RULES[:3],
    "masked-difference": CAUSAL_RULES[:1],
}
FORMS = ["gendered", "pronoun", "noun"]
SETTINGS = ["rule", "average", "seed", "resamples", "min_items"]
EVERYTHING = slice(0, 16)
PERMUTATIONS_OF_RANKS = 10_000
# Sums in another order; the second number is for differences of rates that nearly cancel.
RELATIVE, ABSOLUTE = 1e-9, 1e-12


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


class Analysis:
    """What holds for all runs that are looked at together."""

    def __init__(self, runs, settings):
        self.runs, self.settings = runs, settings
        self.rule, self.average, self.seed, self.resamples, self.min_items = (settings[key] for key in SETTINGS)
        self.sources = Sources((one["stereotype"], one["source"]) for run in runs for one in run.records)
        self.weights = self.sources.table(lambda number, n: draws.weights(self.seed, number, n, self.resamples))

    def language(self, records, rule):
        return Language(self.sources, rows(records, rule), self.average)

    def statistics(self, language):
        """`series(part, statistic)` of a language, its profiles computed once for all statistics."""
        rests = language.can_lack()
        whole, without = language.whole(), language.without_each()
        resampled = language.resampled(self.weights if rests.any() else self.weights[:0])

        def series(part, statistic):
            value = statistic(whole)[0]
            if np.isnan(value):
                return None
            return Series(language.n(part), value, statistic(resampled), statistic(without), rests)

        return series

    def estimate(self, series, with_bca=True):
        return None if series is None else series.estimate(self.sources.stratum, with_bca)

    def test(self, series, neutral):
        p = None if series is None else series.p_value(neutral, self.sources.stratum)
        return None if p is None else {"p": p}

    def headline(self, records, rule):
        language = self.language(records, rule)
        series = self.statistics(language)
        return {name: self.estimate(series(part, statistic)) for name, (part, statistic) in HEADLINE.items()}

    def results(self, run):
        self.sources_of_run = len({(one["stereotype"], one["source"]) for one in run.records})
        found = [self.language_results(run, tag) for tag in run.languages]
        languages, series = [one[0] for one in found], [one[1] for one in found]
        adjust([one["g_s_test"] for one in languages])
        adjust([cell["inclination_test"] for one in languages for cell in one["stereotypes"]])
        return {
            "method": run.method,
            **self.settings,
            "level": 0.95,
            "languages": languages,
            "mean_g_s": self.estimate(mean([one["g_s"] for one in series if one["g_s"]])),
            "stereotypes": [row for row in (self.overall(languages, series, number) for number in range(1, 17)) if row["languages"]],
            "unscored": [row for tag in run.languages for row in unscored(run, tag, self.rule)],
        }

    def overall(self, languages, series, number):
        parts = [one["inclination"][number - 1] for one in series]
        cells = [cell["inclination"] for one in languages for cell in one["stereotypes"] if cell["stereotype"] == number]
        intervals = [cell["bca"] or cell["percentile"] for cell in cells if cell]
        return {
            "stereotype": number,
            "languages": sum(part is not None for part in parts),
            "missing": [one["language"] for one, part in zip(languages, parts) if part is None],
            "inclination": self.estimate(mean([part for part in parts if part])),
            "towards": sum(one["low"] > 1e-9 for one in intervals if one),
            "against": sum(one["high"] < -1e-9 for one in intervals if one),
        }

    def language_results(self, run, tag):
        own = [one for one in run.records if one["language"] == tag]
        answered = scored(own, self.rule)
        language = self.language(answered, self.rule)
        series = self.statistics(language)
        g_s = series(*HEADLINE["g_s"])
        inclinations = [series(*of_stereotype("inclination", number)) for number in range(1, 17)]
        results = {
            "language": tag,
            "n_items": len(answered),
            **{f"n_{form}": len(scored(own, self.rule, form)) for form in FORMS},
            "n_sources": language.n(),
            **{name: self.estimate(series(part, statistic)) for name, (part, statistic) in HEADLINE.items()},
            "g_s_test": self.test(g_s, 1.0),
            "g_s_arithmetic": self.estimate(series(EVERYTHING, lambda p: p.g_s_arithmetic)),
            "sources": self.source_counts(own, answered),
            "stereotypes": [self.cell(language, series, i, inclinations[i]) for i in range(16) if language.among_stereotypes()[i]],
            "by_rule": [self.by_rule(own, rule) for rule in run.rules],
            "by_form": [self.by_form(own, form) for form in FORMS if scored(own, self.rule, form)],
            "token_counts": self.token_counts(answered),
            "fit": fit(run.method, answered),
        }
        return results, {"g_s": g_s, "inclination": inclinations}

    def cell(self, language, series, i, inclination):
        part = slice(i, i + 1)
        n = language.items(part)
        return {
            "stereotype": i + 1,
            "n": n,
            "few": n < self.min_items,
            "q": self.estimate(series(part, lambda p: p.q[:, i])),
            "rank": self.estimate(series(part, lambda p: p.ranks()[:, i]), with_bca=False),
            "inclination": self.estimate(inclination),
            "inclination_test": self.test(inclination, 0.0),
        }

    def source_counts(self, own, answered):
        def of(records, *forms):
            return {(one["stereotype"], one["source"]) for one in records if one["form"] in forms}

        here, gendered, neutral = of(own, *FORMS), of(answered, "gendered"), of(answered, "pronoun", "noun")
        return {
            "gendered": len(gendered),
            "neutral": len(neutral - gendered),
            "unscored": len(here - gendered - neutral),
            "absent": self.sources_of_run - len(here),
        }

    def by_rule(self, own, rule):
        found, headline = scored(own, rule), self.headline(scored(own, rule), rule)
        return {"rule": rule, "n": len(found), **{key: headline[key] for key in ("g_s", "default_masculine_rate")}}

    def by_form(self, own, form):
        found = scored(own, self.rule, form)
        return {"form": form, "n": len(found), **self.headline(found, self.rule)}

    def token_counts(self, answered):
        if not answered:
            return None
        difference = [-int(np.diff([len(side["token_ids"]) for side in one["outcome"]["scored"].values()])[0]) for one in answered]
        equal = [one for one, d in zip(answered, difference) if d == 0]
        return {
            "correlation": correlation(difference, [one["rates"][self.rule][0] for one in answered]),
            "n_equal": len(equal),
            "g_s_equal": self.headline(equal, self.rule)["g_s"],
        }

    def comparison(self):
        """The first run against each of the others."""
        self.flips = self.sources.table(lambda number, n: draws.flips(self.seed, number, n, self.resamples))
        alone = [Analysis([run], self.settings).results(run) for run in self.runs]
        pairs, differences = [], []
        for place, second in enumerate(self.runs[1:]):
            runs = [self.runs[0], second]
            ids = [{one["id"] for one in scored(run.records, self.rule)} for run in runs]
            shared, only = len(ids[0] & ids[1]), [len(ids[0] - ids[1]), len(ids[1] - ids[0])]
            pairs.append(
                {"first": 0, "second": place + 1, "shared": shared, "only_first": only[0], "only_second": only[1]}
            )
            differences += [{"pair": place, **row} for row in self.differences(runs)]
        for family in {key: None for key in map(family_of, differences)}:
            adjust([row["test"] for row in differences if family_of(row) == family])
        return {
            **{key: alone[0][key] for key in ["method", *SETTINGS, "level"]},
            "runs": [{"label": run.label, "results": results} for run, results in zip(self.runs, alone)],
            "pairs": pairs,
            "differences": differences,
            "concordance": [concordance(results, self.seed) for results in alone],
            "rank_agreement": [
                agreement(alone, first, second) for first in range(len(alone)) for second in range(first + 1, len(alone))
            ],
        }

    def differences(self, runs):
        targets = [("g_s", None), ("default_masculine_rate", None)]
        targets += [(name, number) for name in ("inclination", "q") for number in range(1, 17)]
        overall, within = [], []
        for rule, form, wanted in self.questions(runs, targets):
            languages = self.shared(runs, rule, form)
            is_tested = (rule, form) == (self.rule, None)
            computed = {tag: self.both(pair, is_tested) for tag, pair in languages.items()}
            for name, number in wanted:
                found = {tag: self.found(languages[tag], *computed[tag], name, number) for tag in languages}
                found = {tag: one for tag, one in found.items() if one}
                row = {"statistic": name, "rule": rule, "form": form, "stereotype": number}
                if found:
                    overall.append(self.row(over_languages(list(found.values())), row, None))
                if is_tested:
                    within += [self.row(one, row, tag) for tag, one in found.items()]
        return overall + within

    def questions(self, runs, targets):
        yield self.rule, None, targets
        others = [(rule, None) for rule in runs[0].rules if rule != self.rule] + [(self.rule, form) for form in FORMS]
        for rule, form in others:
            yield rule, form, targets[:1]

    def shared(self, runs, rule, form):
        """Both runs' rates of what both have scored, by language."""
        of = [{one["id"]: one for one in scored(run.records, rule, form)} for run in runs]
        both = [one for id, one in of[0].items() if id in of[1]]
        tags = [tag for tag in runs[0].languages if any(one["language"] == tag for one in both)]
        ids = {tag: [one["id"] for one in both if one["language"] == tag] for tag in tags}
        return {tag: [self.language([one[id] for id in ids[tag]], rule) for one in of] for tag in tags}

    def both(self, pair, is_tested):
        """The series of both languages, and both profiles of every permutation."""
        flips = self.flips.astype(float) if is_tested else np.empty((0, len(self.sources.pairs)))
        kept, given = ([one.totals(weights) for one in pair] for weights in (1 - flips, flips))
        exchanged = [pair[0].profile(kept[0] + given[1]), pair[1].profile(kept[1] + given[0])]
        return [self.statistics(one) for one in pair], exchanged

    def found(self, pair, series, exchanged, name, number):
        part, statistic = HEADLINE[name] if number is None else of_stereotype(name, number)
        series = [one(part, statistic) for one in series]
        if None in series:
            return None
        n = pair[0].n(part)
        return {
            "values": [one.value for one in series],
            "items": pair[0].items(part),
            "series": Series.combined(n, series, lambda values: values[1] - values[0]),
            "permuted": statistic(exchanged[1]) - statistic(exchanged[0]),
        }

    def row(self, found, row, tag):
        p = permutation_p(found["series"].value, found["permuted"])
        return {
            **row,
            "language": tag,
            "first": found["values"][0],
            "second": found["values"][1],
            "items": found["items"],
            "difference": self.estimate(found["series"]),
            "test": None if p is None else {"p": p},
        }


def of_stereotype(name, number):
    return slice(number - 1, number), lambda p: getattr(p, name)[:, number - 1]


def mean(parts):
    """Over languages; of the sources, those that the widest of them has."""
    n = max((part.n for part in parts), default=0)
    return Series.combined(n, parts, lambda values: np.mean(values, axis=0))


def over_languages(found):
    return {
        "values": list(np.mean([one["values"] for one in found], axis=0)),
        "items": sum(one["items"] for one in found),
        "series": mean([one["series"] for one in found]),
        "permuted": np.mean([one["permuted"] for one in found], axis=0),
    }


def adjust(tests):
    """Fills in what is left of p values when their number is counted."""
    tests = [test for test in tests if test]
    for test, holm, bh in zip(tests, *adjusted([test["p"] for test in tests])):
        test["holm"], test["bh"] = holm, bh


def family_of(row):
    return row["statistic"], row["language"] is None, row["stereotype"] is None, row["test"] is None


def unscored(run, tag, rule):
    found = {}
    for one in run.records:
        if one["language"] == tag and isinstance(one["rates"][rule], str):
            found.setdefault(one["rates"][rule], []).append(one["id"])
    return [{"language": tag, "reason": why, "count": len(ids), "examples": ids[:5]} for why, ids in found.items()]


def fit(method, answered):
    """Cost of a character, and characters a token, over both variants; what masks only the difference has none."""
    if method == "masked-difference" or not answered:
        return None
    characters = sum(len(text) for one in answered for text in one["texts"])
    sides = [side for one in answered for side in one["outcome"]["scored"].values()]
    scored = [float(np.float32(value)) for side in sides for value in side["logprobs"] if value is not None]
    return {"nats_per_character": -math.fsum(scored) / characters, "characters_per_token": characters / len(scored)}


def concordance(results, seed):
    """Kendall's W over the languages that have every stereotype, and its p from shuffled ranks."""
    all = len(results["stereotypes"])
    whole = [one for one in results["languages"] if len(one["stereotypes"]) == all]
    if len(whole) < 2 or all < 3:
        return None
    table = np.array([[cell["q"]["value"] for cell in one["stereotypes"]] for one in whole])
    ranks = stats.rankdata(-table, axis=1)
    w, observed = kendalls_w(ranks)
    if w is None:
        return None
    words = draws.endless(draws.stream_seed(seed, "permutation/concordance"))
    order, hits = ranks.tolist(), 0
    for _ in range(PERMUTATIONS_OF_RANKS):
        for row in order:
            draws.shuffle(row, words.__next__)
        sums = [sum(column) for column in zip(*order)]
        hits += sum((one - len(order) * (all + 1) / 2) ** 2 for one in sums) >= observed
    return {
        "w": w,
        "languages": len(whole),
        "stereotypes": all,
        "left_out": [one["language"] for one in results["languages"] if one not in whole],
        "p": (1 + hits) / (1 + PERMUTATIONS_OF_RANKS),
    }


def agreement(alone, first, second):
    """Spearman's ρ between two runs, of the stereotypes' mean ranks over the languages."""
    means = []
    for results in (alone[first], alone[second]):
        ranks = {}
        for cell in (cell for one in results["languages"] for cell in one["stereotypes"]):
            ranks.setdefault(cell["stereotype"], []).append(cell["rank"]["value"])
        means.append({number: np.mean(values) for number, values in ranks.items()})
    both = [[one[number] for number in sorted(means[0].keys() & means[1].keys())] for one in means]
    varies = all(len(set(side)) > 1 for side in both) and len(both[0]) > 2
    rho = stats.spearmanr(*both).statistic if varies else None
    return {"first": first, "second": second, "rho": rho, "stereotypes": len(both[0])}


HEADLINE = {
    "g_s": (EVERYTHING, lambda p: p.g_s),
    "default_masculine_rate": (slice(0, 14), lambda p: p.d),
    "q_feminine": (FEMININE, lambda p: p.q_f),
    "q_masculine": (MASCULINE, lambda p: p.q_m),
}


def analysed(runs, settings):
    analysis = Analysis(runs, settings)
    return analysis.comparison() if len(runs) > 1 else analysis.results(runs[0])


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
    """Says what differs, and the largest difference; the number of disagreements."""
    theirs, compared, wrong, largest = dict(leaves(file)), 0, [], (0.0, "")
    for path, value in leaves(ours):
        other, compared = theirs.get(path), compared + 1
        if type(value) in (int, float) and type(other) in (int, float):
            difference = abs(value - other)
            if difference > RELATIVE * abs(value) + ABSOLUTE:
                wrong.append(f"{path}: {other} there, {value} here")
            elif value:
                largest = max(largest, (difference / max(abs(value), ABSOLUTE / RELATIVE), path))
        elif value != other:
            wrong.append(f"{path}: {other} there, {value} here")
    print("\n".join(wrong[:40]))
    print(f"{compared} values, {len(wrong)} disagree; largest relative difference of the others {largest[0]:.1e} at {largest[1]}")
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
        "tolerance": {"relative": RELATIVE, "absolute": ABSOLUTE, "why": "sums in another order, and differences of rates that nearly cancel"},
        "draws": draws_table(settings["seed"]),
        "rules": CAUSAL_RULES,
        "rates": {run.label: {one["id"]: [rate_or_none(one["rates"][rule]) for rule in run.rules] for one in run.records} for run in whole},
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
        "integers": [{"below": n, "first": draws.integers(stream, range(3), n, 20)} for n in (2, 7, 1000, 3_000_000_000)],
        "flips": draws.flips(seed, 1, 40, 3),
        "shuffles_of_20": shuffled,
    }


def pretty(value, indent=""):
    """A line for every object that holds no longer one, so that a change shows in a diff."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) < 400 or not isinstance(value, (dict, list)):
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
