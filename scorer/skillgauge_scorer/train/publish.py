"""Writes fitted directions as a bundle, with how well each does and whether it is to be shown."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.bundle import Bundle, backbone_of, write
from skillgauge_scorer.models.store import Installed
from skillgauge_scorer.train.dataset import Term
from skillgauge_scorer.train.fit import Direction
from skillgauge_scorer.views import Mode

SUBSTANCE: Final = 0.70
"""The AUROC on keyword-matched pairs under which a metric is labelled `surface`."""


def publish(
    folder: Path,
    model: Installed,
    mode: Mode,
    directions: Mapping[str, Direction],
    figures: Mapping[str, Any],
    training: Mapping[str, Any],
    recipe: str,
    max_tokens: int,
) -> Bundle:
    """Write a bundle; `figures` is what `evaluate` returned, `training` describes the pairs."""
    metrics: dict[str, Any] = {}
    tensors: dict[str, NDArray[np.float32]] = {}
    for code, direction in directions.items():
        found = dict(figures.get(code, {}))
        terms: list[dict[str, Any]] = []
        width = len(direction.vector) // len(direction.choice.terms)
        for at, term in enumerate(direction.choice.terms):
            name = _name(code, term)
            tensors[name] = direction.vector[at * width :][:width].astype(np.float32)
            terms.append(
                {
                    "scope": term.scope,
                    "layer": term.layer,
                    "pooling": term.pooling,
                    "tensor": name,
                }
            )
        metrics[code] = {
            "terms": terms,
            "mu": direction.mu,
            "sigma": direction.sigma,
            "logistic": list(direction.logistic),
            "recipe": {
                "method": direction.choice.recipe.method,
                "shrinkage": direction.choice.recipe.shrinkage,
                "blend": direction.choice.recipe.blend,
                "apart": direction.choice.apart,
            },
            "confounds": list(direction.choice.confounds),
            "figures": found,
            "label": label(found),
            "shown": shown(found),
        }
    facts = {
        "backbone": backbone_of(model),
        "encoding": {"mode": mode, "max_tokens": max_tokens},
        "recipe": recipe,
        "training": dict(training),
        "metrics": metrics,
    }
    return write(folder, facts, tensors)


def _name(code: str, term: Term) -> str:
    return f"{code}.{term.scope}.{term.layer}.{term.pooling}"


def label(figures: Mapping[str, Any]) -> str:
    """Return whether a metric sees substance, by its figures on keyword-matched pairs.

    A metric without such pairs is judged by its plain ones: no count tells those apart.
    """
    found = figures.get("matched") or figures.get("plain")
    return "substance" if found and found["auroc"] >= SUBSTANCE else "surface"


def shown(figures: Mapping[str, Any]) -> bool:
    """Return whether a metric beats each baseline, in the mean over unseen pairs written by hand.

    Those are the contrast set's and, by directions that had not seen their author, the training
    pairs'. Pairs made by rule don't count: their negatives hold the rules' own phrases, which a
    count of words finds.
    """
    checked: Mapping[str, Any] = figures.get("cross-validated") or {}
    sources: tuple[Mapping[str, Any], ...] = (figures, checked)
    kinds: list[Mapping[str, Any]] = []
    for one in sources:
        kinds += [one[kind] for kind in ("plain", "matched") if kind in one]
    if not kinds:
        return False
    own = sum(kind["auroc"] for kind in kinds)
    names = kinds[0]["baselines"]
    best = max((sum(kind["baselines"][name] for kind in kinds) for name in names), default=0.0)
    return own > best
