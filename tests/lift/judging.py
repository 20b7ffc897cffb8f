"""Small trials for the tests of judge, blame and grades."""

from __future__ import annotations

from typing import Any

from skillgauge.lift.cases import Case
from skillgauge.lift.results import Artifact, Ran
from skillgauge.lift.trajectory.atif import (
    Agent,
    Observation,
    Result,
    Step,
    ToolCall,
    Trajectory,
)

CASE = Case(
    "c",
    "Write a summary of notes.txt into out/summary.md",
    expected_output="out/summary.md holds three bullet points, the first on `revenue growth`.",
    assertions=("The summary has three bullet points", "The notes were read before"),
    expected_skill="summary",
)
SUMMARY = "- revenue growth of 4 %\n- fewer returns\n- a new office\n"
ANSWER = "I wrote three bullet points into out/summary.md."


def trajectory(*calls: tuple[str, dict[str, Any], str], answer: str = ANSWER) -> Trajectory:
    """Return a run with these calls: tool, arguments, result; all of which went well."""
    steps = [Step(1, "user", CASE.prompt)]
    for number, (name, arguments, output) in enumerate(calls, 1):
        call = ToolCall(f"t{number}", name, arguments)
        seen = Result(f"t{number}", output, extra={"exit_code": 0})
        made = Step(number + 1, "agent", "", tool_calls=(call,), observation=Observation((seen,)))
        steps.append(made)
    steps.append(Step(len(steps) + 1, "agent", answer))
    return Trajectory(Agent("claude-code", "2.0"), tuple(steps))


GOOD = trajectory(
    ("Skill", {"skill": "summary"}, "SECRET-OF-THE-SKILL: always three bullet points"),
    ("Bash", {"command": "cat notes.txt"}, "Revenue grew by 4 %."),
    ("Write", {"file_path": "/workspace/out/summary.md", "content": SUMMARY}, "written"),
)
"""A run that loads the skill, reads, writes and answers."""


def ran(answer: str = ANSWER, **changes: Any) -> Ran:
    """Return how such a run went."""
    left = changes.pop("artifacts", (Artifact("out/summary.md", len(SUMMARY), SUMMARY),))
    values = {"exit_code": 0, "reason": "exit", "seconds": 12.5, "overhead": 0.4} | changes
    return Ran(answer=answer, artifacts=left, **values)
