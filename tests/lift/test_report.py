"""Reports on lift runs: the numbers, worked out by hand on a small run, and the words for them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from skillgauge.lift import folders
from skillgauge.lift.journal import Journal
from skillgauge.lift.metrics import Measure
from skillgauge.lift.plan import Cell, Trial
from skillgauge.lift.report import build, formats, render
from skillgauge.lift.report._model import RunReport
from skillgauge.lift.report._words import interval, money, notes, signed, verdict
from skillgauge.lift.statistics import estimate

from . import made_runs
from .made_runs import CASES, SKILL, Script, make_run, reader, report_on

ONE = (Cell("claude-code", "m"),)
SMALL: dict[str, Any] = {"cases": CASES[:6], "cells": ONE, "attempts": 1}
"""So few cases that the interval needs no dice."""
PERFECT = dict.fromkeys(
    ("security", "accuracy", "goal_accuracy", "behavior_check", "skill_execution"), 1.0
) | {"skill_efficiency": 1.0}
POOR = {
    "security": 1.0,
    "accuracy": 0.2,
    "goal_accuracy": 0.0,
    "behavior_check": 0.5,
    "skill_execution": None,
    "skill_efficiency": None,
}
"""Over the dimensions of both arms: (1 + 0.2 + 0.25) / 3."""


def fixed(values: Callable[[Trial], dict[str, float | None]]) -> Callable[..., None]:
    """Return what gives each trial the metrics that a test wants, and round usage."""

    def change(trial: Trial, results: dict[str, Any]) -> None:
        measured = {name: Measure(v, "" if v is not None else "why not")
                    for name, v in values(trial).items()}  # fmt: skip
        results["measured"] = {name: asdict(one) for name, one in measured.items()}
        treated = trial.arm == "with-skill"
        results["ran"]["usage"] = {
            "requests": 2,
            "prompt_tokens": 1000 if treated else 2000,
            "completion_tokens": 100 if treated else 200,
            "cached_tokens": 0,
            "cost_usd": 0.01 if treated else 0.02,
            "first_prompt_tokens": 1500 if treated else 1000,
        }

    return change


def tiny(trial: Trial) -> dict[str, float | None]:
    """Six cases; in the last the baseline is as good."""
    if trial.arm == "with-skill":
        return dict(PERFECT)
    only_skill = {"skill_execution": None, "skill_efficiency": None}
    return PERFECT | only_skill if trial.case_id == CASES[5].id else dict(POOR)


def make_tiny(data: Path, **wishes: Any) -> RunReport:
    good = lambda trial: Script()  # noqa: E731
    given = {"cases": CASES[:6], "cells": ONE, "attempts": 1, "director": good} | wishes
    return report_on(data, change=fixed(tiny), **given)


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> RunReport:
    """The usual run: 8 cases, 2 harnesses, 2 attempts."""
    return report_on(tmp_path_factory.mktemp("usual"))


def test_numbers_by_hand(tmp_path: Path) -> None:
    found = json.loads(render(make_tiny(tmp_path), "json"))
    case = (0 + 0.8 + 0.75) / 3
    lift = found["lift"]
    assert lift["estimate"] == pytest.approx(case * 5 / 6)
    assert lift["n_cases"] == 6
    assert lift["precision"] == "low"
    assert lift["treated"] == 1
    assert lift["control"] == pytest.approx((5 * (1 + 0.2 + 0.25) / 3 + 1) / 6)
    assert lift["dimensions"] == ["security", "correctness", "effectiveness"]
    expected = estimate([case] * 5 + [0.0])
    assert expected
    assert lift["interval"] == pytest.approx([expected.low, expected.high])
    assert found["outcome"]["lift"]["estimate"] == pytest.approx((0.8 + 1) / 2 * 5 / 6)
    assert found["composite"]["lift"]["estimate"] == pytest.approx((1 - 1.7 / 4) * 5 / 6)
    assert found["signs"] == {"better": 5, "worse": 0, "equal": 1}
    assert found["positive_rate"]["share"] == pytest.approx(5 / 6)


def test_rates_and_costs_by_hand(tmp_path: Path) -> None:
    found = json.loads(render(make_tiny(tmp_path), "json"))
    treated, control = (found["whole"]["arms"][arm] for arm in ("with-skill", "baseline"))
    assert treated["pass"]["any"]["count"] == 6
    assert treated["pass"]["any"]["interval"] == pytest.approx([6 / (6 + 3.8414588), 1], abs=1e-6)
    assert control["pass"]["any"] | {"interval": 0} == {
        "count": 1,
        "total": 6,
        "share": 1 / 6,
        "interval": 0,
    }
    assert found["whole"]["outcomes"] == {
        "both": 1,
        "skill_only": 5,
        "baseline_only": 0,
        "neither": 0,
        "p": 2 / 2**5,
    }
    assert (treated["tokens"], control["tokens"]) == (1100, 2200)
    assert (treated["tokens_per_success"], control["tokens_per_success"]) == (1100, 13_200)
    assert control["cost_per_success"] == pytest.approx(0.12)
    context = found["whole"]["context_cost"]
    assert (context["estimate"], context["interval"]) == (500, [500, 500])
    judge = 12 * 3 * 0.0021
    assert found["cost_usd"] == pytest.approx(6 * 0.01 + 6 * 0.02 + judge)
    assert found["cost_complete"] is True


def test_case_and_attempt(tmp_path: Path) -> None:
    found = json.loads(render(make_tiny(tmp_path), "json"))
    case = found["cases"][0]
    assert case["id"] == "by-customer"
    assert case["lift"] == pytest.approx((0.8 + 0.75) / 3)
    by_arm = {one["arm"]: one for one in case["attempts"]}
    assert by_arm["with-skill"]["score"] == 1
    assert by_arm["baseline"]["score"] == pytest.approx(1.45 / 3)
    assert by_arm["baseline"]["passed"] is False
    assert by_arm["baseline"]["metrics"]["skill_execution"]["reason"] == "why not"


def test_under_five_cases_it_is_insufficient(tmp_path: Path) -> None:
    found = make_tiny(tmp_path, cases=CASES[:4])
    assert json.loads(render(found, "json"))["lift"]["precision"] == "insufficient"
    assert verdict(found).word == "insufficient"
    assert interval(found.lift) == "insufficient"
    assert "4 cases can’t carry a verdict, it takes 5" in render(found, "text")


@pytest.mark.parametrize(
    ("treated", "control", "word"),
    [
        (PERFECT, POOR, "helps"),
        (POOR, PERFECT, "hurts"),
        (POOR, POOR, "no-difference"),
    ],
)
def test_verdicts(tmp_path: Path, treated: Any, control: Any, word: str) -> None:
    values = {"with-skill": treated, "baseline": control}
    change = fixed(lambda trial: dict(values[trial.arm]))
    found = report_on(tmp_path, cases=CASES[:5], cells=ONE, attempts=1, change=change)
    assert verdict(found).word == word


def test_nothing_was_run(tmp_path: Path) -> None:
    """A run that has only begun has a report in each format."""
    found = report_on(tmp_path, until=0)
    assert verdict(found).word == "not-measured"
    assert "The run is not finished: 0 of 64 trials have a result." in notes(found)
    assert json.loads(render(found, "json"))["lift"] is None
    root = ElementTree.fromstring(render(found, "junit"))
    assert (root.get("tests"), root.get("skipped")) == ("16", "16")
    assert "No lift: no case has a result in both arms." in render(found, "html")


def test_one_arm_alone(tmp_path: Path) -> None:
    found = report_on(tmp_path, arms=("with-skill",), **SMALL)
    assert found.lift is None
    assert found.cases[0].treated == 1
    assert len(found.summary.unpaired) == 6
    for name in formats():
        assert render(found, name)


def test_placebo_arm_is_shown_and_no_part_of_the_lift(tmp_path: Path) -> None:
    arms = ("with-skill", "baseline", "placebo")
    found = report_on(tmp_path, arms=arms, **SMALL)
    two = report_on(tmp_path / "two", **SMALL)
    assert found.arms == arms
    assert found.lift == two.lift
    assert "Placebo text" in render(found, "html")


def test_without_a_judge_the_reader_is_told(tmp_path: Path) -> None:
    found = report_on(tmp_path, judge="", **SMALL)
    told = notes(found)
    assert any("No judge was set" in note and "accuracy" in note for note in told)
    assert any("compares security alone" in note for note in told)
    accuracy = json.loads(render(found, "json"))["metrics"]["accuracy"]
    assert accuracy["lift"] is None
    assert {one["reason"] for one in accuracy["missing"]} == {"no judge is set"}


def test_scripted_and_replayed_are_said_first(tmp_path: Path) -> None:
    found = report_on(tmp_path, scripted=True, **SMALL)
    assert verdict(found).sentence.startswith("Scripted run, no model was asked.")
    assert "A script stood in for the models" in notes(found)[0]
    for name in ("html", "markdown", "text", "json", "junit"):
        assert "A script stood in for the models" in render(found, name)
    again = report_on(tmp_path / "replay", replay_of="20260101-000000-ffffff", **SMALL)
    assert "recorded in run 20260101-000000-ffffff" in notes(again)[0]


def test_stale_when_the_skill_changes(tmp_path: Path) -> None:
    run = make_run(tmp_path, **SMALL)
    skill = tmp_path / "skills" / SKILL / "SKILL.md"
    states: list[bool | None] = []
    for step in (
        lambda: None,
        lambda: skill.write_text("---\nname: x\n---\n"),
        lambda: shutil.rmtree(skill.parent),
    ):
        step()
        with reader(tmp_path) as journal:
            states.append(build(journal, run, trajectories=False).stale)
    assert states == [False, True, None]


def test_infrastructure_errors_count_nowhere(usual: RunReport) -> None:
    (fault,) = usual.faults
    assert (fault.score, fault.blame) == (None, "runner")
    assert "529" in fault.blame_reason
    assert usual.whole.arms["baseline"].trials == 31
    case = next(one for one in usual.cases if fault in one.attempts)
    assert case.blame == "skill"  # of its arm with the skill, not of the fault in the other
    assert "1 trial was ended by an error of the runner and counts nowhere." in notes(usual)


def test_unsatisfied_assertions_have_their_quotes(usual: RunReport) -> None:
    case = next(one for one in usual.cases if one.case.id == "broken-rows")
    unmet = [one for one in case.of("with-skill")[0].unmet if one.index]
    assert [(one.index, one.text) for one in unmet] == list(enumerate(case.case.assertions, 1))
    assert unmet[0].quote == "The invoices come to about 1,600 in all."
    assert (case.treated or 1) < 0.5


def test_several_harnesses_have_no_pooled_interval(usual: RunReport) -> None:
    """The same case on two harnesses is not two independent cases."""
    assert usual.whole.arms["with-skill"].rates.any.total == 16
    assert usual.whole.arms["with-skill"].rates.any.low is None
    assert usual.whole.p is None
    for scope in usual.scopes:
        assert scope.arms["with-skill"].rates.any.total == 8
        assert scope.arms["with-skill"].rates.any.low is not None
    treated = sum(one.treated or 0 for one in usual.scopes) / 2
    assert treated == pytest.approx(usual.summary.treated)


def test_context_cost_is_of_harnesses_that_both_arms_have(tmp_path: Path) -> None:
    """Their prompts differ by thousands: one that only one arm has is no cost of the skill."""

    def change(trial: Trial, results: dict[str, Any]) -> None:
        if trial.arm == "baseline" and trial.cell == made_runs.CELLS[1]:
            results["ran"]["usage"]["first_prompt_tokens"] = None

    found = report_on(tmp_path, change=change, cases=CASES[:6], attempts=1)
    assert found.whole.context
    assert found.whole.context.estimate == pytest.approx(350)


def test_cancelled_run_says_so(tmp_path: Path) -> None:
    run = make_run(tmp_path, until=4, **SMALL)
    with Journal(folders.journal_path(tmp_path)) as journal:
        journal.end(run, "cancelled", "as asked")
        found = build(journal, run)
    assert "The run is cancelled (as asked): 4 of 12 trials have a result." in notes(found)
    assert found.counts == {"done": 4, "cancelled": 8}


@pytest.mark.parametrize(
    ("value", "shown"), [(0.004, "0.00"), (-0.004, "0.00"), (0.126, "+0.13"), (None, "–")]
)
def test_signed(value: float | None, shown: str) -> None:
    assert signed(value) == shown


def test_money() -> None:
    assert [money(one) for one in (None, 0.0, 0.0123, 1.5)] == ["–", "$0.00", "$0.0123", "$1.50"]
