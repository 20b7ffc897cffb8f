"""What the dialects have in common: what was asked, what is said, and how it is put on the wire."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Body = Mapping[str, Any]
Event = tuple[str, Any]
"""The name of a server-sent event, "" for none, and its data."""
STEP = 24
"""Characters in a piece of streamed text."""


@dataclass(frozen=True, slots=True)
class Said:
    """An answer with the request's own tools."""

    text: str
    calls: tuple[tuple[str, dict[str, Any]], ...]
    tokens: tuple[int, int, int]
    model: str

    @property
    def words(self) -> str | None:
        """The text; None where calls alone are said."""
        return self.text if self.text or not self.calls else None


def new_id(prefix: str) -> str:
    """Return an id as the APIs give them."""
    return f"{prefix}{uuid.uuid4().hex[:24]}"


def pieces(text: str) -> list[str]:
    """Return a text in the pieces that a stream has it in."""
    return [text[at : at + STEP] for at in range(0, len(text), STEP)]


def encode(event: Event) -> bytes:
    """Return an event as it is sent."""
    name, data = event
    told = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return (f"event: {name}\n" if name else "").encode() + f"data: {told}\n\n".encode()


def strings(value: object) -> Iterator[str]:
    """Yield all strings within a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, Sequence):
        for item in value:
            yield from strings(item)


def fill(schema: Body) -> Any:
    """Return some value that fits a schema: harnesses ask for small ones beside their turns."""
    kind = str(schema.get("type", "object")).lower()
    if schema.get("enum"):
        return schema["enum"][0]
    if kind == "object":
        return {key: fill(one) for key, one in schema.get("properties", {}).items()}
    return {"array": [], "string": "scripted", "boolean": True}.get(kind, 1)
