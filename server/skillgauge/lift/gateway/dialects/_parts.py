"""Reading JSON that anybody may have written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from skillgauge.lift.gateway.dialects import Json


def number(values: Mapping[str, Any], *keys: str) -> int:
    """Return the first of the keys that holds a count, 0 if none does."""
    found = (values.get(key) for key in keys)
    return next((n for n in found if isinstance(n, int) and not isinstance(n, bool) and n > 0), 0)


def inner(values: Mapping[str, Any], *keys: str) -> Json:
    """Return the object below some keys, an empty one if it isn't there."""
    for key in keys:
        found = values.get(key)
        values = cast("Json", found) if isinstance(found, dict) else {}
    return dict(values)


def objects(value: object) -> list[Json]:
    """Return the objects of a list, none if it is no list."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("Json", item) for item in items if isinstance(item, dict)]


def text(value: object) -> str:
    """Return a string, "" for all else."""
    return value if isinstance(value, str) else ""


def message_of(error: object) -> str:
    """Return an error's kind and message in one line."""
    if not isinstance(error, dict):
        return text(error)
    told = cast("Json", error)
    kind = text(told.get("type")) or text(told.get("status")) or text(told.get("code"))
    return ": ".join(filter(None, (kind, text(told.get("message")))))


def is_address(value: object) -> bool:
    """Return whether a value names something outside of the request; data within it doesn't."""
    return isinstance(value, str) and bool(value) and not value.lower().startswith("data:")
