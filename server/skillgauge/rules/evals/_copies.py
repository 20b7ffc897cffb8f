"""Finds long runs of words that a text has in common with a skill's SKILL.md."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from skillgauge.rules.evals._shared import words

RUN: Final = 12
"""So many words in a row are no chance: the shortest copy that is looked for."""


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
def _runs(source: str) -> frozenset[tuple[str, ...]]:
    found = words(source)
    return frozenset(tuple(found[at : at + RUN]) for at in range(len(found) - RUN + 1))


def copied(text: str, source: str) -> Copied:
    """Return how much of `text` stands word for word in `source`, in runs of RUN words or more."""
    own = words(text)
    runs = _runs(source)
    shared = end = 0
    for at in range(len(own) - RUN + 1):
        if tuple(own[at : at + RUN]) in runs:
            shared += at + RUN - max(end, at)
            end = at + RUN
    return Copied(shared, len(own))
