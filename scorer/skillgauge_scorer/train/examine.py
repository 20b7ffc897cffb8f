"""The paper's analyses of directions: layers, poolings, length, and agreement between backbones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from skillgauge_scorer.pooling import POOLINGS, Pooling
from skillgauge_scorer.train.background import Texts
from skillgauge_scorer.train.dataset import SCOPES, Set, Side
from skillgauge_scorer.train.evaluate import compared
from skillgauge_scorer.train.fit import Background, Choice, Direction, fit, folds, with_layers
from skillgauge_scorer.train.solve import Matrix
from skillgauge_scorer.train.statistics import pearson

_LEAST: Final = 8


def by_layer(
    train: Set, test: Set, direction: Direction, background: Background, layers: Sequence[int]
) -> list[dict[str, Any]]:
    """Return the figures on `test` of directions fitted at each layer alone, all else the same."""
    found: list[dict[str, Any]] = []
    for layer in layers:
        choice = with_layers(train.metric, direction.choice, [layer])
        found.append({"layer": layer, **_tried(train, test, choice, background)})
    return found


def by_pooling(
    train: Set, test: Set, direction: Direction, background: Background
) -> list[dict[str, Any]]:
    """Return the figures on `test` of directions fitted under each pooling, all else the same."""
    return [
        {"pooling": name, **_tried(train, test, _pooled(direction.choice, name), background)}
        for name in POOLINGS
    ]


def _pooled(choice: Choice, pooling: Pooling) -> Choice:
    terms = tuple(term._replace(pooling=pooling) for term in choice.terms)
    return replace(choice, terms=tuple(dict.fromkeys(terms)))


def _tried(train: Set, test: Set, choice: Choice, background: Background) -> dict[str, Any]:
    direction = fit(train, choice, background, np.ones(len(train.pairs), np.bool_))
    good, bad = direction.z(test.positive), direction.z(test.negative)
    found: dict[str, Any] = {}
    for kind in ("plain", "matched"):
        inside = test.kinds == kind
        if inside.any():
            found[kind] = compared(good[inside], bad[inside])
    return found


def length(train: Set, direction: Direction, texts: Texts) -> dict[str, float]:
    """Return Pearson r of score and token length, without the confounds and with them.

    Each text is scored by a direction whose confounds and pairs are of other folds, for on the
    texts that they are measured on the correlation is zero by construction.
    """
    bare = replace(direction.choice, confounds=())
    return {
        "before": round(_held_out(train, bare, texts), 3),
        "after": round(_held_out(train, direction.choice, texts), 3),
    }


def _held_out(train: Set, choice: Choice, texts: Texts) -> float:
    where, pairs = folds(texts.groups), folds(train.groups)
    scores = np.zeros(len(texts.texts))
    scored = np.zeros(len(texts.texts), np.bool_)
    for fold in sorted(set(where.tolist())):
        inside = np.flatnonzero(where == fold)
        outside = np.flatnonzero(where != fold).tolist()
        keep = pairs != fold
        if len(outside) < _LEAST or keep.sum() < 2:
            continue
        direction = fit(train, choice, texts.background(train.metric, outside), keep)
        scores[inside] = direction.z(Side(tuple(texts.features[at] for at in inside), {}))
        scored[inside] = True
    return pearson(scores[scored], texts.tokens[scored]) if scored.sum() > 2 else 0.0


def length_of(direction: Direction, texts: Texts) -> float:
    """Return Pearson r of a finished direction's score and token length."""
    return round(pearson(direction.z(Side(texts.features, {})), texts.tokens), 3)


def agreement(scores: Mapping[str, Mapping[str, Matrix]]) -> dict[str, Any]:
    """Return how far scorers agree: Pearson r of their z-scores, a metric and in the mean.

    `scores` has for each scorer the z-scores of the same texts by metric.
    """
    names = list(scores)
    shared = [code for code in SCOPES if all(code in one for one in scores.values())]
    tables = {
        code: [
            [round(pearson(scores[left][code], scores[right][code]), 3) for right in names]
            for left in names
        ]
        for code in shared
    }
    mean = np.mean([tables[code] for code in shared], axis=0) if shared else np.zeros((0, 0))
    return {"names": names, "metrics": tables, "mean": np.round(mean, 3).tolist()}
