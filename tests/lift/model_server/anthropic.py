"""Anthropic Messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.lift.model_server.shapes import Body, Event, Said, new_id, pieces


def tools(body: Body) -> list[str]:
    return [tool["name"] for tool in body.get("tools") or ()]


def turns(body: Body) -> int:
    said = [m["content"] for m in body["messages"] if m["role"] == "assistant"]
    return sum(isinstance(c, list) and any(b["type"] == "tool_use" for b in c) for c in said)


def schema(body: Body) -> Body | None:
    return (body.get("output_config") or {}).get("format", {}).get("schema")


def whole(body: Body, said: Said) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = []
    if said.words is not None:
        blocks.append({"type": "text", "text": said.words})
    blocks += [
        {"type": "tool_use", "id": new_id("toolu_"), "name": name, "input": arguments}
        for name, arguments in said.calls
    ]
    given, answered, cached = said.tokens
    return {
        "id": new_id("msg_"),
        "type": "message",
        "role": "assistant",
        "model": said.model,
        "content": blocks,
        "stop_reason": "tool_use" if said.calls else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": given - cached,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": cached,
            "output_tokens": answered,
        },
    }


def events(body: Body, said: Said) -> Iterator[Event]:
    message = whole(body, said)
    usage = message["usage"]
    begun = {"content": [], "stop_reason": None, "usage": usage | {"output_tokens": 1}}
    yield _event("message_start", message=message | begun)
    for index, block in enumerate(message["content"]):
        yield from _block(index, block)
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    told = {"output_tokens": usage["output_tokens"]}
    yield _event("message_delta", delta=ended, usage=told)
    yield _event("message_stop")


def _block(index: int, block: dict[str, Any]) -> Iterator[Event]:
    is_text = block["type"] == "text"
    empty: dict[str, Any] = {"text": ""} if is_text else {"input": {}}
    yield _event("content_block_start", index=index, content_block=block | empty)
    for piece in pieces(block["text"] if is_text else json.dumps(block["input"])):
        if is_text:
            delta = {"type": "text_delta", "text": piece}
        else:
            delta = {"type": "input_json_delta", "partial_json": piece}
        yield _event("content_block_delta", index=index, delta=delta)
    yield _event("content_block_stop", index=index)


def _event(kind: str, **values: Any) -> Event:
    return kind, {"type": kind, **values}
