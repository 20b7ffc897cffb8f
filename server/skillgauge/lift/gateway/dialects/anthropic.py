"""Anthropic Messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from skillgauge.lift.gateway.dialects import Json
from skillgauge.lift.gateway.dialects._parts import inner, message_of, number, objects, text
from skillgauge.lift.prices import Counts

_OWN: Final = ("bash_", "text_editor_", "computer_", "memory_", "tool_search_tool_")
"""Tools that the vendor defines and the client runs."""
_BEYOND: Final = ("mcp_servers", "container")


def offers_tools(body: Json) -> bool:
    """Return whether a request lets the model call tools."""
    return bool(objects(body.get("tools")))


def confine(body: Json) -> tuple[Json, list[str]]:
    """Return a request without the tools that the vendor runs, and their names."""
    tools = objects(body.get("tools"))
    removed = [text(tool.get("type")) for tool in tools if not _is_own(tool)]
    removed += [key for key in _BEYOND if body.get(key)]
    if not removed:
        return body, []
    kept: Json = {key: value for key, value in body.items() if key not in _BEYOND}
    if "tools" in kept:
        kept["tools"] = [tool for tool in tools if _is_own(tool)]
        if not kept["tools"]:
            del kept["tools"]
            kept.pop("tool_choice", None)
    return kept, removed


def _is_own(tool: Json) -> bool:
    kind = text(tool.get("type"))
    return kind in ("", "custom") or kind.startswith(_OWN)


def is_remote(part: Json) -> bool:
    """Return whether a part of a request names an address or a stored file to be read."""
    return text(inner(part, "source").get("type")) in ("url", "file") or (
        part.get("type") == "container_upload"
    )


def usage(said: Json) -> Mapping[str, Any]:
    """Return what an event or a whole answer says of tokens: the later ones are the final ones."""
    return inner(said, "message", "usage") or inner(said, "usage")


def counts(usage: Mapping[str, Any]) -> Counts | None:
    """Return the tokens; what was in the cache is counted apart from the rest of the prompt."""
    if "input_tokens" not in usage:
        return None
    cached = number(usage, "cache_read_input_tokens")
    written = number(usage, "cache_creation_input_tokens")
    prompt = number(usage, "input_tokens") + cached + written
    return Counts(prompt, number(usage, "output_tokens"), cached, written)


def ends(said: Json) -> bool:
    """Return whether a stream has come to its end with this event."""
    return said.get("type") == "message_stop"


def error(said: Json) -> str:
    """Return what an event or answer says went wrong, "" if nothing."""
    return message_of(said.get("error"))


def failure(status: int, message: str) -> Json:
    """Return an error as the API's clients know it."""
    kinds = {404: "not_found_error", 413: "request_too_large"}
    kind = kinds.get(status, "invalid_request_error" if status < 500 else "api_error")
    return {"type": "error", "error": {"type": kind, "message": message}}
