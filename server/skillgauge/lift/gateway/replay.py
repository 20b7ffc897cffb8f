"""Answers from a record, with no model.

A harness that runs again does not ask in quite the same words: dates, ids, temporary folders and
durations differ. So a request is looked for in three steps: by its words without those; by its
turns, the calls in them and the tools' being offered; by its place. Only the last of them means
that the conversation has left the record.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, cast

from skillgauge.lift.gateway.dialects import Json
from skillgauge.lift.gateway.record import Exchange

_TEMPORARY: Final = re.compile(r"/(?:private/)?(?:tmp|var/folders)/[^\s\"'`:,;)\]}<>]*")
_DATES: Final = re.compile(
    r"\b(?:(?:Mon|Tue(?:s)?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?"
    r"|Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b"
)
_NUMBERED: Final = re.compile(r"(?<![\w-])(?:[^\W\d]|-)*+\d[\w-]*")
"""Words with a digit: numbers, times, ids, hashes."""
_NOT_COMPARED: Final = frozenset(
    (
        "id",
        "call_id",
        "tool_call_id",
        "tool_use_id",
        "metadata",
        "client_metadata",
        "prompt_cache_key",
        "user",
        "thoughtSignature",
        "signature",
        "encrypted_content",
        "cache_control",
    )
)
Fit = Literal["words", "turns", "place"]


class Print(NamedTuple):
    """What of a request is compared."""

    words: str
    turns: str


class Found(NamedTuple):
    """A recorded exchange, and how well it fits."""

    exchange: Exchange
    fit: Fit


@dataclass(slots=True)
class _Kept:
    exchange: Exchange
    print: Print
    taken: bool = False


class Replayer:
    """A record that is used up, exchange by exchange."""

    def __init__(self, record: Iterable[Exchange]) -> None:
        kept = [
            _Kept(exchange, print_of(exchange.request))
            for exchange in record
            if exchange.kind and exchange.response is not None and exchange.status
        ]
        self._kept = list(_without_retried(kept))

    def find(self, dialect: str, kind: str, request: Any) -> Found | None:
        """Return the exchange that answers a request, None if there is none left of its kind."""
        left = [
            one
            for one in self._kept
            if not one.taken and (one.exchange.dialect, one.exchange.kind) == (dialect, kind)
        ]
        wanted = print_of(request)
        steps: tuple[tuple[Fit, list[_Kept]], ...] = (
            ("words", [one for one in left if one.print.words == wanted.words]),
            ("turns", [one for one in left if one.print.turns == wanted.turns]),
            ("place", left),
        )
        for fit, fitting in steps:
            if fitting:
                fitting[0].taken = True
                return Found(fitting[0].exchange, fit)
        return None

    def held(self, dialect: str, kind: str) -> int:
        """Return how many exchanges of a kind the record holds."""
        return sum((k.exchange.dialect, k.exchange.kind) == (dialect, kind) for k in self._kept)


def print_of(request: Any) -> Print:
    """Return what of a request is compared."""
    body = cast("Json", request) if isinstance(request, dict) else {}
    words = json.dumps(_plain(body), sort_keys=True)
    return Print(_hash(words), _hash(json.dumps(_turns(body))))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _without_retried(kept: list[_Kept]) -> Iterator[_Kept]:
    """Leave out failures that were asked again: a replay has no need to fail first."""
    for place, one in enumerate(kept):
        failed = one.exchange.status >= 400 or one.exchange.cut
        if not failed or all(later.print.words != one.print.words for later in kept[place + 1 :]):
            yield one


def _plain(value: Any) -> Any:
    """Return a request without what varies from run to run."""
    if isinstance(value, str):
        return _bare(value)
    if isinstance(value, list):
        return [_plain(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        pairs = cast("Json", value).items()
        return {key: _plain(item) for key, item in pairs if key not in _NOT_COMPARED}
    return value


@lru_cache(maxsize=1024)
def _bare(text: str) -> str:
    """Return a text without what varies; each request repeats those before it."""
    for pattern in (_TEMPORARY, _DATES, _NUMBERED):
        text = pattern.sub("#", text)
    return text


def _turns(body: Json) -> list[Any]:
    """Return the model, the roles of the turns with the calls in them, and if tools are offered."""
    turns: list[Any] = [body.get("model"), bool(body.get("tools"))]
    for key in ("messages", "input", "contents"):
        items = body.get(key)
        for item in cast("list[Any]", items) if isinstance(items, list) else []:
            if isinstance(item, dict):
                turns.append(_turn(cast("Json", item)))
    return turns


def _turn(item: Json) -> list[Any]:
    """Return whose turn it is, and the tools that it calls."""
    shown: list[Any] = [item.get("role") or item.get("type"), item.get("name")]
    for key in ("content", "tool_calls", "parts"):
        inner = item.get(key)
        for part in cast("list[Any]", inner) if isinstance(inner, list) else []:
            if isinstance(part, dict):
                shown.append(_called(cast("Json", part)))
    return shown


def _called(part: Json) -> Any:
    function = part.get("function") or part.get("functionCall") or part
    name = cast("Json", function).get("name") if isinstance(function, dict) else None
    return name if isinstance(name, str) else None
