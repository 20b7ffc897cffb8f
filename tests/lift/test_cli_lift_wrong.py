"""Bad input: one sentence that says what to do, and nothing is started or written."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from skillgauge.cli._lift import _asked
from skillgauge.errors import UserError
from skillgauge.lift import folders, start
from skillgauge.lift.journal import Journal
from skillgauge.lift.schema import VERSION

from .conftest import Lift
from .made_runs import make_run

SKILL = (
    "---\nname: counter\ndescription: Counts rows. Use when rows are to be counted.\n---\n# Go\n"
)
CASE = {"id": "rows", "prompt": "Count the rows", "expected_output": "3"}
SCRIPT = ("--script", "true")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Runs for which a worker was started; none is."""
    begun: list[str] = []
    monkeypatch.setattr(start.subprocess, "Popen", lambda *_, **__: begun.append("worker"))
    return begun


@pytest.fixture
def complete(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is missing for a run."""
    monkeypatch.setattr(_asked, "missing_of", lambda settings, cells: [])


def skill(folder: Path, evals: object = None) -> Path:
    """Write a skill with its evaluation file."""
    place = folder / "counter"
    (place / "evals").mkdir(parents=True)
    (place / "SKILL.md").write_text(SKILL)
    if evals is not None:
        text = evals if isinstance(evals, str) else json.dumps(evals)
        (place / "evals" / "evals.json").write_text(text)
    return place


def agentskills(*cases: dict[str, Any]) -> dict[str, Any]:
    return {"skill_name": "counter", "evals": list(cases)}


WRONG_EVALS = {
    "another dialect": (
        {"tests": [CASE]},
        "can't be run: Line 1: There is no case in this file."
        " `skillgauge evals check` shows all that is wrong.",
    ),
    "broken": (
        '{"evals": [{"id": "a" "prompt": 4',
        "can't be run: Line 1: The file can't be parsed from here on;"
        " `skillgauge fix` mends what it can. `skillgauge evals check` shows all that is wrong.",
    ),
    "an id twice": (
        agentskills(CASE, {**CASE, "id": "Rows"}),
        "can't be run: Line 1: The id “Rows” is there twice, first in line 1."
        " `skillgauge evals check` shows all that is wrong.",
    ),
    "a fixture outside": (
        agentskills({**CASE, "files": ["../../secret.txt"]}),
        "can't be run: Line 1: The file “../../secret.txt” is not in the skill's folder."
        " `skillgauge evals check` shows all that is wrong.",
    ),
    "no prompt": (
        agentskills({"id": "rows"}),
        "can't be run: Line 1: Case “rows” has no prompt."
        " `skillgauge evals check` shows all that is wrong.",
    ),
}


@pytest.mark.parametrize("action", ["plan", "run"])
@pytest.mark.parametrize("name", WRONG_EVALS)
def test_evals_that_cant_be_run(
    tmp_path: Path, data: Path, lift: Lift, started: list[str], action: str, name: str
) -> None:
    content, message = WRONG_EVALS[name]
    place = skill(tmp_path, content)
    (tmp_path / "secret.txt").write_text("x")
    yes = ("--yes",) if action == "run" else ()
    done = lift(action, place, *SCRIPT, *yes)
    assert (done.status, done.out) == (2, "")
    assert done.err == f"skillgauge: “{place}/evals/evals.json” {message}\n"
    assert not data.exists()
    assert started == []


def test_dialects_that_can_be_run(tmp_path: Path, lift: Lift, complete: None) -> None:
    """What differs is the file, not the run."""
    plans = [
        lift("plan", skill(tmp_path / str(number), content), *SCRIPT, "--format", "json").json
        for number, content in enumerate(
            [agentskills(CASE), [CASE], {"cases": [CASE]}, {**CASE, "assertions": ["It says 3"]}]
        )
    ]
    assert [(plan["trials"], plan["cases"]) for plan in plans] == (
        [(2, [{"id": "rows", "line": 1}])] * 4
    )


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("skill", "“{0}/counter” has no evaluation cases. Write evals/evals.json, with a prompt"
         " and what is expected in each case."),
        ("nothing", "There is no skill in “{0}/nothing”. Name the folder of a SKILL.md."),
        ("counter/evals/evals.json", "There is no file “{0}/counter/evals/evals.json”."),
    ],
)  # fmt: skip
def test_no_evals(tmp_path: Path, lift: Lift, what: str, message: str) -> None:
    place = skill(tmp_path)
    done = lift("plan", place if what == "skill" else tmp_path / what, *SCRIPT)
    assert (done.status, done.err) == (2, f"skillgauge: {message.format(tmp_path)}\n")


MISSING = [
    UserError("Docker can't be reached", "connection refused", "Start it"),
    UserError("There is no image “x”", how="Make it with `skillgauge image build`"),
    UserError("There is no key for claude-code", how="Set ANTHROPIC_API_KEY"),
]


@pytest.mark.parametrize("error", MISSING, ids=["engine", "image", "key"])
def test_what_is_missing_is_told_before_anything_is_begun(
    tmp_path: Path,
    data: Path,
    lift: Lift,
    started: list[str],
    monkeypatch: pytest.MonkeyPatch,
    error: UserError,
) -> None:
    monkeypatch.setattr(_asked, "missing_of", lambda settings, cells: [error])
    done = lift("run", skill(tmp_path, agentskills(CASE)), *SCRIPT, "--yes")
    assert (done.status, done.out) == (2, "")
    assert done.err == f"skillgauge: {error}.\n"
    assert not data.exists()
    assert started == []


def test_all_that_is_missing_is_told(
    tmp_path: Path, lift: Lift, started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_asked, "missing_of", lambda settings, cells: MISSING)
    place = skill(tmp_path, agentskills(CASE))
    done = lift("run", place, *SCRIPT, "--yes")
    assert done.status == 2
    assert done.err == "".join(f"skillgauge: {error}.\n" for error in MISSING)


def test_a_plan_tells_what_is_missing(
    tmp_path: Path, data: Path, lift: Lift, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skillgauge.cli._lift.plan.missing_of", lambda settings, cells: MISSING[:2])
    place = skill(tmp_path, agentskills(CASE))
    done = lift("plan", place, *SCRIPT, "--format", "json")
    assert done.status == 3
    assert done.json["missing"] == [
        {"what": "Docker can't be reached: connection refused", "how": "Start it"},
        {"what": "There is no image “x”", "how": "Make it with `skillgauge image build`"},
    ]
    assert "  missing   There is no image “x”. Make it with" in lift("plan", place, *SCRIPT).out
    assert not data.exists()


def test_nobody_to_agree(tmp_path: Path, data: Path, lift: Lift, complete: None) -> None:
    done = lift("run", skill(tmp_path, agentskills(CASE)), *SCRIPT)
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "skillgauge: A run asks models that may cost money, and there is nobody to agree to it."
        " Give --yes, and --max-cost for a bound; `skillgauge lift plan` shows the plan.\n"
    )
    assert not data.exists()


# --- runs ----------------------------------------------------------------------------------------

ON_RUNS = ("logs", "cancel", "resume", "report", "replay", "regrade", "status")


@pytest.mark.parametrize("action", ON_RUNS)
def test_unknown_run(data: Path, lift: Lift, action: str) -> None:
    nothing = lift(action, "nope")
    assert nothing.status == 2
    assert nothing.err == (
        "skillgauge: There is no lift run yet. `skillgauge lift run` begins one,"
        " `skillgauge lift demo` shows one.\n"
    )
    make_run(data, until=0)
    done = lift(action, "nope")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "skillgauge: There is no run “nope”. `skillgauge lift status` lists them.\n"
    )


@pytest.mark.parametrize("action", ON_RUNS)
def test_journal_of_a_newer_version(data: Path, lift: Lift, action: str) -> None:
    run = make_run(data, until=0)
    path = folders.journal_path(data)
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
    database.close()
    done = lift(action, run)
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        f"skillgauge: The journal “{path}” was written by a newer version of skillgauge."
        " Update skillgauge.\n"
    )


def test_a_file_that_is_no_journal(data: Path, lift: Lift) -> None:
    path = folders.journal_path(data)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x" * 4096)
    done = lift("status")
    assert done.status == 2
    assert done.err == (f"skillgauge: The journal “{path}” failed: file is not a database.\n")


def test_parts_of_ids(data: Path, lift: Lift) -> None:
    make_run(data, until=0, run="20260102-030405-abc123")
    make_run(data, until=0, run="20260102-040506-abc987")
    assert lift("status", "c12", "--format", "json").json["runs"][0]["run"].endswith("abc123")
    done = lift("status", "abc")
    assert done.err == (
        "skillgauge: “abc” may be any of 2 runs: 20260102-030405-abc123, 20260102-040506-abc987.\n"
    )
    assert done.status == 2
    with Journal(folders.journal_path(data)) as journal:
        newest = journal.runs()[0].id
    assert lift("status", "last", "--format", "json").json["runs"][0]["run"] == newest


# --- options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["plan", "{skill}"], "No harness is named. Give --harness one of "),
        (["plan", "{skill}", "--harness", "codecs"], "There is no harness “codecs”. "),
        (["plan", "{skill}", "--harness", "script"], "The harness “script” has nothing to run."),
        (["plan", "{skill}", "--script", " "], "An option has an empty text."),
        (["plan", "{skill}", *SCRIPT, "--only", "row"], "There is no case “row”. Did you mean"),
        (["plan", "{skill}", *SCRIPT, "--max-trials", "1"], "A run of 1 trials has no place for"),
        (["plan", "{skill}", *SCRIPT, "--max-cost", "0"], "--max-cost takes a number above 0"),
        (["plan", "{skill}", *SCRIPT, "--max-cost", "nan"], "--max-cost takes a number, not “nan”"),
        (["plan", "{skill}", *SCRIPT, "--cpus", "-1"], "--cpus takes a number above 0"),
        (["plan", "{skill}", *SCRIPT, "--memory", "1k"], "--memory takes a size from 16m"),
        (["plan", "{skill}", *SCRIPT, "--memory", "lots"], "--memory takes a size from 16m"),
        (["plan", "{skill}", *SCRIPT, "--attempts", "0"], "--attempts takes a whole number from 1"),
        (["plan", "{skill}", *SCRIPT, "--yes"], "--yes is for `skillgauge lift run`"),
        (["plan", "{skill}", *SCRIPT, "--format", "html"], "--format of `skillgauge lift plan` is"),
        (["plan", "a", "b"], "`skillgauge lift plan` takes no “b”"),
        (["demo", "x"], "`skillgauge lift demo` takes no “x”"),
        (["go"], "The action is one of plan, run,"),
        (["report"], "`skillgauge lift report` needs a run. Name one, or “last”;"),
        (["status", "--follow"], "--follow needs a run."),
        (["status", "x", "--format", "jsonl"], "The format jsonl is for --follow"),
        (["status", "x", "--follow", "--format", "json"], "What --follow tells has no end."),
        (["run", ".", "--detach", "--format", "html"], "--format of `skillgauge lift run` is one"),
        (["cancel", "x", "--output", "f"], "--output is for `skillgauge lift plan` and"),
        (["report", "x", "--fail-under", "much"], "--fail-under takes a number, not “much”"),
        (["report", "x", "--fail", "1"], "`skillgauge lift` has no option “--fail”. Did you mean"),
    ],
)  # fmt: skip
def test_options(tmp_path: Path, data: Path, lift: Lift, words: list[str], message: str) -> None:
    place = skill(tmp_path, agentskills(CASE))
    done = lift(*(word.format(skill=place) for word in words))
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"skillgauge: {message}")
    assert done.err.count("\n") == 1
    assert not data.exists()
