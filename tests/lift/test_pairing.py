"""From trials to lift, on numbers that can be followed by hand."""

from __future__ import annotations

import pytest

from skillgauge.lift.pairing import Scored, summarise
from skillgauge.lift.plan import Arm, Cell

ONE, TWO = Cell("codex"), Cell("claude-code", "large")


def trial(case: str, arm: Arm, cell: Cell = ONE, **metrics: float | None) -> Scored:
    return Scored(case, arm, cell, metrics)


def test_activation_alone_is_no_lift() -> None:
    """The baseline has no discoverability, so only what both arms have is compared."""
    found = summarise(
        [
            trial("a", "with-skill", accuracy=0.6, skill_execution=1.0, skill_efficiency=1.0),
            trial("a", "baseline", accuracy=0.6, skill_execution=None, skill_efficiency=None),
        ]
    )
    assert found.lift is not None
    assert found.lift.estimate == 0
    assert set(found.dimensions) == {"correctness"}
    assert found.signs.equal == 1


def test_attempts_cases_and_harnesses() -> None:
    found = summarise(
        [
            trial("a", "with-skill", accuracy=1.0, goal_accuracy=1.0),
            trial("a", "with-skill", accuracy=0.6, goal_accuracy=0.0),
            trial("a", "baseline", accuracy=0.4, goal_accuracy=0.0),
            trial("a", "with-skill", TWO, accuracy=0.5),
            trial("a", "baseline", TWO, accuracy=0.5),
            trial("b", "with-skill", accuracy=0.2, goal_accuracy=0.0),
            trial("b", "baseline", accuracy=0.4, goal_accuracy=0.0),
            trial("c", "with-skill", accuracy=1.0),
            trial("d", "with-skill", accuracy=None),
            trial("d", "baseline", accuracy=1.0),
        ]
    )
    # a on one: correctness 0.8 - 0.4, effectiveness 0.5 - 0; on two: 0. b: -0.2 and 0.
    assert found.by_case == pytest.approx({"a": 0.225, "b": -0.1})
    assert found.lift is not None
    assert found.lift.estimate == pytest.approx(0.0625)
    assert found.lift.n_cases == 2
    assert found.cells[ONE].estimate == pytest.approx((0.45 - 0.1) / 2)
    assert found.cells[TWO].estimate == 0
    assert found.dimensions["correctness"].estimate == pytest.approx((0.2 - 0.2) / 2)
    assert found.metrics["goal_accuracy"].estimate == pytest.approx(0.25)
    # a: ((0.4 + 0.5) / 2 + 0) / 2; b: (-0.2 + 0) / 2
    assert found.outcome is not None
    assert found.outcome.estimate == pytest.approx((0.225 - 0.1) / 2)
    assert (found.signs.better, found.signs.worse) == (1, 1)
    assert found.unpaired == ("c", "d")
    assert found.treated is not None
    assert found.control is not None
    assert found.treated - found.control == pytest.approx(found.lift.estimate)


def test_placebo_is_not_compared_here() -> None:
    found = summarise([trial("a", "placebo", accuracy=1.0), trial("a", "baseline", accuracy=0.0)])
    assert found.lift is None
    assert found.unpaired == ("a",)


def test_nothing() -> None:
    found = summarise([])
    assert found.lift is None
    assert found.outcome is None
    assert found.by_case == {}
    assert found.treated is None
