"""The journal: state changes once, a kill loses the trial in flight alone, readers don't wait."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from skillgauge.errors import UserError
from skillgauge.lift.cases import Case
from skillgauge.lift.journal import Journal
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.plan import Cell, Plan, Request, make_plan
from skillgauge.lift.redaction import MARK, find_secrets, redact
from skillgauge.lift.run_lock import RunLock, is_held
from skillgauge.lift.schema import VERSION

KEY = "sk-ant-" + "Zq8wLm3Vt6Rb1Yc9Xs5D"


def a_plan(count: int = 3) -> Plan:
    return make_plan([Case(f"c{i}", f"Do {i}") for i in range(count)], Request((Cell("script"),)))


def begun(path: Path, count: int = 3, secrets: tuple[str, ...] = ()) -> Journal:
    journal = Journal(path, secrets=secrets)
    journal.begin("r", a_plan(count), skill="demo", digest="d", settings={"jobs": 2})
    return journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "lift.sqlite"


def test_way_of_a_trial(path: Path) -> None:
    with begun(path) as journal:
        trial = journal.claim("r")
        assert trial == a_plan().trials[0]
        journal.finish("r", trial.id, "done", results={"metrics": {"security": 1.0}})
        assert journal.counts("r") == {"done": 1, "planned": 5}
        assert journal.results("r", "metrics") == {trial.id: {"security": 1.0}}
        (one,) = journal.tries("r", trial.id)
        assert (one.number, one.outcome) == (1, "done")
        assert one.ended is not None
        assert one.ended >= one.started
        with pytest.raises(LookupError, match="is not running"):
            journal.finish("r", trial.id, "infra-error")
        assert journal.counts("r")["done"] == 1


def test_run_as_written(path: Path) -> None:
    with begun(path) as journal:
        run = journal.run("r")
        assert (run.state, run.skill, run.settings) == ("open", "demo", {"jobs": 2})
        assert [case["prompt"] for case in journal.cases("r")] == ["Do 0", "Do 1", "Do 2"]
        assert [row.trial for row in journal.trials("r")] == list(a_plan().trials)
        assert [row.id for row in journal.runs()] == ["r"]
        with pytest.raises(UserError, match="no run “x”"):
            journal.run("x")


def test_results_and_end_are_one_change(path: Path) -> None:
    """A result that can't be written leaves the trial in flight, not done without results."""
    with begun(path) as journal:
        trial = journal.claim("r")
        assert trial
        with pytest.raises(ValueError, match="JSON"):
            journal.finish("r", trial.id, "done", results={"metrics": float("nan")})
        assert journal.counts("r")["running"] == 1


WORKER = """
import sys, time
from pathlib import Path
from skillgauge.lift.journal import Journal
from skillgauge.lift.run_lock import RunLock
path = Path(sys.argv[1])
with RunLock(path.parent, "r"), Journal(path) as journal:
    for number in range(3):
        trial = journal.claim("r")
        journal.finish("r", trial.id, "done", results={"metrics": {"number": number}})
    print(journal.claim("r").id, flush=True)
    time.sleep(100)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such signal here")
def test_killed_worker_loses_the_trial_in_flight_alone(path: Path) -> None:
    begun(path).close()
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert worker.stdout is not None
    with worker.stdout:
        flying = worker.stdout.readline().strip()
        assert is_held(path.parent, "r")
        with pytest.raises(UserError, match="another process"), RunLock(path.parent, "r"):
            pass
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
    assert not is_held(path.parent, "r")
    with RunLock(path.parent, "r"), Journal(path) as journal:
        assert Counter(row.state for row in journal.trials("r")) == {
            "done": 3,
            "running": 1,
            "planned": 2,
        }
        assert journal.resume("r") == [flying]
        assert journal.run("r").worker == os.getpid()
        assert [t.outcome for t in journal.tries("r", flying)] == ["lost"]
        again = []
        while trial := journal.claim("r"):
            again.append(trial.id)
            journal.finish("r", trial.id, "done", results={"metrics": {"number": 9}})
        assert again[0] == flying
        assert len(again) == 3
        assert [t.outcome for t in journal.tries("r", flying)] == ["lost", "done"]
        numbers = sorted(body["number"] for body in journal.results("r", "metrics").values())
        assert numbers == [0, 1, 2, 9, 9, 9]


def test_infra_errors_are_run_again_within_bounds(path: Path) -> None:
    with begun(path, 1) as journal:
        trial = journal.claim("r")
        assert trial
        for times in range(1, 3):
            journal.finish("r", trial.id, "infra-error", reason="engine went away")
            assert journal.resume("r", retry=2) == [trial.id], times
            claimed = journal.claim("r")
            assert claimed == trial
        journal.finish("r", trial.id, "infra-error")
        assert journal.resume("r", retry=2) == []
        assert journal.counts("r") == {"infra-error": 1, "planned": 1}


def test_cancel(path: Path) -> None:
    with begun(path) as journal:
        first = journal.claim("r")
        assert first
        journal.finish("r", first.id, "done")
        journal.claim("r")
        journal.ask_to_cancel("r")
        assert journal.run("r").cancel_asked is not None
        assert journal.claim("r") is None
        journal.end("r", "cancelled", "the user asked")
        assert journal.counts("r") == {"done": 1, "cancelled": 5}
        assert journal.run("r").state == "cancelled"
        assert journal.claim("r") is None
        assert journal.resume("r") == []


def test_two_workers_never_get_the_same_trial(path: Path) -> None:
    with begun(path) as one, Journal(path) as other:
        claimed = [journal.claim("r") for _ in range(3) for journal in (one, other)]
        assert len({trial.id for trial in claimed if trial}) == 6
        assert one.claim("r") is None


def test_reader_goes_on_beside_a_writer(path: Path) -> None:
    with begun(path) as journal, JournalReader(path) as reader:
        seen = reader.events("r")
        assert [event.kind for event in seen] == ["planned"]
        writer = sqlite3.connect(path, isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE trials SET state = 'running'")
        start = time.monotonic()
        assert reader.counts("r") == {"planned": 6}
        assert time.monotonic() - start < 5
        writer.execute("ROLLBACK")
        writer.close()
        trial = journal.claim("r")
        assert trial
        (event,) = reader.events("r", after=seen[-1].seq)
        assert (event.kind, event.trial) == ("running", trial.id)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader._database.execute("DELETE FROM trials")


def test_secrets_are_never_stored(path: Path) -> None:
    own = "correct horse battery"
    with begun(path, secrets=(own,)) as journal:
        trial = journal.claim("r")
        assert trial
        journal.note("r", "log", {"line": f"using {KEY} and {own}", "api_key": "short"})
        journal.finish(
            "r", trial.id, "infra-error", reason=f"401 for {KEY}", results={"log": [own, KEY]}
        )
        journal.end("r", "failed", f"{own} was refused")
        assert journal.results("r", "log") == {trial.id: [MARK, MARK]}
        event = next(event for event in journal.events("r") if event.kind == "log")
        assert event.detail == {"line": f"using {MARK} and {MARK}", "api_key": MARK}
    kept = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert KEY.encode() not in kept
    assert own.encode() not in kept


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (f"export KEY={KEY}", ["API key"]),
        ("sk-your-key-goes-here-please-0", []),
        ("mask-aaaaaaaaaaaaaaaaaaaaaaaa", []),
        ("task-Zq8wLm3Vt6Rb1Yc9Xs5D7", []),
        ("AKIA" + "Q3EGZ7XM2LKP5RTW", ["AWS key id"]),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", ["private key"]),
        ("nothing here", []),
    ],
)
def test_find_secrets(text: str, kinds: list[str]) -> None:
    assert [secret.kind for secret in find_secrets(text)] == kinds
    assert (redact(text) == text) == (not kinds)


def test_schema_versions(path: Path) -> None:
    begun(path).close()
    with JournalReader(path):
        pass
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA user_version").fetchone() == (VERSION,)
    database.execute(f"PRAGMA user_version = {VERSION + 1}")
    database.close()
    with pytest.raises(UserError, match="newer version"):
        Journal(path)


def test_what_is_no_journal(path: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Nothing was run yet"):
        JournalReader(path)
    other = tmp_path / "other.sqlite"
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE notes (text)")
    database.close()
    with pytest.raises(UserError, match="no journal of lift runs"):
        Journal(other)
    (tmp_path / "text").write_text("no database at all, but long enough to be looked at" * 30)
    with pytest.raises(UserError, match="not a database"):
        Journal(tmp_path / "text")


def test_full_disk_is_told_and_loses_nothing(path: Path) -> None:
    with begun(path) as journal:
        trial = journal.claim("r")
        assert trial
        pages = journal._database.execute("PRAGMA page_count").fetchone()[0]
        journal._database.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(UserError, match="full"):
            journal.finish("r", trial.id, "done", results={"log": "x" * 500_000})
        assert journal.counts("r") == {"running": 1, "planned": 5}
        journal._database.execute("PRAGMA max_page_count = 100000")
        journal.finish("r", trial.id, "done", results={"log": "x" * 500_000})
        assert journal.counts("r") == {"done": 1, "planned": 5}
