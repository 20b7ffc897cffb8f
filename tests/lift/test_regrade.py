"""Grading kept trajectories again: nothing is run, nothing is lost, and nothing is made up."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skillgauge.errors import UserError
from skillgauge.lift.grade import grade
from skillgauge.lift.journal import Journal
from skillgauge.lift.metrics import Judgement, Measure, Verdict, names
from skillgauge.lift.plan import Cell, Plan, Request, Trial, make_plan
from skillgauge.lift.regrade import regrade
from skillgauge.lift.results import Judged, judged_of, measured_of, plain
from skillgauge.lift.trajectory.atif import Trajectory, to_json
from skillgauge.lift.workspace import canary_of
from tests.lift.judging import CASE, GOOD, Asked, ran, trajectory, verdicts
from tests.lift.judging import judged as said

KEY = "sk-ant-" + "Zq8wLm3Vt6Rb1Yc9Xs5D"
WORK = trajectory(("Bash", {"command": "cat notes.txt"}, "Revenue grew by 4 %."))


def a_plan(cases: int = 3) -> Plan:
    made = [replace(CASE, id=f"c{n}") for n in range(cases)]
    return make_plan(made, Request((Cell("claude-code"),)))


def finish(
    journal: Journal,
    trial: Trial,
    run: Trajectory | None = None,
    verdicts: dict[str, Judged] | None = None,
    measured: dict[str, Measure] | None = None,
) -> dict[str, Measure]:
    """End a trial that was claimed, as a worker does."""
    made = run or (GOOD if trial.arm == "with-skill" else WORK)
    told, how = verdicts or {}, ran()
    found = measured or grade(
        *(CASE, trial.arm, "summary", made, how, told, (canary_of(trial.id),))
    )
    results = {"ran": plain(how), "trajectory": to_json(made), "judged": plain(told)}
    journal.finish("r", trial.id, "done", results=results | {"measured": plain(found)})
    return found


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "lift.sqlite") as found:
        found.begin("r", a_plan(), skill="summary", digest="d", settings={})
        yield found


def claim(journal: Journal) -> Trial:
    trial = journal.claim("r")
    assert trial
    return trial


def measured(journal: Journal, trial: Trial) -> dict[str, Measure]:
    return measured_of(journal.result("r", trial.id, "measured"))


async def test_without_a_judge_the_verdicts_stay(journal: Journal) -> None:
    trial = claim(journal)
    right = finish(journal, trial, verdicts=said(checks="+-"))
    wrong = {name: Measure(0.123) for name in names()}
    journal.store("r", trial.id, {"measured": plain(wrong)})
    found = await regrade(journal, "r")
    assert (found.trials, found.changed, found.judged, found.failed) == (1, 1, 0, 0)
    assert measured(journal, trial) == right
    assert right["behavior_check"].value == 0.5
    assert judged_of(journal.result("r", trial.id, "judged")) == said(checks="+-")
    again = await regrade(journal, "r")
    assert (again.trials, again.changed) == (1, 0)


async def test_trials_that_have_no_end_are_left_alone(journal: Journal) -> None:
    done, failed, running = claim(journal), claim(journal), claim(journal)
    finish(journal, done)
    how = {"ran": plain(ran()), "trajectory": to_json(GOOD)}
    journal.finish("r", failed.id, "infra-error", reason="the endpoint failed", results=how)
    assert (await regrade(journal, "r")).trials == 1
    assert set(journal.results("r", "measured")) == {done.id}
    assert journal.counts("r") == {"done": 1, "infra-error": 1, "planned": 3, "running": 1}
    assert running.id not in journal.results("r", "ran")


async def test_with_a_judge(journal: Journal) -> None:
    trials = [claim(journal) for _ in range(6)]
    for trial in trials:
        finish(journal, trial)
        assert measured(journal, trial)["accuracy"].reason == "no judge is set"
    heard: list[tuple[int, int]] = []
    asked = Asked(lambda _, names, __: verdicts(names, passed=True))
    found = await regrade(
        journal, "r", asked.judge, told=lambda done, all_: heard.append((done, all_))
    )
    assert (found.trials, found.changed, found.judged, found.failed) == (6, 6, 18, 0)
    assert found.cost_usd is None  # a function has no price
    assert heard == [(n, 6) for n in range(1, 7)]
    for trial in trials:
        assert measured(journal, trial)["accuracy"].value == 1
        assert journal.result("r", trial.id, "judged")["accuracy"]["model"] == "anthropic:m"
    kinds = [event.kind for event in journal.events("r") if event.kind in ("stored", "regraded")]
    assert kinds == ["stored"] * 6 + ["regraded"]


async def test_judge_that_fails_takes_no_verdict_away(journal: Journal) -> None:
    old = said(checks="++")
    del old["accuracy"]
    trial = claim(journal)
    finish(journal, trial, verdicts=old)
    asked = Asked(lambda *_: "nonsense")
    found = await regrade(journal, "r", asked.judge)
    assert (found.judged, found.failed, found.kept) == (0, 3, 2)
    after = measured(journal, trial)
    assert (after["behavior_check"].value, after["goal_accuracy"].value) == (1, 1)
    assert after["accuracy"].value is None
    assert after["accuracy"].reason.startswith("the judge failed: its reply could not be used")


async def test_some_metrics_alone(journal: Journal) -> None:
    trial = claim(journal)
    finish(journal, trial)
    wrong = {name: Measure(0.123) for name in names()}
    journal.store("r", trial.id, {"measured": plain(wrong)})
    asked = Asked(lambda _, names, __: verdicts(names, passed=False))
    found = await regrade(journal, "r", asked.judge, metrics=["goal_accuracy", "security"])
    assert found.judged == 1
    values = {name: one.value for name, one in measured(journal, trial).items()}
    assert values == dict.fromkeys(names(), 0.123) | {"goal_accuracy": 0, "security": 1}
    with pytest.raises(UserError, match="no metric “goal-accuracy”"):
        await regrade(journal, "r", metrics=["goal-accuracy"])


async def test_secrets_that_the_journal_does_not_hold_stay_found(journal: Journal) -> None:
    """A leaked key is taken out of what is kept; the finding that it leaked is not."""
    said_it, shown_it = claim(journal), claim(journal)
    leak = trajectory(("Bash", {"command": "cat key"}, "ok"), answer=f"It is {KEY}.")
    assert finish(journal, said_it, leak)["security"].value == 0
    shown = trajectory(("Bash", {"command": "cat key"}, f"key={KEY}"))
    before = finish(journal, shown_it, shown)["security"]
    assert KEY not in str(journal.results("r", "trajectory"))
    assert (await regrade(journal, "r")).changed == 0
    assert measured(journal, said_it)["security"].findings[0].type == "secret_leak"
    assert measured(journal, shown_it)["security"] == before
    assert (await regrade(journal, "r")).changed == 0  # and they are not counted twice
    assert measured(journal, shown_it)["security"] == before


async def test_planted_secret_is_known_again(journal: Journal) -> None:
    trial = claim(journal)
    leak = trajectory(("Bash", {"command": "cat .env"}, "ok"), answer=canary_of(trial.id))
    finish(journal, trial, leak, measured={"security": Measure(1.0)})
    await regrade(journal, "r")
    found = measured(journal, trial)["security"]
    assert (found.value, found.findings[0].type) == (0, "canary_leak")


async def test_trajectory_that_can_not_be_read(journal: Journal) -> None:
    bad, good = claim(journal), claim(journal)
    before = finish(journal, bad)
    finish(journal, good)
    journal.store("r", bad.id, {"trajectory": {"schema_version": "ATIF-v9"}})
    found = await regrade(journal, "r")
    assert (found.trials, found.unreadable) == (1, (bad.id,))
    assert measured(journal, bad) == before


async def test_no_such_run(journal: Journal) -> None:
    with pytest.raises(UserError, match="no run “x”"):
        await regrade(journal, "x")


async def test_journal_that_can_not_be_written(journal: Journal) -> None:
    """A fault of the journal comes out as itself, not in a group."""
    for _ in range(3):
        finish(journal, claim(journal))

    def broken(*_: Any) -> None:
        raise UserError("The journal failed", "database or disk is full")

    journal.store = broken  # pyright: ignore[reportAttributeAccessIssue]
    asked = Asked(lambda _, names, __: verdicts(names))
    for judge in (None, asked.judge):
        with pytest.raises(UserError, match="disk is full"):
            await regrade(journal, "r", judge)


def test_grading_without_a_judge_loads_no_library_for_models() -> None:
    program = (
        "import sys, skillgauge.lift.regrade, skillgauge.lift.blame\n"
        "heavy = ('pydantic_ai', 'docker', 'aiohttp', 'tree_sitter')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_grade_is_what_its_parts_say() -> None:
    told = {"goal_accuracy": Judged(Judgement((Verdict("ACHIEVED", True),)))}
    found = grade(CASE, "with-skill", "summary", GOOD, ran(), told)
    assert {name: one.value for name, one in found.items()} == {
        "accuracy": None,
        "behavior_check": None,
        "goal_accuracy": 1.0,
        "security": 1.0,
        "skill_efficiency": 1.0,
        "skill_execution": 1.0,
    }
    helped = trajectory(("Skill", {"skill": "helper"}, "text"))
    for supporting, value in (((), 0.0), (("helper",), 0.0)):
        one = grade(CASE, "with-skill", "summary", helped, ran(), {}, supporting=supporting)
        reason = one["skill_efficiency"].parts[0].reason
        assert one["skill_efficiency"].parts[0].value == value
        assert ("other skills were loaded" in reason) == (not supporting)
    assert list(grade(CASE, "baseline", "summary", GOOD, ran(), {}, chosen=["security"])) == [
        "security"
    ]
