"""Texts cut to a bound, with what was left out said; and space shared out among several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ESCAPE: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\))")
"""What colours a terminal and sets its title."""


def clean(text: str) -> str:
    """Return a text without terminal codes, control characters and broken surrogates."""
    text = _ESCAPE.sub("", text.replace("\r\n", "\n"))
    return _CONTROL.sub("", text).encode("utf-8", "replace").decode("utf-8")


def one_line(text: str, room: int) -> str:
    """Return a text as one line of so many characters at most."""
    line = " ".join(clean(text).split())
    return line if len(line) <= room else f"{line[: max(room - 1, 0)]}…"[:room]


def clip(text: str, room: int) -> str:
    """Return a text in so many characters at most: its head and its tail, if it is longer."""
    if len(text) <= room:
        return text
    note = f"\n[… {len(text) - room:,} characters and more left out …]\n"
    kept = room - len(note)
    if kept < 40:
        return text[: max(room, 0)]
    head = kept * 2 // 3
    return f"{text[:head]}{note}{text[len(text) - (kept - head) :]}"


def share(needs: Sequence[int], parts: Sequence[float], room: int) -> list[int]:
    """Return how much each gets of a space: its part of it, and of what the others leave.

    Those that stand first are served first with what is left.
    """
    given = [min(need, int(part * room)) for need, part in zip(needs, parts, strict=True)]
    for index, need in enumerate(needs):
        given[index] += min(need - given[index], room - sum(given))
    return given


def level(needs: Sequence[int], room: int) -> list[int]:
    """Return how much each gets of a space, none more than another unless it needs less."""
    given, left = [0] * len(needs), room
    order = sorted(range(len(needs)), key=needs.__getitem__)
    for served, index in enumerate(order):
        given[index] = min(needs[index], left // (len(needs) - served))
        left -= given[index]
    return given
