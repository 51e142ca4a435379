#!/usr/bin/env python3
"""Parametric bootstrap of two mixed models of crates/stats by another road: writes ../expected/mixed_bootstrap.json.

    pip install numpy scipy pandas
    python mixed_bootstrap.py

Responses are drawn with NumPy's generator from the estimates of lme4 (../mixed/leakage_drop.expected.json, crossed) and from a
fit of ../mixed/planted.csv made here; each is fitted by REML with SciPy's Nelder-Mead over the logarithms of the relative
standard deviations, the deviance by Woodbury's identity. Percentiles of 4000 draws: an end is off by about 0.04 standard
errors by chance alone.

Made with Python 3.11, NumPy 2.4.6, SciPy 1.17.1, pandas 3.1.1.
"""

import json
import pathlib

import numpy as np
import pandas as pd
import scipy.optimize
from scipy.linalg import cho_factor, cho_solve

HERE = pathlib.Path(__file__).resolve().parent.parent
N = 4000


class Model:
    def __init__(self, table, fixed, groups):
        self.x = np.column_stack([np.ones(len(table))] + [table[name] for name in fixed])
        self.z = [pd.get_dummies(table[g], dtype=float).to_numpy() for g in groups]
        z = np.hstack(self.z)
        self.zz, self.zx, self.xx, self.whole = z.T @ z, z.T @ self.x, self.x.T @ self.x, z

    def fit(self, y, start):
        zy, xy, yy = self.whole.T @ y, self.x.T @ y, y @ y
        n, p = self.x.shape

        def parts(theta):
            s = np.concatenate([np.full(z.shape[1], t) for z, t in zip(self.z, theta)])
            factor = cho_factor(np.eye(len(s)) + s[:, None] * self.zz * s, lower=True)
            inner = lambda a, b: (s[:, None] * a if a.ndim > 1 else s * a).T @ cho_solve(factor, s[:, None] * b if b.ndim > 1 else s * b)
            information = self.xx - inner(self.zx, self.zx)
            beta = np.linalg.solve(information, xy - inner(self.zx, zy))
            residual = yy - inner(zy, zy) - beta @ (xy - inner(self.zx, zy))
            log_det = 2 * np.log(np.diag(factor[0])).sum() + np.linalg.slogdet(information)[1]
            return log_det + (n - p) * np.log(residual), beta, np.sqrt(residual / (n - p))

        found = scipy.optimize.minimize(
            lambda t: parts(np.exp(np.clip(t, -12, 6)))[0], np.log(start), method="Nelder-Mead", options={"xatol": 1e-5, "fatol": 1e-8}
        )
        theta = np.exp(np.clip(found.x, -12, 6))
        _, beta, sigma = parts(theta)
        return np.concatenate([beta, theta * sigma, [sigma]])

    def draw(self, estimates, rng):
        p = self.x.shape[1]
        y = self.x @ estimates[:p]
        for z, deviation in zip(self.z, estimates[p:]):
            y = y + z @ rng.normal(0, deviation, z.shape[1])
        return y + rng.normal(0, estimates[-1], len(y))


def run(name, table, formula, fixed, groups, estimates=None):
    model, rng = Model(table, fixed, groups), np.random.default_rng(20251130)
    if estimates is None:
        estimates = model.fit(table["y"].to_numpy(), np.ones(len(groups)))
    start = np.maximum(estimates[-1 - len(groups):-1] / estimates[-1], 0.05)
    drawn = np.array([model.fit(model.draw(estimates, rng), start) for _ in range(N)])
    names = ["(Intercept)", *fixed, *groups, "sigma"]
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    rows = [
        {"name": n, "estimate": e, "low": a, "high": b, "spread": d}
        for n, e, a, b, d in zip(names, estimates, low, high, drawn.std(axis=0, ddof=1))
    ]
    return {"table": name, "formula": formula, "draws": N, "numbers": rows}


lme4 = json.load(open(HERE / "mixed" / "leakage_drop.expected.json"))["crossed"]
languages = ["en", "ru", "zh", "hi"]
estimates = [lme4["fixed"][k]["estimate"] for k in ["(Intercept)", *languages]] + [lme4["sd"][k] for k in ["trait", "group", "Residual"]]
fits = [
    run("planted", pd.read_csv(HERE / "mixed" / "planted.csv"), "y ~ x + (1 | g)", ["x"], ["g"]),
    run("leakage_drop", pd.read_csv(HERE / "mixed" / "leakage_drop.csv"), lme4["formula"], languages, ["trait", "group"], np.array(estimates)),
]
made = "Python 3.11, NumPy 2.4.6, SciPy 1.17.1, golden/generators/mixed_bootstrap.py"
json.dump({"made_with": made, "fits": fits}, open(HERE / "expected" / "mixed_bootstrap.json", "w"), indent=1)
