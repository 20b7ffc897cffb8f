"""What is answered: cases with their turns for a request that announces the skill and one without.

As JSON: {"cases": [{"when": "part of the prompt", "skill": "name", "with": [TURN…], "without":
[TURN…]}], "faults": [FAULT…], "judge": [{"when": "part of the prompt", "reply": VALUE}]}, where a
TURN is {"text": "…", "calls": [["shell", {"command": "ls"}]…], "tokens": [in, out, cached]}, and a
FAULT {"nth": 1 | "all", "status": 529 | "cut": 2 | "hang": true, "headers": {}, "when": "…"}.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Call = tuple[str, Mapping[str, Any]]
"""An abstract call: shell{command}, skill{name, path}, write{path, content}, read{path}, or any
tool of the request by its own name."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of the model."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    tokens: tuple[int, int, int] | None = None
    """Of the prompt, of the answer, and how many of the prompt were cached; else by length."""


@dataclass(frozen=True, slots=True)
class Case:
    """What is answered to one prompt."""

    when: str = ""
    """Stands somewhere in the request's texts."""
    skill: str = ""
    with_skill: tuple[Turn, ...] = ()
    """If the request announces the skill, or none is named here."""
    without: tuple[Turn, ...] = ()

    def turns(self, text: str) -> tuple[Turn, ...]:
        """Return the turns for a request with that text."""
        return self.with_skill if not self.skill or announces(text, self.skill) else self.without


@dataclass(frozen=True, slots=True)
class Fault:
    """A request that goes wrong."""

    nth: int = 0
    """Counted from 1 over the process's life, by case and arm; 0 for each one."""
    status: int = 0
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    cut: int | None = None
    """The connection breaks after so many events."""
    hang: bool = False
    """It is never answered."""
    when: str = ""


Judge = Callable[[str], Any]
"""From a request's texts to the value that it is answered with; a string is sent as it is."""


@dataclass(frozen=True, slots=True)
class Script:
    """All that a server says; the first case that fits is taken."""

    cases: tuple[Case, ...] = ()
    faults: tuple[Fault, ...] = ()
    judge: Judge | None = None
    """Answers requests for structured output, by tool or by schema."""
    delay: float = 0.0
    """Seconds before an answer."""
    pace: float = 0.0
    """Seconds between the events of a stream."""
    aside: str = "A title"
    """What a request without tools gets: titles, summaries."""
    toolless: bool = False
    """Whether requests without tools are turns as well."""

    def case(self, text: str) -> Case:
        """Return the case of a request with that text."""
        found = next((case for case in self.cases if case.when in text), None)
        return found or Case(with_skill=(Turn("There is no script for this prompt."),))

    def fault(self, text: str, nth: int) -> Fault | None:
        """Return what goes wrong with the n-th request of its case and arm."""
        fits = (one for one in self.faults if one.nth in (0, nth) and one.when in text)
        return next(fits, None)


def announces(text: str, skill: str) -> bool:
    """Return whether a request lists a skill, in the manner of any of the harnesses."""
    name = re.escape(skill)
    return bool(re.search(rf"(?m)^\s*- (\*\*)?{name}(\*\*)?: |<name>\s*{name}\s*</name>", text))


def load(path: Path) -> Script:
    """Read a script from a JSON file."""
    body = json.loads(path.read_text(encoding="utf-8"))
    replies = [(one.get("when", ""), one["reply"]) for one in body.get("judge", ())]

    def judge(text: str) -> Any:
        return next((reply for when, reply in replies if when in text), "No script fits.")

    plain = {key: body[key] for key in ("delay", "pace", "aside", "toolless") if key in body}
    return Script(
        cases=tuple(_case(one) for one in body.get("cases", ())),
        faults=tuple(_fault(one) for one in body.get("faults", ())),
        judge=judge if replies else None,
        **plain,
    )


def _case(body: Mapping[str, Any]) -> Case:
    return Case(
        body.get("when", ""),
        body.get("skill", ""),
        tuple(map(_turn, body.get("with", ()))),
        tuple(map(_turn, body.get("without", ()))),
    )


def _turn(body: Mapping[str, Any]) -> Turn:
    tokens = body.get("tokens")
    calls = tuple((name, arguments) for name, arguments in body.get("calls", ()))
    return Turn(body.get("text", ""), calls, tuple(tokens) if tokens else None)


def _fault(body: Mapping[str, Any]) -> Fault:
    values = dict(body)
    nth = values.pop("nth", 0)
    return Fault(nth=0 if nth == "all" else nth, **values)
