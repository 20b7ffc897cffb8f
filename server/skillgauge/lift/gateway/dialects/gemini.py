"""Gemini generateContent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from skillgauge.lift.gateway.dialects import Json
from skillgauge.lift.gateway.dialects._parts import inner, message_of, number, objects
from skillgauge.lift.prices import Counts

_OWN: Final = ("functionDeclarations", "function_declarations")
_BEYOND: Final = ("cachedContent", "cached_content")


def offers_tools(body: Json) -> bool:
    """Return whether a request lets the model call tools."""
    return any(tool.get(key) for tool in objects(body.get("tools")) for key in _OWN)


def confine(body: Json) -> tuple[Json, list[str]]:
    """Return a request without the tools that the vendor runs, and their names."""
    tools = objects(body.get("tools"))
    removed = [key for tool in tools for key in tool if key not in _OWN]
    removed += [key for key in _BEYOND if body.get(key)]
    if not removed:
        return body, []
    kept: Json = {key: value for key, value in body.items() if key not in _BEYOND}
    own = [{key: one for key, one in tool.items() if key in _OWN} for tool in tools]
    kept["tools"] = [tool for tool in own if tool]
    if not kept["tools"]:
        del kept["tools"]
        kept.pop("toolConfig", None)
    return kept, removed


def is_remote(part: Json) -> bool:
    """Return whether a part of a request names an address or a stored file to be read."""
    return bool(part.get("fileData") or part.get("file_data"))


def usage(said: Json) -> Mapping[str, Any]:
    """Return what an event or a whole answer says of tokens: each says all until then."""
    return inner(said, "usageMetadata")


def counts(usage: Mapping[str, Any]) -> Counts | None:
    """Return the tokens; thoughts are paid for like what is said."""
    if "promptTokenCount" not in usage:
        return None
    prompt = number(usage, "promptTokenCount") + number(usage, "toolUsePromptTokenCount")
    completion = number(usage, "candidatesTokenCount") + number(usage, "thoughtsTokenCount")
    return Counts(prompt, completion, number(usage, "cachedContentTokenCount"))


def ends(said: Json) -> bool:
    """Return whether a stream has come to its end with this event."""
    blocked = inner(said, "promptFeedback").get("blockReason")
    return bool(blocked) or any(one.get("finishReason") for one in objects(said.get("candidates")))


def error(said: Json) -> str:
    """Return what an event or answer says went wrong, "" if nothing."""
    return message_of(said.get("error"))


def failure(status: int, message: str) -> Json:
    """Return an error as the API's clients know it."""
    kinds = {404: "NOT_FOUND", 502: "UNAVAILABLE"}
    kind = kinds.get(status, "INVALID_ARGUMENT" if status < 500 else "INTERNAL")
    return {"error": {"code": status, "message": message, "status": kind}}
