"""Fits a direction for each metric; recipe, layer and pooling are chosen by cross-validation.

Folds keep a group (a repository, or a skill with all that was written of it) on one side.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.train.dataset import SCOPES, Side, Term
from skillgauge_scorer.train.dataset import Set as Pairs
from skillgauge_scorer.train.solve import Matrix, Recipe, confound, logistic_line, solve
from skillgauge_scorer.train.statistics import auroc, paired_accuracy

FOLDS: Final = 5
WEIGHT: Final = {"rule": 1.0, "plain": 1.0, "matched": 1.0}
"""What all pairs of a kind weigh together."""
_SCORE: Final = {"rule": 0.15, "plain": 0.4, "matched": 0.45}
"""What a kind's figure weighs in the choice; what was written by hand is nearest to use."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How one metric's direction is made."""

    terms: tuple[Term, ...]
    recipe: Recipe
    confounds: tuple[str, ...]
    """Names of surface features, and `length`, and `formatting`."""
    apart: bool = False
    """Whether each layer's direction is fitted by itself and their standardised scores are added.
    Layers err differently on texts of another kind than the pairs; their sum errs less."""


@dataclass(frozen=True, slots=True)
class Background:
    """Texts of all kinds, from which confounds and what varies between skills are measured."""

    side: Side
    tokens: Matrix
    stripped: Side | None = None
    """The first texts without their Markdown decoration."""
    groups: tuple[str, ...] = ()
    """The group of each text, so that those that a fold holds out aren't looked at."""

    def rows(self, choice: Choice, hidden: Set[str] = frozenset()) -> Matrix:
        """Return the states of the texts but for those of hidden groups."""
        return self.side.rows(choice.terms)[self._seen(hidden)]

    def confounds(self, choice: Choice, hidden: Set[str] = frozenset()) -> Matrix:
        """Return the confounds of a choice as rows [k, width]."""
        states, seen = self.rows(choice, hidden), self._seen(hidden)
        found: list[Matrix] = []
        for name in choice.confounds:
            if name == "formatting":
                assert self.stripped is not None
                plainer = self.stripped.rows(choice.terms)
                vector = self.side.rows(choice.terms)[: len(plainer)].mean(axis=0)
                vector = vector - plainer.mean(axis=0)
                found.append(vector / max(float(np.linalg.norm(vector)), 1e-12))
            else:
                values = np.log(self.tokens) if name == "length" else self.side.surface[name]
                found.append(confound(states, values[seen]))
        return np.array(found).reshape(-1, states.shape[1])

    def _seen(self, hidden: Set[str]) -> NDArray[np.bool_]:
        if not self.groups:
            return np.ones(len(self.tokens), np.bool_)
        return np.array([group not in hidden for group in self.groups])


@dataclass(frozen=True, slots=True)
class Direction:
    """A fitted direction, and what its scores are on the pairs it was fitted on."""

    choice: Choice
    vector: Matrix
    mu: float
    sigma: float
    logistic: tuple[float, float]

    def z(self, side: Side) -> Matrix:
        """Return the standardised score of each row."""
        return (side.rows(self.choice.terms) @ self.vector - self.mu) / self.sigma


def fit(data: Pairs, choice: Choice, background: Background, keep: NDArray[np.bool_]) -> Direction:
    """Fit a direction on the pairs that `keep` holds True for."""
    good, bad = (side.rows(choice.terms)[keep] for side in (data.positive, data.negative))
    weights = _weights(data.kinds[keep])
    hidden = {group for group, one in zip(data.groups, keep, strict=True) if not one}
    others = background.rows(choice, hidden) if choice.recipe.blend else None
    confounds = background.confounds(choice, hidden)
    width = good.shape[1] // len(choice.terms)
    vector = np.zeros(good.shape[1])
    for columns in _columns(choice, width):
        part = solve(
            choice.recipe,
            good[:, columns],
            bad[:, columns],
            weights,
            confounds[:, columns],
            None if others is None else others[:, columns],
        )
        spread = float((np.concatenate([good, bad])[:, columns] @ part).std())
        vector[columns] = part / max(spread, 1e-9)
    scores = np.concatenate([good, bad]) @ vector
    mu, sigma = float(scores.mean()), max(float(scores.std()), 1e-9)
    labels = np.repeat([1.0, 0.0], [len(good), len(bad)])
    line = logistic_line((scores - mu) / sigma, labels)
    return Direction(choice, vector, mu, sigma, line)


def _columns(choice: Choice, width: int) -> list[NDArray[np.int64]]:
    """Return the columns that are fitted together: all, or those of each layer."""
    layers = np.repeat([term.layer for term in choice.terms], width)
    if not choice.apart:
        return [np.arange(len(layers))]
    return [np.flatnonzero(layers == layer) for layer in sorted(set(layers.tolist()))]


def _weights(kinds: NDArray[np.str_]) -> Matrix:
    weights = np.zeros(len(kinds))
    for kind in set(kinds.tolist()):
        chosen = kinds == kind
        weights[chosen] = WEIGHT[kind] / chosen.sum()
    return weights


def folds(groups: Sequence[str], count: int = FOLDS) -> NDArray[np.int64]:
    """Return the fold of each item; the same for the same group, in every run.

    What is before a slash counts alone: a folder of written pairs has one author, whose style must
    not stand on both sides.
    """
    names = [group.partition("/")[0] for group in groups]
    return np.array([hashlib.sha256(name.encode()).digest()[0] for name in names]) % count


def validated(data: Pairs, choice: Choice, background: Background) -> tuple[Matrix, Matrix]:
    """Return the scores (positives, negatives) of each pair by a direction that hasn't seen it."""
    good, bad = np.zeros(len(data.pairs)), np.zeros(len(data.pairs))
    where = folds(data.groups)
    for fold in sorted(set(where.tolist())):
        inside = where == fold
        direction = fit(data, choice, background, ~inside)
        good[inside] = direction.z(data.positive)[inside]
        bad[inside] = direction.z(data.negative)[inside]
    return good, bad


def figures(kinds: NDArray[np.str_], good: Matrix, bad: Matrix) -> dict[str, tuple[float, float]]:
    """Return AUROC and paired accuracy of each kind of pairs."""
    found: dict[str, tuple[float, float]] = {}
    for kind in sorted(set(kinds.tolist())):
        inside = kinds == kind
        pair = good[inside], bad[inside]
        found[kind] = (auroc(*pair), paired_accuracy(*pair))
    return found


def merit(found: dict[str, tuple[float, float]]) -> float:
    """Return one number for the figures of all kinds: AUROC and accuracy, the former thrice."""
    total = sum(_SCORE[kind] for kind in found)
    return (
        sum(_SCORE[kind] * (0.75 * one[0] + 0.25 * one[1]) for kind, one in found.items()) / total
    )


def choose(
    data: Pairs, choices: Iterable[Choice], background: Background
) -> list[tuple[float, Choice, dict[str, tuple[float, float]]]]:
    """Return choices with their merit and figures, the best first."""
    ranked: list[tuple[float, Choice, dict[str, tuple[float, float]]]] = []
    for choice in choices:
        found = figures(data.kinds, *validated(data, choice, background))
        ranked.append((merit(found), choice, found))
    return sorted(ranked, key=lambda one: -one[0])


def with_layers(metric: str, choice: Choice, layers: Sequence[int]) -> Choice:
    """Return a choice that reads other layers, with the pooling of its first term."""
    pooling = choice.terms[0].pooling
    terms = tuple(Term(scope, layer, pooling) for scope in SCOPES[metric] for layer in layers)
    return replace(choice, terms=terms)
