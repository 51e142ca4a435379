"""Everything that is said of one run: by language, by stereotype, by rule and form, and over the languages."""

import math

import numpy as np

import draws
from estimates import FEMININE, MASCULINE, Language, Series, Sources, adjusted, correlation, rank_intervals
from rows import FORMS, rows, scored

SETTINGS = ["rule", "average", "seed", "resamples", "min_items"]

# The part of the 16 stereotypes that a statistic rests on, and the statistic.
EVERYTHING = slice(0, 16)
HEADLINE = {
    "g_s": (EVERYTHING, lambda p: p.g_s),
    "default_masculine_rate": (slice(0, 14), lambda p: p.d),
    "q_feminine": (FEMININE, lambda p: p.q_f),
    "q_masculine": (MASCULINE, lambda p: p.q_m),
}


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

        return series, self.ranks(language, whole, resampled)

    def ranks(self, language, whole, resampled):
        """Interval of every rank, by place of the stereotype; none where too few resamples know all of them."""
        here = np.flatnonzero(language.among_stereotypes())
        known = resampled.q[:, here]
        drawn = known[~np.isnan(known).any(axis=1)]
        drawn = drawn if len(drawn) * 2 >= len(known) else drawn[:0]
        return dict(zip(here, rank_intervals(whole.q[0, here], drawn)))

    def estimate(self, series, with_bca=True):
        return None if series is None else series.estimate(self.sources.stratum, with_bca)

    def test(self, series, neutral):
        p = None if series is None else series.p_value(neutral, self.sources.stratum)
        return None if p is None else {"p": p}

    def headline(self, records, rule):
        language = self.language(records, rule)
        series, _ = self.statistics(language)
        return {name: self.estimate(series(part, statistic)) for name, (part, statistic) in HEADLINE.items()}

    def results(self, run):
        self.sources_of_run = len({(one["stereotype"], one["source"]) for one in run.records})
        found = [self.language_results(run, tag) for tag in run.languages]
        languages, series = [one[0] for one in found], [one[1] for one in found]
        overall = [self.overall(languages, series, number) for number in range(1, 17)]
        adjust([one["g_s_test"] for one in languages])
        adjust([cell["inclination_test"] for one in languages for cell in one["stereotypes"]])
        return {
            "method": run.method,
            **self.settings,
            "level": 0.95,
            "languages": languages,
            "mean_g_s": self.estimate(mean([one["g_s"] for one in series if one["g_s"]])),
            "stereotypes": [row for row in overall if row["languages"]],
            "unscored": [row for tag in run.languages for row in unscored(run, tag, self.rule)],
        }

    def overall(self, languages, series, number):
        parts = [one["inclination"][number - 1] for one in series]
        cells = [
            cell["inclination"] for one in languages for cell in one["stereotypes"] if cell["stereotype"] == number
        ]
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
        series, ranks = self.statistics(language)
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
            "stereotypes": [
                self.cell(language, series, i, inclinations[i], ranks[i])
                for i in range(16)
                if language.among_stereotypes()[i]
            ],
            "by_rule": [self.by_rule(own, rule) for rule in run.rules],
            "by_form": [self.by_form(own, form) for form in FORMS if scored(own, self.rule, form)],
            "token_counts": self.token_counts(answered),
            "fit": fit(run.method, answered),
        }
        return results, {"g_s": g_s, "inclination": inclinations}

    def cell(self, language, series, i, inclination, rank):
        part = slice(i, i + 1)
        n = language.items(part)
        return {
            "stereotype": i + 1,
            "n": n,
            "few": n < self.min_items,
            "q": self.estimate(series(part, lambda p: p.q[:, i])),
            "rank": {**self.estimate(series(part, lambda p: p.ranks()[:, i]), with_bca=False), "percentile": rank},
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
        difference = [
            -int(np.diff([len(side["token_ids"]) for side in one["outcome"]["scored"].values()])[0]) for one in answered
        ]
        equal = [one for one, d in zip(answered, difference) if d == 0]
        return {
            "correlation": correlation(difference, [one["rates"][self.rule][0] for one in answered]),
            "n_equal": len(equal),
            "g_s_equal": self.headline(equal, self.rule)["g_s"],
        }


def of_stereotype(name, number):
    return slice(number - 1, number), lambda p: getattr(p, name)[:, number - 1]


def mean(parts):
    """Over languages; of the sources, those that the widest of them has."""
    n = max((part.n for part in parts), default=0)
    return Series.combined(n, parts, lambda values: np.mean(values, axis=0))


def adjust(tests):
    """Fills in what is left of p values when their number is counted."""
    tests = [test for test in tests if test]
    for test, holm, bh in zip(tests, *adjusted([test["p"] for test in tests])):
        test["holm"], test["bh"] = holm, bh


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
