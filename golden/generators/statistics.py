#!/usr/bin/env python3
"""Reference values for crates/stats: writes ../expected/statistics.json.

    pip install numpy scipy statsmodels
    python statistics.py

multiplicity   statsmodels.stats.multitest.multipletests ("holm", "fdr_bh"), checked here against
               scipy.stats.false_discovery_control
kendall        scipy.stats.kendalltau (tau-b); without ties its exact two-sided p; with ties the p of all orders,
               counted here with SciPy's tau
spearman       scipy.stats.spearmanr
concordance    W from NumPy by the textbook's formula; chi² and p from scipy.stats.friedmanchisquare, which is another
               road to the same number; p of all orders of the raters (the first one's order may stay)

Made with Python 3.11, NumPy 2.4.6, SciPy 1.17.1, statsmodels 0.15.0.
"""

import itertools
import json
import math
import pathlib
import sys

# This file bears the name of a standard module, which others import.
sys.path = [path for path in sys.path if pathlib.Path(path).resolve() != pathlib.Path(__file__).resolve().parent]

import numpy as np
import scipy.stats
import statsmodels
from statsmodels.stats.multitest import multipletests

OUT = pathlib.Path(__file__).resolve().parent.parent / "expected" / "statistics.json"
random = np.random.default_rng(20251104)


def multiplicity(p):
    bh = multipletests(p, method="fdr_bh")[1]
    assert np.allclose(bh, scipy.stats.false_discovery_control(p), rtol=0, atol=1e-15)
    return {"p": p, "holm": list(multipletests(p, method="holm")[1]), "benjamini_hochberg": list(bh)}


def kendall(x, y):
    tau = scipy.stats.kendalltau(x, y).statistic
    row = {"x": x, "y": y, "tau_b": tau}
    if len(set(x)) == len(x) and len(set(y)) == len(y):
        row["p_exact"] = scipy.stats.kendalltau(x, y, method="exact").pvalue
    elif len(x) <= 7:
        taus = [scipy.stats.kendalltau(x, order).statistic for order in itertools.permutations(y)]
        row["p_exact"] = float(np.mean(np.abs(taus) >= abs(tau) - 1e-9))
    return row


def concordance(table):
    rows = np.array(table, dtype=float)
    m, n = rows.shape

    def w(rows):
        ranks = scipy.stats.rankdata(rows, axis=1)
        ties = sum(np.sum(counts**3 - counts) for row in ranks for counts in [np.unique(row, return_counts=True)[1]])
        sums = ranks.sum(axis=0)
        return 12 * np.sum((sums - sums.mean()) ** 2) / (m**2 * (n**3 - n) - m * ties)

    row = {"rows": table, "w": w(rows)}
    row["chi_square"] = m * (n - 1) * row["w"]
    row["p_chi_square"] = scipy.stats.chi2.sf(row["chi_square"], n - 1)
    if m >= 3:  # what SciPy takes
        friedman = scipy.stats.friedmanchisquare(*rows.T)
        assert abs(friedman.statistic - row["chi_square"]) < 1e-9, (friedman, row)
        row["p_chi_square"] = friedman.pvalue
    if math.factorial(n) ** (m - 1) <= 20_000:
        orders = [list(itertools.permutations(rater)) for rater in rows[1:]]
        drawn = [w(np.array([rows[0], *others])) for others in itertools.product(*orders)]
        row["p_exact"] = float(np.mean(np.array(drawn) >= row["w"] - 1e-9))
    return row


def numbers(n, digits=4):
    return [round(float(value), digits) for value in random.random(n)]


def levels(n, most):
    return [int(value) for value in random.integers(0, most, n)]


pairs = [(numbers(n), numbers(n)) for n in (2, 3, 5, 6, 7, 16, 30)]
tied = [(levels(n, 4), levels(n, 3)) for n in (5, 6, 7, 16, 30)]
mixed = [(numbers(7), levels(7, 3)), (numbers(16), levels(16, 5))]
written = {
    "format_version": 1,
    "made_by": "golden/generators/statistics.py",
    "versions": {
        "python": sys.version.split()[0],
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "statsmodels": statsmodels.__version__,
    },
    "multiplicity": [
        multiplicity(p)
        for p in (
            [0.04],
            [0.01, 0.02, 0.03, 0.04, 0.05],
            [0.9, 0.001, 0.2, 0.04, 0.04, 1.0, 0.0],
            [0.5, 0.5, 0.5],
            numbers(30),
            [round(p**4, 6) for p in numbers(16)],
        )
    ],
    "kendall": [kendall(x, y) for x, y in pairs + tied + mixed],
    "spearman": [
        {"x": x, "y": y, "rho": scipy.stats.spearmanr(x, y).statistic} for x, y in pairs[1:] + tied + mixed
    ],
    "concordance": [
        concordance(table)
        for table in (
            [numbers(4), numbers(4)],
            [levels(4, 3), levels(4, 3), [2, 2, 2, 2]],
            [[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]],
            [numbers(16) for _ in range(30)],
            [levels(16, 5) for _ in range(12)],
            [sorted(levels(6, 4)) for _ in range(5)],
        )
    ],
}
# A line a row, so that a change shows in a diff.
lines = (
    f"{json.dumps(key)}: "
    + ("[\n  " + ",\n  ".join(json.dumps(row) for row in value) + "\n ]" if isinstance(value, list) else json.dumps(value))
    for key, value in written.items()
)
OUT.write_text("{\n " + ",\n ".join(lines) + "\n}\n")
