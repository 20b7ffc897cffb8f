"""From scores to uplift: what is foretold, how sure that is, and when it is called better."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numpy", reason="needs the extra “cpu”")

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.train.uplift import (
    ALL,
    Row,
    Table,
    analyse,
    conformal,
    coverage,
    held_out,
    predict,
    read_table,
    ridge,
    weights,
    within,
)


def table(
    seed: int = 1, *, within_signal: float = 1.0, families: int = 12, each: int = 10
) -> Table:
    """Return skills whose uplift follows C1 within families, and the length between them."""
    random = np.random.default_rng(seed)
    count = families * each
    family = np.repeat(np.arange(families), each)
    level = random.normal(0, 3, families)[family]
    c1, d1 = random.normal(size=(2, count))
    uplift = 2 * level + within_signal * 6 * c1 + random.normal(0, 2, count)
    return Table(
        tuple(f"family-{code:02}" for code in family),
        uplift,
        np.ones(count),
        {
            "C1": c1,
            "D1": d1,
            "structure": random.normal(80, 5, count),
            "tokens": 1000 - 50 * level + random.normal(0, 20, count),
        },
    )


def test_ridge_finds_a_line() -> None:
    rows = np.random.default_rng(1).normal(size=(200, 2))
    target = 3 * rows[:, 0] - rows[:, 1] + 5
    found = ridge(rows, target, np.ones(200), 1e-9)
    assert found == pytest.approx([3, -1, 5])
    assert predict(rows, found) == pytest.approx(target)
    flat = ridge(np.column_stack([rows[:, 0], np.ones(200)]), target, np.ones(200))
    assert np.isfinite(flat).all()


def test_a_row_with_a_wide_interval_weighs_less() -> None:
    found = weights(
        [
            Row("a", "f", 0.0, (-1, 1)),
            Row("b", "f", 10.0, (-30, 50)),
            Row("c", "f", -10.0, None),
            Row("d", "f", 0.0, (-2, 2)),
        ]
    )
    assert found[1] < found[3] < found[0]
    assert found[2] == pytest.approx(found[3])
    assert found.mean() == pytest.approx(1)
    assert weights([Row("a", "f", 1.0), Row("b", "f", 2.0)]).tolist() == [1.0, 1.0]


def test_what_lies_between_families_is_no_merit_within() -> None:
    made = table()
    found = analyse(made)["predictors"]
    assert found["tokens"]["pooled"]["pearson"] < -0.5
    assert abs(found["tokens"]["held_out_within"]["pearson"]) < 0.3
    assert found["C1"]["within"]["pearson"] > 0.85
    assert found[ALL]["held_out_within"]["spearman"] > 0.8
    low, high = found[ALL]["held_out_within"]["spearman_interval"]
    assert low < found[ALL]["held_out_within"]["spearman"] < high


def test_within_takes_the_mean_of_a_family() -> None:
    assert within(np.array([1.0, 3.0, 10.0]), np.array([0, 0, 1])).tolist() == [-1.0, 1.0, 0.0]


def test_a_prediction_has_not_seen_its_family() -> None:
    made = table()
    changed = made.uplift.copy()
    changed[:10] += 1000
    other = Table(made.families, changed, made.weights, made.features)
    assert held_out(other, ALL)[:10] == pytest.approx(held_out(made, ALL)[:10])
    assert not np.allclose(held_out(other, ALL)[10:], held_out(made, ALL)[10:])


def test_the_verdict() -> None:
    good = analyse(table())["verdict"]
    assert (good["better"], good["text"]) == (True, "better than the baselines")
    assert all(low > 0 for low, _ in good["gain_interval"].values())
    for seed in (1, 2, 3):
        nothing = analyse(table(seed, within_signal=0.0))["verdict"]
        assert (nothing["better"], nothing["text"]) == (False, "no better than the baselines")


def test_the_conformal_width_counts_families_alike() -> None:
    # 9 families with one error each, 1 to 9: of 10 the 9th is the one that 90 % lie below.
    errors = np.arange(1.0, 10.0)
    assert conformal(errors, np.arange(9), 0.9) == 9.0
    assert conformal(errors, np.arange(9), 0.8) == 8.0
    assert conformal(errors[:5], np.arange(5), 0.9) == np.inf
    # A family with many small errors doesn't hide the others.
    many = np.concatenate([np.full(1000, 0.1), errors])
    codes = np.concatenate([np.zeros(1000, np.int64), np.arange(1, 10)])
    assert conformal(many, codes, 0.8) == 8.0


def test_the_interval_holds_as_often_as_it_says() -> None:
    random = np.random.default_rng(5)
    found = [coverage(random.normal(size=200), np.repeat(np.arange(40), 5)) for _ in range(20)]
    assert float(np.mean(found)) == pytest.approx(0.9, abs=0.03)


def test_the_result_is_plain_json() -> None:
    made = analyse(table())
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    assert made["map"]["slopes"]["C1"] == pytest.approx(6, abs=1)
    assert made["skills"] == 120
    assert made["families"]["family-03"] == 10


def test_too_few() -> None:
    with pytest.raises(ScorerError, match="too few measured skills"):
        analyse(table(families=2))


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"family": "f", "uplift": 1}, "KeyError at 'skill'"),
        ({"skill": "a", "family": "f", "uplift": "much"}, "ValueError"),
        ({"skill": "a", "family": "f", "uplift": float("nan")}, "numbers that can't be"),
        ({"skill": "a", "family": "f", "uplift": 1, "interval": [2, 1]}, "ends before it begins"),
        ({"skill": "a", "family": "f", "uplift": 1, "interval": [2]}, "IndexError"),
        ("skill", "TypeError"),
    ],
)
def test_a_table_with_an_entry_that_is_none(tmp_path: Path, entry: Any, why: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps([{"skill": "a", "family": "f", "uplift": 1}, entry]))
    with pytest.raises(ScorerError, match="Entry 2") as caught:
        read_table(path)
    assert why in str(caught.value)


def test_a_table(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    entry = {"skill": "a/SKILL.md", "family": "f", "uplift": 1, "interval": [0, 2]}
    path.write_text(json.dumps([entry, {**entry, "interval": None}]))
    assert read_table(path) == [
        Row("a/SKILL.md", "f", 1.0, (0.0, 2.0)),
        Row("a/SKILL.md", "f", 1.0),
    ]
    path.write_text("{}")
    with pytest.raises(ScorerError, match="no list"):
        read_table(path)
    path.write_text("[")
    with pytest.raises(ScorerError, match="no JSON"):
        read_table(path)
    with pytest.raises(ScorerError, match="can't be read"):
        read_table(tmp_path / "none.json")
