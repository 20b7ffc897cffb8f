"""Keeps a vendor from reaching out in a trial's name.

A container has no network, but a model's vendor has: it searches the web, reads addresses, calls
MCP servers and runs code, if a request asks for it. Whoever writes the request could so send what
lies in the container to anywhere, or read what the user has stored with the vendor.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

from skillgauge.lift.gateway.dialects import Json, Refused, Speech

_OPAQUE: Final = ("args", "arguments", "response", "tools")
"""What stands below these is the agent's or a tool's own, and nothing that the vendor reads."""


def confined(speech: Speech, body: Json) -> tuple[Json, list[str]]:
    """Return a request with nothing that the vendor would do elsewhere, and what was taken out.

    Tools can be taken out, since harnesses list them unasked. A message that names an address
    can't be mended: Refused.
    """
    kept, removed = speech.confine(body)
    for part in _parts(kept):
        if speech.is_remote(part):
            raise Refused("Nothing outside of the request can be read here: send the data itself")
    return kept, removed


def _parts(value: Any) -> Iterator[Json]:
    """Yield all objects within a request, but for the arguments and results of tools."""
    waiting: list[Any] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += cast("list[Any]", one)
        elif isinstance(one, dict):
            part = cast("Json", one)
            yield part
            waiting += [item for key, item in part.items() if not _is_opaque(part, key)]


def _is_opaque(part: Json, key: str) -> bool:
    return key in _OPAQUE or (key == "input" and part.get("type") == "tool_use")
