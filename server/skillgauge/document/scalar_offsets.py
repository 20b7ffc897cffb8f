"""Where each character of a YAML value's text stands in the source.

A value's text differs from its source by quotes, escapes, folded line breaks and indentation; this
walks both side by side. What doesn't fit makes the answer the whole value, never a wrong place.
"""

from __future__ import annotations

from typing import Final

from skillgauge.document.nodes import Scalar
from skillgauge.text import Span

_BLANK: Final = " \t\r\n"
_ESCAPED: Final = {"x": 4, "u": 6, "U": 10}


def source_span(source: str, value: Scalar, start: int, end: int) -> Span:
    """Return the range in `source` of characters `start` to `end` of `value.text`.

    Where that can't be told, the range of the whole value.
    """
    places = _walk(source[value.span.start : value.span.end], value, end)
    if places is None or not 0 <= start < end <= len(places):
        return value.span
    return Span(places[start].start, places[end - 1].end).shift(value.span.start)


def _walk(raw: str, value: Scalar, stop: int) -> list[Span] | None:
    """Return the range in `raw` of each of the text's first `stop` characters."""
    text = value.text[:stop]
    at = _begin(raw, value)
    places: list[Span] = []
    while len(places) < len(text):
        char, here = text[len(places)], raw[at : at + 1]
        width = 1
        if here == "\\" and value.style == "double":
            behind = raw[at + 1 : at + 2]
            if behind in ("\r", "\n"):  # the line goes on without a blank
                at = _past_blanks(raw, at + 1)
                continue
            width = _ESCAPED.get(behind, 2)
        elif here == "" or (here not in _BLANK and here != char):
            return None
        elif here in _BLANK and char not in _BLANK:
            at = _past_blanks(raw, at)  # indentation, or the rest of a fold
            continue
        elif here == "'" and value.style == "single":
            width = 2
        places.append(Span(at, at + width))
        at += width
    return places


def _begin(raw: str, value: Scalar) -> int:
    """Return where the text begins: behind the quote, or below the line of a block's indicator."""
    if value.style in ("single", "double"):
        return 1
    if value.style in ("literal", "folded"):
        line = len(raw.split("\n", 1)[0])
        return min(line + 1, len(raw))
    return 0


def _past_blanks(raw: str, at: int) -> int:
    while at < len(raw) and raw[at] in _BLANK:
        at += 1
    return at
