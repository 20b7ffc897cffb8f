"""Trajectories as a page shows them: texts cut to the room that there is, and what was left out.

What the journal holds came from a harness's log, so nothing is taken for granted of its shape.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain
from typing import Any, Final, Self, cast

from skillgauge.lift.report._model import ShownCall, ShownStep, ShownTrajectory
from skillgauge.text import encodable

PAGE: Final = 3_200_000
"""Characters that all trajectories of a page may take, as HTML has them."""
MOST: Final = 60_000
"""Of one trajectory."""
MARKUP: Final = 420
"""What the tags around a step take, about; a call takes as much."""
MAX_TEXT: Final = 4_000
MAX_BRIEF: Final = 120
MAX_DEPTH: Final = 8
"""Of sub-agents in sub-agents."""
_TELLING: Final = (
    *("command", "cmd", "script", "file_path", "path", "filePath", "skill", "name"),
    *("pattern", "query", "url", "description", "prompt"),
)
"""Arguments that say best what a call does."""
_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")
"""What colours a terminal; it would be noise in a page."""

Json = Mapping[str, Any]


@dataclass(slots=True)
class Room:
    """How much is left for a trajectory or another part, in characters of HTML."""

    each: int
    left: int = 0
    cut: bool = False

    @classmethod
    def of(cls, parts: int, total: int = PAGE, most: int = MOST) -> Self:
        """Return the room that each of so many parts of a page has."""
        return cls(min(most, total // max(parts, 1)))

    def begin(self) -> None:
        """Begin a part."""
        self.left, self.cut = self.each, False

    def take(self, text: str, most: int = MAX_TEXT) -> str:
        """Return as much of a text as there is room for."""
        text = encodable(_COLOURS.sub("", text).strip("\n"))
        kept = text[: max(min(most, self.left), 0)]
        while kept and len(escape(kept)) > self.left:
            kept = kept[: len(kept) * 2 // 3]
        self.left -= len(escape(kept))
        if len(kept) == len(text):
            return text
        self.cut = True
        return f"{kept.rstrip()} … ({len(text) - len(kept):,} more characters)"


def shown(body: object, room: Room) -> ShownTrajectory:
    """Return a trajectory for a page. Never raises."""
    room.begin()
    steps: list[ShownStep] = []
    left_out = 0
    for agent, step in _walk(body, "", 0):
        if room.left < MARKUP:
            left_out += 1
        else:
            steps.append(_step(step, len(steps) + 1, agent, room))
    return ShownTrajectory(tuple(steps), left_out, room.cut)


def _walk(body: object, agent: str, depth: int) -> Iterator[tuple[str, Json]]:
    """Yield the steps of a trajectory, then those of its sub-agents."""
    own = _mapping(body)
    if depth > MAX_DEPTH:
        return
    for step in _mappings(own.get("steps")):
        yield agent, step
    for inner in _mappings(own.get("subagent_trajectories")):
        yield from _walk(inner, _text(inner.get("trajectory_id"))[:80] or "sub-agent", depth + 1)


def _step(step: Json, number: int, agent: str, room: Room) -> ShownStep:
    room.left -= MARKUP
    results = {
        _text(one.get("source_call_id")): one
        for one in _mappings(_mapping(step.get("observation")).get("results"))
    }
    calls = [one for one in _mappings(step.get("tool_calls")) if not _is_wrapper(one)]
    made: list[ShownCall] = []
    text = room.take(content(step.get("message")))
    thought = room.take(_text(step.get("reasoning_content")))
    for one in calls:
        if room.left < MARKUP:
            room.cut = True
            break
        made.append(_call(one, results.get(_text(one.get("tool_call_id")), {}), room))
    return ShownStep(number, _text(step.get("source")), agent, text, thought, tuple(made))


def _is_wrapper(call: Json) -> bool:
    return bool(_mapping(call.get("extra")).get("wraps"))


def _call(call: Json, result: Json, room: Room) -> ShownCall:
    room.left -= MARKUP
    arguments = _mapping(call.get("arguments"))
    extra = _mapping(result.get("extra"))
    code = extra.get("exit_code")
    exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
    flag = extra.get("is_error")
    failed = flag if isinstance(flag, bool) else None
    if exit_code is not None:
        failed = bool(failed) or exit_code != 0
    return ShownCall(
        name=room.take(_text(call.get("function_name")), 80),
        brief=room.take(brief(arguments), MAX_BRIEF + 40),
        arguments=room.take(_arguments(arguments)),
        output=room.take(content(result.get("content"))),
        failed=failed,
        exit_code=exit_code,
    )


def brief(arguments: Json) -> str:
    """Return the argument that says most, in one line."""
    known = chain((arguments[name] for name in _TELLING if name in arguments), arguments.values())
    for value in known:
        parts = cast("list[object]", value) if isinstance(value, list) else [value]
        line = " ".join(" ".join(part for part in parts if isinstance(part, str)).split())
        if line:
            return line if len(line) <= MAX_BRIEF else f"{line[: MAX_BRIEF - 1]}…"
    return ""


def _arguments(arguments: Json) -> str:
    """Return arguments to be read: a text as it is, the rest as JSON."""
    lines: list[str] = []
    for name, value in arguments.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        lines.append(f"{name}:\n{text}" if "\n" in text else f"{name}: {text}")
    return "\n".join(lines)


def content(value: object) -> str:
    """Return the text of a message or a result; a medium as a word."""
    if isinstance(value, str):
        return value
    texts: list[str] = []
    for part in _mappings(value):
        kind = _text(part.get("type"))
        texts.append(_text(part.get("text")) if kind == "text" else f"[{kind or 'unknown'}]")
    return "\n".join(texts)


def _list(value: object) -> Sequence[object]:
    return cast("Sequence[object]", value) if isinstance(value, list | tuple) else ()


def _mapping(value: object) -> Json:
    return cast("Json", value) if isinstance(value, Mapping) else {}


def _mappings(value: object) -> list[Json]:
    return [cast("Json", one) for one in _list(value) if isinstance(one, Mapping)]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
