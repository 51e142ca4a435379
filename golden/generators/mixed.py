#!/usr/bin/env python3
"""Reference values for the mixed models of crates/stats beside those of lme4: writes ../expected/mixed.json.

    pip install numpy scipy statsmodels pandas
    python mixed.py

Random slopes, maximum likelihood and a categorical predictor on ../mixed/leakage_zero.csv, and slopes that were planted
with a correlation of -0.5 (../mixed/planted.csv, written here too), by another road than the
program's: the normal density of the records with its whole covariance matrix V = ZGZ' + σ²I, no profiling and no
penalised equations, made greatest by SciPy. For random intercepts statsmodels' log-likelihood is kept as well (of its
searches some run into infinity; the best finite one counts); its slopes end some 10⁻³ below the maximum.

Made with Python 3.11, NumPy 2.4.6, SciPy 1.17.1, statsmodels 0.15.0.
"""

import json
import pathlib
import warnings

import numpy as np
import pandas as pd
import scipy
import scipy.optimize
import statsmodels
import statsmodels.formula.api as smf
from scipy.linalg import cho_factor, cho_solve

HERE = pathlib.Path(__file__).resolve().parent.parent
table = pd.read_csv(HERE / "mixed" / "leakage_zero.csv")

draw = np.random.default_rng(20251130)
level, x = np.repeat(np.arange(24), 15), draw.normal(size=360).round(3)
own = draw.multivariate_normal([0, 0], [[1.0, -0.35], [-0.35, 0.49]], 24)
planted = pd.DataFrame({"y": (2 + 0.5 * x + own[level, 0] + own[level, 1] * x + draw.normal(size=360)).round(4), "x": x, "g": [f"g{i}" for i in level]})
planted.to_csv(HERE / "mixed" / "planted.csv", index=False)
LANGUAGES = ["en", "ru", "zh", "hi"]


def columns(table, names):
    parts = []
    for name in names:
        if name == "1":
            parts.append(np.ones((len(table), 1)))
        elif name == "group":
            parts.append(pd.get_dummies(table["group"], drop_first=True).to_numpy(float))
        else:
            parts.append(table[[name]].to_numpy(float))
    return np.hstack(parts)


def fit(table, fixed, random, reml):
    """`random`: pairs of a factor and the columns that vary, correlated."""
    y = table["y"].to_numpy()
    x = columns(table, fixed)
    blocks = [(pd.get_dummies(table[g], dtype=float).to_numpy(), columns(table, names)) for g, names in random]
    scales = [np.sqrt((z**2).mean(0)) for _, z in blocks]
    sizes = [z.shape[1] for _, z in blocks]

    def parts(theta):
        theta, sigma, v = list(theta[:-1]), np.exp(theta[-1]), 0.0
        covariances = []
        for (levels, z), k, scale in zip(blocks, sizes, scales):
            lower = np.zeros((k, k))
            lower[np.tril_indices(k)] = [theta.pop(0) for _ in range(k * (k + 1) // 2)]
            g = (lower @ lower.T) / np.outer(scale, scale)
            covariances.append(g)
            v = v + (levels @ levels.T) * (z @ g @ z.T)
        return covariances, sigma, v + sigma**2 * np.eye(len(y))

    def solve(theta):
        covariances, sigma, v = parts(theta)
        factor = cho_factor(v, lower=True)
        information = x.T @ cho_solve(factor, x)
        beta = np.linalg.solve(information, x.T @ cho_solve(factor, y))
        left = y - x @ beta
        deviance = 2 * np.log(np.diag(factor[0])).sum() + left @ cho_solve(factor, left) + len(y) * np.log(2 * np.pi)
        if reml:
            deviance += np.linalg.slogdet(information)[1] - x.shape[1] * np.log(2 * np.pi)
        return deviance, beta, np.sqrt(np.diag(np.linalg.inv(information))), covariances, sigma

    start = []
    for k in sizes:
        start += list((3 * np.eye(k))[np.tril_indices(k)])
    objective = lambda theta: solve(theta)[0]
    at = scipy.optimize.minimize(objective, start + [2.0], method="BFGS").x
    at = scipy.optimize.minimize(objective, at, method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-9, "initial_simplex": np.vstack([at, at + 1e-3 * np.eye(len(at))])}).x
    return solve(at)


def by_statsmodels(formula, reml):
    model, found = smf.mixedlm(formula, table, groups="trait"), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for method in ("bfgs", "lbfgs", "cg", "powell"):
            found.append(model.fit(reml=reml, method=method).llf)
    return float(max(value for value in found if np.isfinite(value)))


MODELS = [
    ("y ~ en + ru + zh + hi + (1 | trait)", ["1", *LANGUAGES], [("trait", ["1"])], "y ~ en + ru + zh + hi"),
    ("y ~ zh + group + (1 | trait)", ["1", "zh", "group"], [("trait", ["1"])], "y ~ zh + C(group)"),
    ("y ~ en + ru + zh + hi + (1 + zh | trait)", ["1", *LANGUAGES], [("trait", ["1", "zh"])], None),
    ("y ~ en + (zh || trait) + (1 | group)", ["1", "en"], [("trait", ["1"]), ("trait", ["zh"]), ("group", ["1"])], None),
    ("y ~ zh + (1 | group) + (1 + zh | trait)", ["1", "zh"], [("group", ["1"]), ("trait", ["1", "zh"])], None),
    ("y ~ x + (1 + x | g)", ["1", "x"], [("g", ["1", "x"])], None),
]
fits = []
for ours, fixed, random, formula in MODELS:
    for reml in (True, False):
        deviance, beta, se, covariances, sigma = fit(planted if "x" in fixed else table, fixed, random, reml)
        sd = [np.sqrt(np.diag(g)) for g in covariances]
        correlations = [float(g[0, 1] / s[0] / s[1]) for g, s in zip(covariances, sd) if len(s) == 2]
        theirs = by_statsmodels(formula, reml) if formula else None
        assert theirs is None or abs(theirs + deviance / 2) < 1e-5, (ours, theirs, deviance)
        print(ours, reml, deviance, sd, sigma)
        fits.append({
            "formula": ours,
            "reml": reml,
            "estimates": list(beta),
            "std_errors": list(se),
            "sd": [float(x) for s in sd for x in s],
            "correlations": correlations,
            "sigma": float(sigma),
            "log_likelihood": float(-deviance / 2),
            "statsmodels_log_likelihood": theirs,
        })
versions = {"numpy": np.__version__, "scipy": scipy.__version__, "statsmodels": statsmodels.__version__}
(HERE / "expected" / "mixed.json").write_text(json.dumps({"versions": versions, "fits": fits}, indent=1) + "\n")
