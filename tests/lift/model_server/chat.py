"""OpenAI Chat Completions."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

from tests.lift.model_server.shapes import Body, Event, Said, new_id, pieces


def tools(body: Body) -> list[str]:
    return [tool["function"]["name"] for tool in body.get("tools") or ()]


def turns(body: Body) -> int:
    messages = body.get("messages", ())
    return sum(m["role"] == "assistant" and bool(m.get("tool_calls")) for m in messages)


def schema(body: Body) -> Body | None:
    return (body.get("response_format") or {}).get("json_schema", {}).get("schema")


def _calls(said: Said) -> list[dict[str, Any]]:
    return [
        {
            "id": new_id("call_"),
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for name, arguments in said.calls
    ]


def _usage(said: Said) -> dict[str, Any]:
    given, answered, cached = said.tokens
    return {
        "prompt_tokens": given,
        "completion_tokens": answered,
        "total_tokens": given + answered,
        "prompt_tokens_details": {"cached_tokens": cached},
        "completion_tokens_details": {"reasoning_tokens": 0},
    }


def whole(body: Body, said: Said) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.words}
    if said.calls:
        message["tool_calls"] = _calls(said)
    choice = {"index": 0, "message": message, "finish_reason": _reason(said)}
    return _head(said, "chat.completion") | {"choices": [choice], "usage": _usage(said)}


def _reason(said: Said) -> str:
    return "tool_calls" if said.calls else "stop"


def _head(said: Said, kind: str) -> dict[str, Any]:
    created = int(time.time())
    return {"id": new_id("chatcmpl-"), "object": kind, "created": created, "model": said.model}


def events(body: Body, said: Said) -> Iterator[Event]:
    head = _head(said, "chat.completion.chunk")

    def chunk(delta: dict[str, Any], reason: str | None = None) -> Event:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return "", head | {"choices": [choice]}

    yield chunk({"role": "assistant", "content": ""})
    for piece in pieces(said.text):
        yield chunk({"content": piece})
    for index, call in enumerate(_calls(said)):
        function = call["function"]
        named = call | {"index": index, "function": function | {"arguments": ""}}
        yield chunk({"tool_calls": [named]})
        for piece in pieces(function["arguments"]):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, _reason(said))
    if (body.get("stream_options") or {}).get("include_usage"):
        yield "", head | {"choices": [], "usage": _usage(said)}
    yield "", "[DONE]"
