"""From masculine rates to stereotypes, and from resamples to intervals (methods, section 3).

`Language` holds the rates of one language as sums by source sentence. Every statistic is computed at once for all rows of a
table: row 0 from all sentences, then one row a resample, one row a permutation, or one row a left-out sentence. NaN stands
for “does not exist” inside this file, and never leaves it.
"""

import warnings

import numpy as np
from scipy import stats

FEMININE, MASCULINE, DEFAULT = slice(0, 7), slice(7, 16), slice(0, 14)
TAIL = 0.025


class Sources:
    """The (stereotype, source) pairs of everything that is analysed together, in order."""

    def __init__(self, pairs):
        self.pairs = sorted(set(pairs), key=lambda pair: (pair[0], pair[1].encode()))
        self.place = {pair: place for place, pair in enumerate(self.pairs)}
        self.stratum = np.array([stereotype - 1 for stereotype, _ in self.pairs], dtype=int)

    def table(self, make):
        """Columns for all sources from a function of a stereotype's number and its number of sources."""
        counts = np.bincount(self.stratum, minlength=16)
        return np.concatenate([make(number + 1, n) for number, n in enumerate(counts) if n], axis=1)


class Language:
    def __init__(self, sources, rows, average):
        """`rows` are (stereotype, source, r, ln r)."""
        self.sources, self.average = sources, average
        self.sums = np.zeros((3, len(sources.pairs)))
        for stereotype, source, rate, ln in rows:
            self.sums[:, sources.place[stereotype, source]] += (1.0, rate, ln)
        self.here = self.sums[0] > 0

    def among(self, part):
        return self.here & np.isin(self.sources.stratum, np.arange(16)[part])

    def n(self, part=slice(0, 16)):
        return int(self.among(part).sum())

    def items(self, part=slice(0, 16)):
        return int(self.sums[0, self.among(part)].sum())

    def can_lack(self):
        """Sources that are not alone in their stereotype: one sentence alone has no known variation."""
        counts = np.bincount(self.sources.stratum[self.here], minlength=16)
        return self.here & (counts > 1)[self.sources.stratum]

    def whole(self):
        return self.profile(self.totals(np.ones((1, len(self.here)))))

    def resampled(self, weights):
        return self.profile(self.totals(weights * self.can_lack()))

    def without_each(self):
        return self.profile(self.totals(1.0 - np.eye(len(self.here))))

    def profile(self, totals):
        return Profile(self.among_stereotypes(), totals, self.average)

    def among_stereotypes(self):
        return np.bincount(self.sources.stratum[self.here], minlength=16) > 0

    def totals(self, weights):
        """Weighted number of items, sum of rates and of their logarithms, by stereotype: three arrays [row, stereotype]."""
        member = np.eye(16)[self.sources.stratum]
        return np.stack([weights @ (column[:, None] * member) for column in self.sums])


class Profile:
    """Statistics a row; `exists` says which stereotypes have sentences at all."""

    def __init__(self, exists, totals, average):
        with np.errstate(invalid="ignore", divide="ignore"):
            arithmetic, ln = totals[1] / totals[0], totals[2] / totals[0]
        self.lacks = (np.isnan(arithmetic) & exists).any(axis=1)

        def mean(values, part):
            return values[:, part][:, exists[part]].mean(axis=1) if exists[part].any() else np.full(len(values), np.nan)

        self.q = np.exp(ln) if average == "geometric" else arithmetic
        self.d = mean(self.q, DEFAULT)
        ln_f, a_f, ln_m, a_m = (mean(values, part) for part in (FEMININE, MASCULINE) for values in (ln, arithmetic))
        self.q_f, self.q_m = (np.exp(ln_f), np.exp(ln_m)) if average == "geometric" else (a_f, a_m)
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            self.g_s, self.g_s_arithmetic = finite(np.exp(ln_m - ln_f)), finite(a_m / a_f)
        towards = np.where(np.arange(16) < 7, -1.0, 1.0)
        self.inclination = towards * (self.q - self.d[:, None])

    def ranks(self):
        """1 = most masculine."""
        ranks = stats.rankdata(-self.q, axis=1, nan_policy="omit")
        ranks[self.lacks] = np.nan
        return ranks


def finite(values):
    return np.where(np.isfinite(values), values, np.nan)


class Series:
    """A statistic: as it is, in every resample, without each source."""

    def __init__(self, n, value, resampled, without, rests):
        self.n, self.value, self.resampled, self.without, self.rests = n, float(value), resampled, without, rests

    @classmethod
    def combined(cls, n, parts, function):
        """Resample by resample; a source on which a part does not rest leaves it as it is."""
        if not parts or any(np.isnan(part.value) for part in parts):
            return None
        value = function([np.float64(part.value) for part in parts])
        least = min(len(part.resampled) for part in parts)
        resampled = finite(function([part.resampled[:least] for part in parts]))
        without = [np.where(part.rests, part.without, part.value) for part in parts]
        rests = np.logical_or.reduce([part.rests for part in parts])
        return cls(n, value, resampled, finite(function(without)), rests) if np.isfinite(value) else None

    def influence(self, stratum):
        for number in np.unique(stratum):
            values = self.without[(stratum == number) & self.rests]
            values = values[~np.isnan(values)]
            if len(values):
                yield (len(values) - 1) * (values.mean() - values) / len(values)

    def estimate(self, stratum, with_bca=True):
        values = self.resampled[~np.isnan(self.resampled)]
        found = {
            "value": self.value, "n": self.n, "std_error": None, "percentile": None, "bca": None, "freedom": None,
        }
        if self.n < 2 or len(values) == 0 or len(values) * 2 < len(self.resampled):
            return found
        if len(values) > 1:
            found["std_error"] = values.std(ddof=1)
        end = stats.norm.ppf(TAIL)
        if with_bca:
            found["freedom"] = self.freedom(stratum)
            # Hesterberg's (2015) expanded intervals: Student's quantile in the place of the normal one.
            end = stats.t.ppf(TAIL, found["freedom"]) if found["freedom"] else end
        tail = stats.norm.cdf(end)
        if len(values) >= 20:
            found["percentile"] = interval(values, [tail, 1 - tail])
            found["bca"] = self.bca(values, stratum, end) if with_bca else None
        return found

    def freedom(self, stratum):
        """Satterthwaite (1946): each stratum's part of the variance, with its own degrees of freedom."""
        parts = [((one**2).sum(), len(one) - 1) for one in self.influence(stratum)]
        parts = [(variance, n) for variance, n in parts if variance > 0]
        return float(sum(v for v, _ in parts) ** 2 / sum(v**2 / n for v, n in parts)) if parts else None

    def bca(self, values, stratum, end):
        """Efron (1987); acceleration by eq. 5.28 of Davison and Hinkley (1997): influence values over their stratum's size."""
        share = stats.percentileofscore(values, self.value, kind="mean") / 100
        influence = np.concatenate([[0.0], *self.influence(stratum)])
        square, cube = (influence**2).sum(), (influence**3).sum()
        if not 0 < share < 1 or square <= 0:
            return None
        bias, acceleration = stats.norm.ppf(share), cube / (6 * square**1.5)
        z = bias + np.array([end, -end])
        if (acceleration * z >= 1).any():
            return None
        return interval(values, stats.norm.cdf(bias + z / (1 - acceleration * z)))

    def p_value(self, neutral, stratum):
        estimate = self.estimate(stratum)
        error, freedom = estimate["std_error"], estimate["freedom"]
        return float(2 * stats.t.sf(abs(self.value - neutral) / error, freedom)) if error and freedom else None


def rank_intervals(q, drawn):
    """Ranks that the differences leave open (Mogstad and others 2024): q of the stereotypes that have sentences, and their
    resampled values, a row a resample in which all are known. One interval each, or none."""
    found = []
    for own in range(len(q)):
        others = [other for other in range(len(q)) if other != own]
        if len(drawn) < 20 or not others:
            found.append(None)
            continue
        difference, resampled = q[others] - q[own], drawn[:, others] - drawn[:, [own]]
        error = resampled.std(axis=0, ddof=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            deviation = np.where(error > 0, np.abs(resampled - difference) / error, 0.0)
        band = np.quantile(deviation.max(axis=1), 1 - 2 * TAIL, method="linear") * error
        found.append({"low": 1.0 + (difference > band).sum(), "high": float(len(q) - (-difference > band).sum())})
    return found


def interval(values, levels):
    low, high = np.quantile(values, levels, method="linear")
    return {"low": low, "high": high}


def adjusted(p):
    """Holm and Benjamini–Hochberg."""
    p, n = np.asarray(p, dtype=float), len(p)
    order = np.argsort(p, kind="stable")
    holm = np.empty(n)
    holm[order] = np.minimum(np.maximum.accumulate((n - np.arange(n)) * p[order]), 1)
    return holm, stats.false_discovery_control(p) if n else p


def correlation(x, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.ConstantInputWarning)
        return None if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0 else float(stats.pearsonr(x, y).statistic)


def kendalls_w(table):
    """Of mean ranks, a row a rater, with the correction for ties."""
    m, n = table.shape
    ties = sum((counts**3 - counts).sum() for row in table for counts in [np.unique(row, return_counts=True)[1]])
    deviation = ((table.sum(axis=0) - m * (n + 1) / 2) ** 2).sum()
    possible = m**2 * (n**3 - n) - m * ties
    return (12 * deviation / possible if possible else None), deviation


def permutation_p(observed, permuted):
    """Two-sided; exchanges that change nothing count as equal, whatever rounding did."""
    permuted = np.abs(permuted[~np.isnan(permuted)])
    hits = (permuted >= abs(observed) * (1 - 1e-9) - 1e-12).sum()
    return (1 + hits) / (1 + len(permuted)) if len(permuted) else None
