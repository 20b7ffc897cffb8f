"""Finds long runs of words that a text has in common with a skill's SKILL.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from skillgauge.document.evals import EvalFile
from skillgauge.document.nodes import Scalar
from skillgauge.rules.evals._shared import words

RUN: Final = 12
"""So many words in a row are no chance: the shortest copy that is looked for."""
_HALF: Final = RUN // 2
MAX_SKILL: Final = 200_000
"""Characters of SKILL.md that are looked at; one with more is too long to be read anyhow."""
MAX_WORDS: Final = 20_000
"""Words of all cases together that are looked for."""


@dataclass(frozen=True, slots=True)
class Copied:
    """How many words of a text stand in long runs elsewhere, and how many it has."""

    shared: int
    total: int

    @property
    def part(self) -> float:
        """The part of the text that is a copy."""
        return self.shared / self.total if self.total else 0.0


def copies(
    file: EvalFile, role: Literal["prompt", "expected_output"], part: float
) -> Iterator[tuple[Scalar, Copied]]:
    """Yield the texts of a file of which that part or more is a copy of its skill."""
    if file.skill is None or file.skill.problem:
        return
    left = MAX_WORDS
    for case in file.cases:
        value = case.prompt if role == "prompt" else case.expected_output
        if value is None:
            continue
        found = copied(value.text, file.skill.source[:MAX_SKILL])
        left -= found.total
        if left < 0:
            return
        if found.part >= part:
            yield value, found


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
