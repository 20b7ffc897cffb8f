"""Server-sent events out of bytes that come in any pieces."""

from __future__ import annotations

import json
import re
from typing import Any, Final, cast

MAX_EVENT: Final = 16 * 2**20
"""A longer event is passed over."""
DONE: Final = "[DONE]"
"""What OpenAI's Chat API sends last; it is the one event that is no JSON."""

_LINE_END: Final = re.compile(rb"\r\n|\n|\r")


class Events:
    """Takes a stream's bytes, and gives the data of each event as soon as it is whole."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._data: list[bytes] = []
        self._size = 0
        self._skip_newline = False

    def feed(self, piece: bytes) -> list[Any]:
        """Return the data of the events that end in this piece; what is no JSON is left out."""
        if self._skip_newline and piece:
            piece = piece.removeprefix(b"\n") if piece[:1] == b"\n" else piece
            self._skip_newline = False
        if not piece:
            return []
        self._skip_newline = piece.endswith(b"\r")
        *lines, rest = _LINE_END.split(piece)
        found: list[Any] = []
        for line in lines:
            self._add(line)
            self._end_line(found)
        self._add(rest)
        return found

    def end(self) -> list[Any]:
        """Return the last event if the stream ended without the empty line behind it."""
        found: list[Any] = []
        self._end_line(found)
        self._end_event(found)
        return found

    def _add(self, part: bytes) -> None:
        self._size += len(part)
        if self._size <= MAX_EVENT:
            self._line += part

    def _end_line(self, found: list[Any]) -> None:
        line = bytes(self._line)
        self._line.clear()
        if not line:
            self._end_event(found)
        elif line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" "))

    def _end_event(self, found: list[Any]) -> None:
        whole = b"\n".join(self._data)
        is_whole = self._size <= MAX_EVENT
        self._data.clear()
        self._size = 0
        if not whole or not is_whole:
            return
        if whole.strip() == DONE.encode():
            found.append(DONE)
            return
        try:
            found.append(json.loads(whole))
        except (ValueError, RecursionError):
            return


class Withheld:
    """A Chat stream without the chunk that tells the usage, for a client that asked for none."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, piece: bytes) -> bytes:
        """Return what may go to the client by now: whole events."""
        self._held += piece
        passed = bytearray()
        start = 0
        for match in re.finditer(rb"\r?\n\r?\n", self._held):
            event = bytes(self._held[start : match.end()])
            start = match.end()
            if not _tells_usage_alone(event):
                passed += event
        del self._held[:start]
        if len(self._held) > MAX_EVENT:
            passed += self.end()
        return bytes(passed)

    def end(self) -> bytes:
        """Return what is left."""
        rest = bytes(self._held)
        self._held.clear()
        return rest


def _tells_usage_alone(event: bytes) -> bool:
    said = Events().feed(event)
    objects = [cast("dict[str, Any]", one) for one in said if isinstance(one, dict)]
    return bool(objects) and all(one.get("choices") == [] and one.get("usage") for one in objects)
