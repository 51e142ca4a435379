"""What several runs say together: differences on what both of two runs have scored, and whether ranks agree."""

import numpy as np
from scipy import stats

import draws
from analysis import HEADLINE, SETTINGS, Analysis, adjust, mean, of_stereotype
from estimates import Series, kendalls_w, permutation_p
from rows import FORMS, scored

PERMUTATIONS_OF_RANKS = 10_000


class Comparison(Analysis):
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
                agreement(alone, first, second)
                for first in range(len(alone))
                for second in range(first + 1, len(alone))
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
        return [self.statistics(one)[0] for one in pair], exchanged

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


def over_languages(found):
    return {
        "values": list(np.mean([one["values"] for one in found], axis=0)),
        "items": sum(one["items"] for one in found),
        "series": mean([one["series"] for one in found]),
        "permuted": np.mean([one["permuted"] for one in found], axis=0),
    }


def family_of(row):
    return row["statistic"], row["language"] is None, row["stereotype"] is None, row["test"] is None


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
