"""OpenCode: the events that it prints, or its database, to a trajectory.

The printed stream has no turn of the user, so the prompt comes from the runner; the database has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from skillgauge.lift.trajectory import Told, _opencode_db, _raw
from skillgauge.lift.trajectory._draft import Draft, Transcript, joined, medium
from skillgauge.lift.trajectory._raw import (
    Log,
    amount,
    arguments,
    integer,
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
    ContentPart,
    Json,
    Metrics,
    SubagentRef,
    Trajectory,
)

LOGS: Final = (".local/share/opencode/opencode.db",)


def load(path: Path) -> Log | None:
    """Return the events of a database, or of a printed stream."""
    head = _raw.read_plain(path, len(_opencode_db.MAGIC))
    return _opencode_db.load(path) if head == _opencode_db.MAGIC else _raw.load(path)


def convert(logs: Sequence[Log], told: Told) -> Trajectory | None:
    """Return the trajectory of the main session, with those of its sub-agents."""
    rows = [row for log in logs for row in log.rows]
    names = [name for row in rows if (name := word(row.get("sessionID")))]
    main = told.session if told.session in names else next(iter(names), None)
    parents = {
        text(row.get("sessionID")): word(row.get("parentID"))
        for row in rows
        if row.get("type") == "session"
    }
    inner = [
        _trajectory([row for row in rows if row.get("sessionID") == name], told, name, True)
        for name, parent in parents.items()
        if parent in parents and name != main
    ]
    inner = [one for one in inner if one.steps]
    own = [row for row in rows if word(row.get("sessionID")) in (main, None)]
    found = _trajectory(own, told, main, False, logs, inner)
    return found if found.steps else None


def _trajectory(
    rows: Sequence[Json],
    told: Told,
    session: str | None,
    is_inner: bool,
    logs: Sequence[Log] = (),
    inner: Sequence[Trajectory] = (),
) -> Trajectory:
    reader = _Reader({one.trajectory_id or "" for one in inner})
    for row in rows:
        reader.read(row)
    drafts = reader.transcript.drafts
    if told.prompt and not is_inner and not any(draft.source == "user" for draft in drafts):
        first = Draft("user")
        first.say(told.prompt)
        drafts.insert(0, first)
    model = reader.model or told.model or None
    for draft in drafts:
        draft.model = draft.model or model
    agent = Agent("opencode", reader.version or told.version or "unknown", model)
    name = session if is_inner else None
    return reader.transcript.finish(agent, session, logs, trajectory_id=name, inner=inner)


class _Reader:
    """Reads events; those of the database are brought to the shape of the printed ones."""

    def __init__(self, inner: Iterable[str]) -> None:
        self.inner = frozenset(inner)
        self.transcript = Transcript()
        self.turns: dict[str, Draft] = {}
        self.model: str | None = None
        self.version: str | None = None

    def read(self, row: Json) -> None:
        kind, part = row.get("type"), obj(row.get("part"))
        stamp = time(row.get("timestamp"))
        if kind == "session":
            self.version = word(row.get("version"))
        elif kind == "error":
            self._error(obj(row.get("error")))
        elif kind == "user":
            self._user(row, part, stamp)
        elif kind in ("step_start", "text", "reasoning", "tool_use", "step_finish"):
            self._event(str(kind), self._turn(row, part, kind == "step_start", stamp), part, stamp)

    def _error(self, error: Json) -> None:
        told = text(obj(error.get("data")).get("message")) or text(error.get("message"))
        self.transcript.fail(": ".join(one for one in (text(error.get("name")), told) if one))

    def _user(self, row: Json, part: Json, stamp: str | None) -> None:
        name = f"user {text(part.get('messageID'))}"
        draft = self.turns.get(name)
        if draft is None:
            draft = self.turns[name] = self.transcript.add("user", stamp, separator="\n")
        if part.get("type") == "file":
            draft.parts.append(medium(part.get("mime"), None, part.get("url")))
        elif said := word(part.get("text")) or word(row.get("text")):
            draft.say(said)

    def _turn(self, row: Json, part: Json, begins: bool, stamp: str | None) -> Draft:
        """Return the turn that an event is of; one starts anew, also within one message."""
        name = word(part.get("messageID")) or ""
        draft = self.turns.get(name)
        if draft is None or (begins and (draft.parts or draft.calls or draft.metrics)):
            draft = self.turns[name] = self.transcript.add("agent", stamp, separator="")
            draft.llm_calls = 1
            model = word(row.get("model"))
            self.model = self.model or model
            draft.model = model
        return draft

    def _event(self, kind: str, draft: Draft, part: Json, stamp: str | None) -> None:
        if kind == "text":
            draft.say(text(part.get("text")))
        elif kind == "reasoning":
            draft.reasoning.append(text(part.get("text")))
        elif kind == "tool_use":
            self._tool(draft, part, stamp)
        elif kind == "step_finish":
            draft.metrics = _metrics(part)
            if reason := word(part.get("reason")):
                draft.extra["finish"] = reason

    def _tool(self, draft: Draft, part: Json, stamp: str | None) -> None:
        state = obj(part.get("state"))
        name = word(part.get("callID")) or word(part.get("id"))
        given = arguments(state.get("input"))
        unique = self.transcript.call(draft, name, text(part.get("tool")), given)
        status = word(state.get("status"))
        extra: Json = {} if status is None else {"status": status}
        if status in ("completed", "error"):
            extra["is_error"] = status == "error"
        if (code := integer(obj(state.get("metadata")).get("exit"))) is not None:
            extra["exit_code"] = code
        said = state.get("output", state.get("error"))
        if said is None and status not in ("completed", "error"):
            return
        parts = [ContentPart("text", text(said))]
        for file in objs(state.get("attachments")):
            parts.append(medium(file.get("mime"), None, file.get("url")))
        child = word(obj(state.get("metadata")).get("sessionId"))
        refs = [SubagentRef(child)] if child in self.inner else []
        self.transcript.answer(name or unique, joined(parts, "\n"), extra, stamp, refs)


def _metrics(part: Json) -> Metrics | None:
    tokens = obj(part.get("tokens"))
    cache = obj(tokens.get("cache"))
    cached, written = whole(cache.get("read")), whole(cache.get("write"))
    prompt = total(whole(tokens.get("input")), cached, written)
    done = whole(tokens.get("output"))
    cost = amount(part.get("cost"))
    if prompt is None and done is None and not cost:
        return None
    extra: Json = {}
    if reasoning := whole(tokens.get("reasoning")):
        extra["reasoning_tokens"] = reasoning
    # A cost of nothing is what OpenCode says of every model that it has no price of.
    return Metrics(prompt, done, cached, cost or None, extra=extra or None)
