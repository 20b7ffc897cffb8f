"""`skillgauge lift` as a user has it: a real worker and containers; the agent is a shell script."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skillgauge.lift import folders
from skillgauge.lift.journal_reader import JournalReader

SKILL = (
    "---\nname: counter\ndescription: Counts rows. Use when rows are to be counted.\n---\n# Go\n"
)
AGENT = """
if grep -q 'name: counter' "$SKILLGAUGE_SKILLS/counter/SKILL.md" 2>/dev/null; then
  echo "$(wc -l < rows.txt) rows, says the skill: $SKILLGAUGE_PROMPT"
else
  echo "many rows, says no skill: $SKILLGAUGE_PROMPT"
fi
"""
Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    place = tmp_path / "counter"
    (place / "evals" / "files").mkdir(parents=True)
    (place / "SKILL.md").write_text(SKILL)
    (place / "evals" / "files" / "rows.txt").write_text("a\nb\nc\n")
    cases = [
        {"id": f"c{number}", "prompt": f"Count {number}", "files": ["evals/files/rows.txt"]}
        for number in (1, 2)
    ]
    (place / "evals" / "evals.json").write_text(json.dumps(cases))
    return place


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def cli(data: Path, docker_host: str) -> Cli:
    """`skillgauge lift` in a process of its own, with no key at all."""
    known = ("PATH", "HOME", "LANG", "TMPDIR")
    environ = {name: os.environ[name] for name in known if name in os.environ}
    environ |= {"SKILLGAUGE_DATA": str(data), "DOCKER_HOST": docker_host}

    def go(*words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-P", "-m", "skillgauge", "lift", *map(str, words)],
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    return go


def containers(sdk: Any, run: str) -> list[Any]:
    return sdk.containers(all=True, filters={"label": f"skillgauge.run={run}"})


def test_run_status_logs_and_replay(
    skill: Path, data: Path, cli: Cli, real_programs: str, sdk: Any
) -> None:
    words = ("run", skill, "--script", AGENT, "--image", real_programs, "--yes")
    done = cli(*words, "--format", "json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["run"]["counts"] == {"done": 4}
    answers = {
        (case["id"], attempt["arm"]): attempt["ran"]["answer"]
        for case in report["cases"]
        for attempt in case["attempts"]
    }
    assert answers == {
        ("c1", "with-skill"): "3 rows, says the skill: Count 1",
        ("c2", "with-skill"): "3 rows, says the skill: Count 2",
        ("c1", "baseline"): "many rows, says no skill: Count 1",
        ("c2", "baseline"): "many rows, says no skill: Count 2",
    }
    run = report["run"]["id"]
    assert containers(sdk, run) == []
    (state,) = json.loads(cli("status", "--path", skill, "--format", "json").stdout)["runs"]
    assert (state["run"], state["state"], state["working"]) == (run, "done", False)
    trial = report["cases"][0]["attempts"][0]["trial"]
    assert "rows, says" in cli("logs", run, trial).stdout
    again = cli("replay", run, "--format", "json")
    assert again.returncode == 0, again.stderr
    replayed = json.loads(again.stdout)
    assert replayed["run"]["replay_of"] == run
    assert replayed["run"]["counts"] == {"done": 4}
    plan = json.loads(cli("plan", *words[1:-1], "--attempts", "2", "--format", "json").stdout)
    assert (plan["trials"], plan["missing"]) == (8, [])
    assert plan["outlook"]["cost_usd"] == 0
    assert plan["outlook"]["seconds"] > 0


@pytest.mark.parametrize("killed", [False, True])
def test_cancel_stops_containers(
    skill: Path, data: Path, cli: Cli, real_programs: str, sdk: Any, killed: bool
) -> None:
    """Also those of a worker that was killed."""
    words = ("--script", "trap '' TERM; sleep 600", "--image", real_programs, "--yes", "--detach")
    begun = cli("run", skill, *words, "--format", "json")
    assert begun.returncode == 0, begun.stderr
    told = json.loads(begun.stdout)
    run = told["run"]
    end = time.monotonic() + 60
    while len(containers(sdk, run)) < 2:
        assert time.monotonic() < end
        time.sleep(0.1)
    if killed:
        os.kill(told["pid"], signal.SIGKILL)
        assert len(containers(sdk, run)) == 2
    done = cli("cancel", run, "--format", "json")
    assert (done.returncode, json.loads(done.stdout)["state"]) == (0, "cancelled")
    assert containers(sdk, run) == []
    with JournalReader(folders.journal_path(data)) as reader:
        row = reader.run(run)
        assert reader.counts(run) == {"cancelled": 4}
    assert row.ended is not None
    assert row.cancel_asked is not None
    assert row.ended - row.cancel_asked < 5


def test_what_is_missing(skill: Path, data: Path, cli: Cli, busybox: str) -> None:
    """Each in a sentence with what to do, before anything is begun."""
    done = cli("run", skill, "--script", "true", "--image", "no/such:1", "--yes")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "skillgauge: There is no image “no/such:1”. Make it with `skillgauge image build`,"
        " or name another with --image.\n"
    )
    done = cli("run", skill, "--harness", "codex", "--image", busybox, "--yes")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "skillgauge: There is no key for the models of OpenAI: OPENAI_API_KEY is not set."
        " Set it, or let OPENAI_BASE_URL name an endpoint on this machine.\n"
    )
    assert not data.exists()


def test_no_engine(skill: Path, data: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "skillgauge", "lift", "run", str(skill), "--script=true", "--yes"],
        env={**os.environ, "SKILLGAUGE_DATA": str(data), "DOCKER_HOST": f"unix://{tmp_path}/no"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        f"skillgauge: No Docker engine runs here: there is no {tmp_path}/no. Install Docker "
    )
    assert done.stderr.count("\n") == 1
    assert not data.exists()
