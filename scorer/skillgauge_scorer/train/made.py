"""Makes pairs of the skills of a folder by rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from skillgauge_scorer.train.corpus import Source
from skillgauge_scorer.train.fit import folds
from skillgauge_scorer.train.operations import pairs_of
from skillgauge_scorer.train.pairs import Pair
from skillgauge_scorer.train.splits import apart, united


def grouped(sources: Sequence[Source]) -> list[Source]:
    """Return skills where repositories that share a near-duplicate have one group."""
    groups = united([one.group for one in sources], [one.text for one in sources])
    return [Source(group, one.path, one.text) for group, one in zip(groups, sources, strict=True)]


def by_rule(
    sources: Sequence[Source], progress: Callable[[int, int], None] | None = None
) -> tuple[list[Pair], int]:
    """Return what the operations make of skills, and how many pairs were given up.

    What a negative takes of others, it takes of other repositories in the same fold: so no text
    is on both sides when folds are split. What still resembles a text of another fold goes.
    """
    sources = grouped(sources)
    side = folds([one.group for one in sources]).tolist()
    made: list[Pair] = []
    for done, (source, fold) in enumerate(zip(sources, side, strict=True)):
        if progress:
            progress(done, len(sources))
        others = [
            other.text
            for other, where in zip(sources, side, strict=True)
            if where == fold and other.group != source.group
        ]
        made += pairs_of(source.text, source.group, others)
    if progress:
        progress(len(sources), len(sources))
    return apart(made)
