"""Requests as they arrive: a thread reads them, so that work can see that it has been overtaken."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from threading import Condition, Thread
from typing import Any, Final, cast

URGENT: Final = "score"
"""The method that goes before others: somebody looks at the text that it is about."""
CANCEL: Final = "cancel"
_PIECE: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Request:
    """One request; a line that is none has no method."""

    id: Any
    method: str
    params: dict[str, Any]

    @property
    def document(self) -> str:
        """What the request is about; of two about the same thing, the later one counts."""
        return str(self.params.get("document") or "")


class Inbox:
    """The requests that wait."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Begin to read."""
        self._waiting: list[Request] = []
        self._cancelled: set[Any] = set()
        self.ended = False
        """Whether no more will come."""
        self._changed = Condition()
        Thread(target=self._read, args=(lines,), daemon=True).start()

    def next(self, seconds: float | None = None, method: str = "") -> Request | None:
        """Return the next request, an urgent one first; None at the end or after some seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self.ended, seconds)
            chosen = method or URGENT
            fitting = [item for item in self._waiting if item.method == chosen]
            if not fitting and not method:
                fitting = self._waiting
            if not fitting:
                return None
            found = fitting[0]
            self._waiting.remove(found)
            return found

    def overtaken(self, request: Request) -> bool:
        """Return whether nobody waits for this request's answer any more."""
        with self._changed:
            if _plain(request.id) in self._cancelled:
                return True
            return bool(request.document) and any(
                (item.method, item.document) == (request.method, request.document)
                for item in self._waiting
            )

    def answered(self, request: Request) -> None:
        """Forget that a request was cancelled."""
        with self._changed:
            self._cancelled.discard(_plain(request.id))

    def _read(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                if line.strip():
                    self._take(_parse(line))
        finally:
            with self._changed:
                self.ended = True
                self._changed.notify_all()

    def _take(self, request: Request) -> None:
        with self._changed:
            if request.method == CANCEL:
                wanted = _plain(request.params.get("id"))
                self._cancelled.add(wanted)
            else:
                self._waiting.append(request)
            self._changed.notify_all()


def lines_of(handle: int) -> Iterator[str]:
    """Yield the lines of an open file.

    A buffered reader would keep its lock while it waits, and the program could not end.
    """
    rest = b""
    while piece := os.read(handle, _PIECE):
        if b"\n" not in piece:
            rest += piece
            continue
        first, *others = piece.split(b"\n")
        whole = [rest + first, *others]
        rest = whole.pop()
        yield from (line.decode("utf-8", "replace") for line in whole)
    if rest:
        yield rest.decode("utf-8", "replace")


def _parse(line: str) -> Request:
    identity: Any = None
    try:
        value = json.loads(line)
        identity = value.get("id")
        params: object = value.get("params") or {}
        if isinstance(params, dict):
            return Request(identity, str(value["method"]), cast("dict[str, Any]", params))
    except (ValueError, AttributeError, KeyError, RecursionError):
        pass
    return Request(identity, "", {})


def _plain(identity: Any) -> Any:
    return identity if isinstance(identity, str | int) else None
