"""OpenAI Responses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from skillgauge.lift.gateway.dialects import Json
from skillgauge.lift.gateway.dialects._parts import (
    inner,
    is_address,
    message_of,
    number,
    objects,
    text,
)
from skillgauge.lift.prices import Counts

_OWN: Final = ("function", "custom", "namespace", "local_shell", "apply_patch", "tool_search")
_BEYOND: Final = ("background", "conversation", "previous_response_id", "prompt")
_LAST: Final = ("response.completed", "response.incomplete", "response.failed")


def offers_tools(body: Json) -> bool:
    """Return whether a request lets the model call tools, in either of Codex's shapes."""
    items = objects(body.get("input"))
    return bool(objects(body.get("tools"))) or any(
        item.get("type") == "additional_tools" for item in items
    )


def confine(body: Json) -> tuple[Json, list[str]]:
    """Return a request without the tools that the vendor runs, and their names."""
    removed: list[str] = [key for key in _BEYOND if body.get(key)]
    kept: Json = {key: value for key, value in body.items() if key not in removed}
    if isinstance(body.get("tools"), list):
        kept["tools"] = _own(body["tools"], removed)
    if isinstance(body.get("input"), list):
        kept["input"] = [_item(item, removed) for item in body["input"]]
    return (kept, removed) if removed else (body, [])


def _item(item: Any, removed: list[str]) -> Any:
    """Return an item of the input; one kind of them lists tools."""
    if not isinstance(item, dict):
        return item
    told = cast("Json", item)
    if told.get("type") == "additional_tools" and isinstance(told.get("tools"), list):
        return {**told, "tools": _own(told["tools"], removed)}
    return told


def _own(tools: list[Any], removed: list[str]) -> list[Json]:
    """Return the tools that the client runs by itself."""
    kept: list[Json] = []
    for tool in objects(tools):
        kind = text(tool.get("type"))
        if kind not in _OWN:
            removed.append(kind)
        elif kind == "namespace" and isinstance(tool.get("tools"), list):
            kept.append({**tool, "tools": _own(tool["tools"], removed)})
        else:
            kept.append(tool)
    return kept


def is_remote(part: Json) -> bool:
    """Return whether a part of a request names an address or a stored file to be read."""
    kind = part.get("type")
    if kind not in ("input_image", "input_file", "computer_screenshot"):
        return kind in ("mcp_call", "item_reference")
    return is_address(part.get("image_url")) or any(
        part.get(key) for key in ("file_url", "file_id")
    )


def usage(said: Json) -> Mapping[str, Any]:
    """Return what an event or a whole answer says of tokens, empty if nothing."""
    return inner(said, "response", "usage") or inner(said, "usage")


def counts(usage: Mapping[str, Any]) -> Counts | None:
    """Return the tokens."""
    if "input_tokens" not in usage:
        return None
    cached = number(inner(usage, "input_tokens_details"), "cached_tokens")
    return Counts(number(usage, "input_tokens"), number(usage, "output_tokens"), cached)


def ends(said: Json) -> bool:
    """Return whether a stream has come to its end with this event."""
    return said.get("type") in _LAST


def error(said: Json) -> str:
    """Return what an event or answer says went wrong, "" if nothing."""
    if said.get("type") == "error":
        return message_of(said.get("error")) or message_of({**said, "type": said.get("code")})
    return message_of(said.get("error")) or message_of(inner(said, "response").get("error"))


def failure(status: int, message: str) -> Json:
    """Return an error as the API's clients know it."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}
