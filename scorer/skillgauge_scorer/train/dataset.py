"""Pairs as numbers: for each metric the pooled states and the surface counts of both members."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.pooling import Pooled, Pooling
from skillgauge_scorer.train.pairs import Pair
from skillgauge_scorer.train.solve import Matrix
from skillgauge_scorer.train.states import Encoder, Features
from skillgauge_scorer.train.surface import SURFACE
from skillgauge_scorer.views import Scope

SCOPES: dict[str, tuple[Scope, ...]] = {
    "A2": ("description",),
    "B1": ("description", "body"),
    "B2": ("body",),
    "C1": ("body",),
    "C2": ("body",),
    "D1": ("body",),
}
"""What each metric looks at."""


class Term(NamedTuple):
    """One state that goes into a score."""

    scope: Scope
    layer: int
    pooling: Pooling


@dataclass(frozen=True, slots=True)
class Side:
    """One side of all pairs of a metric: states and surface counts by row."""

    features: tuple[Features, ...]
    surface: dict[str, Matrix]

    def rows(self, terms: Sequence[Term]) -> Matrix:
        """Return the states of some terms side by side [n, width x terms]."""
        return np.concatenate([_column(self.features, term) for term in terms], axis=1)


@dataclass(frozen=True, slots=True)
class Set:
    """The pairs of one metric."""

    metric: str
    pairs: tuple[Pair, ...]
    positive: Side
    negative: Side

    @property
    def kinds(self) -> NDArray[np.str_]:
        """Return what each pair is: `rule` for plain ones not by hand, `plain` or `matched`."""
        return np.array(
            ["rule" if pair.how and pair.kind == "plain" else pair.kind for pair in self.pairs]
        )

    @property
    def groups(self) -> tuple[str, ...]:
        """Return what must stay on one side of a split, for each pair."""
        return tuple(pair.group for pair in self.pairs)


def gather(
    pairs: Iterable[Pair], encoder: Encoder, progress: Callable[[int], None] | None = None
) -> dict[str, Set]:
    """Encode all pairs, and return them by metric; pairs with an empty scope are left out."""
    found: dict[str, list[tuple[Pair, Features, Features]]] = {}
    for count, pair in enumerate(pairs, 1):
        body = pair.metric != "A2"
        good = encoder.features(pair.positive, body=body)
        bad = encoder.features(pair.negative, body=body)
        if all(pooled(one, scope) for one in (good, bad) for scope in SCOPES[pair.metric]):
            found.setdefault(pair.metric, []).append((pair, good, bad))
        if progress:
            progress(count)
    return {metric: _set(metric, rows) for metric, rows in sorted(found.items())}


def _set(metric: str, rows: Sequence[tuple[Pair, Features, Features]]) -> Set:
    good = Side(tuple(row[1] for row in rows), counts(metric, [row[0].positive for row in rows]))
    bad = Side(tuple(row[2] for row in rows), counts(metric, [row[0].negative for row in rows]))
    return Set(metric, tuple(row[0] for row in rows), good, bad)


def counts(metric: str, texts: Sequence[str]) -> dict[str, Matrix]:
    """Return the surface counts of what a metric sees of some skills."""
    seen = [scope_text(metric, text) for text in texts]
    return {name: np.array([count(one) for one in seen]) for name, count in SURFACE.items()}


def scope_text(metric: str, text: str) -> str:
    """Return what a metric sees of a skill."""
    skill = Skill(Text(text))
    return (skill.description or "") if metric == "A2" else text[skill.body.start :]


def pooled(features: Features, scope: Scope) -> Pooled | None:
    """Return the states of a scope."""
    return features.description if scope == "description" else features.body


def _column(features: Sequence[Features], term: Term) -> Matrix:
    rows: list[NDArray[np.float32]] = []
    for one in features:
        found = pooled(one, term.scope)
        assert found is not None
        rows.append(found.states[term.layer][term.pooling])
    return np.stack(rows).astype(np.float64)
