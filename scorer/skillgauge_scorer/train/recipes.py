"""Which ways to make a direction are tried; cross-validation chooses among them, per metric.

`paper` is the configuration of the SkillEval paper: one layer in the middle, the mean of a scope
(the last token for D1), the mean difference, blind to formatting and to length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, Literal, get_args

from skillgauge_scorer.pooling import Pooling
from skillgauge_scorer.train.dataset import SCOPES, Term
from skillgauge_scorer.train.fit import Choice, with_layers
from skillgauge_scorer.train.solve import Recipe

Name = Literal["default", "paper"]
NAMES: Final[tuple[Name, ...]] = get_args(Name)
MIDDLE: Final = 2 / 3
"""Where the paper's layer is, the middle of a backbone: exports end at three quarters of it."""
_METHODS: Final = (
    Recipe("whitened", 0.1, 0.9),
    Recipe("whitened", 0.3, 0.9),
    Recipe("whitened", 0.3, 0.5),
    Recipe("whitened", 0.5),
    Recipe("logistic", 1.0),
    Recipe("mean"),
)
_JOINED: Final = 3
"""How many of the last layers are joined."""
CONFOUNDS: Final = (
    "length",
    "formatting",
    "headings",
    "numbered lines",
    "code spans",
    "fences",
    "digits",
    "failure words",
    "trigger words",
    "sequence words",
)
"""What every direction is made blind to."""


def candidates(name: Name, metric: str, layers: Sequence[int]) -> Iterator[Choice]:
    """Yield the choices of a recipe for a metric, of the layers that a backbone returns."""
    if name == "paper":
        layer = min(layers, key=lambda layer: (abs(layer - MIDDLE * max(layers)), layer))
        pooling: Pooling = "last" if metric == "D1" else "mean"
        yield _choice(metric, layer, pooling, Recipe("mean"), ("formatting", "length"))
        return
    last = tuple(layers)[-_JOINED:]
    for recipe in _METHODS:
        for layer in layers:
            yield _choice(metric, layer, "mean", recipe, CONFOUNDS)
        single = _choice(metric, last[0], "mean", recipe, CONFOUNDS)
        yield replace(with_layers(metric, single, last), apart=True)


def _choice(
    metric: str, layer: int, pooling: Pooling, recipe: Recipe, confounds: tuple[str, ...]
) -> Choice:
    terms = tuple(Term(scope, layer, pooling) for scope in SCOPES[metric])
    return Choice(terms, recipe, confounds)
