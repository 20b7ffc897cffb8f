"""Keeps what resembles each other on one side of a split, by MinHash over runs of three words.

Pairs are split by group. Groups that share a text are made one before pairs are made of them, and
what a pair takes from other skills comes from its own fold, so that nothing crosses.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.train.fit import folds
from skillgauge_scorer.train.pairs import Pair

NEAR: Final = 0.6
"""The share of runs of words that two texts have in common to be near-duplicates."""
_RUN: Final = 3
_HASHES: Final = 128
_BAND: Final = 4
_WORD: Final = re.compile(r"\w+")

Signature = NDArray[np.uint32]


def signature(text: str) -> Signature | None:
    """Return a text's smallest hashes, None for one of fewer words than a run has."""
    found = _WORD.findall(text.lower())
    runs = {" ".join(found[at : at + _RUN]) for at in range(len(found) - _RUN + 1)}
    if not runs:
        return None
    numbers = [zlib.crc32(run.encode("utf-8", "replace")) for run in runs]
    hashes = np.array(numbers, np.uint64)
    factors, shifts = _permutations()
    mixed = (hashes[None, :] * factors[:, None] + shifts[:, None]) >> np.uint64(32)
    return mixed.min(axis=1).astype(np.uint32)


def similarity(left: Signature, right: Signature) -> float:
    """Return about which share of their runs of words two texts have in common."""
    return int(np.count_nonzero(left == right)) / len(left)


@dataclass(slots=True)
class Index:
    """Texts by what they hold; each has a name, for which those who ask for near ones get it."""

    _bands: dict[bytes, list[int]] = field(default_factory=dict[bytes, list[int]])
    _held: list[tuple[str, Signature]] = field(default_factory=list[tuple[str, Signature]])

    def add(self, name: str, found: Signature) -> None:
        """Take a text in."""
        for band in _bands(found):
            self._bands.setdefault(band, []).append(len(self._held))
        self._held.append((name, found))

    def near(self, found: Signature) -> set[str]:
        """Return the names of the texts that are near-duplicates of one."""
        places = {place for band in _bands(found) for place in self._bands.get(band, ())}
        held = (self._held[place] for place in places)
        return {name for name, other in held if similarity(found, other) >= NEAR}


def united(groups: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return the group of each text, where groups that share a near-duplicate have one name."""
    parent = {group: group for group in groups}

    def root(group: str) -> str:
        while parent[group] != group:
            group = parent[group]
        return group

    index = Index()
    for group, text in zip(groups, texts, strict=True):
        for found in _signatures(text):
            for other in index.near(found):
                first, last = sorted((root(group), root(other)))
                parent[last] = first
            index.add(group, found)
    return [root(group) for group in groups]


def apart(pairs: Iterable[Pair]) -> tuple[list[Pair], int]:
    """Return the pairs whose texts have no near-duplicate in another fold, and how many have.

    Of those that do, the first ones stay: the later ones would be seen on both sides of a split.
    """
    every = list(pairs)
    index, kept = Index(), list[Pair]()
    for pair, fold in zip(every, folds([pair.group for pair in every]).tolist(), strict=True):
        found = [one for text in _members(pair) for one in _signatures(text)]
        if any(name != str(fold) for one in found for name in index.near(one)):
            continue
        kept.append(pair)
        for one in found:
            index.add(str(fold), one)
    return kept, len(every) - len(kept)


def unseen(pairs: Iterable[Pair], held_out: Iterable[Pair]) -> tuple[list[Pair], int]:
    """Return the pairs that resemble nothing of `held_out`, and how many do."""
    index = Index()
    for text in dict.fromkeys(text for pair in held_out for text in _members(pair)):
        for found in _signatures(text):
            index.add("", found)
    every = list(pairs)
    kept = [
        pair
        for pair in every
        if not any(index.near(found) for text in _members(pair) for found in _signatures(text))
    ]
    return kept, len(every) - len(kept)


def _members(pair: Pair) -> tuple[str, str]:
    return pair.positive, pair.negative


@lru_cache(maxsize=20_000)
def _signatures(text: str) -> tuple[Signature, ...]:
    """Return what tells a skill's description and its body from those of others."""
    skill = Skill(Text(text))
    scopes = (skill.description or "", text[skill.body.start :])
    return tuple(found for scope in scopes if (found := signature(scope)) is not None)


def _bands(found: Signature) -> Iterator[bytes]:
    for at in range(0, _HASHES, _BAND):
        yield bytes([at]) + found[at : at + _BAND].tobytes()


@lru_cache(maxsize=1)
def _permutations() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return odd factors and shifts: multiply, shift and keep the upper half mixes 32 bits well."""
    chance = np.random.default_rng(1)
    factors = chance.integers(1, 1 << 63, _HASHES, np.uint64) | np.uint64(1)
    return factors, chance.integers(0, 1 << 63, _HASHES, np.uint64)
