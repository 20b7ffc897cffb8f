"""What the rules break: one property, while frontmatter, length and the rest stay."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numpy", reason="needs the extra “cpu”")

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.train import pairs as pair_files
from skillgauge_scorer.train.operations import a2, b1, b2, c1, c2, d1, pairs_of
from skillgauge_scorer.train.pairs import METRICS, Pair
from skillgauge_scorer.train.surface import SURFACE, words

SKILL = """\
---
name: ledger-import
description: Imports bank ledgers into the books and reconciles them. Use when the user drops a
  bank export and asks for entries.
license: MIT
---
# Ledger import

## Inputs

The input is a CSV file with the columns `date`, `amount` and `iban`. The field `amount` is a string
with 2 decimals, and `date` is in ISO 8601.

```json
{"date": "2024-01-31", "amount": "12.50", "iban": "DE02"}
```

## Workflow

1. Read `export.csv` with `csv.DictReader(newline="")`.
2. Convert the amounts to 64-bit integers of cents.
3. Match each row against `ledger.db` by iban and date.
4. Write the entries with `ledger add --batch 500`.

## Output

| field | type |
| --- | --- |
| id | integer |
| amount | cents |

## Troubleshooting

If the totals differ, an error in the export cut off rows. Never import twice: a failed batch leaves
half of its entries, so remove them first.

## Notes

The bank sends one export a month. Its rows are in the order of their booking.
A missing iban is a problem for the match; such rows go into a list. Avoid guessing.
"""
OTHERS = tuple(
    SKILL.replace("ledger", word).replace("bank", f"{word} office").replace("iban", f"{word}_no")
    for word in ("parcel", "garden", "survey")
)
MODULES = {"A2": a2, "B1": b1, "B2": b2, "C1": c1, "C2": c2, "D1": d1}


def broken(metric: str, seed: int = 1) -> str:
    made = MODULES[metric].break_(SKILL, OTHERS, random.Random(seed))
    assert made is not None
    return made


def body(source: str) -> str:
    return source[Skill(Text(source)).body.start :]


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(METRICS), st.integers(0, 1000))
def test_what_is_not_to_change_stays(metric: str, seed: int) -> None:
    made = broken(metric, seed)
    assert made != SKILL
    before, after = Skill(Text(SKILL)), Skill(Text(made))
    if metric == "A2":
        assert body(made) == body(SKILL)
        assert [
            after.frontmatter and after.frontmatter.string(key) for key in ("name", "license")
        ] == [
            "ledger-import",
            "MIT",
        ]
    else:
        assert made[: after.body.start] == SKILL[: before.body.start]
    assert 0.7 <= words(made) / words(SKILL) <= 1.3


def test_a2_says_no_longer_when() -> None:
    description = Skill(Text(broken("A2"))).description or ""
    assert SURFACE["trigger words"](description) == 0
    assert description.startswith("Imports bank ledgers into the books and reconciles them.")
    old = Skill(Text(SKILL)).description or ""
    assert 0.6 <= words(description) / words(old) <= 1.4


def test_b1_takes_the_body_of_another() -> None:
    assert body(broken("B1")) in {body(other) for other in OTHERS}


def test_b2_names_nothing() -> None:
    made = body(broken("B2"))
    for name in ("DictReader", "ledger.db", "export.csv", "--batch", "`"):
        assert name not in made
    assert SURFACE["headings"](made) == SURFACE["headings"](body(SKILL))


def test_c1_has_the_same_steps_in_another_order() -> None:
    made = body(broken("C1"))
    steps = ["Read `export.csv`", "Convert the", "Match each", "Write the entries"]
    places = [made.index(step) for step in steps]
    assert sorted(places) != places
    assert sorted(made.split()) != made.split()
    assert made.startswith(body(SKILL).partition("## Workflow")[0])


def test_c2_leaves_inputs_and_outputs_general() -> None:
    made = body(broken("C2"))
    for name in ("ISO 8601", "| id |", '"iban"', "CSV"):
        assert name not in made
    assert "csv.DictReader" in made
    assert "Troubleshooting" in made


def test_d1_warns_no_longer() -> None:
    made = body(broken("D1"))
    assert "Troubleshooting" not in made
    assert "cut off rows" not in made
    assert SURFACE["failure words"](made) < 0.3 * SURFACE["failure words"](body(SKILL))
    assert "Convert the amounts" in made


def test_a_skill_without_a_hold_gives_no_pair() -> None:
    plain = "---\nname: a\ndescription: Says hello.\n---\n# Hello\n\nSay hello to people.\n"
    assert pairs_of(plain, "g", []) == []


def test_the_same_skill_gives_the_same_pairs() -> None:
    first, second = (pairs_of(SKILL, "bank", OTHERS) for _ in range(2))
    assert first == second
    assert [pair.metric for pair in first] == list(METRICS)
    assert {pair.kind for pair in first} == {"plain"}
    assert all(pair.how and pair.group == "bank" for pair in first)


def test_pairs_are_kept_a_line_each(tmp_path: Path) -> None:
    made = [*pairs_of(SKILL, "bank", OTHERS), Pair("A2", "matched", "ü", "a\u2028b", "c")]
    assert pair_files.write(tmp_path / "pairs.jsonl", made) == len(made)
    assert list(pair_files.read(tmp_path / "pairs.jsonl")) == made
