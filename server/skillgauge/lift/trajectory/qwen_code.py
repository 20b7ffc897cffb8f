"""Qwen Code: its session logs to a trajectory: one line a message, in the shape of Gemini's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from skillgauge.lift.trajectory import Told
from skillgauge.lift.trajectory._draft import Draft, Transcript, joined, medium
from skillgauge.lift.trajectory._raw import (
    Log,
    arguments,
    integer,
    obj,
    objs,
    text,
    time,
    whole,
    word,
)
from skillgauge.lift.trajectory._types import Agent, ContentPart, Json, Metrics, Trajectory

LOGS: Final = (".qwen/projects/*/chats/*.jsonl",)


def convert(logs: Sequence[Log], told: Told) -> Trajectory | None:
    """Return the trajectory of the run's session."""
    rows = [row for log in logs for row in log.rows]
    names = [name for row in rows if (name := word(row.get("sessionId")))]
    session = told.session if told.session in names else next(iter(names), None)
    rows = [row for row in rows if word(row.get("sessionId")) in (session, None)]
    transcript = Transcript()
    for row in rows:
        _read(transcript, row)
    if not transcript.drafts:
        return None
    model = next((one for row in rows if (one := word(row.get("model")))), None)
    version = next((one for row in rows if (one := word(row.get("version")))), None)
    agent = Agent("qwen-code", version or told.version or "unknown", model or told.model or None)
    return transcript.finish(agent, session, logs)


def _read(transcript: Transcript, row: Json) -> None:
    kind, stamp = row.get("type"), time(row.get("timestamp"))
    parts = objs(obj(row.get("message")).get("parts"))
    if kind == "user":
        said = [_part(part) for part in parts if "functionResponse" not in part]
        if any(part.text or part.source for part in said):
            transcript.add("user", stamp, separator="").parts = said
    elif kind == "assistant" and (parts or row.get("usageMetadata")):
        draft = transcript.add("agent", stamp, separator="")
        draft.llm_calls, draft.model = 1, word(row.get("model"))
        draft.metrics = _metrics(obj(row.get("usageMetadata")))
        for part in parts:
            _say(transcript, draft, part)
    elif kind == "system":
        event = obj(obj(row.get("systemPayload")).get("uiEvent"))
        if text(event.get("event.name")).endswith("api_error"):
            transcript.fail(text(event.get("error_message")) or text(event.get("error")))
    if kind in ("user", "tool_result"):
        _answer(transcript, row, parts, stamp)


def _say(transcript: Transcript, draft: Draft, part: Json) -> None:
    if call := obj(part.get("functionCall")):
        given = arguments(call.get("args"))
        transcript.call(draft, word(call.get("id")), text(call.get("name")), given)
    elif part.get("thought") is True:
        draft.reasoning.append(text(part.get("text")))
    else:
        draft.parts.append(_part(part))


def _answer(transcript: Transcript, row: Json, parts: Sequence[Json], stamp: str | None) -> None:
    """Put the responses in a line to their calls, with what the harness tells of the outcome."""
    outcome = obj(row.get("toolCallResult"))
    status = word(outcome.get("status"))
    media = [_part(part) for part in parts if "inlineData" in part]
    for part in parts:
        response = obj(part.get("functionResponse"))
        if not response:
            continue
        inner = obj(response.get("response"))
        said = inner.get("output", inner.get("error", inner or response.get("response")))
        extra: Json = {} if status is None else {"status": status, "is_error": status != "success"}
        code = integer(obj(outcome.get("resultDisplay")).get("exitCode"))
        if code is not None:
            extra["exit_code"] = code
        content = joined([ContentPart("text", text(said)), *media], "\n")
        transcript.answer(word(response.get("id")), content, extra, stamp)


def _part(part: Json) -> ContentPart:
    inline = obj(part.get("inlineData"))
    if inline:
        return medium(inline.get("mimeType"), inline.get("data"))
    said = part.get("text")
    return ContentPart("text", said if isinstance(said, str) else text(part))


def _metrics(usage: Json) -> Metrics | None:
    prompt, done = whole(usage.get("promptTokenCount")), whole(usage.get("candidatesTokenCount"))
    both, thoughts = whole(usage.get("totalTokenCount")), whole(usage.get("thoughtsTokenCount"))
    if prompt is None and done is None:
        return None
    if both is not None and prompt is not None and both >= prompt:
        done = both - prompt  # whether or not the thoughts were counted among the candidates
    extra: Json = {"thoughts_tokens": thoughts} if thoughts else {}
    return Metrics(prompt, done, whole(usage.get("cachedContentTokenCount")), extra=extra or None)
