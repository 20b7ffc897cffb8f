"""Whole runs in a real engine, and what is left of them when something ends that should not.

The agent is a shell command, so that it does what a test wants; a real agent is in
test_real_codex.py.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from skillgauge.lift import folders
from skillgauge.lift.engines import Limits
from skillgauge.lift.journal import Journal
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.start import Asked, begin, prepare

from .conftest import SLICE_IMAGE, imported
from .private import PrivateEngine, why_not

QUICK = 'echo "seen: $(cat t.csv)"; test ! -e ~/.agents/skills/counter/SKILL.md || echo with'
SLOW = f"sleep 2; {QUICK}"


@dataclass
class World:
    """A data folder, a skill, and the processes that work on its runs."""

    data: Path
    skill: Path
    image: str
    host: str
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def begin(self, script: str, cases: int = 2, **asked: Any) -> str:
        (self.skill / "evals/files").mkdir(parents=True, exist_ok=True)
        (self.skill / "evals/files/t.csv").write_text("a\nb\n")
        (self.skill / "SKILL.md").write_text(
            "---\nname: counter\ndescription: Counts the rows of a table to its very end.\n---\n"
        )
        rows = [{"id": f"c{n}", "prompt": "Count"} for n in range(cases)]
        body = json.dumps({"skill_name": "counter", "evals": rows})
        (self.skill / "evals/evals.json").write_text(body)
        limits = Limits(seconds=asked.pop("seconds", 60), memory_mb=256)
        wanted = Asked(
            self.skill, ("script",), script=script, image=self.image, limits=limits, **asked
        )
        return begin(self.data, prepare(wanted))

    def work(self, run: str, **more: str) -> subprocess.Popen[bytes]:
        environment = {
            name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")
        } | {"DOCKER_HOST": self.host, **more}  # fmt: skip
        command = [sys.executable, "-m", "skillgauge.lift", run, "--data", str(self.data)]
        log = (self.data / f"{run}.log").open("ab")
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        log.close()
        self.workers.append(process)
        return process

    def done(self, run: str, **more: str) -> int:
        return self.work(run, **more).wait(120)

    def log(self, run: str) -> str:
        return (self.data / f"{run}.log").read_text()

    def reader(self) -> JournalReader:
        return JournalReader(folders.journal_path(self.data))

    def states(self, run: str) -> Counter[str]:
        with self.reader() as journal:
            return Counter(row.state for row in journal.trials(run))

    def tries(self, run: str) -> Counter[int]:
        with self.reader() as journal:
            return Counter(len(journal.tries(run, row.trial.id)) for row in journal.trials(run))

    def outcomes(self, run: str) -> Counter[str | None]:
        with self.reader() as journal:
            return Counter(
                one.outcome
                for row in journal.trials(run)
                for one in journal.tries(run, row.trial.id)
            )


@pytest.fixture
def world(tmp_path: Path, real_programs: str, docker_host: str) -> Iterator[World]:
    found = World(tmp_path / "data", tmp_path / "counter", real_programs, docker_host)
    found.data.mkdir()
    yield found
    for worker in found.workers:
        worker.kill()
        worker.wait()


def until(holds: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.05)


def containers(sdk: Any, run: str) -> list[Any]:
    return sdk.containers(all=True, filters={"label": f"skillgauge.run={run}"})


def sockets(run: str) -> list[Path]:
    return list(Path("/tmp").glob(f"skillgauge-*/{run}"))


def test_a_run_to_its_end(world: World, sdk: Any) -> None:
    run = world.begin(QUICK)
    assert world.done(run) == 0, world.log(run)
    assert world.states(run) == {"done": 4}
    with world.reader() as journal:
        ran = journal.results(run, "ran")
        answers = {row.trial.arm: ran[row.trial.id]["answer"] for row in journal.trials(run)}
        assert all(body["exit_code"] is not None for body in ran.values())
    assert answers["baseline"].split() == ["seen:", "a", "b"]
    assert answers["with-skill"].split() == ["seen:", "a", "b", "with"]
    assert containers(sdk, run) == []
    assert sockets(run) == []


def test_killed_while_containers_run(world: World, sdk: Any) -> None:
    run = world.begin(SLOW, cases=3)
    worker = world.work(run)
    until(lambda: world.states(run)["done"] >= 2 and len(containers(sdk, run)) == 2)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    before = world.states(run)
    assert before["running"] == 2
    assert sockets(run)
    assert world.done(run) == 0, world.log(run)
    assert world.states(run) == {"done": 6}
    assert world.outcomes(run) == {"done": 6, "lost": 2}
    assert containers(sdk, run) == []
    assert sockets(run) == []


@pytest.mark.parametrize("after", [0.0, 0.3, 0.6, 1.0, 1.5])
def test_killed_at_any_moment(world: World, sdk: Any, after: float) -> None:
    run = world.begin(QUICK, cases=2)
    worker = world.work(run)
    time.sleep(after)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    ended = world.states(run)["done"]
    assert world.done(run) == 0, world.log(run)
    assert world.states(run) == {"done": 4}
    outcomes = world.outcomes(run)
    assert outcomes["done"] == 4
    assert outcomes["lost"] <= min(2, 4 - ended)
    assert containers(sdk, run) == []
    assert sockets(run) == []


def test_cancelled_within_five_seconds(world: World, sdk: Any) -> None:
    run = world.begin("trap '' TERM; while :; do sleep 0.1; done", cases=3)
    worker = world.work(run)
    until(lambda: len([one for one in containers(sdk, run) if one["State"] == "running"]) == 2)
    begun = time.monotonic()
    with Journal(folders.journal_path(world.data)) as journal:
        journal.ask_to_cancel(run)
    worker.wait(20)
    assert time.monotonic() - begun < 5
    assert world.states(run) == {"cancelled": 6}
    assert containers(sdk, run) == []


def test_an_agent_that_never_ends(world: World, sdk: Any) -> None:
    run = world.begin("echo begun; while :; do sleep 0.1; done", cases=1, seconds=2)
    assert world.done(run) == 0, world.log(run)
    assert world.states(run) == {"done": 2}
    with world.reader() as journal:
        assert {body["reason"] for body in journal.results(run, "ran").values()} == {"timeout"}
        notes = [body["notes"] for body in journal.results(run, "ran").values()]
    assert notes == [["it was stopped when its time was over"]] * 2
    assert containers(sdk, run) == []


def test_two_runs_at_once(world: World, sdk: Any) -> None:
    first, second = world.begin(SLOW, cases=2), world.begin(SLOW, cases=2)
    workers = [world.work(first), world.work(second)]
    assert [worker.wait(120) for worker in workers] == [0, 0], world.log(first) + world.log(second)
    for run in (first, second):
        assert world.states(run) == {"done": 4}
        assert world.outcomes(run) == {"done": 4}
        assert containers(sdk, run) == []


def test_a_second_worker_is_refused(world: World, sdk: Any) -> None:
    run = world.begin(SLOW, cases=1)
    first = world.work(run)
    until(lambda: containers(sdk, run))
    assert world.done(run) == 2
    assert "is being worked on by another process" in world.log(run)
    assert first.wait(60) == 0
    assert world.outcomes(run) == {"done": 2}


@pytest.mark.skipif(why_not() != "", reason="no engine of our own can be started")
def test_an_engine_that_is_stopped(world: World, tmp_path: Path) -> None:
    import docker

    with PrivateEngine() as engine:
        client = docker.APIClient(engine.host)
        imported(client, tmp_path, SLICE_IMAGE)
        world.host = engine.host
        run = world.begin(SLOW, cases=2, retries=0)
        worker = world.work(run)
        until(
            lambda: len([one for one in containers(client, run) if one["State"] == "running"]) == 2
        )
        engine.stop(signal.SIGKILL)
        assert worker.wait(60) in (0, 2), world.log(run)
        states = world.states(run)
        assert (states["done"], states["running"]) == (0, 0)
        engine.start()
        with Journal(folders.journal_path(world.data)) as journal:
            journal.resume(run, retry=1)
        assert world.done(run) == 0, world.log(run)
        assert world.states(run) == {"done": 4}
        assert containers(client, run) == []
        client.close()


def test_a_full_disk(tmp_path: Path, real_programs: str, docker_host: str, sdk: Any) -> None:
    data = tmp_path / "small"
    data.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(data)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        world = World(data, tmp_path / "counter", real_programs, docker_host)
        run = world.begin("head -c 3000000 /dev/zero | tr '\\0' x; echo end", cases=1, jobs=1)
        assert world.done(run) == 2
        assert "No space left" in world.log(run) or "full" in world.log(run)
        assert world.states(run)["done"] == 0
        assert containers(sdk, run) == []
        subprocess.run(["mount", "-o", "remount,size=64m", str(data)], check=True)
        assert world.done(run) == 0, world.log(run)
        assert world.states(run) == {"done": 2}
    finally:
        subprocess.run(["umount", "-l", str(data)], check=False)
