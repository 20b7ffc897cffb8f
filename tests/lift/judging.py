"""Small trials for the tests of judge, blame and grades."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from skillgauge.lift.cases import Case
from skillgauge.lift.judge import Judge
from skillgauge.lift.metrics import Judgement, Verdict
from skillgauge.lift.metrics.accuracy import CRITERIA
from skillgauge.lift.results import Artifact, Judged, Ran
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
ENVIRON = {"ANTHROPIC_API_KEY": "no-real-key-of-anyone"}
NAMES = re.compile(r"Give the verdicts of: (.+)\.$", re.MULTILINE)
Reply = Callable[[str, list[str], int], Any]
"""From what the model is sent, the names it is asked for and the number of the call."""


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


def judged(accuracy: bool = True, goal: bool = True, checks: str = "++") -> dict[str, Judged]:
    """Return what a judge says; an assertion holds with “+”."""
    said = {
        "accuracy": [Verdict(name, accuracy) for name in CRITERIA],
        "goal_accuracy": [Verdict("ACHIEVED", goal)],
        "behavior_check": [Verdict(str(n), sign == "+") for n, sign in enumerate(checks, 1)],
    }
    return {name: Judged(Judgement(tuple(one))) for name, one in said.items()}


def text_of(messages: list[Any]) -> str:
    """Return all that a request says, the instructions first."""
    parts = [part.content for message in messages for part in message.parts]
    return "\n".join([messages[0].instructions or "", *map(str, parts)])


class Asked:
    """A judge with a function in the model's place, and what it was sent."""

    def __init__(self, reply: Reply, **options: Any) -> None:
        self.reply, self.sent = reply, list[str]()
        self.settings = list[Any]()
        self.judge = Judge("anthropic:m", ENVIRON, connect=self._model, **options)

    def _model(self, _: object) -> FunctionModel:
        return FunctionModel(self._answer)

    async def _answer(self, messages: list[Any], info: AgentInfo) -> ModelResponse:
        text = text_of(messages)
        self.sent.append(text)
        self.settings.append(info.model_settings)
        names = NAMES.findall(text)[-1].split(", ")
        made = self.reply(text, names, len(self.sent))
        if asyncio.iscoroutine(made):
            made = await made
        if isinstance(made, str):
            return ModelResponse([TextPart(made)])
        return ModelResponse([ToolCallPart("final_result", made)])

    async def about(
        self, metric: str, run: Trajectory | None = GOOD, case: Any = CASE, **changes: Any
    ) -> Judged:
        (told,) = (await self.judge.judge(case, run, ran(**changes), [metric])).values()
        return told


def verdicts(names: list[str], passed: bool = True, quote: str = "revenue growth") -> Any:
    return {
        "verdicts": [
            {"id": name, "quote": quote, "reason": "It is so.", "passed": passed} for name in names
        ]
    }


def yes(_: str, names: list[str], __: int) -> Any:
    return verdicts(names)
