"""A real agent on one small task, with a skill and without, through the worker and its containers.

The model is scripted, and so is the judge, whose verdict hangs on what the container left: the sum
that the skill's own program writes. Nothing but the command line under test decides whether the
skill was found, its text read and its program run.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skillgauge.lift import folders
from skillgauge.lift.harnesses import HOME, harness
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.report import build, render
from skillgauge.lift.start import Asked, begin, prepare
from tests.lift.model_server import Case, Fault, ModelServer, Script, Turn
from tests.lift.model_server.server import Seen

NAME = "ledger-sum"
KEY = "a-key-that-stays-on-the-host"
PROMPT = "Sum up ledger.csv into report.txt"
ANSWER = "LEDGER rows=3 sum=42"
"""What only the skill's program writes."""
MARK = "Every ledger is summed by the program in this folder, never by hand."
"""A line of the skill's body, which no baseline may see."""
SKILL = f"""\
---
name: {NAME}
description: Sums up a ledger in CSV into a report. Use when a ledger is to be summed.
---

# Ledger sum

{MARK}
Run `sh sum.sh FILE` in this folder and write what it prints into report.txt.
"""
PROGRAM = """\
awk -F, 'NR > 1 { rows++; sum += $2 } END { print "LEDGER rows=" rows " sum=" sum }' "$1"
"""


def write_skill(folder: Path, program: str = PROGRAM) -> Path:
    """Write the skill with its one case."""
    (folder / "evals" / "files").mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL)
    (folder / "sum.sh").write_text(program)
    (folder / "evals/files/ledger.csv").write_text("item,amount\na,1\nb,2\nc,39\n")
    case = {
        "id": "sum",
        "prompt": PROMPT,
        "files": ["evals/files/ledger.csv"],
        "expected_output": f"report.txt holds “{ANSWER}”",
        "expectations": [f"report.txt holds “{ANSWER}”"],
        "expected_skill": NAME,
    }
    (folder / "evals/evals.json").write_text(json.dumps({"skill_name": NAME, "evals": [case]}))
    return folder


def script(skills: str, faults: tuple[Fault, ...] = ()) -> Script:
    """Return what the model says where skills lie at a place below the agent's home."""
    place = f"{HOME}/{skills}/{NAME}"
    load = ("skill", {"name": NAME, "path": f"{place}/SKILL.md"})
    work = ("shell", {"command": f"sh {place}/sum.sh ledger.csv >report.txt"})
    guess = ("shell", {"command": "echo 'The sum is about 40.' >report.txt"})
    case = Case(
        PROMPT,
        NAME,
        with_skill=(Turn("There is a skill.", (load,)), Turn("", (work,)), Turn("It is done.")),
        without=(Turn("", (guess,)), Turn("It is done.")),
    )
    return Script((case,), faults, judge=judge)


def judge(text: str) -> dict[str, Any]:
    """Return yes to all if the evidence holds what the program writes, else no to all."""
    sheet, evidence = _part(text, "statements"), _part(text, "evidence")
    right = ANSWER in evidence
    quote = ANSWER if right else "The sum is about 40."
    return {
        "verdicts": [
            {"id": name, "quote": quote, "reason": "It stands in report.txt.", "passed": right}
            for name in re.findall(r"(?m)^([A-Z_]+|\d+): ", sheet)
        ]
    }


def _part(text: str, name: str) -> str:
    found = re.search(rf"<{name} (\w+)>\n(.*?)\n</{name} \1>", text, re.DOTALL)
    return found[2] if found else ""


@dataclass(frozen=True)
class Pair:
    """What came of it."""

    run: str
    status: int
    log: str
    report: Mapping[str, Any]
    asked: tuple[Seen, ...]
    """What the model was asked, without the judge's questions."""
    trajectories: Mapping[str, Mapping[str, Any]]
    """By arm."""
    exchanges: Mapping[str, str]
    """What went between agent and model, by arm."""
    leaks: tuple[Path, ...]
    """Files that hold the key."""
    folders: Mapping[str, Path]
    """Where the trials are kept, by arm."""

    def attempt(self, arm: str) -> Mapping[str, Any]:
        (case,) = self.report["cases"]
        (found,) = [one for one in case["attempts"] if one["arm"] == arm]
        return found

    def calls(self, arm: str) -> list[str]:
        steps = self.trajectories[arm]["steps"]
        return [call["function_name"] for step in steps for call in step.get("tool_calls", ())]


async def play(
    name: str,
    image: str,
    host: str,
    folder: Path,
    *,
    model: str = "",
    program: str = PROGRAM,
    faults: tuple[Fault, ...] = (),
    **asked: Any,
) -> Pair:
    """Run the pair to its end."""
    data, skill = folder / "data", write_skill(folder / NAME, program)
    async with ModelServer(script(harness(name).SKILLS, faults), KEY) as server:
        environ = {
            **{key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ},
            "DOCKER_HOST": host,
            "ANTHROPIC_BASE_URL": server.url,
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "GOOGLE_GEMINI_BASE_URL": server.url,
            **dict.fromkeys(("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"), KEY),
        }
        wanted = Asked(
            skill, (name,), model=model, image=image, judge="openai:judge", jobs=1, **asked
        )
        run = begin(data, prepare(wanted), hidden=(KEY,))
        worker = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "skillgauge.lift", run, "--data", str(data)),
            env=environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        told, _ = await worker.communicate()
        seen = tuple(one for one in server.asked if "<statements " not in json.dumps(one.body))
    with JournalReader(folders.journal_path(data)) as journal:
        report = json.loads(render(build(journal, run), "json"))
        kept = journal.results(run, "trajectory")
        trials = {str(row.trial.arm): row.trial.id for row in journal.trials(run)}
    status = worker.returncode
    assert status is not None
    places = {arm: folders.trial_folder(data, run, trial) for arm, trial in trials.items()}
    return Pair(
        run,
        status,
        told.decode("utf-8", "replace"),
        report,
        seen,
        {arm: kept.get(trial, {}) for arm, trial in trials.items()},
        {arm: (place / "exchanges.jsonl").read_text("utf-8") for arm, place in places.items()},
        tuple(
            path for path in data.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()
        ),
        places,
    )
