"""Reading on behind faults: what a text says although it does not parse.

Most faults are small: a comma too many, a comment, a colon in a value. Such a place is replaced by
something of the same length that can be read, and reading starts again: all faults are found at
once, and ranges stay what they are in the source.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from skillgauge.document.nodes import SyntaxFault
from skillgauge.document.yaml_reader import Reading
from skillgauge.document.yaml_repair import Repair
from skillgauge.text import Span

CONFLICT: Final = re.compile(r"(?<![^\r\n])(?:<{7}|>{7})(?=[ \t\r\n]|\Z)")
"""A merge-conflict marker, which explains any fault."""
MAX_FAULTS: Final = 200
MAX_CHARACTERS: Final = 2_000_000
"""So many are read in all: each fault costs another reading of the text."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is wrong at one place: the cause in a word, the repairs that mend it all together.

    `opened` is the bracket that it is about. `stand_in` is the text with something readable in the
    place of what is wrong, None if reading can't go on.
    """

    cause: str
    at: Span
    repairs: tuple[Repair, ...] = ()
    stand_in: str | None = None
    opened: int | None = None


@dataclass(frozen=True, slots=True)
class TextFault:
    """One place that keeps a text from being read."""

    cause: str
    at: Span
    repairs: tuple[Repair, ...]
    opened: int | None
    fault: SyntaxFault


@dataclass(frozen=True, slots=True)
class TolerantReading:
    """The values, the faults in reading order, and whether all behind them could be read."""

    reading: Reading
    faults: tuple[TextFault, ...]
    complete: bool


def read_on(
    source: str,
    read: Callable[[str], Reading],
    diagnose: Callable[[str, SyntaxFault], Found],
) -> TolerantReading:
    """Read a text, going on behind faults where that is possible."""
    text, faults = source, list[TextFault]()
    limit = max(1, min(MAX_FAULTS, MAX_CHARACTERS // (len(source) + 1)))
    reading = read(text)
    while reading.fault is not None:
        found = diagnose(text, reading.fault)
        faults.append(TextFault(found.cause, found.at, found.repairs, found.opened, reading.fault))
        if found.stand_in is None or len(faults) >= limit:
            break
        text = found.stand_in
        reading = read(text)
    first = faults[0].fault if faults else None
    return TolerantReading(Reading(reading.root, first), tuple(faults), reading.fault is None)


def put(text: str, place: Span, stand_in: str) -> str:
    """Return the text with something else at a place."""
    return text[: place.start] + stand_in + text[place.end :]
