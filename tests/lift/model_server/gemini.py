"""Gemini generateContent and streamGenerateContent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.lift.model_server.shapes import Body, Event, Said, new_id, pieces


def tools(body: Body) -> list[str]:
    lists = (tool.get("functionDeclarations", ()) for tool in body.get("tools") or ())
    return [one["name"] for declared in lists for one in declared]


def turns(body: Body) -> int:
    said = [one.get("parts", ()) for one in body["contents"] if one.get("role") == "model"]
    return sum(any("functionCall" in part for part in parts) for parts in said)


def schema(body: Body) -> Body | None:
    asked = body.get("generationConfig") or {}
    found = asked.get("responseJsonSchema") or asked.get("responseSchema")
    wants_json = asked.get("responseMimeType") == "application/json"
    return found or ({"type": "object"} if wants_json else None)


def whole(body: Body, said: Said) -> dict[str, Any]:
    parts = [] if said.words is None else [{"text": said.words}]
    return _answer(said, parts + _calls(said), "STOP")


def _calls(said: Said) -> list[dict[str, Any]]:
    return [{"functionCall": {"name": name, "args": args}} for name, args in said.calls]


def _answer(said: Said, parts: list[dict[str, Any]], reason: str | None = None) -> dict[str, Any]:
    given, answered, cached = said.tokens
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    if reason:
        candidate["finishReason"] = reason
    return {
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": given,
            "candidatesTokenCount": answered if reason else 1,
            "cachedContentTokenCount": cached,
            "totalTokenCount": given + answered,
        },
        "modelVersion": said.model,
        "responseId": new_id(""),
    }


def events(body: Body, said: Said) -> Iterator[Event]:
    parts = [{"text": piece} for piece in pieces(said.words or "")] + _calls(said)
    parts = parts or [{"text": ""}]
    for part in parts[:-1]:
        yield "", _answer(said, [part])
    yield "", _answer(said, parts[-1:], "STOP")
