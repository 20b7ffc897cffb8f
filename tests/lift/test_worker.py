"""Work on a run: what is written of each trial, what is run again, and how a run ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections import Counter
from pathlib import Path

import pytest

from skillgauge.errors import UserError
from skillgauge.lift import folders, trial, worker
from skillgauge.lift.engines import Ended
from skillgauge.lift.journal import Journal
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.report import build
from skillgauge.lift.results import Usage, ran_of
from skillgauge.lift.run_lock import is_held
from skillgauge.lift.run_results import read_results
from skillgauge.lift.stage import Part, Played
from skillgauge.lift.start import Asked, begin, prepare

from .stages import FINE, HARNESS, KIT, Play, ToldStage, no_engine

SKILL = (
    "---\nname: counter\ndescription: Counts the rows of a table, one by one, to the end.\n---\n"
)
MARK = "Count every row of the table, the empty ones too, and say the number."


@pytest.fixture(autouse=True)
def kit(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (trial, "skillgauge.lift.start"):
        monkeypatch.setattr(f"{getattr(module, '__name__', module)}.harness", lambda name: KIT)


def begun(tmp_path: Path, cases: int = 2, **asked: object) -> tuple[Path, str]:
    skill = tmp_path / "counter"
    (skill / "evals").mkdir(parents=True, exist_ok=True)
    (skill / "SKILL.md").write_text(f"{SKILL}\n{MARK}\n")
    evals = [{"id": f"c{n}", "prompt": "Count it", "expected_output": "3"} for n in range(cases)]
    (skill / "evals/evals.json").write_text(json.dumps({"skill_name": "counter", "evals": evals}))
    wanted = Asked(skill, (HARNESS,), **asked)  # type: ignore[arg-type]
    return tmp_path / "data", begin(tmp_path / "data", prepare(wanted))


def go(data: Path, run: str, stage: ToldStage) -> None:
    asyncio.run(worker.work(data, run, lambda *_: stage, pause=0.01))


def reader(data: Path) -> JournalReader:
    return JournalReader(folders.journal_path(data))


def states(data: Path, run: str) -> Counter[str]:
    with reader(data) as journal:
        return Counter(row.state for row in journal.trials(run))


def stage_of(play: Play, **more: object) -> ToldStage:
    return ToldStage(play, **more)  # type: ignore[arg-type]


def test_a_run_goes_to_its_end(tmp_path: Path) -> None:
    data, run = begun(tmp_path)
    stage = ToldStage(seconds=0.02)
    go(data, run, stage)
    with reader(data) as journal:
        assert journal.run(run).state == "done"
        assert states(data, run) == {"done": 4}
        assert len(journal.results(run, "trajectory")) == 4
        measured = journal.results(run, "measured")
        ran = [ran_of(body) for body in journal.results(run, "ran").values()]
    assert {one["security"]["value"] for one in measured.values()} == {1.0}
    assert {one["accuracy"]["reason"] for one in measured.values()} == {"no judge is set"}
    assert {one.answer for one in ran} == {"3 rows"}
    assert {one.seconds for one in ran} == {0.5}
    assert stage.most == 2
    assert stage.closed
    assert not is_held(folders.lock_folder(data), run)


def test_the_harness_logs_are_kept_and_its_home_is_not(tmp_path: Path) -> None:
    data, run = begun(tmp_path, 1)
    go(data, run, ToldStage())
    with reader(data) as journal:
        trials = [row.trial.id for row in journal.trials(run)]
    for folder in (folders.trial_folder(data, run, one) for one in trials):
        assert sorted(path.name for path in folder.iterdir()) == ["logs", "stderr", "stdout"]
        assert [p.name for p in (folder / "logs").rglob("*.jsonl")] == ["s1.jsonl"]


def test_a_key_that_an_endpoint_said_is_in_no_file(tmp_path: Path) -> None:
    data, run = begun(tmp_path, 1)
    key = "key-0123456789-of-the-host"

    def play(part: Part, number: int) -> Played:
        (part.room.workspace / "said.txt").write_text(f"it is {key}")
        log = part.room.home / ".claude/projects/-w/s1.jsonl"
        log.write_text(log.read_text().replace("3 rows", f"3 rows, {key}"))
        return Played(Ended(0, "exit", 0.5, stdout=key.encode(), stderr=key.encode()))

    asyncio.run(worker.work(data, run, lambda *_: stage_of(play), (key,), pause=0.01))
    kept = [path for path in data.rglob("*") if path.is_file()]
    assert {"stdout", "stderr", "s1.jsonl", "said.txt"} <= {path.name for path in kept}
    assert [path for path in kept if key.encode() in path.read_bytes()] == []


def test_an_endpoints_error_is_run_again_within_bounds(tmp_path: Path) -> None:
    data, run = begun(tmp_path, 1, retries=2)

    def play(part: Part, number: int) -> Played:
        failing = part.trial.arm == "baseline" or number < 3
        return Played(Ended(1, "exit", 0.1, stdout=b"529")) if failing else FINE

    stage = stage_of(play)
    go(data, run, stage)
    with reader(data) as journal:
        rows = {row.trial.arm: row for row in journal.trials(run)}
        tries = {arm: journal.tries(run, row.trial.id) for arm, row in rows.items()}
    assert rows["with-skill"].state == "done"
    assert rows["baseline"].state == "infra-error"
    assert rows["baseline"].reason == "Claude Code: API error 529"
    assert {arm: len(found) for arm, found in tries.items()} == {"with-skill": 3, "baseline": 3}


def test_a_run_in_which_nothing_works_ends_early(tmp_path: Path) -> None:
    data, run = begun(tmp_path, 20, retries=0, jobs=1)
    stage = stage_of(no_engine)
    with pytest.raises(UserError, match="The last 5 trials failed: the engine failed: it was"):
        go(data, run, stage)
    assert states(data, run) == {"infra-error": 5, "planned": 35}
    with reader(data) as journal:
        assert journal.run(run).state == "failed"
    go(data, run, ToldStage())
    assert states(data, run) == {"done": 35, "infra-error": 5}


def test_a_fault_of_ours_takes_one_trial(tmp_path: Path) -> None:
    data, run = begun(tmp_path, 2)

    def play(part: Part, number: int) -> Played:
        if part.trial.case_id == "c1" and part.trial.arm == "baseline":
            raise KeyError("ours")
        return FINE

    go(data, run, stage_of(play))
    assert states(data, run) == {"done": 3, "infra-error": 1}


def test_no_stage_is_no_run(tmp_path: Path) -> None:
    data, run = begun(tmp_path)
    with pytest.raises(UserError, match="no engine"):
        go(data, run, ToldStage(fault=UserError("There is no engine")))
    assert states(data, run) == {"planned": 4}
    with reader(data) as journal:
        assert journal.run(run).reason == "There is no engine"


def test_the_budget_ends_a_run(tmp_path: Path) -> None:
    data, run = begun(tmp_path, 4, jobs=1, max_cost=0.5)

    def play(part: Part, number: int) -> Played:
        over = part.trial.position >= 3
        return Played(FINE.ended, Usage(cost_usd=0.2), over_budget=over)

    go(data, run, stage_of(play))
    assert states(data, run) == {"done": 3, "infra-error": 1, "planned": 4}
    with reader(data) as journal:
        assert journal.run(run).reason == "stopped at the budget of $0.5"


@pytest.mark.parametrize(("budget", "done", "state"), [(0.5, 3, "failed"), (1.6, 8, "done")])
def test_no_trial_is_begun_with_a_spent_budget(
    tmp_path: Path, budget: float, done: int, state: str
) -> None:
    data, run = begun(tmp_path, 4, jobs=1, max_cost=budget)
    stage = ToldStage(budget=budget)

    def play(part: Part, number: int) -> Played:
        stage.book(0.2)
        return FINE

    stage.play_it = play
    go(data, run, stage)
    left = {"planned": 8 - done} if done < 8 else {}
    assert states(data, run) == {"done": done, **left}
    with reader(data) as journal:
        assert journal.run(run).state == state


def test_what_was_spent_before_counts(tmp_path: Path) -> None:
    data, run = begun(tmp_path, 2, jobs=1)
    stage = stage_of(lambda part, number: Played(FINE.ended, Usage(cost_usd=0.25)))
    go(data, run, stage)
    again = ToldStage()
    go(data, run, again)
    assert (stage.booked, again.booked) == (0, 1.0)


def test_what_earlier_tries_cost_counts(tmp_path: Path) -> None:
    """Of a trial that is run again, and of those that were in flight when a worker died."""
    data, run = begun(tmp_path, 1, jobs=1, retries=1)

    def play(part: Part, number: int) -> Played:
        asked = {"n": 1, "at": "", "method": "POST", "path": "/", "kind": "answer", "status": 200}
        record = part.room.folder / "exchanges.jsonl"
        record.write_text(json.dumps({**asked, "cost_usd": 0.25}) + "\n")
        if number == 2 and part.trial.arm == "baseline":
            raise KeyboardInterrupt
        output = b"529" if number == 1 else b"{}"
        return Played(Ended(0, "exit", 0.5, stdout=output), Usage(requests=1, cost_usd=0.25))

    with pytest.raises(KeyboardInterrupt):
        go(data, run, stage_of(play))
    again = ToldStage()
    go(data, run, again)
    with reader(data) as journal:
        both = journal.run(run).state, worker.spent(journal, run)
        report = build(journal, run)
        looked = read_results(journal, run, journal.trials(run))
    paid = 2 * 0.25 if len(again.played) == 2 else 4 * 0.25
    assert both == ("done", paid)
    assert again.booked == paid
    assert report.cost_usd == looked.cost_usd == paid


def test_cancel_stops_what_is_running(tmp_path: Path) -> None:
    data, run = begun(tmp_path, 3)
    stage = ToldStage(seconds=30)

    async def both() -> None:
        task = asyncio.create_task(worker.work(data, run, lambda *_: stage, pause=0.01))
        while len(stage.played) < 2:
            await asyncio.sleep(0.01)
        with Journal(folders.journal_path(data)) as journal:
            journal.ask_to_cancel(run)
        await asyncio.wait_for(task, 5)

    asyncio.run(both())
    assert sorted(stage.stopped) == sorted(stage.played)
    assert states(data, run) == {"cancelled": 6}


def test_a_signal_leaves_the_run_open(tmp_path: Path) -> None:
    data, run = begun(tmp_path, 2)
    stage = ToldStage(seconds=30)

    async def both() -> None:
        task = asyncio.create_task(worker.work(data, run, lambda *_: stage, pause=0.01))
        while len(stage.played) < 2:
            await asyncio.sleep(0.01)
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(task, 5)

    asyncio.run(both())
    assert len(stage.stopped) == 2
    assert states(data, run) == {"running": 2, "planned": 2}
    again = ToldStage()
    go(data, run, again)
    assert states(data, run) == {"done": 4}
    with reader(data) as journal:
        assert journal.run(run).state == "done"


def test_resume_runs_what_is_left_and_nothing_else(tmp_path: Path) -> None:
    data, run = begun(tmp_path, 2, jobs=1)

    def play(part: Part, number: int) -> Played:
        if part.trial.position == 2:
            os.kill(os.getpid(), signal.SIGTERM)
        return FINE

    go(data, run, stage_of(play))
    before = states(data, run)
    stage = ToldStage()
    go(data, run, stage)
    assert len(stage.played) == 4 - before["done"]
    assert states(data, run) == {"done": 4}


@pytest.mark.parametrize(
    ("arm", "asked", "reason"),
    [
        ("baseline", f'"{MARK}"', f"the baseline saw the skill: “{MARK[:80]}”"),
        ("with-skill", "hello", "Claude Code never listed the skill"),
    ],
)
def test_arms_that_are_not_what_they_should_be(
    tmp_path: Path, arm: str, asked: str, reason: str
) -> None:
    data, run = begun(tmp_path, 1)

    def play(part: Part, number: int) -> Played:
        text = asked if part.trial.arm == arm else {"baseline": "x", "with-skill": "counter"}[
            part.trial.arm]  # fmt: skip
        return Played(FINE.ended, Usage(requests=1), requests=lambda: [text])

    stage = stage_of(play)
    go(data, run, stage)
    with reader(data) as journal:
        rows = {row.trial.arm: row for row in journal.trials(run)}
    assert (rows[arm].state, rows[arm].reason) == ("infra-error", reason)
    assert len(stage.played) == 2


@pytest.mark.parametrize(
    ("played", "state", "reason"),
    [
        (Played(Ended(None, "timeout", 9.0)), "done", ""),
        (
            Played(Ended(None, "timeout", 9.0), waiting=True),
            "infra-error",
            "the time was over while Claude Code waited for the model",
        ),
        (Played(Ended(137, "memory", 9.0)), "infra-error", "the container ran out of memory"),
        (
            Played(FINE.ended, diverged="request 3"),
            "infra-error",
            "the recording does not fit: request 3",
        ),
    ],
)
def test_whose_fault_it_is(tmp_path: Path, played: Played, state: str, reason: str) -> None:
    data, run = begun(tmp_path, 1, retries=0)
    stage = stage_of(lambda part, number: played)
    if state == "done":
        go(data, run, stage)
    else:
        with pytest.raises(UserError, match=f"No trial came to its end: {reason}"):
            go(data, run, stage)
    with reader(data) as journal:
        assert {(row.state, row.reason) for row in journal.trials(run)} == {(state, reason)}


def test_another_text_is_not_measured_on(tmp_path: Path) -> None:
    data, run = begun(tmp_path)
    (tmp_path / "counter/SKILL.md").write_text(SKILL)
    with pytest.raises(UserError, match="has changed since the run began"):
        go(data, run, ToldStage())


def test_all_trials_have_one_text_while_its_author_goes_on(tmp_path: Path) -> None:
    data, run = begun(tmp_path, 3, jobs=1)
    seen: list[str] = []

    def play(part: Part, number: int) -> Played:
        placed = part.room.home / ".claude/skills/counter/SKILL.md"
        seen.extend([placed.read_text()] if placed.exists() else [])
        (tmp_path / "counter/SKILL.md").write_text(f"{SKILL}\nAnother text {len(seen)}.\n")
        return FINE

    go(data, run, stage_of(play))
    assert seen == [f"{SKILL}\n{MARK}\n"] * 3


def test_one_worker_a_run(tmp_path: Path) -> None:
    data, run = begun(tmp_path)

    async def both() -> None:
        stage = ToldStage(seconds=0.2)
        task = asyncio.create_task(worker.work(data, run, lambda *_: stage, pause=0.01))
        await asyncio.sleep(0.1)
        with pytest.raises(UserError, match="worked on by another"):
            await worker.work(data, run, lambda *_: ToldStage())
        await task

    asyncio.run(both())
    assert states(data, run) == {"done": 4}
