"""`skillgauge lift` on journals of runs: status, logs, report, cancel, and what a start costs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from skillgauge.cli import lift as command
from skillgauge.cli._parser import Parser
from skillgauge.lift import folders
from skillgauge.lift.journal import Journal
from skillgauge.lift.plan import Trial
from skillgauge.lift.report import formats
from skillgauge.lift.run_lock import RunLock
from skillgauge.lift.worker import AT_BUDGET

from ..cli.test_startup import HEAVY, loaded
from .conftest import Lift
from .made_runs import CASES, CELLS, SKILL, Script, make_run, reader

FOLLOW = ("--follow", "--format", "jsonl")
EVIL = "\x1b]0;owned\x07\x1b[2Jgone\u202e"


def small(data: Path, run: str = "20260102-030405-abc123", cases: int = 5) -> str:
    """Write a run of as many cases as an interval takes."""
    return make_run(data, run=run, cases=CASES[:cases], cells=CELLS[:1], attempts=1)


# --- what a start costs --------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "most"), [(["--help"], 75), (["lift", "--help"], 90)])
def test_help_is_cheap(words: list[str], most: int) -> None:
    found = loaded(*words)
    assert not found & {*HEAVY, "sqlite3", "docker", "aiohttp", "jinja2", "pydantic_ai"}
    assert not [name for name in found if name.startswith(("skillgauge.lift", "skillgauge.cli._l"))]
    assert len(found) <= most, sorted(found)


def test_a_look_at_runs_loads_no_engine() -> None:
    found = loaded("lift", "status")
    assert not found & {"docker", "aiohttp", "jinja2", "pydantic", "pydantic_ai", "rich"}
    assert not found & {"tree_sitter", "asyncio", "lsprotocol", "pygls", "skillgauge.rules"}


def test_options_and_formats_are_those_that_there_are() -> None:
    assert sorted(command.REPORTS) == sorted(formats())
    parser = Parser("lift", "")
    command.add_arguments(parser)
    keys = {action.dest for action in parser._actions}
    assert set(command._ONLY) == keys - {"help", "action", "subject", "trial", "format"}
    assert {action for _, *actions in command._ONLY.values() for action in actions} <= {
        *command.ACTIONS
    }
    assert set(command._FORMATS) == set(command.ACTIONS)


def test_the_page_has_every_option_action_and_key(data: Path, lift: Lift) -> None:
    text = (Path(__file__).parents[2] / "docs" / "lift.md").read_text(encoding="utf-8")
    parser = Parser("lift", "")
    command.add_arguments(parser)
    named = {word for word in parser.options() if word.startswith("--") and word != "--help"}
    assert set(re.findall(r"`(--[a-z-]+)", text)) == named
    known = named | {"--base"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) <= known
    for action in command.ACTIONS[2:]:
        assert f"\n### {action}\n" in text
    make_run(data, cases=CASES[:1], cells=CELLS[:1], attempts=1)
    (state,) = lift("status", "--format", "json").json["runs"]
    for key in (*state, *state["cases"][0], *state["lift"], "quote", "failed", "attempts"):
        assert f"`{key}`" in text, key


# --- status --------------------------------------------------------------------------------------


def test_no_runs(data: Path, lift: Lift) -> None:
    assert lift("status").out == "There is no lift run yet.\n"
    done = lift("status", "--path", data, "--format", "json")
    assert (done.status, done.json) == (0, {"schema_version": 1, "runs": [], "left_out": 0})
    assert not data.exists()


def test_list(data: Path, lift: Lift) -> None:
    small(data)
    make_run(data, run="20260102-040506-abc987", cases=CASES[:2], until=3)
    skill = data / "skills" / SKILL / "SKILL.md"
    lines = lift("status").out.splitlines()
    assert lines[0].split() == ["RUN", "SKILL", "BEGUN", "STATE", "TRIALS", "LIFT", "COST"]
    by_run = {line.split()[0]: line for line in lines[1:]}
    whole = by_run["20260102-030405-abc123"]
    assert " done " in whole
    assert " 10/10 " in whole
    assert " [+0." in whole
    half = by_run["20260102-040506-abc987"]
    assert " stopped " in half
    assert " 3/16 " in half
    assert "(insufficient)" in half
    assert "stale" not in lift("status").out
    skill.write_text(skill.read_text() + "\nMore\n")
    assert lift("status").out.endswith("stale: the skill has changed since it was measured\n")
    limited = lift("status", "--limit", "1", "--format", "json").json
    assert (len(limited["runs"]), limited["left_out"]) == (1, 1)
    assert lift("status", "--limit", "1").out.endswith(
        "1 older run not shown; --limit shows more\n"
    )


@pytest.mark.parametrize("name", ["", "SKILL.md", "evals/evals.json"])
def test_runs_of_a_skill(data: Path, lift: Lift, name: str) -> None:
    run = make_run(data, until=0)
    place = data / "skills" / SKILL / name
    assert [
        one["run"] for one in lift("status", "--path", place, "--format", "json").json["runs"]
    ] == [run]
    assert lift("status", "--path", data, "--format", "json").json["runs"] == []


def test_one_run(data: Path, lift: Lift) -> None:
    run = make_run(data, attempts=1, cells=CELLS[:1], until=5)
    out = lift("status", run).out
    assert "State    stopped\n" in out
    assert f"nobody works on it; `skillgauge lift resume {run}` goes on\n" in out
    assert "Trials   5 of 16 (with-skill " in out
    assert out.count(" done\n") == 5
    assert " planned" not in out
    with reader(data) as journal:
        assert all(row.trial.id in out for row in journal.trials(run)[:5])


def test_foreign_texts_in_status_do_no_harm(data: Path, lift: Lift) -> None:
    def director(trial: Trial) -> Script:
        return Script(fault=EVIL)

    run = make_run(data, director=director, cases=CASES[:1], cells=CELLS[:1], attempts=1)
    for words in (("status", run), ("status",), ("report", run)):
        out = lift(*words).out
        assert not {"\x1b", "\x07", "\u202e"} & set(out)
    assert "␛]0;owned" in lift("status", run).out


# --- follow --------------------------------------------------------------------------------------


def test_json_lines(data: Path) -> None:
    """Each line is there as soon as it is told, also through a pipe."""
    run = make_run(data, cases=CASES[:1], cells=CELLS[:1], attempts=1, until=0)
    with Journal(folders.journal_path(data)) as journal, RunLock(folders.lock_folder(data), run):
        child = subprocess.Popen(
            [sys.executable, "-m", "skillgauge", *f"lift status {run}".split(), *FOLLOW],
            stdout=subprocess.PIPE,
        )
        assert child.stdout
        with child.stdout as lines:
            first: dict[str, Any] = json.loads(lines.readline())
            assert (first["kind"], first["run"], first["working"]) == ("state", run, True)
            trial = journal.claim(run)
            assert trial
            begun = json.loads(lines.readline())
            assert (begun["kind"], begun["event"], begun["case"]) == (
                "event",
                "running",
                "by-customer",
            )
            journal.ask_to_cancel(run)
            journal.end(run, "cancelled", "as asked")
            rest = [json.loads(line) for line in lines]
        assert child.wait() == 0
    assert [one["event"] for one in rest if one["kind"] == "event"] == [
        "cancel-asked", "cancelled", "cancelled"
    ]  # fmt: skip
    assert (rest[-1]["kind"], rest[-1]["state"]) == ("state", "cancelled")
    assert rest[-1]["counts"] == {"cancelled": 2}


# --- logs ----------------------------------------------------------------------------------------


def test_log_of_the_worker(data: Path, lift: Lift) -> None:
    run = make_run(data, until=0)
    none = lift("logs", run)
    assert none.err == (f"skillgauge: Run {run} has no log. No worker was started for it.\n")
    folder = folders.run_folder(data, run)
    folder.mkdir(parents=True)
    (folder / "worker.log").write_bytes(f"one\n{EVIL}\n".encode() + b"\xff last")
    out = lift("logs", run).out
    assert out == "one\n␛]0;owned␇␛[2Jgone<U+202E>\n\ufffd last\n"


def test_log_is_followed_until_the_worker_ends(
    data: Path, lift: Lift, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines are printed as they come, and what is written last is not lost."""
    run = make_run(data, until=0)
    folder = folders.run_folder(data, run)
    folder.mkdir(parents=True)
    log = (folder / "worker.log").open("a")
    log.write("one\ntw")
    log.flush()
    lock = RunLock(folders.lock_folder(data), run)
    lock.__enter__()

    def sleep(seconds: float) -> None:
        if seconds:
            log.write("o\n")
        else:  # the last look: the lock is free, what was written before is still to be read
            log.write("three\n")
        log.flush()
        lock.__exit__()

    monkeypatch.setattr("skillgauge.cli._lift.logs.time.sleep", sleep)
    with log:
        assert lift("logs", run, "--follow").out == "one\ntwo\nthree\n"


def test_log_of_a_trial(data: Path, lift: Lift) -> None:
    run = make_run(data, cases=CASES[:1], cells=CELLS[:1], attempts=1)
    with reader(data) as journal:
        trial = next(row.trial for row in journal.trials(run) if row.trial.arm == "with-skill")
    folder = folders.trial_folder(data, run, trial.id)
    folder.mkdir(parents=True)
    key = "sk-ant-" + "Zq8wLm3Vt6Rb1Yc9Xs5D"
    (folder / "stdout").write_text(f"{EVIL}\nkey {key}\n")
    (folder / "stderr").write_text("")
    done = lift("logs", run, trial.id[:6])
    lines = done.out.splitlines()
    assert lines[0] == (
        f"Trial {trial.id}: by-customer, with-skill, claude-code (large-model), attempt 1"
    )
    assert lines[1] == "State done"
    assert lines[2].startswith("Try 1: done, ")
    assert lines[3:6] == ["--- stdout", "␛]0;owned␇␛[2Jgone<U+202E>", "key [redacted]"]
    assert lines[6:9] == [
        "--- steps",
        "[1] user",
        "    What did each customer of invoices.csv pay?",
    ]
    assert "    → Skill invoice-totals" in lines
    assert "      Arno         420.00  EUR" in lines
    assert lines[-1].startswith("    Done. ")
    both = lift("logs", run, "by-customer")
    assert both.status == 2
    assert "“by-customer” may be any of 2 trials." in both.err
    assert lift("logs", run, "zzz").err == (
        f"skillgauge: Run {run} has no trial “zzz”."
        f" `skillgauge lift status {run}` lists its trials.\n"
    )


# --- report --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", command.REPORTS)
def test_report_in_every_format(data: Path, lift: Lift, tmp_path: Path, name: str) -> None:
    run = small(data)
    done = lift("report", "last", "--format", name)
    assert done.status == 0
    assert done.out
    target = tmp_path / "report"
    assert lift("report", run, "--format", name, "--output", target).out == ""
    assert target.read_text(encoding="utf-8") == done.out
    if name == "json":
        assert done.json["lift"]["n_cases"] == 5


@pytest.mark.parametrize(("least", "status"), [("0.1", 0), ("-1", 0), ("0.5", 1)])
def test_fail_under(data: Path, lift: Lift, least: str, status: int) -> None:
    run = small(data)
    done = lift("report", run, "--format", "json", "--fail-under", least)
    assert done.status == status
    estimate = done.json["lift"]["estimate"]
    assert done.err == (f"skillgauge: The lift of {estimate:+.3f} is below 0.5\n" if status else "")


def test_what_could_not_be_measured(data: Path, lift: Lift) -> None:
    few = small(data, "few", 3)
    assert lift("report", few).status == 0
    done = lift("report", few, "--fail-under", "0")
    assert (done.status, done.err) == (
        3, "skillgauge: 3 paired cases are too few to hold the lift against 0\n"
    )  # fmt: skip
    assert lift("report", make_run(data, run="half", cases=CASES[:5], until=5)).status == 3
    none = make_run(
        data, run="none", director=lambda trial: Script(fault="529"), cases=CASES[:1], attempts=1
    )
    assert lift("report", none).status == 3


# --- cancel --------------------------------------------------------------------------------------


def test_cancel_without_a_worker(data: Path, lift: Lift, monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine is there, either: that keeps nobody from ending a run."""
    monkeypatch.setenv("DOCKER_HOST", f"unix://{data}/none")
    run = make_run(data, until=3)
    done = lift("cancel", run)
    assert (done.status, done.out) == (0, "")
    assert done.err == (
        f"skillgauge: Run {run} is cancelled;"
        " what is left of its containers goes when the next run begins\n"
    )
    with reader(data) as journal:
        assert journal.counts(run) == {"done": 3, "cancelled": 61}
    again = lift("cancel", run, "--format", "json")
    assert (again.status, again.json) == (
        0, {"schema_version": 1, "run": run, "state": "cancelled"}
    )  # fmt: skip
    resumed = lift("resume", run)
    assert resumed.err == (
        f"skillgauge: Run {run} was cancelled. `skillgauge lift run` begins a new one.\n"
    )


def test_cancel_with_a_worker(data: Path, lift: Lift) -> None:
    """The command returns when the worker has ended the run, and it waits for no trial."""
    run = make_run(data, until=3)
    program = (
        "import sys, time\nfrom pathlib import Path\n"
        "from skillgauge.lift import folders\nfrom skillgauge.lift.journal import Journal\n"
        "from skillgauge.lift.run_lock import RunLock\n"
        "data, run = Path(sys.argv[1]), sys.argv[2]\n"
        "with RunLock(folders.lock_folder(data), run), Journal(folders.journal_path(data)) as j:\n"
        "    print(flush=True)\n"
        "    while j.run(run).cancel_asked is None: time.sleep(0.02)\n"
        "    time.sleep(0.5)\n    j.end(run, 'cancelled', 'by the worker')\n"
    )
    worker = subprocess.Popen(
        [sys.executable, "-c", program, str(data), run], stdout=subprocess.PIPE
    )
    assert worker.stdout
    with worker.stdout:
        worker.stdout.readline()
        assert lift("cancel", run, "--format", "json").json["state"] == "cancelled"
    assert worker.wait() == 0
    with reader(data) as journal:
        assert journal.run(run).reason == "by the worker"


def test_cancel_where_the_worker_hangs(
    data: Path, lift: Lift, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skillgauge.cli._lift.cancel.PATIENCE", 0.3)
    run = make_run(data, until=0)
    with RunLock(folders.lock_folder(data), run):
        done = lift("cancel", run)
    assert (done.status, done.err) == (
        3, f"skillgauge: Run {run} has been asked to end and has not yet\n"
    )  # fmt: skip
    with reader(data) as journal:
        assert journal.run(run).cancel_asked is not None


# --- resume --------------------------------------------------------------------------------------


def test_nothing_to_resume(data: Path, lift: Lift) -> None:
    run = small(data, cases=1)
    assert lift("resume", run).err == (
        f"skillgauge: Run {run} has no trial left to run. `skillgauge lift run` begins a new one.\n"
    )
    half = make_run(data, run="half", until=1)
    with RunLock(folders.lock_folder(data), half):
        assert lift("resume", half).err == (
            "skillgauge: The run “half” is being worked on."
            " `skillgauge lift status half --follow` shows how far it is.\n"
        )


def test_a_changed_skill_is_not_resumed(data: Path, lift: Lift) -> None:
    run = make_run(data, until=1)
    text = data / "skills" / SKILL / "SKILL.md"
    text.write_text(text.read_text() + "\nMore\n")
    done = lift("resume", run)
    assert (done.status, done.err) == (
        2,
        f"skillgauge: The skill “{SKILL}” has changed since run {run} began."
        " Begin a new run, or put its files back.\n",
    )


def test_a_spent_budget_is_raised_to_go_on(
    data: Path, lift: Lift, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(data, cases=CASES[:5], until=3, max_cost=0.5)
    with Journal(folders.journal_path(data)) as journal:
        journal.end(run, "failed", f"{AT_BUDGET} of $0.5")
    monkeypatch.setattr("skillgauge.cli._lift.resume.refuse_missing", lambda settings, cells: None)
    monkeypatch.setattr("skillgauge.cli._lift._work.spawn", lambda data, run: 77)
    done = lift("resume", run, "--detach")
    assert (done.status, done.err) == (
        2,
        f"skillgauge: Run {run} has spent its budget of $0.500."
        " Give it a larger one with --max-cost; what is spent already counts.\n",
    )
    words = ("resume", run, "--max-cost", "2", "--jobs", "4", "--detach", "--format", "json")
    assert lift(*words).json == {"schema_version": 1, "run": run, "pid": 77}
    with reader(data) as journal:
        settings = journal.run(run).settings
    assert (settings["max_cost"], settings["jobs"], settings["retries"]) == (2.0, 4, 2)


# --- regrade -------------------------------------------------------------------------------------


def test_regrade(data: Path, lift: Lift) -> None:
    """Verdicts and values that can be worked out again are the same again."""
    run = small(data)
    before = lift("report", run, "--format", "json").json
    with Journal(folders.journal_path(data)) as journal:
        trial = journal.trials(run)[0].trial.id
        body = journal.result(run, trial, "measured")
        body["security"]["value"] = 0.125
        journal.store(run, trial, {"measured": body})
    done = lift("regrade", run, "--format", "json")
    assert done.status == 0
    assert done.err == "skillgauge: Graded 10 trials again; the values of 1 have changed\n"
    assert done.json["lift"] == before["lift"]
    assert done.json["metrics"]["security"] == before["metrics"]["security"]


def test_regrade_needs_the_run_alone_and_a_judge_that_can_be_asked(
    data: Path, lift: Lift, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "SKILLGAUGE_JUDGE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    run = small(data, cases=1)
    with RunLock(folders.lock_folder(data), run):
        assert "is being worked on." in lift("regrade", run).err
    done = lift("regrade", run, "--judge", "openai:gpt")
    assert (done.status, done.err) == (
        2,
        "skillgauge: The judge “openai:gpt” has no key."
        " Set OPENAI_API_KEY or SKILLGAUGE_JUDGE_API_KEY.\n",
    )


# --- demo ----------------------------------------------------------------------------------------


def test_demo(data: Path, lift: Lift, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It needs no key and no engine, and leaves nothing but what was asked for."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{scratch}/none")
    monkeypatch.setenv("PATH", "")
    page = tmp_path / "demo.html"
    done = lift("demo", "--html", page, "--format", "json")
    assert (done.status, done.err) == (0, f"skillgauge: Wrote {page}\n")
    assert done.json["skill"]["name"] == "csv-profile"
    assert done.json["lift"]["n_cases"] >= 6
    assert len({one["harness"] for one in done.json["harnesses"]}) == 2
    assert done.json["run"]["scripted"] is True
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert list(scratch.iterdir()) == []
    assert not data.exists()
