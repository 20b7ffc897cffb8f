"""How long 200 kept trials take to be graded again, deterministic metrics and kept verdicts.

    python tests/bench/lift_grading.py [TRIALS]

Each trial has its own trajectory of 40 calls with results of some 2,000 characters, and a verdict
on each question. Prints the seconds of `lift regrade`, journal included, by the clock and of the
processor, and the ratio of these to merely reading the same trajectories with pydantic. The status
is 1 if 200 take more of the processor than LIMIT seconds; the clock counts what else runs as well.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

from skillgauge.lift.cases import Case
from skillgauge.lift.journal import Journal
from skillgauge.lift.metrics import Judgement, Verdict
from skillgauge.lift.metrics.accuracy import CRITERIA
from skillgauge.lift.plan import Cell, Request, make_plan
from skillgauge.lift.regrade import Regraded, regrade
from skillgauge.lift.results import Artifact, Judged, Ran, plain
from skillgauge.lift.trajectory.atif import (
    Agent,
    Observation,
    Result,
    Step,
    ToolCall,
    Trajectory,
    to_json,
)

TRIALS: Final = 200
LIMIT: Final = 10.0
CALLS: Final = 40
OUTPUT: Final = 2_000
ASSERTIONS: Final = 5
SEED: Final = 20
WORDS: Final = (
    *("report", "table", "revenue", "notes", "summary", "value", "error", "total", "python"),
    *("config", "path", "build", "test", "line", "module", "return", "import", "result", "file"),
    *("folder", "count", "month", "order", "figure"),
)


def prose(dice: random.Random, size: int) -> str:
    """Return so many characters of words."""
    return " ".join(dice.choices(WORDS, k=size // 5))[:size]


def calls(dice: random.Random) -> Iterator[tuple[str, dict[str, object], str]]:
    """Yield the calls of one run with their results."""
    yield "Skill", {"skill": "summary"}, prose(dice, 4_000)
    for number in range(CALLS - 1):
        name = f"{dice.choice(WORDS)}_{dice.randrange(10**6)}"
        kind = number % 4
        if kind == 0:
            yield "Read", {"file_path": f"/workspace/{name}.md"}, prose(dice, OUTPUT)
        elif kind == 1:
            text = prose(dice, OUTPUT)
            yield "Write", {"file_path": f"/workspace/{name}.py", "content": text}, "written"
        else:
            script = (
                f'cd /workspace && for f in {name}/*.csv; do python scripts/{name}.py "$f" '
                f'--out "out/$(basename $f).md" | tee -a {name}.log; done; '
                f"grep -n '{dice.choice(WORDS)}' {name}.log || echo \"none in {name}\" > {name}.txt"
            )
            yield "Bash", {"command": script}, prose(dice, OUTPUT)


def trajectory(dice: random.Random) -> Trajectory:
    """Return one run of an agent."""
    steps = [Step(1, "user", "Summarise the notes")]
    for number, (name, arguments, output) in enumerate(calls(dice), 2):
        key = f"toolu_{number}"
        seen = Observation((Result(key, output, extra={"exit_code": 0}),))
        call = ToolCall(key, name, arguments)
        steps.append(Step(number, "agent", prose(dice, 200), tool_calls=(call,), observation=seen))
    steps.append(Step(len(steps) + 1, "agent", prose(dice, 600)))
    return Trajectory(Agent("claude-code", "2.0"), tuple(steps))


def verdicts() -> dict[str, Judged]:
    """Return a verdict on each question of a trial."""
    names = {
        "accuracy": tuple(CRITERIA),
        "goal_accuracy": ("ACHIEVED",),
        "behavior_check": tuple(str(n + 1) for n in range(ASSERTIONS)),
    }
    return {
        metric: Judged(Judgement(tuple(Verdict(name, True, "total", "Yes.") for name in asked)))
        for metric, asked in names.items()
    }


def fill(journal: Journal, count: int) -> None:
    """Write a run whose trials have ended."""
    dice = random.Random(SEED)
    assertions = tuple(f"Statement {n}" for n in range(ASSERTIONS))
    cases = [
        Case(f"c{n}", "Summarise the notes", "A summary", assertions, expected_skill="summary")
        for n in range((count + 1) // 2)
    ]
    journal.begin(
        "r", make_plan(cases, Request((Cell("claude-code"),))), skill="summary", digest="d"
    )
    for _ in range(count):
        trial = journal.claim("r")
        assert trial
        left = tuple(Artifact(f"out/{n}.md", OUTPUT, prose(dice, OUTPUT)) for n in range(5))
        results = {
            "ran": plain(Ran(0, "exit", 60.0, 1.0, answer=prose(dice, 600), artifacts=left)),
            "trajectory": to_json(trajectory(dice)),
            "judged": plain(verdicts()),
        }
        journal.finish("r", trial.id, "done", results=results)


def read_all(journal: Journal) -> tuple[float, int]:
    """Return the seconds to read all trajectories with pydantic alone, and their size."""
    bodies = [
        bytes(body)
        for (body,) in journal._database.execute(
            "SELECT CAST(body AS BLOB) FROM results WHERE kind = 'trajectory'"
        )
    ]
    adapter = TypeAdapter(Trajectory)
    began = time.process_time()
    for body in bodies:
        adapter.validate_json(body)
    return time.process_time() - began, sum(map(len, bodies))


def graded(journal: Journal) -> tuple[float, Regraded]:
    """Return the seconds of the processor to grade all trials again, and what came of it."""
    began = time.process_time()
    found = asyncio.run(regrade(journal, "r"))
    return time.process_time() - began, found


def main(arguments: list[str]) -> int:
    """Print the figures; the status is 1 if grading took too long."""
    count = int(arguments[0]) if arguments else TRIALS
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal(Path(folder) / "journal.sqlite") as journal,
    ):
        fill(journal, count)
        plainly, size = read_all(journal)
        seconds, found = graded(journal)
        values = [
            one["value"] for body in journal.results("r", "measured").values()
            for one in body.values()
        ]  # fmt: skip
    assert found.trials == count
    assert sum(value is not None for value in values) >= count * 5  # with the skill, all six
    print(f"{count} trials of {CALLS} calls, {size / count / 1024:,.0f} KiB each")
    print(f"read with pydantic alone: {plainly:.2f} s of the processor")
    print(
        f"graded again: {seconds:.2f} s of the processor, {seconds / count * 1000:.1f} ms a trial;"
        f" {found.seconds:.2f} s by the clock"
    )
    print(f"ratio: {seconds / plainly:.1f}")
    return 0 if seconds <= LIMIT * count / TRIALS else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
