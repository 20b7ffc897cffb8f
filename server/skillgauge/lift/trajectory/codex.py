"""Codex: its rollouts to a trajectory, in both of its shapes.

A rollout is a list of what the model answered (`response_item`) and of what went on
(`event_msg`). Models that Codex doesn't know call functions; those that it knows call one tool,
`exec`, with JavaScript that calls the real tools. There the real calls are added beside the
wrapper: the commands from the events that tell what ran, other tools from the source.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, cast

from skillgauge.lift.trajectory import Told
from skillgauge.lift.trajectory._codex_exec import Wrappers
from skillgauge.lift.trajectory._draft import Draft, Transcript, joined, medium
from skillgauge.lift.trajectory._raw import (
    Log,
    arguments,
    array,
    integer,
    obj,
    objs,
    text,
    time,
    whole,
    word,
)
from skillgauge.lift.trajectory._types import (
    Agent,
    Content,
    ContentPart,
    Json,
    Metrics,
    Source,
    SubagentRef,
    Trajectory,
    text_of,
)

LOGS: Final = (".codex/sessions/*/*/*/rollout-*.jsonl", ".codex/sessions/rollout-*.jsonl")
_SOURCES: Final[dict[object, Source]] = {"user": "user", "developer": "system", "system": "system"}
_EXIT: Final = re.compile(
    r"(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?(?:Process exited with code|Exit code:) (-?\d{1,5})\b"
)
_FAILURES: Final = ("error", "stream_error", "turn_aborted")
_PARENT_DEPTH: Final = 6


def convert(logs: Sequence[Log], told: Told) -> Trajectory | None:
    """Return the trajectory of the main thread, with those of the threads that it spawned."""
    threads = [_Thread(log) for log in logs if log.rows]
    names = {thread.name for thread in threads}
    roots = [one for one in threads if one.parent not in names or one.parent == one.name]
    main = next((one for one in roots if told.session and one.name == told.session), None)
    main = main or min(roots, key=lambda one: one.started, default=None)
    if main is None:
        return None
    others = len(roots) - 1
    notes = [f"{others} other sessions were left out."] if others else []
    found = _trajectory(main, threads, told, frozenset(), notes)
    return found if found.steps else None


class _Thread:
    """One rollout, and what its first line tells."""

    def __init__(self, log: Log) -> None:
        self.log = log
        rows = (obj(row.get("payload")) for row in log.rows if row.get("type") == "session_meta")
        self.meta = next(rows, Json())
        self.name = word(self.meta.get("id")) or word(self.meta.get("session_id")) or log.path.stem
        self.started = time(self.meta.get("timestamp")) or log.path.name
        self.parent = _deep(self.meta, "parent_thread_id")
        self.agent_path = _deep(self.meta, "agent_path")


def _deep(value: Json, key: str) -> str | None:
    """Return a text below any of the objects in the first line: where it is has changed."""
    level = [value]
    for _ in range(_PARENT_DEPTH):
        for one in level:
            if found := word(one.get(key)):
                return found
        level = [inner for one in level for inner in objs(list(one.values()))]
    return None


def _trajectory(
    thread: _Thread,
    threads: Sequence[_Thread],
    told: Told,
    above: frozenset[str],
    notes: Sequence[str] = (),
) -> Trajectory:
    above |= {thread.name}
    children = [one for one in threads if one.parent == thread.name and one.name not in above]
    inner = [_trajectory(one, threads, told, above) for one in children]
    kept = {one.trajectory_id for one in inner if one.steps}
    reader = _Reader([one for one in children if one.name in kept])
    transcript = reader.read(thread.log.rows)
    extra = {key: thread.meta[key] for key in ("originator", "cwd", "git") if thread.meta.get(key)}
    version = word(thread.meta.get("cli_version")) or told.version or "unknown"
    agent = Agent("codex", version, reader.first_model or told.model or None, extra=extra or None)
    return transcript.finish(
        agent,
        thread.name,
        [thread.log],
        trajectory_id=thread.name if len(above) > 1 else None,
        inner=[one for one in inner if one.steps],
        notes=notes,
    )


class _Reader:
    """Reads the lines of one rollout."""

    def __init__(self, children: Sequence[_Thread]) -> None:
        self.transcript = Transcript()
        self.children = children
        self.wrappers = Wrappers(self.transcript)
        self.open: Draft | None = None
        """The turn of the model that is being told."""
        self.closed = False
        """Whether its usage was told, so that what the model says next is another turn."""
        self.model: str | None = None
        self.first_model: str | None = None
        self.effort: str | None = None
        self.turn: str | None = None

    def read(self, rows: Sequence[Json]) -> Transcript:
        for row in rows:
            payload, stamp = obj(row.get("payload")), time(row.get("timestamp"))
            kind = row.get("type")
            if kind == "response_item":
                self._item(payload, stamp)
            elif kind == "event_msg":
                self._event(payload, stamp)
            elif kind == "turn_context":
                self._context(payload)
            elif kind == "token_usage_record":
                self._usage(obj(payload.get("usage")))
            elif kind == "compacted":
                self._compacted(payload, stamp)
            elif "payload" not in row and kind != "session_meta":
                self._item(row, stamp)  # the oldest rollouts had the answers bare
        self.wrappers.finish()
        return self.transcript

    def _context(self, payload: Json) -> None:
        settings = obj(obj(payload.get("collaboration_mode")).get("settings"))
        self.model = word(payload.get("model")) or self.model
        self.first_model = self.first_model or self.model
        self.effort = word(payload.get("effort")) or word(settings.get("reasoning_effort"))
        self.turn = word(payload.get("turn_id"))

    def _compacted(self, payload: Json, stamp: str | None) -> None:
        self.open = None
        draft = self.transcript.add("system", stamp)
        draft.say(text(payload.get("message")))
        draft.extra["compacted"] = True

    def _item(self, payload: Json, stamp: str | None) -> None:
        kind = word(payload.get("type")) or ""
        if kind == "message":
            self._message(payload, stamp)
        elif kind == "reasoning":
            told = objs(payload.get("summary")) + objs(payload.get("content"))
            self._agent(stamp).reasoning.extend(text(one.get("text")) for one in told)
        elif kind.endswith("_output"):
            self._output(payload, stamp)
        elif kind.endswith("_call"):
            self._call(payload, kind, stamp)

    def _message(self, payload: Json, stamp: str | None) -> None:
        role = payload.get("role")
        parts = _parts(payload.get("content"))
        if role == "assistant":
            self._agent(stamp).parts.extend(parts)
            return
        self.open = None
        draft = self.transcript.add(_SOURCES.get(word(role), "system"), stamp, separator="")
        draft.parts = parts
        about = obj(payload.get("internal_chat_message_metadata_passthrough"))
        kinds = [one for one in array(about.get("content_item_kinds")) if word(one)]
        if kinds:
            draft.extra["content_kinds"] = kinds

    def _agent(self, stamp: str | None) -> Draft:
        """Return the turn that is being told, or begin one."""
        if self.open is None or self.closed:
            self.open, self.closed = self.transcript.add("agent", stamp), False
            self.open.model, self.open.effort, self.open.llm_calls = self.model, self.effort, 1
            if self.turn:
                self.open.extra["turn_id"] = self.turn
        return self.open

    def _call(self, payload: Json, kind: str, stamp: str | None) -> None:
        draft = self._agent(stamp)
        name = word(payload.get("name")) or kind.removesuffix("_call")
        if space := word(payload.get("namespace")):
            name = name if name.startswith(space) else f"{space}.{name}"
        call = word(payload.get("call_id")) or word(payload.get("id"))
        given = payload.get("arguments", payload.get("input", payload.get("action")))
        if kind == "custom_tool_call" and isinstance(given, str):
            unique = self.transcript.call(draft, call, name, {"input": given})
            if name in ("exec", "functions.exec"):
                self.wrappers.add(draft, unique, given)
            return
        self.transcript.call(draft, call, name, arguments(given))

    def _output(self, payload: Json, stamp: str | None) -> None:
        call = word(payload.get("call_id")) or word(payload.get("id"))
        content = _output(payload.get("output"))
        extra = self.wrappers.details.get(call or "", {}) | _outcome(content, payload)
        refs = [
            SubagentRef(trajectory_id=child.name)
            for child in self.children
            if child.name in text_of(content)
            or (child.agent_path and child.agent_path in text_of(content))
        ]
        self.transcript.answer(call, content, extra, stamp, refs)

    def _event(self, payload: Json, stamp: str | None) -> None:
        kind = payload.get("type")
        if kind == "token_count":
            self._usage(obj(obj(payload.get("info")).get("last_token_usage")))
        elif kind == "item_completed":
            self.wrappers.happened(obj(payload.get("item")), lambda: self._last(stamp))
        elif kind == "exec_command_end":
            self.wrappers.happened(
                payload | {"type": "CommandExecution"}, lambda: self._last(stamp)
            )
        elif kind in _FAILURES:
            said = text(payload.get("message")) or text(payload.get("reason"))
            self.transcript.fail(said or str(kind))

    def _last(self, stamp: str | None) -> Draft:
        """Return the turn that an event belongs to: the one told last."""
        turns = (one for one in reversed(self.transcript.drafts) if one.source == "agent")
        return self.open or next(turns, None) or self._agent(stamp)

    def _usage(self, usage: Json) -> None:
        prompt, done = whole(usage.get("input_tokens")), whole(usage.get("output_tokens"))
        if self.open is None or (prompt is None and done is None):
            return
        if not self.closed:  # both records of one turn tell the same
            extra: Json = {}
            for key in ("reasoning_output_tokens", "total_tokens", "cache_write_input_tokens"):
                if (count := whole(usage.get(key))) is not None:
                    extra[key] = count
            cached = whole(usage.get("cached_input_tokens"))
            self.open.metrics = Metrics(prompt, done, cached, extra=extra or None)
        self.closed = True


def _parts(content: object) -> list[ContentPart]:
    if isinstance(content, str):
        return [ContentPart("text", content)]
    found: list[ContentPart] = []
    for item in objs(content):
        if item.get("type") == "input_image":
            url = item.get("image_url")
            found.append(medium(None, None, obj(url).get("url", url)))
        else:
            said = item.get("text")
            found.append(ContentPart("text", said if isinstance(said, str) else text(item)))
    return found


def _output(output: object) -> Content:
    inner = obj(output).get("content")
    plain = output if inner is None else inner
    return joined(_parts(cast("object", plain)), "\n") if isinstance(plain, list) else text(plain)


def _outcome(content: Content, payload: Json) -> Json:
    """Return what an output tells of how the call ended."""
    said = text_of(content)
    told: Json = {}
    if match := _EXIT.match(said):
        told["exit_code"] = int(match[1])
    elif said.startswith("{") and '"exit_code"' in said:
        inner = arguments(said)
        code = integer(obj(inner.get("metadata")).get("exit_code", inner.get("exit_code")))
        told |= {} if code is None else {"exit_code": code}
    success = obj(payload.get("output")).get("success")
    return told if not isinstance(success, bool) else told | {"is_error": not success}
