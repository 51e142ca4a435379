"""What is scored: the same texts for every tool, in files of JSON lines with `id` and `text`.

K neutral sentences of the built-in set `mini`, round robin over the languages that have pronoun and noun templates. An item
is one
sentence in four variants: “…,” he said / she said / the man said / the woman said.
"""

import csv
import itertools
import json
import pathlib
import sys
import tomllib
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "crates" / "data"
LOOSE = ".,;:!?…·;¡¿ "
TEMPLATES, GENDERS = ("pronoun", "noun"), ("masculine", "feminine")


def items_of(path: pathlib.Path) -> Iterator[list[dict[str, str]]]:
    """Every item of one language: its four texts. None if the language lacks a template."""
    pack = tomllib.loads(path.read_text(encoding="utf-8"))
    rows = DATA / "sets" / "mini" / f"items.{pack['tag']}.csv"
    if "absent" in pack["templates"]["pronoun"] or not rows.exists():
        return
    for row in csv.DictReader(rows.open(encoding="utf-8", newline="")):
        sentence = pack["quotes"]["open"] + row["neutral"].strip(LOOSE) + pack["quotes"]["close"]
        if row["neutral"]:
            yield [
                {"id": f"{pack['tag']}/{row['id']}/{t}/{g}", "text": f"{sentence} {pack['templates'][t][g]}"}
                for t, g in itertools.product(TEMPLATES, GENDERS)
            ]


def work(n_items: int) -> list[dict[str, str]]:
    languages = [list(items_of(path)) for path in sorted((DATA / "languages").glob("*.toml"))]
    rounds = itertools.zip_longest(*filter(None, languages))
    items = [item for one_each in rounds for item in one_each if item]
    if len(items) < n_items:
        sys.exit(f"the set has {len(items)} neutral items, fewer than {n_items}")
    return [text for item in items[:n_items] for text in item]


def write_lines(path: pathlib.Path, rows: list[dict]) -> pathlib.Path:
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")
    return path


def read_lines(path: pathlib.Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


