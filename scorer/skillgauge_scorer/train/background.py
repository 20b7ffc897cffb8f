"""The texts from which confounds are measured: both members of all training pairs.

Negatives are among them on purpose: where the words are there without the substance, a confound is
told apart from what it usually goes with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.train.dataset import Side, counts
from skillgauge_scorer.train.fit import Background
from skillgauge_scorer.train.pairs import Pair
from skillgauge_scorer.train.solve import Matrix
from skillgauge_scorer.train.states import Encoder, Features

STRIPPED: Final = 60
"""Texts of which a version without Markdown is encoded, too."""
_FENCE: Final = re.compile(r"^[ \t]*(?:```|~~~).*\n?", re.MULTILINE)
_RULE: Final = re.compile(r"^[ \t]*(?:[-*_][ \t]*){3,}$\n?", re.MULTILINE)
_TABLE: Final = re.compile(r"^[ \t]*\|?[ \t:|-]*-[ \t:|-]*\|[ \t:|-]*$\n?", re.MULTILINE)
_LEAD: Final = re.compile(r"^[ \t]*(?:#{1,6}|[-*+]|\d+[.)]|>)[ \t]+", re.MULTILINE)
_LINK: Final = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_EMPHASIS: Final = re.compile(r"(\*\*|__|\*|`+)(?=\S)([^\n]*?\S)\1")


@dataclass(frozen=True, slots=True)
class Texts:
    """Skills that have both scopes, encoded; the first ones without their Markdown, too."""

    texts: tuple[str, ...]
    groups: tuple[str, ...]
    features: tuple[Features, ...]
    stripped: tuple[Features, ...]

    @property
    def tokens(self) -> Matrix:
        """The length of each."""
        return np.array([one.tokens for one in self.features], np.float64)

    def background(self, metric: str, chosen: Sequence[int] | None = None) -> Background:
        """Return what the confounds of a metric are measured on, maybe on some of the texts."""
        rows = list(range(len(self.texts)) if chosen is None else chosen)
        bare = [row for row in rows if row < len(self.stripped)]
        rows = bare + [row for row in rows if row >= len(self.stripped)]  # the stripped ones first
        surface = {name: one[rows] for name, one in _counted(metric, self.texts).items()}
        side = Side(tuple(self.features[row] for row in rows), surface)
        stripped = Side(tuple(self.stripped[row] for row in bare), {}) if bare else None
        groups = tuple(self.groups[row] for row in rows)
        return Background(side, self.tokens[rows], stripped, groups)


@lru_cache(maxsize=16)
def _counted(metric: str, texts: tuple[str, ...]) -> dict[str, Matrix]:
    return counts(metric, texts)


def gather_texts(
    pairs: Iterable[Pair],
    encoder: Encoder,
    progress: Callable[[int, int], None] | None = None,
    stripped: int = STRIPPED,
) -> Texts:
    """Encode the distinct members of pairs, positives first; of those for A2 the bodies are one."""
    bodies = [pair for pair in pairs if pair.metric != "A2"]
    groups = {pair.positive: pair.group for pair in bodies if pair.kind == "plain"}
    for pair in bodies:
        groups.setdefault(pair.positive, pair.group)
        groups.setdefault(pair.negative, pair.group)
    found: list[tuple[str, str, Features]] = []
    bare: list[Features] = []
    for done, (text, group) in enumerate(groups.items(), 1):
        one = encoder.features(text)
        if one.description and one.body:
            found.append((text, group, one))
            if len(bare) < stripped:
                plain = encoder.features(without_markdown(text))
                if not (plain.description and plain.body):
                    found.pop()
                    continue
                bare.append(plain)
        if progress:
            progress(done, len(groups))
    return Texts(
        tuple(one[0] for one in found),
        tuple(one[1] for one in found),
        tuple(one[2] for one in found),
        tuple(bare),
    )


def without_markdown(source: str) -> str:
    """Return a skill whose body keeps its words and loses its marks."""
    start = Skill(Text(source)).body.start
    body = source[start:]
    for pattern in (_FENCE, _RULE, _TABLE, _LEAD):
        body = pattern.sub("", body)
    body = _LINK.sub(r"\1", body)
    for _ in range(2):  # bold within italics, and code within both
        body = _EMPHASIS.sub(r"\2", body)
    lines = [line.strip().strip("|").replace(" | ", ", ") for line in body.splitlines()]
    return source[:start] + "\n".join(line.strip() for line in lines) + "\n"
