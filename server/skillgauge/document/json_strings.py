"""Strings that JSON does not read: where they begin and end, and how they are written right.

What is `Repaired` is the place at fault, the repairs, and the text with the string replaced by one
of the same length that can be read.
"""

from __future__ import annotations

import json
import re
from typing import Final

from skillgauge.document.yaml_repair import Repair
from skillgauge.patterns import lazy_pattern
from skillgauge.text import Span

_STRING: Final = lazy_pattern(r"\"(?:[^\"\\\r\n]|\\.)*\"")
_LONG: Final = lazy_pattern(r"\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_UP_TO_QUOTE: Final = lazy_pattern(r"(?:[^\"\\]|\\.)*\"")
_BREAK: Final = lazy_pattern(r"\r\n|\n|\r")
_BEHIND: Final = lazy_pattern(r"[ \t\r\n]*(?:[,:\]}]|\Z)")
_QUOTED: Final = lazy_pattern(
    r"'(?P<single>[^'\\\r\n]*)'|[“”](?P<curly>[^“”\"\\\r\n]*)[“”]"
    r"|[‘’](?P<low>[^‘’\"\\\r\n]*)[‘’]|`(?P<tick>[^`\"\\\r\n]*)`"
)
_LINE: Final = lazy_pattern(r"[^\r\n]*")
_LAST: Final = lazy_pattern(r"\"(?=[ \t]*[,\]}]*[ \t]*\Z)")

MAX_STRING: Final = 20_000
"""A string that is closed further on is taken for one that is not closed."""

Repaired = tuple[Span, tuple[Repair, ...], str]


def string_start(text: str, at: int) -> int:
    """Return where the string begins that runs up to the line break at `at`."""
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    while (quote := text.find('"', start, at)) >= 0:
        match = _STRING.match(text, quote, at)
        if match is None:
            return quote
        start = match.end()
    return max(at - 1, 0)


def broken_over_lines(text: str, start: int) -> Repaired | None:
    """Write the line breaks of a string as escapes; None if it is rather not closed at all."""
    match = _LONG.match(text, start, min(len(text), start + MAX_STRING))
    if match is None or not _BEHIND.match(text, match.end()) or text.startswith(":", match.end()):
        return None
    breaks = list(_BREAK.finditer(text, match.start(), match.end()))
    if not breaks or any(_begins_entry(text, found.end()) for found in breaks):
        return None  # the quotation mark at the end of a line is what is missing
    repairs = tuple(Repair(Span(*found.span()), "\\n", certain=False) for found in breaks)
    stand_in = _BREAK.sub(lambda found: " " * len(found[0]), match[0])
    return Span(*breaks[0].span()), repairs, text[:start] + stand_in + text[match.end() :]


def _begins_entry(text: str, at: int) -> bool:
    return text[at : at + 200].lstrip(" \t")[:1] in ('"', "}", "]", "{")


def wrong_escape(text: str, at: int) -> Repaired:
    """Write a backslash that begins no escape as one that stands for itself."""
    backslash = max(text.rfind("\\", 0, min(at + 2, len(text))), 0)
    place = Span(backslash, min(backslash + 2, len(text)))
    mark = Span(backslash, backslash + 1)
    apostrophe = text[backslash + 1 : backslash + 2] == "'"
    repair = Repair(mark, "" if apostrophe else "\\\\", certain=apostrophe)
    return place, (repair,), text[:backslash] + "/" + text[backslash + 1 :]


def requote(text: str, at: int) -> Repaired | None:
    """Put double quotation marks around a string that has others."""
    match = _QUOTED.match(text, at)
    if match is None or not _BEHIND.match(text, match.end()):
        return None
    inner = match[match.lastgroup or 0]
    place = Span(*match.span())
    stand_in = '"' + inner.replace('"', "'").replace("\t", " ") + '"'
    repair = Repair(place, json.dumps(inner, ensure_ascii=False))
    return place, (repair,), text[: place.start] + stand_in + text[place.end :]


def inner_quotes(text: str, quote: int) -> tuple[tuple[Repair, ...], str] | None:
    """Escape the quotation marks inside a string that was meant to go on to the line's end."""
    line = max(text.rfind("\n", 0, quote), text.rfind("\r", 0, quote)) + 1
    match = _LINE.match(text, line)
    last = _LAST.search(text, quote + 1, match.end() if match else quote + 1)
    strings = list(_STRING.finditer(text, line, quote + 1))
    if last is None or not strings or strings[-1].end() != quote + 1:
        return None
    start, end = strings[-1].start(), last.start()
    places = [found.end() - 1 for found in _UP_TO_QUOTE.finditer(text, start + 1, end)]
    inside = list(text[start:end])
    for place in places:
        inside[place - start] = "'"
    repairs = tuple(Repair(Span(place, place), "\\", certain=False) for place in places)
    return repairs, text[:start] + "".join(inside) + text[end:]
