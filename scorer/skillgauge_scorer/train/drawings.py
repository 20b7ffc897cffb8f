"""The plots of the training commands, by the names of their files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from skillgauge_scorer.train import plots
from skillgauge_scorer.train.background import Texts
from skillgauge_scorer.train.dataset import Side
from skillgauge_scorer.train.fit import Direction
from skillgauge_scorer.train.plots import Bar
from skillgauge_scorer.train.uplift import ALL, Table, held_out

_KINDS: Final = {"plain": "pairs", "matched": "keyword-matched pairs"}


def of_bundle(
    title: str, result: Mapping[str, Any], made: Mapping[str, Direction], texts: Texts
) -> dict[str, str]:
    """Return the plots of one bundle's evaluation."""
    stem = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    figures: Mapping[str, Any] = result["figures"]["metrics"]
    found: dict[str, str] = {}
    for measure, label, limits in (
        ("auroc", "AUROC, 95 % interval", (0.0, 1.0)),
        ("paired", "share of pairs in order, 95 % interval", (0.0, 1.0)),
        ("margin", "mean margin of a pair in z, 95 % interval", None),
    ):
        groups = {code: _bars(one, measure) for code, one in figures.items()}
        every = [bar for group in groups.values() for bar in group.values()]
        low = min((bar.low for bar in every), default=0.0)
        high = max((bar.high for bar in every), default=1.0)
        y = limits or (min(0.0, low * 1.05), max(0.1, high * 1.05))
        found[f"{stem}-{measure}.svg"] = plots.bars(title, label, groups, y)
    swept: Mapping[str, Sequence[Mapping[str, Any]]] = result["layers"]
    for kind, words in _KINDS.items():
        series = {
            code: [(float(one["layer"]), float(one[kind]["auroc"])) for one in rows if kind in one]
            for code, rows in swept.items()
        }
        series = {code: points for code, points in series.items() if points}
        if series:
            found[f"{stem}-layers-{kind}.svg"] = plots.lines(
                f"{title}: {words} by layer", ("layer", "AUROC"), series, (0.0, 1.0)
            )
    side = Side(texts.features, {})
    dots = {code: (texts.tokens, direction.z(side)) for code, direction in made.items()}
    found[f"{stem}-length.svg"] = plots.scatter(
        f"{title}: length and scores", ("tokens", "z"), dots
    )
    return found


def _bars(figures: Mapping[str, Any], measure: str) -> dict[str, Bar]:
    return {
        words: Bar(figures[kind][measure], *figures[kind][f"{measure}_interval"])
        for kind, words in _KINDS.items()
        if kind in figures
    }


def of_agreement(agreement: Mapping[str, Any]) -> dict[str, str]:
    """Return the plot of how far backbones agree."""
    title = "Agreement of backbones: mean Pearson r of z"
    return {"agreement.svg": plots.heat_map(title, agreement["names"], agreement["mean"])}


def of_uplift(table: Table) -> dict[str, str]:
    """Return the plots of scores and uplift."""
    scores = {code: (table.features[code], table.uplift) for code in table.metrics}
    guess = {"left-out family": (held_out(table, ALL), table.uplift)}
    tokens = {"skills": (table.features["tokens"], table.uplift)}
    return {
        "uplift-scores.svg": plots.scatter("Uplift by score", ("z", "uplift"), scores),
        "uplift-predicted.svg": plots.scatter(
            "Uplift foretold from all metrics", ("foretold", "measured"), guess
        ),
        "uplift-tokens.svg": plots.scatter("Uplift by length", ("tokens", "uplift"), tokens),
    }
