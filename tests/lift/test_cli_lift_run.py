"""`skillgauge lift run` with its worker: consent, progress, Ctrl-C, a closed terminal, resume.

The worker is a process of its own and all is real but the stage: see `cli_worker`. Runs in
containers are in tests/lift/docker.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from skillgauge.errors import UserError
from skillgauge.lift import folders
from skillgauge.lift.journal import Journal
from skillgauge.lift.run_lock import is_held

from .cli_worker import ROOT, SECONDS, command
from .made_runs import make_run, reader

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix"),
]
SKILL = (
    "---\nname: counter\ndescription: Counts rows. Use when rows are to be counted.\n---\n# Go\n"
)
PATIENCE = 60.0


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    """A skill with two cases, so that a run has four trials."""
    place = tmp_path / "counter"
    (place / "evals").mkdir(parents=True)
    (place / "SKILL.md").write_text(SKILL)
    cases = [{"id": f"c{n}", "prompt": "Count the rows", "expected_output": "3"} for n in (1, 2)]
    (place / "evals" / "evals.json").write_text(json.dumps(cases))
    return place


@pytest.fixture(autouse=True)
def workers(data: Path) -> Iterator[None]:
    """End the workers that a test left, as far as they are known."""
    yield
    if not folders.journal_path(data).is_file():
        return
    with reader(data) as journal:
        for row in journal.runs():
            if is_held(folders.lock_folder(data), row.id) and row.worker:
                os.kill(row.worker, signal.SIGKILL)


def environment(seconds: float) -> dict[str, str]:
    return {**os.environ, SECONDS: str(seconds), "TERM": "xterm", "COLUMNS": "100"}


def lift(*words: object, seconds: float = 0.1) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command("cli", *words),
        cwd=ROOT,
        env=environment(seconds),
        text=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )


def wait_for(condition: object, what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, what
        time.sleep(0.05)


def state_of(data: Path) -> tuple[str, Counter[str]]:
    """Return the state of the newest run, and its trials by state."""
    with reader(data) as journal:
        run = journal.runs()[0]
        return run.state, Counter(row.state for row in journal.trials(run.id))


def running(data: Path) -> int:
    """Return how many trials run; none before there is a journal."""
    with contextlib.suppress(UserError, IndexError):
        return state_of(data)[1]["running"]
    return 0


@dataclass
class Terminal:
    """`skillgauge lift` on a terminal of its own."""

    words: tuple[object, ...]
    seconds: float
    master: int = -1
    shown: str = ""
    process: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.master, slave = os.openpty()
        self.process = subprocess.Popen(
            command("cli", *self.words),
            cwd=ROOT,
            env=environment(self.seconds),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=_own_terminal,
        )
        os.close(slave)

    def read(self, seconds: float = 0.1) -> bool:
        """Take what is shown; return whether there may be more."""
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            part = os.read(self.master, 65536)
        except OSError:  # nobody has the other end any more
            return False
        self.shown += part.decode("utf-8", "replace")
        return bool(part)

    def expect(self, text: str) -> None:
        end = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < end, self.shown
            assert self.read() or text in self.shown, self.shown

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def close(self) -> None:
        if self.master >= 0:
            os.close(self.master)
            self.master = -1

    def wait(self) -> int:
        while self.master >= 0 and self.read(1.0):
            if self.process.poll() is not None and not select.select([self.master], [], [], 0)[0]:
                break
        return self.process.wait(PATIENCE)


def _own_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@contextlib.contextmanager
def terminal(*words: object, seconds: float = 0.1) -> Iterator[Terminal]:
    opened = Terminal(words, seconds)
    try:
        yield opened
    finally:
        opened.close()
        opened.process.kill()
        opened.process.wait()


RUN = ("--harness", "claude-code")


def test_a_run_in_the_foreground(data: Path, skill: Path) -> None:
    done = lift("run", skill, *RUN, "--yes", "--format", "json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["run"]["counts"] == {"done": 4}
    assert report["lift"]["n_cases"] == 2
    lines = done.stderr.splitlines()
    assert lines[0] == "counter: 2 cases × 2 arms = 4 trials"
    run = report["run"]["id"]
    told = [line for line in lines if line.startswith("skillgauge: ")]
    assert told[0] == (
        f"skillgauge: Run {run} has begun. Ctrl-C cancels it; it goes on if this terminal is closed"
    )
    assert re.match(r"skillgauge: running: 0 of 4 trials \(with the skill 0 of 2, ", told[1])
    assert told[-1] == "skillgauge: done: 4 of 4 trials (with the skill 2 of 2, without 2 of 2)"
    assert state_of(data) == ("done", {"done": 4})


def test_a_run_in_the_background(data: Path, skill: Path) -> None:
    """The command ends at once; what it began is followed by its id."""
    done = lift("run", skill, *RUN, "--yes", "--detach", "--format", "json", seconds=0.5)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["schema_version"], sorted(told)) == (1, ["pid", "run", "schema_version"])
    followed = lift("status", told["run"], "--follow", "--format", "jsonl")
    lines = [json.loads(line) for line in followed.stdout.splitlines()]
    assert (lines[0]["state"], lines[0]["working"]) == ("open", True)
    assert (lines[-1]["state"], lines[-1]["counts"]) == ("done", {"done": 4})
    assert {line["event"] for line in lines if line["kind"] == "event"} >= {"done"}
    plain = lift("run", skill, *RUN, "--yes", "--detach", seconds=0.1)
    assert re.fullmatch(r"\d{8}-\d{6}-[0-9a-f]{6}\n", plain.stdout)
    wait_for(lambda: state_of(data)[0] == "done", "the second run")


def test_consent_is_asked_for(data: Path, skill: Path) -> None:
    with terminal("run", skill, *RUN) as shown:
        shown.expect("Run it? [y/N] ")
        assert "counter: 2 cases × 2 arms = 4 trials" in shown.shown
        assert "cost      unknown" in shown.shown
        shown.type("n\n")
        assert shown.wait() == 3
        assert "skillgauge: Nothing was begun" in shown.shown
    assert not data.exists()
    with terminal("run", skill, *RUN) as shown:
        shown.expect("Run it? [y/N] ")
        shown.type("y\n")
        shown.expect("with the skill  [")
        assert shown.wait() == 0
        assert "No lift" not in shown.shown
    assert state_of(data) == ("done", {"done": 4})


def test_ctrl_c_cancels(data: Path, skill: Path) -> None:
    with terminal("run", skill, *RUN, "--yes", seconds=600) as shown:
        wait_for(lambda: running(data) == 2, "two trials run")
        shown.expect("1 running")
        began = time.monotonic()
        shown.type("\x03")
        assert shown.wait() == 130
        took = time.monotonic() - began
        assert "Cancelling: containers are being stopped." in shown.shown
        assert "The run was cancelled: as asked" in shown.shown
    assert state_of(data) == ("cancelled", {"cancelled": 4})
    assert took < 30  # on a busy machine; the worker's own time is measured below
    with reader(data) as journal:
        row = journal.runs()[0]
        assert row.ended is not None
        assert row.cancel_asked is not None
        assert row.ended - row.cancel_asked < 5
        assert not is_held(folders.lock_folder(data), row.id)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_ci_server_that_gives_up_cancels(data: Path, skill: Path, number: int) -> None:
    child = subprocess.Popen(
        command("cli", "run", skill, *RUN, "--yes"),
        cwd=ROOT,
        env=environment(600),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_for(lambda: running(data) == 2, "two trials run")
    child.send_signal(number)
    assert child.wait(PATIENCE) == 128 + number
    assert state_of(data) == ("cancelled", {"cancelled": 4})


def test_a_closed_terminal_does_not_end_the_run(data: Path, skill: Path) -> None:
    with terminal("run", skill, *RUN, "--yes", seconds=1.5) as shown:
        wait_for(lambda: running(data) == 2, "two trials run")
        shown.close()
        shown.process.wait(PATIENCE)
        assert state_of(data)[0] == "open"
    wait_for(lambda: state_of(data)[0] == "done", "the run goes on")
    assert state_of(data)[1] == {"done": 4}


def test_a_killed_worker_is_told_of_and_resumed(data: Path, skill: Path) -> None:
    child = subprocess.Popen(
        command("cli", "run", skill, *RUN, "--yes", "--jobs", "1"),
        cwd=ROOT,
        env=environment(1.0),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: running(data) and state_of(data)[1]["done"], "one is done, the next runs")
    with reader(data) as journal:
        row = journal.runs()[0]
        first = {row.trial.id for row in journal.trials(row.id) if row.state == "done"}
    assert row.worker
    os.kill(row.worker, signal.SIGKILL)
    _, said = child.communicate(timeout=PATIENCE)
    assert child.returncode == 3
    assert f"The worker of run {row.id} has ended before the run did" in said
    assert "nobody works on it" in lift("status", row.id).stdout
    resumed = lift("resume", row.id, "--format", "json")
    assert resumed.returncode == 0, resumed.stderr
    assert re.search(rf"{4 - len(first)} trials? of {row.id} left to run", resumed.stderr)
    assert f"Run {row.id} goes on. Ctrl-C cancels it" in resumed.stderr
    assert "stopped" not in resumed.stderr
    with reader(data) as journal:
        tries = {one.trial.id: [t.outcome for t in journal.tries(row.id, one.trial.id)]
                 for one in journal.trials(row.id)}  # fmt: skip
    assert all(tries[name] == ["done"] for name in first)
    assert sorted(map(tuple, tries.values()), key=len)[-1] == ("lost", "done")
    assert state_of(data) == ("done", {"done": 4})


def test_cancel_before_the_worker_has_come(data: Path, skill: Path) -> None:
    """Whoever is first: the run is cancelled, and no trial is begun."""
    begun = lift_run(skill)
    assert lift("cancel", begun).returncode == 0
    wait_for(lambda: not is_held(folders.lock_folder(data), begun), "the worker ends")
    time.sleep(1.5)
    state, trials = state_of(data)
    assert state == "cancelled"
    assert set(trials) == {"cancelled"}


def test_a_wish_to_cancel_is_not_lost_between_two_looks(data: Path, skill: Path) -> None:
    """It may come when a worker has looked for one, and has not yet begun."""
    run = make_run(data, until=0)
    with Journal(folders.journal_path(data)) as journal:
        journal.ask_to_cancel(run)
        journal.resume(run)
        assert journal.run(run).cancel_asked is not None
        assert journal.claim(run) is None
        journal.end(run, "failed", "of something else")
        journal.resume(run)
        assert journal.run(run).cancel_asked is None
        assert journal.claim(run) is not None


def lift_run(skill: Path) -> str:
    """Begin a run in the background, and return its id."""
    return lift("run", skill, *RUN, "--yes", "--detach", seconds=600).stdout.strip()
