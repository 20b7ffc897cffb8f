"""OpenAI Chat Completions, which many others speak as well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from skillgauge.lift.gateway.dialects import Json
from skillgauge.lift.gateway.dialects._parts import (
    inner,
    is_address,
    message_of,
    number,
    objects,
    text,
)
from skillgauge.lift.gateway.dialects.responses import failure
from skillgauge.lift.prices import Counts

__all__ = ["failure"]

_BEYOND: Final = ("web_search_options", "plugins", "web_search", "search_parameters")
"""The last three are OpenRouter's, Qwen's and xAI's."""
_OWN: Final = ("", "function", "custom")


def offers_tools(body: Json) -> bool:
    """Return whether a request lets the model call tools."""
    return bool(objects(body.get("tools")))


def confine(body: Json) -> tuple[Json, list[str]]:
    """Return a request without the tools that the vendor runs, and their names."""
    tools = objects(body.get("tools"))
    removed = [kind for tool in tools if (kind := text(tool.get("type"))) not in _OWN]
    removed += [key for key in _BEYOND if body.get(key) is not None]
    if not removed:
        return body, []
    kept: Json = {key: value for key, value in body.items() if key not in _BEYOND}
    if "tools" in kept:
        kept["tools"] = [tool for tool in tools if text(tool.get("type")) in _OWN]
        if not kept["tools"]:
            del kept["tools"]
            kept.pop("tool_choice", None)
    return kept, removed


def for_openai(body: Json) -> Json:
    """Return a request with the name that OpenAI's own models of today know a limit by.

    Other endpoints may know the older name alone, and clients for them send it.
    """
    if body.get("max_tokens") is None or "max_completion_tokens" in body:
        return body
    kept: Json = {key: value for key, value in body.items() if key != "max_tokens"}
    return kept | {"max_completion_tokens": body["max_tokens"]}


def is_remote(part: Json) -> bool:
    """Return whether a part of a request names an address or a stored file to be read."""
    kind = part.get("type")
    if kind in ("image_url", "video_url", "audio_url", "input_audio"):
        named = part.get(str(kind))
        return is_address(named) or is_address(inner(part, str(kind)).get("url"))
    return kind == "file" and bool(inner(part, "file").get("file_id"))


def usage(said: Json) -> Mapping[str, Any]:
    """Return what an event or a whole answer says of tokens, empty if nothing."""
    return inner(said, "usage")


def counts(usage: Mapping[str, Any]) -> Counts | None:
    """Return the tokens."""
    if "prompt_tokens" not in usage:
        return None
    cached = number(inner(usage, "prompt_tokens_details"), "cached_tokens") or number(
        usage, "prompt_cache_hit_tokens"
    )
    return Counts(number(usage, "prompt_tokens"), number(usage, "completion_tokens"), cached)


def ends(said: Json) -> bool:
    """Return whether the answer has come to its end; the stream may go on to tell its usage."""
    return any(choice.get("finish_reason") for choice in objects(said.get("choices")))


def error(said: Json) -> str:
    """Return what an event or answer says went wrong, "" if nothing."""
    return message_of(said.get("error"))
