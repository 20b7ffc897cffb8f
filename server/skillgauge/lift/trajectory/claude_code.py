"""Claude Code: its session logs, or the event stream that it prints, to a trajectory.

A log has one content block a line; lines with one message id are one turn of the model, whose
usage is the last that was told. What a sub-agent did is a trajectory of its own, in lines marked
as a side chain or in files of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, cast

from skillgauge.lift.trajectory import Told
from skillgauge.lift.trajectory._draft import Draft, Transcript, joined, medium
from skillgauge.lift.trajectory._raw import (
    Log,
    amount,
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
    SubagentRef,
    Trajectory,
)

LOGS: Final = (
    ".claude/projects/*/*.jsonl",
    ".claude/projects/*/subagents/agent-*.jsonl",
    ".claude/projects/*/*/subagents/agent-*.jsonl",
)
_EXIT: Final = re.compile(r"(?:Error: )?Exit code (-?\d{1,5})\b")
_SYNTHETIC: Final = "<synthetic>"
"""The model's name on messages that the harness made itself, such as of an endpoint's fault."""


def convert(logs: Sequence[Log], told: Told) -> Trajectory | None:
    """Return the trajectory of the main session, with those of its sub-agents."""
    rows = [row for log in logs for row in log.rows]
    rows = _ordered(_unique(rows))
    session = _session(rows, told)
    if session:
        rows = [row for row in rows if _session_of(row) in (session, None)]
    groups: dict[str, list[Json]] = {}
    for row in rows:
        groups.setdefault(_chain(row), []).append(row)
    main = groups.pop("", [])
    agent = _agent(rows, told)
    inner = [
        _Reader().read(chain).finish(agent, session, trajectory_id=name)
        for name, chain in groups.items()
    ]
    inner = [one for one in inner if one.steps]
    reader = _Reader({one.trajectory_id or "" for one in inner})
    transcript = reader.read(main)
    if told.prompt and not any(draft.source == "user" for draft in transcript.drafts[:1]):
        _prepend(transcript, told.prompt)
    if not transcript.drafts:
        if not inner:
            return None
        transcript.add("system", None).say("The main agent's own log could not be read.")
    return transcript.finish(agent, session, logs, inner=inner, cost=_cost(rows))


def _prepend(transcript: Transcript, prompt: str) -> None:
    """Put the prompt first: the stream that Claude prints doesn't repeat it."""
    first = Draft("user")
    first.say(prompt)
    transcript.drafts.insert(0, first)


def _unique(rows: Iterable[Json]) -> list[Json]:
    """Leave out what is there twice, as when a session was gone on with in another log."""
    seen: set[str] = set()
    kept: list[Json] = []
    for row in rows:
        name = word(row.get("uuid"))
        if name is None or name not in seen:
            kept.append(row)
        if name:
            seen.add(name)
    return kept


def _ordered(rows: list[Json]) -> list[Json]:
    """Sort by time; a line without one stays behind the line before it."""
    keyed: list[tuple[float, Json]] = []
    last = 0.0
    for row in rows:
        stamp = time(row.get("timestamp"))
        if stamp:
            moment = datetime.fromisoformat(stamp)
            last = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        keyed.append((last, row))
    return [row for _, row in sorted(keyed, key=lambda pair: pair[0])]


def _session_of(row: Json) -> str | None:
    return word(row.get("sessionId")) or word(row.get("session_id"))


def _session(rows: Sequence[Json], told: Told) -> str | None:
    """Return the run's session: the one that was told, else the first with a turn of an agent."""
    if told.session and any(_session_of(row) == told.session for row in rows):
        return told.session
    talk = (_session_of(row) for row in rows if row.get("type") in ("user", "assistant"))
    return next((name for name in talk if name), None)


def _chain(row: Json) -> str:
    """Return which sub-agent a line is of; "" for the main agent."""
    agent = word(row.get("agentId")) or word(row.get("agent_id"))
    if row.get("isSidechain") is True:
        return agent or "sidechain"
    return word(row.get("parent_tool_use_id")) or ""


def _agent(rows: Sequence[Json], told: Told) -> Agent:
    models = (word(obj(row.get("message")).get("model")) for row in rows)
    model = next((name for name in models if name and name != _SYNTHETIC), None)
    versions = (word(row.get("version")) or word(row.get("claude_code_version")) for row in rows)
    extra: Json = {}
    for name, key in (("cwds", "cwd"), ("git_branches", "gitBranch")):
        values = {value for row in rows if (value := word(row.get(key)))}
        if values:
            extra[name] = sorted(values)
    version = next((one for one in versions if one), None) or told.version or "unknown"
    return Agent("claude-code", version, model or told.model or None, extra=extra or None)


def _cost(rows: Sequence[Json]) -> float | None:
    """Return what the harness itself reckons that the session cost, as it last said."""
    said = [amount(row.get("totalCostUSD", row.get("total_cost_usd"))) for row in rows]
    return next((one for one in reversed(said) if one is not None), None)


class _Reader:
    """Reads the lines of one chain."""

    def __init__(self, agents: Iterable[str] = ()) -> None:
        self.transcript = Transcript()
        self.agents = frozenset(agents)
        self.turns: dict[str, Draft] = {}

    def read(self, rows: Iterable[Json]) -> Transcript:
        for row in rows:
            kind, message = row.get("type"), obj(row.get("message"))
            if kind == "assistant":
                self._assistant(row, message)
            elif kind == "user":
                self._user(row, message)
            elif kind == "result" and row.get("is_error") is True:
                status = text(row.get("api_error_status"))
                said = text(row.get("result")) or text(row.get("subtype"))
                self.transcript.fail(f"{status} {said}".strip())
        return self.transcript

    def _assistant(self, row: Json, message: Json) -> None:
        name = word(message.get("id")) or word(row.get("uuid")) or f"#{len(self.turns)}"
        draft = self.turns.get(name)
        if draft is None:
            draft = self.transcript.add("agent", time(row.get("timestamp")))
            self.turns[name] = draft
            self._begin(draft, row, message)
        usage = _metrics(obj(message.get("usage")), final="sessionId" in row)
        if usage and draft.llm_calls:
            draft.metrics = usage
        if reason := word(message.get("stop_reason")):
            draft.extra["stop_reason"] = reason
        for block in _blocks(message.get("content")):
            self._block(draft, block)

    def _begin(self, draft: Draft, row: Json, message: Json) -> None:
        model = word(message.get("model"))
        own = model == _SYNTHETIC or row.get("isApiErrorMessage") is True
        draft.model = None if model == _SYNTHETIC else model
        draft.effort = word(row.get("effort"))
        draft.llm_calls = 0 if own else 1
        for key, field in (("skill", "attributionSkill"), ("cwd", "cwd")):
            if value := word(row.get(field)):
                draft.extra[key] = value
        if own:
            draft.extra["api_error"] = True
            self.transcript.fail(_joined(message.get("content")))

    def _block(self, draft: Draft, block: Json) -> None:
        kind = block.get("type")
        if kind == "thinking":
            draft.reasoning.append(text(block.get("thinking")))
        elif kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
            name, call = text(block.get("name")), word(block.get("id"))
            self.transcript.call(draft, call, name, arguments(block.get("input")))
        elif isinstance(kind, str) and kind.endswith("_tool_result"):
            self.transcript.answer(word(block.get("tool_use_id")), text(block.get("content")))
        elif kind != "redacted_thinking":
            draft.parts.append(_part(block))

    def _user(self, row: Json, message: Json) -> None:
        parts: list[ContentPart] = []
        stamp = time(row.get("timestamp"))
        for block in _blocks(message.get("content")):
            if block.get("type") == "tool_result":
                self._result(row, block, stamp)
            else:
                parts.append(_part(block))
        if any(part.text or part.source for part in parts):
            draft = self.transcript.add("user", stamp)
            draft.parts = parts
            if row.get("isMeta") is True or row.get("isSynthetic") is True:
                draft.extra["is_meta"] = True  # written by the harness, as a skill's body is

    def _result(self, row: Json, block: Json, stamp: str | None) -> None:
        content = _content(block.get("content"))
        detail = obj(row.get("toolUseResult", row.get("tool_use_result")))
        extra: Json = {}
        flag = block.get("is_error")
        if isinstance(flag, bool):
            extra["is_error"] = flag
            told = _EXIT.match(content) if flag and isinstance(content, str) else None
            if told:
                extra["exit_code"] = int(told[1])
        refs: list[SubagentRef] = []
        if detail:
            extra["tool_use_result"] = detail
            refs = self._ref(word(detail.get("agentId")))
        call = word(block.get("tool_use_id"))
        refs = refs or self._ref(call)
        self.transcript.answer(call, content, extra, stamp, refs)

    def _ref(self, name: str | None) -> list[SubagentRef]:
        return [SubagentRef(trajectory_id=name)] if name and name in self.agents else []


def _metrics(usage: Json, final: bool) -> Metrics | None:
    """Return a turn's usage; the printed stream tells the output's as it was at its start."""
    fresh, cached = whole(usage.get("input_tokens")), whole(usage.get("cache_read_input_tokens"))
    written = whole(usage.get("cache_creation_input_tokens"))
    prompt = total(fresh, cached, written)
    done = whole(usage.get("output_tokens")) if final else None
    if prompt is None and done is None:
        return None
    extra: Json = {} if written is None else {"cache_creation_input_tokens": written}
    if tier := word(usage.get("service_tier")):
        extra["service_tier"] = tier
    return Metrics(prompt, done, cached, extra=extra or None)


def _blocks(content: object) -> list[Json]:
    if not isinstance(content, list):
        return [{"type": "text", "text": text(content)}] if content else []
    blocks = array(cast("object", content))
    return objs([{"type": "text", "text": one} if isinstance(one, str) else one for one in blocks])


def _part(block: Json) -> ContentPart:
    kind = block.get("type")
    if kind in ("image", "document"):
        source = obj(block.get("source"))
        return medium(source.get("media_type"), source.get("data"), source.get("url"))
    said = block.get("text")
    return ContentPart("text", said if isinstance(said, str) else text(block))


def _joined(content: object) -> str:
    return "\n\n".join(part.text or "" for part in map(_part, _blocks(content)))


def _content(content: object) -> Content:
    return joined([_part(block) for block in _blocks(content)], "\n\n")
