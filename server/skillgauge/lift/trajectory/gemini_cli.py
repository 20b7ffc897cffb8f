"""Gemini CLI: its session logs to a trajectory.

A message is written again when its tools have answered, with the same id: the last one counts. A
line with `$set` patches the session; messages in it are what the CLI put there by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from skillgauge.lift.trajectory import Told
from skillgauge.lift.trajectory._draft import Draft, Transcript, joined, medium
from skillgauge.lift.trajectory._raw import (
    Log,
    arguments,
    array,
    obj,
    objs,
    text,
    time,
    total,
    whole,
    word,
)
from skillgauge.lift.trajectory._types import (
    Agent,
    Content,
    ContentPart,
    Json,
    Metrics,
    Trajectory,
    text_of,
)

LOGS: Final = (".gemini/tmp/*/chats/session-*.json*", ".gemini/tmp/*/chats/*/*.json*")
_EXIT: Final = re.compile(
    r"^Exit Code: (-?\d{1,5})(?:\n(?:Signal|Error|Background PIDs|Process Group PGID): .*)*"
    r"\n*(?:</untrusted_context>)?\n*\Z",
    re.MULTILINE,
)
"""What the shell tool says below a command's output, if the command failed."""
_TAIL: Final = 2000
"""How much of an output's end is searched for it."""
_SHELL: Final = "run_shell_command"
_FAULTS: Final = ("error", "warning")


def convert(logs: Sequence[Log], told: Told) -> Trajectory | None:
    """Return the trajectory of the main session, with those of its sub-agents."""
    sessions = [_Session(log) for log in logs if log.rows]
    mains = [one for one in sessions if not one.is_inner]
    main = next((one for one in mains if told.session and one.name == told.session), None)
    main = main or min(mains, key=lambda one: one.started, default=None)
    if main is None:
        return None
    rest = [one for one in sessions if one.is_inner]
    inner = [one.trajectory(told, name=one.name) for one in rest]
    inner = [one for one in inner if one.steps]
    found = main.trajectory(told, inner=inner, others=len(mains) - 1)
    return found if found.steps else None


class _Session:
    """One log: what its first line tells, and its messages in the state that they ended in."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.head = next((row for row in log.rows if "sessionId" in row), Json())
        self.name = word(self.head.get("sessionId")) or log.path.stem
        self.started = time(self.head.get("startTime")) or log.path.name
        self.is_inner = self.head.get("kind") == "subagent"
        self.messages: dict[str, tuple[Json, bool]] = {}
        for row, own in _messages(log.rows):
            key = word(row.get("id")) or f"#{len(self.messages)}"
            before, was_own = self.messages.get(key, ({}, own))
            self.messages[key] = (before | row, was_own)

    def trajectory(
        self, told: Told, name: str | None = None, inner: Sequence[Trajectory] = (), others: int = 0
    ) -> Trajectory:
        transcript = Transcript()
        models: list[str] = []
        for message, own in self.messages.values():
            _read(transcript, message, own)
            if model := word(message.get("model")):
                models.append(model)
        model = models[0] if models else told.model or None
        agent = Agent("gemini-cli", told.version or "unknown", model)
        notes = [f"{others} other sessions were left out."] if others > 0 else []
        return transcript.finish(
            agent, self.name, [self.log], trajectory_id=name, inner=inner, notes=notes
        )


def _messages(rows: Sequence[Json]) -> Iterator[tuple[Json, bool]]:
    """Yield the messages of a log, and whether the CLI put them there by itself."""
    for row in rows:
        patch = row.get("$set")
        if isinstance(patch, dict):
            yield from ((message, True) for message in objs(obj(row.get("$set")).get("messages")))
        elif "type" in row:
            yield row, False
        for message in objs(row.get("messages")):  # the older logs: one object with all
            yield message, False


def _read(transcript: Transcript, message: Json, own: bool) -> None:
    kind, stamp = message.get("type"), time(message.get("timestamp"))
    if kind == "gemini":
        _turn(transcript, message, stamp)
    elif kind in _FAULTS:
        transcript.fail(text(message.get("content")))
    elif kind == "user":
        parts = _parts(transcript, message.get("content"), stamp)
        if parts:
            # What the CLI put in by itself, such as the session's context, is no word of the user.
            draft = transcript.add("system" if own else "user", stamp, separator="")
            draft.parts = parts


def _turn(transcript: Transcript, message: Json, stamp: str | None) -> None:
    draft = transcript.add("agent", stamp, separator="")
    draft.llm_calls, draft.model = 1, word(message.get("model"))
    draft.parts = _parts(transcript, message.get("content"), stamp)
    for thought in objs(message.get("thoughts")):
        said = (text(thought.get("subject")), text(thought.get("description")))
        draft.reasoning.append(": ".join(one for one in said if one))
    draft.metrics = _metrics(obj(message.get("tokens")))
    for call in objs(message.get("toolCalls")):
        _call(transcript, draft, call)


def _call(transcript: Transcript, draft: Draft, call: Json) -> None:
    name = word(call.get("id"))
    unique = transcript.call(draft, name, text(call.get("name")), arguments(call.get("args")))
    content = _result(call.get("result"))
    status = word(call.get("status"))
    if not content and status is None:
        return
    extra: Json = {} if status is None else {"status": status}
    if status in ("success", "error", "cancelled"):
        extra["is_error"] = status != "success"
    said = text_of(content)[-_TAIL:] if call.get("name") == _SHELL else ""
    if match := _EXIT.search(said):
        extra["exit_code"] = int(match[1])
    transcript.answer(name or unique, content or text(call.get("resultDisplay")), extra)


def _result(result: object) -> Content:
    """Return what a tool gave to the model: its responses, and media beside them."""
    parts: list[ContentPart] = []
    for item in array(result):
        if isinstance(item, str):
            parts.append(ContentPart("text", item))
        elif response := obj(obj(item).get("functionResponse")):
            parts.extend(_response(response))
        elif inline := obj(obj(item).get("inlineData")):
            parts.append(medium(inline.get("mimeType"), inline.get("data")))
        elif said := word(obj(item).get("text")):
            parts.append(ContentPart("text", said))
    return joined(parts, "\n")


def _response(response: Json) -> Iterator[ContentPart]:
    inner = obj(response.get("response"))
    said = inner.get("output", inner.get("error", inner or response.get("response")))
    yield ContentPart("text", text(said))
    for part in objs(response.get("parts")):
        if inline := obj(part.get("inlineData")):
            yield medium(inline.get("mimeType"), inline.get("data"))


def _parts(transcript: Transcript, content: object, stamp: str | None) -> list[ContentPart]:
    """Return the parts of a message; responses among them go to their calls."""
    if isinstance(content, str):
        return [ContentPart("text", content)] if content else []
    found: list[ContentPart] = []
    for item in array(content) or ([content] if obj(content) else []):
        part = obj(item)
        if response := obj(part.get("functionResponse")):
            name = word(response.get("id"))
            if not transcript.answered(name):
                transcript.answer(name, joined(list(_response(response)), "\n"), None, stamp)
        elif inline := obj(part.get("inlineData")):
            found.append(medium(inline.get("mimeType"), inline.get("data")))
        elif said := item if isinstance(item, str) else word(part.get("text")):
            found.append(ContentPart("text", said))
    return found


def _metrics(tokens: Json) -> Metrics | None:
    prompt = whole(tokens.get("input"))
    thoughts, tool = whole(tokens.get("thoughts")), whole(tokens.get("tool"))
    done = total(whole(tokens.get("output")), thoughts, tool)
    if prompt is None and done is None:
        return None
    extra: Json = {"thoughts_tokens": thoughts, "tool_tokens": tool}
    known = {key: value for key, value in extra.items() if value is not None}
    return Metrics(prompt, done, whole(tokens.get("cached")), extra=known or None)
