"""The structural score's arithmetic, with values worked out by hand from the formula."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillgauge.rule import Finding, Rule
from skillgauge.rules import all_rules
from skillgauge.structure import GRADES, WEIGHTS, grade_of, score
from skillgauge.text import Span

DEDUCTING = [rule for rule in all_rules() if rule.deduction]


def _rules(dimension: str, points: int) -> list[Rule]:
    """Pick rules of one dimension whose points add up to exactly `points`."""
    found: dict[int, list[Rule]] = {0: []}
    for rule in DEDUCTING:
        assert rule.deduction
        if rule.deduction.dimension == dimension:
            for total, chosen in list(found.items()):
                found.setdefault(total + rule.deduction.points, [*chosen, rule])
    return found[points]


def _score(correctness: int, discoverability: int, reliability: int, efficiency: int):
    """Score a document that loses these points."""
    lost = {
        "correctness": correctness,
        "discoverability": discoverability,
        "reliability": reliability,
        "efficiency": efficiency,
    }
    fired = [rule for name, points in lost.items() for rule in _rules(name, points)]
    return score([(rule, Finding(Span(0, 3), f"{rule.name}.")) for rule in fired])


@pytest.mark.parametrize(
    ("lost", "total", "grade"),
    [
        ((0, 0, 0, 0), 100.0, "A"),
        # 98.25 and 99.25 lie between two tenths: half goes to the even one, down here,
        ((5, 0, 0, 0), 98.2, "A"),
        ((0, 0, 0, 5), 99.2, "A"),
        # and up here (98.75, 96.75).
        ((0, 5, 0, 0), 98.8, "A"),
        ((0, 0, 5, 0), 98.8, "A"),
        ((0, 10, 0, 5), 96.8, "A"),
        # The grade is that of the unrounded 89.75, though 89.8 is shown.
        ((15, 10, 10, 0), 89.8, "B"),
        ((15, 0, 0, 0), 94.8, "A"),
        ((15, 10, 15, 0), 88.5, "B"),
        ((60, 15, 30, 45), 61.0, "D"),
        ((60, 35, 20, 10), 63.8, "D"),
        ((50, 20, 15, 10), 72.2, "C"),
    ],
)
def test_total(lost: tuple[int, int, int, int], total: float, grade: str) -> None:
    structure = _score(*lost)
    assert (structure.score, structure.grade) == (total, grade)


def test_dimensions_and_deductions() -> None:
    structure = _score(10, 0, 5, 0)
    assert [value.score for value in structure.dimensions.values()] == [90.0, 100.0, 95.0, 100.0]
    (taken,) = structure.dimensions["reliability"].deductions
    assert taken.points == 5
    assert taken.message == f"{taken.rule}."
    assert taken.span == Span(0, 3)


def test_floor() -> None:
    """A dimension that loses more than it has is at 0, not below."""
    fired = [rule for rule in DEDUCTING if rule.deduction and rule.code.startswith("C")]
    lost = sum(rule.deduction.points for rule in fired if rule.deduction)
    assert lost > 100
    structure = score([(rule, Finding(Span(0, 0), "x.")) for rule in fired])
    assert structure.dimensions["correctness"].score == 0.0
    assert structure.score == 65.0  # 0.25 + 0.25 + 0.15 of 100
    assert structure.grade == "D"


def test_rules_without_deduction_cost_nothing() -> None:
    free = [rule for rule in all_rules() if rule.deduction is None]
    assert score([(rule, Finding(Span(0, 0), "x.")) for rule in free]).score == 100.0


@pytest.mark.parametrize(
    ("value", "letter"),
    [
        (100.0, "A"),
        (90.0, "A"),
        (89.999, "B"),
        (80.0, "B"),
        (79.9, "C"),
        (70.0, "C"),
        (69.99, "D"),
        (60.0, "D"),
        (59.99, "F"),
        (0.0, "F"),
    ],
)
def test_grades(value: float, letter: str) -> None:
    assert grade_of(value) == letter


def test_weights() -> None:
    assert sum(WEIGHTS.values()) == pytest.approx(1.0)
    assert [floor for floor, _ in GRADES] == sorted((floor for floor, _ in GRADES), reverse=True)


@given(st.lists(st.sampled_from(DEDUCTING), unique_by=lambda rule: rule.code))
def test_more_deductions_never_raise_the_score(rules: list[Rule]) -> None:
    fired = [(rule, Finding(Span(0, 0), "x.")) for rule in rules]
    totals = [score(fired[:count]).score for count in range(len(fired) + 1)]
    assert totals == sorted(totals, reverse=True)
    assert all(0.0 <= total <= 100.0 for total in totals)
