"""Following a run by its journal: states, events, an end, and workers that are gone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from skillgauge.lift import folders
from skillgauge.lift.follow import Clock, Follower
from skillgauge.lift.history import history
from skillgauge.lift.journal import Journal
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.plan import Cell, Request, Spent, make_plan, outlook
from skillgauge.lift.records import Event, Row
from skillgauge.lift.run_lock import RunLock, is_held
from skillgauge.lift.run_state import RunStates, seconds_left

from .conftest import Lift
from .made_runs import CASES, CELLS, SKILL, Script, make_run

START = 1_767_400_000.0


@dataclass
class Time:
    """A time that goes on when somebody sleeps; what happens then is told by the test."""

    steps: list[Callable[[], object]] = field(default_factory=list)
    at: float = START

    def sleep(self, seconds: float) -> None:
        self.at += seconds
        if self.steps:
            self.steps.pop(0)()

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.at, self.sleep)


def nothing() -> None:
    """Let the time go on."""


def state(data: Path, run: str, now: float = START) -> dict[str, Any]:
    with JournalReader(folders.journal_path(data)) as reader:
        return RunStates(data, reader, lambda: now).of(reader.run(run))


# --- the state -----------------------------------------------------------------------------------


def test_state_of_a_run(data: Path) -> None:
    """The figures are those of the report, which works them out in another way."""
    from skillgauge.lift.report import build

    run = make_run(data)
    found = state(data, run)
    with JournalReader(folders.journal_path(data)) as reader:
        report = build(reader, run)
    assert report.lift
    assert found["lift"] == {
        "estimate": report.lift.estimate,
        "interval": [report.lift.low, report.lift.high],
        "n_cases": 8,
        "precision": "low",
    }
    assert found["counts"] == {"done": 63, "infra-error": 1}
    assert found["arms"] == {
        "with-skill": {"trials": 32, "ended": 32, "running": 0},
        "baseline": {"trials": 32, "ended": 32, "running": 0},
    }
    assert (found["state"], found["working"], found["stale"]) == ("done", False, False)
    assert found["harnesses"] == ["claude-code=large-model", "codex=other-model"]
    assert found["cost_usd"] == pytest.approx(report.cost_usd)
    assert found["cost_partial"] is True
    assert found["eta_seconds"] == 0.0
    cases = {(one["id"], one["harness"]): one for one in found["cases"]}
    assert len(cases) == 16
    for one in report.cases:
        shown = cases[one.case.id, f"{one.cell.harness}={one.cell.model}"]
        assert (shown["treated"], shown["control"], shown["lift"]) == (
            pytest.approx(one.treated), pytest.approx(one.control), pytest.approx(one.lift),
        )  # fmt: skip


def test_unsatisfied_assertions_and_blame(data: Path) -> None:
    """Twice three assertions fail in the arm without the skill, one once in the other."""

    def director(trial: Any) -> Script:
        treated = trial.arm == "with-skill"
        return Script(wrong=0 if treated and trial.attempt == 1 else 1 if treated else 3)

    run = make_run(data, director=director, cases=CASES[:1], cells=CELLS[:1])
    (case,) = state(data, run)["cases"]
    told = [(one["arm"], one["index"], one["failed"], one["attempts"])
            for one in case["unsatisfied"]]  # fmt: skip
    assert told == [
        ("with-skill", 2, 1, 2), ("baseline", 0, 2, 2), ("baseline", 1, 2, 2), ("baseline", 2, 2, 2)
    ]  # fmt: skip
    assert case["unsatisfied"][0]["assertion"] == "Name the currency"
    assert case["unsatisfied"][0]["quote"] == "The invoices come to about 1,600 in all."
    assert case["blame"] == "skill"
    assert state(data, run)["lift"]["interval"] is None


def test_faults_of_the_runner_are_its_own(data: Path) -> None:
    run = make_run(
        data, director=lambda trial: Script(fault="529"), cases=CASES[:1], cells=CELLS[:1]
    )
    found = state(data, run)
    assert found["lift"] is None
    (case,) = found["cases"]
    assert (case["blame"], case["reason"]) == ("runner", "529")
    assert (case["treated"], case["control"], case["lift"]) == (None, None, None)


def test_a_case_with_one_arm_has_a_score_and_no_lift(data: Path) -> None:
    run = make_run(data, cases=CASES[:1], cells=CELLS[:1], attempts=1, until=1)
    (case,) = state(data, run)["cases"]
    assert case["lift"] is None
    assert [case["treated"], case["control"]].count(None) == 1


def test_stale_after_an_edit_and_without_a_skill(data: Path) -> None:
    run = make_run(data, until=0)
    text = data / "skills" / SKILL / "SKILL.md"
    assert state(data, run)["stale"] is False
    before = text.read_text()
    text.write_text(f"{before}\nMore.\n")
    assert state(data, run)["stale"] is True
    text.unlink()
    assert state(data, run)["stale"] is True


def test_working(data: Path) -> None:
    """As long as its lock is held, and for a moment after it was made."""
    run = make_run(data, until=0)
    with JournalReader(folders.journal_path(data)) as reader:
        created = reader.run(run).created
    assert state(data, run, created + 1)["working"] is True
    assert state(data, run, created + 60)["working"] is False
    with RunLock(folders.lock_folder(data), run):
        assert state(data, run, created + 60)["working"] is True
        with Journal(folders.journal_path(data)) as journal:
            journal.resume(run)
            journal.ask_to_cancel(run)
        assert state(data, run)["cancelling"] is True
    assert state(data, run, created + 1)["working"] is False


def test_who_looks_does_not_keep_a_worker_away(data: Path) -> None:
    """The lock is taken for a moment by those who look; a worker that starts then waits."""
    locks = folders.lock_folder(data)
    program = (
        "import sys, time\nfrom pathlib import Path\n"
        "from skillgauge.lift.run_lock import RunLock\n"
        "with RunLock(Path(sys.argv[1]), 'r'):\n"
        "    print(flush=True)\n    time.sleep(0.4)"
    )
    other = subprocess.Popen([sys.executable, "-c", program, str(locks)], stdout=subprocess.PIPE)
    assert other.stdout
    with other.stdout:
        other.stdout.readline()
        assert is_held(locks, "r")
        with RunLock(locks, "r", wait=10.0):
            pass
    assert other.wait() == 0
    assert not is_held(locks, "r")


# --- the time that is left -----------------------------------------------------------------------


def trials(*states: str) -> list[Row]:
    plan = make_plan(CASES[: len(states) // 2], Request((Cell("script"),)))
    return [Row(trial, one, "") for trial, one in zip(plan.trials, states, strict=True)]  # type: ignore[arg-type]


def events(rows: list[Row], *times: tuple[int, str, float]) -> list[Event]:
    return [
        Event(seq, rows[index].trial.id, at, kind, {})
        for seq, (index, kind, at) in enumerate(times)
    ]


def test_seconds_left() -> None:
    rows = trials("done", "running", "planned", "planned")
    told = events(rows, (0, "running", 0.0), (0, "done", 10.0), (1, "running", 10.0))
    assert seconds_left(rows, told, 1, 14.0) == pytest.approx(6 + 10 + 10)
    assert seconds_left(rows, told, 2, 14.0) == pytest.approx(13)
    assert seconds_left(rows, told, 9, 14.0) == pytest.approx(10)  # the longest of them
    assert seconds_left(rows, told[:1], 1, 14.0) is None
    assert seconds_left(trials("done", "cancelled"), [], 1, 0.0) == 0.0


# --- following -----------------------------------------------------------------------------------


def test_follow_to_the_end(data: Path) -> None:
    run = make_run(data, cases=CASES[:1], cells=CELLS[:1], attempts=1, until=0)
    with Journal(folders.journal_path(data)) as journal, RunLock(folders.lock_folder(data), run):
        first, second = (row.trial for row in journal.trials(run))
        time = Time(
            [
                lambda: journal.claim(run),
                lambda: journal.finish(run, first.id, "done"),
                lambda: journal.claim(run),
                lambda: journal.finish(run, second.id, "infra-error", reason="no"),
                lambda: journal.end(run, "done"),
            ]
        )
        lines = list(Follower(data, run, clock=time.clock))
    told = [line["event"] if line["kind"] == "event" else line["counts"] for line in lines]
    assert told == [
        {"planned": 2},
        "running",
        "done",
        {"done": 1, "planned": 1},
        "running",
        "infra-error",
        {"done": 1, "infra-error": 1},
        "done",
        {"done": 1, "infra-error": 1},
    ]
    assert lines[-1]["state"] == "done"
    failed = lines[5]
    assert failed["trial"] == second.id
    assert (failed["case"], failed["arm"]) == (second.case_id, second.arm)
    assert failed["harness"] == "claude-code=large-model"
    assert failed["detail"] == {"reason": "no"}
    assert [line["seq"] for line in lines if line["kind"] == "event"] == sorted(
        line["seq"] for line in lines if line["kind"] == "event"
    )


def test_follow_a_run_that_has_ended(data: Path) -> None:
    run = make_run(data, cases=CASES[:1])
    (line,) = Follower(data, run, clock=Time().clock)
    assert (line["kind"], line["state"]) == ("state", "done")


def test_states_are_not_told_more_often_than_twice_a_second(data: Path) -> None:
    run = make_run(data, cells=CELLS[:1], attempts=2, until=0)
    with Journal(folders.journal_path(data)) as journal, RunLock(folders.lock_folder(data), run):

        def one() -> None:
            if trial := journal.claim(run):
                journal.finish(run, trial.id, "done")
            else:
                journal.end(run, "done")

        time = Time([one] * 33)
        shown: list[float] = []
        for line in Follower(data, run, clock=time.clock):
            if line["kind"] == "state":
                shown.append(time.at)
    gaps = [after - before for before, after in pairwise(shown)]
    assert min(gaps) >= 0.5
    assert len(shown) >= 16


def test_nobody_works_on_it(data: Path) -> None:
    """Who follows waits for a while, for a worker may be about to start."""
    run = make_run(data, until=0)
    time = Time()
    (line,) = Follower(data, run, clock=time.clock)
    assert (line["state"], line["working"]) == ("open", False)
    assert 10 <= time.at - START <= 11


def test_a_worker_that_goes_away_is_told_of_at_once(data: Path) -> None:
    run = make_run(data, until=0)
    lock = RunLock(folders.lock_folder(data), run)
    lock.__enter__()
    time = Time([nothing, lambda: lock.__exit__()])
    lines = list(Follower(data, run, clock=time.clock))
    assert [line["working"] for line in lines] == [True, False]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_that_has_died_is_not_waited_for(data: Path) -> None:
    run = make_run(data, until=0)
    worker = subprocess.Popen([sys.executable, "-c", "pass"])
    time = Time([lambda: os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOWAIT)])
    lines = list(Follower(data, run, worker.pid, time.clock))
    assert [line["state"] for line in lines] == ["open", "open"]
    assert time.at - START < 1
    worker.returncode = 0  # it was waited for, by another part of this process


# --- what is expected ----------------------------------------------------------------------------


def test_outlook_from_earlier_runs(data: Path) -> None:
    make_run(data, run="a", attempts=1)
    plan = make_plan(CASES, Request(CELLS, attempts=3))
    past = history(data, plan, SKILL, judged=False)
    found = outlook(plan, past)
    with JournalReader(folders.journal_path(data)) as reader:
        ran = [one for row in reader.trials("a") if row.state == "done"
               for one in [reader.result("a", row.trial.id, "ran")]]  # fmt: skip
    cost = sum(one["usage"]["cost_usd"] for one in ran)
    assert len(ran) == 32
    assert found.cost_usd == pytest.approx(3 * cost)
    assert found.seconds == pytest.approx(3 * sum(one["seconds"] + 1.2 for one in ran))
    tokens = sum(one["usage"]["prompt_tokens"] + one["usage"]["completion_tokens"] for one in ran)
    assert found.tokens == pytest.approx(3 * tokens)
    judged = outlook(plan, history(data, plan, SKILL, judged=True))
    assert judged.cost_usd == pytest.approx(3 * (cost + 32 * 3 * 0.0021))


def test_outlook_is_unknown_where_a_harness_is_new(data: Path) -> None:
    make_run(data, run="a", cells=CELLS[:1])
    plan = make_plan(CASES, Request((*CELLS[:1], Cell("codex", "new"))))
    assert outlook(plan, history(data, plan, SKILL, judged=False)).cost_usd is None


def test_the_same_skill_counts_more_and_replays_not_at_all(data: Path) -> None:
    make_run(data, run="a", cells=CELLS[:1], attempts=1)
    make_run(data, run="b", cells=CELLS[1:], attempts=1, replay_of="x")
    plan = make_plan(CASES, Request(CELLS))
    own, other = (history(data, plan, name, judged=False) for name in (SKILL, "other"))
    assert own == other
    assert {cell for cell, _ in own} == {CELLS[0]}
    key = (CELLS[0], "baseline")
    assert all(isinstance(one, Spent) for one in own[key])  # type: ignore[index]
    assert history(data / "none", plan, SKILL, judged=False) == {}


def test_plan_shows_the_outlook(data: Path, lift: Lift, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a plan says of time is what passes: several trials run at once."""
    import json

    monkeypatch.setattr("skillgauge.cli._lift.plan.missing_of", lambda settings, cells: [])
    make_run(data, cells=CELLS[:1], attempts=1)
    place = data / "skills" / SKILL
    (place / "evals").mkdir()
    cases = [{"id": case.id, "prompt": case.prompt} for case in CASES]
    (place / "evals" / "evals.json").write_text(json.dumps(cases))
    words = ("plan", place, "--harness", "claude-code=large-model", "--jobs", "4")
    plan = lift(*words, "--format", "json")
    assert plan.status == 0
    with JournalReader(folders.journal_path(data)) as reader:
        ran = reader.results(reader.runs()[0].id, "ran").values()
    seconds = sum(one["seconds"] + one["overhead"] for one in ran)
    assert plan.json["outlook"]["seconds"] == pytest.approx(seconds / 4, abs=0.1)
    assert plan.json["outlook"]["cost_usd"] == pytest.approx(
        sum(one["usage"]["cost_usd"] for one in ran)
    )
    text = lift(*words, "--max-cost", "2.5").out
    assert text.startswith("invoice-totals: 8 cases × 2 arms = 16 trials\n")
    assert "by trials like these; it stops at $2.50\n" in text
    assert ", 4 at once\n" in text
