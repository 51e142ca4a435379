"""Correlations of human scores between languages, by pandas and SciPy, from the study's annotator files.

The values in humans.rs come from here: python correlations.py SHARED/data/leakage/survey
(Python 3.11.7, NumPy 2.4.6, SciPy 1.17.1, pandas 3.1.1; 2026-11-30)
"""

import itertools
import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

LANGUAGES = {"en": "english", "ru": "russian", "zh": "chinese", "hi": "hindi"}
SHARED = ["women", "men", "gay men", "lesbians", "single mothers", "housewives", "software engineers",
          "wealthy people", "poor people", "disabled people"]
NON_SHARED = ["Asian people", "Black people", "Muslim people", "immigrants", "government officials",
              "civil servants", "feminists", "veterans"]

rows = []
for tag, name in LANGUAGES.items():
    people = json.loads((Path(sys.argv[1]) / f"data_full_{name}.json").read_text())
    for person, groups in people.items():
        for group, pairs in groups.items():
            for pair, rating in pairs.items():
                left, right = pair.split(" - ")
                group = "Brahmin people" if group == "Bahmin people" else group
                category = 0 if group in SHARED else 1 if group in NON_SHARED else 2
                rows.append((tag, category, group, pair, left, max(0.0, -rating)))
                rows.append((tag, category, group, pair, right, max(0.0, rating)))
data = pd.DataFrame(rows, columns=["language", "category", "group", "pair", "pole", "part"])
poles = data.groupby(["category", "group", "pair", "pole", "language"]).part.mean().unstack()[list(LANGUAGES)]


def signed(frame):
    """Right minus left pole, one row a pair."""
    pair, pole = (frame.index.get_level_values(i) for i in ("pair", "pole"))
    sign = np.where([a.endswith(" - " + b) for a, b in zip(pair, pole)], 1.0, -1.0)
    return (frame.mul(sign, axis=0)).groupby(["category", "group", "pair"]).sum(min_count=2)


def readings(frame, r):
    for category in range(3):
        own = frame.loc[category]
        pairs, per_group, both = [], [], []
        for a, b in itertools.combinations(LANGUAGES, 2):
            points = own[[a, b]].dropna()
            pairs.append(r(points[a], points[b]))
            both.append(np.concatenate([points.values, points.values[:, ::-1]]))
            for _, group in points.groupby("group"):
                if group[a].std() > 0 and group[b].std() > 0:
                    per_group.append(r(group[a], group[b]))
        x = np.concatenate(both)
        yield np.mean(pairs), r(x[:, 0], x[:, 1]), np.mean(per_group), pairs


def pearson(x, y):
    return stats.pearsonr(x, y).statistic


def spearman(x, y):
    return stats.spearmanr(x, y).statistic


for unit, frame in (("poles", poles), ("pairs", signed(poles))):
    whole = frame.fillna(0.0)
    for missing, table in (("drop", frame), ("zero", whole)):
        for name, r in (("pearson", pearson), ("spearman", spearman)):
            for category, (mean, pooled, groups, pairs) in enumerate(readings(table, r)):
                print(unit, missing, name, category, *(f"{v:.12f}" for v in (mean, pooled, groups)))
                if (unit, missing, name) == ("poles", "drop", "pearson"):
                    print("   by languages", *(f"{v:.12f}" for v in pairs))

