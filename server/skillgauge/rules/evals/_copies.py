"""Finds long runs of words that a text has in common with a skill's SKILL.md."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from skillgauge.rules.evals._shared import words

RUN: Final = 12
"""So many words in a row are no chance: the shortest copy that is looked for."""
_HALF: Final = RUN // 2


@dataclass(frozen=True, slots=True)
class Copied:
    """How many words of a text stand in long runs elsewhere, and how many it has."""

    shared: int
    total: int

    @property
    def part(self) -> float:
        """The part of the text that is a copy."""
        return self.shared / self.total if self.total else 0.0


@lru_cache(maxsize=4)
def _spaced(source: str) -> str:
    return f" {' '.join(words(source))} "


def copied(text: str, source: str) -> Copied:
    """Return how much of `text` stands word for word in `source`, in runs of RUN words or more."""
    own = words(text)
    if len(own) < RUN:
        return Copied(0, len(own))
    other = _spaced(source)
    at = shared = end = 0
    while at + RUN <= len(own):
        if not _in(other, own[at + _HALF : at + RUN]):
            at += _HALF + 1  # no run holds those words, so none begins before the second of them
        elif _in(other, own[at : at + RUN]):
            shared += at + RUN - max(end, at)
            end = at + RUN
            at += 1
        else:
            at += 1
    return Copied(shared, len(own))


def _in(other: str, run: list[str]) -> bool:
    return f" {' '.join(run)} " in other
