"""Chooses and fits a direction a metric, and says how well it does on pairs it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.train import baselines
from skillgauge_scorer.train.background import Texts
from skillgauge_scorer.train.dataset import Set, Side
from skillgauge_scorer.train.evaluate import by_kind
from skillgauge_scorer.train.fit import (
    Choice,
    Direction,
    choose,
    fit,
    folds,
    validated,
)
from skillgauge_scorer.train.recipes import Name, candidates
from skillgauge_scorer.train.solve import Matrix, logistic_line

NEAR: Final = 0.005
"""What joined layers may be worse by in merit."""


class Found(NamedTuple):
    """A direction, and its cross-validated figures by kind of pairs."""

    direction: Direction
    figures: dict[str, Any]


def search(
    data: Mapping[str, Set],
    texts: Texts,
    recipe: Name,
    layers: tuple[int, ...],
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Found]:
    """Return a direction for each metric that has pairs in more than one fold."""
    found: dict[str, Found] = {}
    for done, (metric, pairs) in enumerate(data.items()):
        if progress:
            progress(done, len(data))
        if len(set(folds(pairs.groups).tolist())) < 2:
            continue
        background = texts.background(metric)
        choices = list(candidates(recipe, metric, layers))
        best = _preferred(choose(pairs, choices, background)) if choices[1:] else choices[0]
        every = np.ones(len(pairs.pairs), np.bool_)
        direction = fit(pairs, best, background, every)
        unseen = validated(pairs, best, background)
        # Scores of pairs that were learnt from lie too far apart to be probabilities of others.
        line = logistic_line(np.concatenate(unseen), np.repeat([1.0, 0.0], len(pairs.pairs)))
        figures = by_kind(pairs.kinds, *unseen, _rivals(pairs))
        found[metric] = Found(replace(direction, logistic=line), figures)
    if progress:
        progress(len(data), len(data))
    return found


def _preferred(ranked: Sequence[tuple[float, Choice, Any]]) -> Choice:
    """Return the best choice, or the best of joined layers if that is hardly worse.

    Among many choices the very best is so by chance; joined layers hold better on other texts.
    """
    joined = [one for one in ranked if one[1].apart and one[0] >= ranked[0][0] - NEAR]
    return (joined or ranked)[0][1]


def _rivals(data: Set) -> dict[str, tuple[Matrix, Matrix]]:
    """Return the scores of each baseline, which learns and scores on the same folds."""
    where = folds(data.groups)
    found: dict[str, tuple[Matrix, Matrix]] = {}
    for fold in sorted(set(where.tolist())):
        inside = where == fold
        scored = baselines.scores(subset(data, ~inside), subset(data, inside))
        for name, (good, bad) in scored.items():
            whole = found.setdefault(name, (np.zeros(len(where)), np.zeros(len(where))))
            whole[0][inside], whole[1][inside] = good, bad
    return found


def subset(data: Set, keep: NDArray[np.bool_]) -> Set:
    """Return the pairs that `keep` holds True for."""

    def side(one: Side) -> Side:
        rows = [row for row, kept in zip(one.features, keep, strict=True) if kept]
        return Side(tuple(rows), {name: count[keep] for name, count in one.surface.items()})

    pairs = tuple(pair for pair, kept in zip(data.pairs, keep, strict=True) if kept)
    return Set(data.metric, pairs, side(data.positive), side(data.negative))
