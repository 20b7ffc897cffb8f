"""OpenAI Responses, with both of Codex's shapes: tools listed as such, or within an input item."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

from tests.lift.model_server.shapes import Body, Event, Said, new_id, pieces

CALLS = ("function_call", "custom_tool_call", "local_shell_call")


def _items(body: Body) -> list[Body]:
    given = body.get("input")
    return [item for item in given if isinstance(item, dict)] if isinstance(given, list) else []


def _listed(body: Body) -> Iterator[tuple[str, bool]]:
    """Yield the tools, and whether each takes free text."""
    lists = [body.get("tools") or []]
    lists += [i.get("tools", []) for i in _items(body) if i.get("type") == "additional_tools"]
    for tool in (tool for one in lists for tool in one):
        if tool.get("type") != "namespace":
            yield tool.get("name") or tool.get("type", ""), tool.get("type") == "custom"
            continue
        prefix = "" if tool.get("name") == "functions" else f"{tool.get('name')}."
        for inner in tool.get("tools", ()):
            yield prefix + inner.get("name", ""), inner.get("type") == "custom"


def tools(body: Body) -> list[str]:
    return [name for name, _ in _listed(body)]


def turns(body: Body) -> int:
    count, within = 0, False
    for kind in (item.get("type", "message") for item in _items(body)):
        count += kind in CALLS and not within
        if kind != "reasoning":
            within = kind in CALLS
    return count


def schema(body: Body) -> Body | None:
    return (body.get("text") or {}).get("format", {}).get("schema")


def whole(body: Body, said: Said) -> dict[str, Any]:
    given, answered, cached = said.tokens
    usage = {
        "input_tokens": given,
        "input_tokens_details": {"cached_tokens": cached},
        "output_tokens": answered,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": given + answered,
    }
    made = {"output": _output(body, said), "usage": usage, "status": "completed"}
    return _begun(said) | made


def _begun(said: Said) -> dict[str, Any]:
    return {
        "id": new_id("resp_"),
        "object": "response",
        "created_at": int(time.time()),
        "status": "in_progress",
        "model": said.model,
        "output": [],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": None,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
    }


def _output(body: Body, said: Said) -> list[dict[str, Any]]:
    free = {name for name, takes_text in _listed(body) if takes_text}
    found: list[dict[str, Any]] = []
    if said.words is not None:
        part = {"type": "output_text", "text": said.words, "annotations": []}
        found.append({"type": "message", "id": new_id("msg_"), "role": "assistant"})
        found[-1] |= {"status": "completed", "content": [part]}
    for name, arguments in said.calls:
        call: dict[str, Any] = {"call_id": new_id("call_"), "name": name, "status": "completed"}
        if name in free:
            call |= {"type": "custom_tool_call", "id": new_id("ctc_"), "input": arguments["input"]}
        else:
            call |= {"type": "function_call", "id": new_id("fc_")}
            call["arguments"] = json.dumps(arguments)
        found.append(call)
    return found


def events(body: Body, said: Said) -> Iterator[Event]:
    final = whole(body, said)
    begun = final | {"output": [], "usage": None, "status": "in_progress"}
    told: list[tuple[str, dict[str, Any]]] = [
        ("response.created", {"response": begun}),
        ("response.in_progress", {"response": begun}),
    ]
    for index, item in enumerate(final["output"]):
        told += _told(index, item)
    told.append(("response.completed", {"response": final}))
    for number, (kind, values) in enumerate(told):
        yield kind, {"type": kind, "sequence_number": number, **values}


def _told(index: int, item: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    at = {"output_index": index, "item_id": item["id"]}
    begun = {"status": "in_progress"}
    if item["type"] == "message":
        text, part = item["content"][0]["text"], at | {"content_index": 0}
        empty = item["content"][0] | {"text": ""}
        yield "response.output_item.added", at | {"item": item | begun | {"content": []}}
        yield "response.content_part.added", part | {"part": empty}
        for piece in pieces(text):
            yield "response.output_text.delta", part | {"delta": piece}
        yield "response.output_text.done", part | {"text": text}
        yield "response.content_part.done", part | {"part": item["content"][0]}
    else:
        is_free = item["type"] == "custom_tool_call"
        key = "input" if is_free else "arguments"
        kind = "custom_tool_call_input" if is_free else "function_call_arguments"
        yield "response.output_item.added", at | {"item": item | begun | {key: ""}}
        for piece in pieces(item[key]):
            yield f"response.{kind}.delta", at | {"delta": piece}
        yield f"response.{kind}.done", at | {key: item[key]}
    yield "response.output_item.done", at | {"item": item}
