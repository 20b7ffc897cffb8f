"""Plans: every trial once, in blocks, in an order that the seed alone decides."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge.errors import UserError
from skillgauge.lift.cases import Case
from skillgauge.lift.plan import Cell, Request, Spent, make_plan, outlook

CODEX, CLAUDE = Cell("codex", "small"), Cell("claude-code")


def cases(count: int) -> list[Case]:
    return [Case(f"c{index}", f"Do {index}") for index in range(count)]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 6), st.integers(1, 3), st.integers(1, 3), st.integers(0, 9))
def test_every_trial_once(number: int, attempts: int, harnesses: int, seed: int) -> None:
    cells = tuple(Cell(f"h{index}") for index in range(harnesses))
    plan = make_plan(cases(number), Request(cells, attempts, seed=seed))
    keys = Counter((t.case_id, t.arm, t.cell, t.attempt) for t in plan.trials)
    assert len(keys) == number * 2 * harnesses * attempts
    assert set(keys.values()) == {1}
    assert [t.position for t in plan.trials] == list(range(len(plan.trials)))
    assert len({t.id for t in plan.trials}) == len(plan.trials)


def test_arms_of_a_case_stand_side_by_side() -> None:
    plan = make_plan(cases(5), Request((CODEX, CLAUDE), 2, seed=3))
    for first, second in zip(plan.trials[::2], plan.trials[1::2], strict=True):
        assert (first.case_id, first.cell, first.attempt) == (
            *(second.case_id, second.cell, second.attempt),
        )
        assert {first.arm, second.arm} == {"with-skill", "baseline"}
    assert [t.attempt for t in plan.trials] == [1] * 20 + [2] * 20


def test_seed_decides_the_order() -> None:
    one, same, other = (make_plan(cases(8), Request((CODEX,), seed=s)).trials for s in (1, 1, 2))
    assert one == same
    assert [t.id for t in one] != [t.id for t in other]
    assert {t.id for t in one} == {t.id for t in other}
    assert len({t.arm for t in one[::2]}) == 2  # neither arm is always first


def test_bound_keeps_whole_pairs() -> None:
    plan = make_plan(cases(4), Request((CODEX,), 3, max_trials=7))
    assert len(plan.trials) == 6
    assert plan.left_out == 18
    assert all(count == 2 for count in Counter(t.case_id for t in plan.trials).values())


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (Request((), 1), "No harness"),
        (Request((CODEX, CODEX)), "named twice"),
        (Request((CODEX,), 0), "at least one attempt"),
        (Request((CODEX,), max_trials=1), "at least 2 trials"),
        (Request((CODEX,), only=("c9",)), "no case “c9”"),
    ],
)
def test_what_cannot_be_planned(request_: Request, words: str) -> None:
    with pytest.raises(UserError, match=words):
        make_plan(cases(2), request_)


def test_no_case_and_doubled_case() -> None:
    with pytest.raises(UserError, match="no case to run"):
        make_plan([], Request((CODEX,)))
    with pytest.raises(UserError, match="“c0” is there twice"):
        make_plan([*cases(1), *cases(1)], Request((CODEX,)))


def test_outlook_from_measured_trials() -> None:
    plan = make_plan(cases(3), Request((CODEX,)))
    history = {
        (CODEX, "with-skill"): [Spent(0.2, 1000, 10), Spent(0.4, 3000, None)],
        (CODEX, "baseline"): [Spent(0.1, None, 5)],
    }
    found = outlook(plan, history)
    assert found.cost_usd == pytest.approx(3 * 0.3 + 3 * 0.1)
    assert found.seconds == pytest.approx(45)
    assert found.tokens is None
    assert outlook(plan, {}).cost_usd is None
