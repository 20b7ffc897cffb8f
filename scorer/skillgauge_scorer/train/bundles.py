"""What ties bundles to training: a bundle's directions to evaluate, and what its pairs were."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from skillgauge import __version__
from skillgauge_scorer.bundle import Bundle
from skillgauge_scorer.train.dataset import Term
from skillgauge_scorer.train.fit import Choice, Direction
from skillgauge_scorer.train.pairs import Pair
from skillgauge_scorer.train.solve import Recipe


def training_set(name: str, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return what a manifest says of the pairs that directions were fitted on."""
    data = json.dumps([asdict(pair) for pair in pairs], ensure_ascii=False, sort_keys=True)
    return {
        "name": name,
        "pairs": len(pairs),
        "groups": len({pair.group for pair in pairs}),
        "sha256": hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest(),
        "code": __version__,
    }


def directions(found: Bundle) -> dict[str, Direction]:
    """Return the directions of a bundle as they were fitted."""
    made: dict[str, Direction] = {}
    for code, metric in found.metrics.items():
        facts: Mapping[str, Any] = found.manifest["metrics"][code]
        terms = tuple(Term(term.scope, term.layer, term.pooling) for term in metric.terms)
        made_by: Mapping[str, Any] = facts.get("recipe") or {}
        recipe = Recipe(
            made_by.get("method", "whitened"),
            float(made_by.get("shrinkage", 0.3)),
            float(made_by.get("blend", 0.0)),
        )
        confounds = tuple(facts.get("confounds") or ())
        choice = Choice(terms, recipe, confounds, bool(made_by.get("apart")))
        vector = np.concatenate([term.vector for term in metric.terms]).astype(np.float64)
        made[code] = Direction(choice, vector, metric.mu, metric.sigma, metric.logistic)
    return made
