"""What `train fit`, `train evaluate` and `train uplift` do, from files to values and plots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from skillgauge_scorer.bundle import MAX_TOKENS, Bundle
from skillgauge_scorer.errors import ScorerError, of_disk
from skillgauge_scorer.models.store import root
from skillgauge_scorer.train import drawings, examine
from skillgauge_scorer.train.background import STRIPPED, Texts, gather_texts
from skillgauge_scorer.train.baselines import structure
from skillgauge_scorer.train.bundles import directions, training_set
from skillgauge_scorer.train.dataset import Set, Side
from skillgauge_scorer.train.evaluate import evaluate as figures_of
from skillgauge_scorer.train.fit import Direction
from skillgauge_scorer.train.pairs import Pair
from skillgauge_scorer.train.publish import publish
from skillgauge_scorer.train.recipes import Name
from skillgauge_scorer.train.search import search
from skillgauge_scorer.train.solve import Matrix
from skillgauge_scorer.train.states import Features
from skillgauge_scorer.train.study import (
    Progress,
    Reader,
    bundle_of,
    contrast_pairs,
    encoded,
    reader,
    training_pairs,
    without,
)
from skillgauge_scorer.train.uplift import Row, Table, analyse, read_table, weights
from skillgauge_scorer.views import Mode

_MODES: Final[dict[Name, Mode]] = {"default": "sections", "paper": "full"}
"""How skills are read under a recipe: the paper reads them whole."""
_MAX_TEXT: Final = 8_000_000


def fit(params: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
    """Fit directions on pairs, and write a bundle."""
    recipe: Name = "paper" if params.get("recipe") == "paper" else "default"
    every, gone = training_pairs(str(params["pairs"]), str(params.get("written") or ""))
    test = contrast_pairs(str(params.get("contrast") or ""))
    pairs, seen = without(every, test)
    mode = _MODES[recipe]
    reads = reader(str(params.get("model") or ""), str(params.get("states") or ""), mode)
    data = encoded(pairs, reads.encoder, "encode", progress)
    texts = _texts(pairs, reads, progress, formatting=True)
    found = search(
        data, texts, recipe, reads.layers, lambda done, total: progress("fit", done, total)
    )
    if not found:
        raise ScorerError("The pairs are of one group only", how="Take skills of more repositories")
    fitted = {metric: one.direction for metric, one in found.items()}
    checked: dict[str, Any] = {}
    if test:
        held = encoded(test, reads.encoder, "validate", progress)
        checked = figures_of(fitted, data, held)["metrics"]
    figures = {
        metric: {**checked.get(metric, one.figures), "cross-validated": one.figures}
        for metric, one in found.items()
    }
    folder = Path(str(params.get("out") or root() / "directions" / reads.model.name))
    training = {
        **training_set(Path(str(params["pairs"])).name, pairs),
        "left_out": gone + seen,
        "validated_on": len(test) if test else "folds of the training pairs",
    }
    made = publish(folder, reads.model, mode, fitted, figures, training, recipe, MAX_TOKENS)
    return {
        "model": reads.model.name,
        "out": str(folder),
        "bundle": made.id,
        "recipe": recipe,
        "training": training,
        "metrics": _metrics(made),
    }


def _texts(pairs: list[Pair], reads: Reader, progress: Progress, *, formatting: bool) -> Texts:
    return gather_texts(
        pairs,
        reads.encoder,
        lambda done, total: progress("confounds", done, total),
        STRIPPED if formatting else 0,
    )


def _metrics(made: Bundle) -> dict[str, Any]:
    """Return how each metric of a bundle is made, and how good its makers found it."""
    found: dict[str, Any] = {}
    for code, metric in made.metrics.items():
        facts: Mapping[str, Any] = made.manifest["metrics"][code]
        found[code] = {
            "layers": sorted({term.layer for term in metric.terms}),
            "poolings": sorted({term.pooling for term in metric.terms}),
            "recipe": facts.get("recipe"),
            "confounds": facts.get("confounds"),
            "figures": metric.figures,
            "label": metric.label,
            "shown": metric.shown,
        }
    return found


@dataclass(frozen=True, slots=True)
class _Material:
    """What one model is evaluated with."""

    test: dict[str, Set]
    train: dict[str, Set]
    texts: Texts


def evaluate(params: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
    """Evaluate the directions of one bundle or more."""
    test = contrast_pairs(str(params.get("contrast") or ""))
    if not test:
        raise ScorerError("There is no contrast set", how="Name its folder with --contrast")
    given, written = str(params.get("pairs") or ""), str(params.get("written") or "")
    gone = 0
    train: list[Pair] = []
    if given or written:
        every, gone = training_pairs(given, written)
        train, seen = without(every, test)
        gone += seen
    chosen = [("", str(one)) for one in params.get("directions") or ()]
    chosen += [(str(one), "") for one in params.get("models") or ()]
    results: list[dict[str, Any]] = []
    scores: dict[str, dict[str, Matrix]] = {}
    pictures: dict[str, str] = {}
    for name, folder in chosen or [("", "")]:
        model, found = bundle_of(name, folder)
        reads = reader(model, str(params.get("states") or ""), found.mode)
        held = encoded(test, reads.encoder, "encode", progress)
        data = encoded(train, reads.encoder, "encode training", progress) if train else {}
        made = directions(found)
        formatting = any("formatting" in one.choice.confounds for one in made.values())
        texts = _texts(train or test, reads, progress, formatting=formatting and bool(train))
        material = _Material(held, data, texts)
        title = f"{model} {found.id[:6]}"
        results.append(_evaluated(model, found, made, material, reads, progress))
        scores[title] = {
            code: np.concatenate([made[code].z(one.positive), made[code].z(one.negative)])
            for code, one in held.items()
            if code in made
        }
        pictures |= drawings.of_bundle(title, results[-1], made, texts)
    agreement = examine.agreement(scores) if len(scores) > 1 else None
    if agreement:
        pictures |= drawings.of_agreement(agreement)
    return {
        "pairs": {"contrast": len(test), "training": len(train), "left_out": gone},
        "bundles": results,
        "agreement": agreement,
        "plots": _drawn(params, pictures),
    }


def _evaluated(
    model: str,
    found: Bundle,
    made: Mapping[str, Direction],
    material: _Material,
    reads: Reader,
    progress: Progress,
) -> dict[str, Any]:
    layers: dict[str, Any] = {}
    poolings: dict[str, Any] = {}
    lengths: dict[str, Any] = {}
    for done, (code, direction) in enumerate(made.items()):
        progress("sweep", done, len(made))
        lengths[code] = {"finished": examine.length_of(direction, material.texts)}
        train, test = material.train.get(code), material.test.get(code)
        if train is None:
            continue
        lengths[code] |= examine.length(train, direction, material.texts)
        if test is None:
            continue
        background = material.texts.background(code)
        layers[code] = examine.by_layer(train, test, direction, background, reads.layers)
        poolings[code] = examine.by_pooling(train, test, direction, background)
    progress("sweep", len(made), len(made))
    return {
        "model": model,
        "bundle": found.id,
        "recipe": found.manifest.get("recipe"),
        "metrics": _metrics(found),
        "figures": figures_of(made, material.train, material.test),
        "layers": layers,
        "poolings": poolings,
        "length": {"texts": len(material.texts.texts), "metrics": lengths},
    }


def uplift(params: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
    """Compare the scores of measured skills with their uplift."""
    rows = read_table(Path(str(params["table"])))
    model, found = bundle_of(str(params.get("model") or ""), str(params.get("directions") or ""))
    reads = reader(model, str(params.get("states") or ""), found.mode)
    place = Path(str(params["skills"]))
    if not place.is_dir():
        raise ScorerError(f"The folder “{place}” does not exist")
    kept: list[Row] = []
    texts: list[str] = []
    features: list[Features] = []
    missing, empty = 0, 0
    for done, row in enumerate(rows):
        progress("encode", done, len(rows))
        text = _skill(place, row.skill)
        if text is None:
            missing += 1
            continue
        one = reads.encoder.features(text, most=found.max_tokens)
        if one.description is None or one.body is None:
            empty += 1
            continue
        kept.append(row)
        texts.append(text)
        features.append(one)
    progress("encode", len(rows), len(rows))
    table = table_of(kept, texts, features, directions(found))
    result = analyse(table)
    pictures = drawings.of_uplift(table)
    return {
        "model": model,
        "bundle": found.id,
        "missing": missing,
        "empty": empty,
        **result,
        "plots": _drawn(params, pictures),
    }


def table_of(
    rows: list[Row], texts: list[str], features: list[Features], made: Mapping[str, Direction]
) -> Table:
    """Return measured skills with their scores and the baselines."""
    if not rows:
        raise ScorerError("None of the measured skills could be read")
    side = Side(tuple(features), {})
    columns = {code: direction.z(side) for code, direction in made.items()}
    columns["structure"] = np.array([structure(text) for text in texts])
    columns["tokens"] = np.array([one.tokens for one in features], np.float64)
    return Table(
        tuple(row.family for row in rows),
        np.array([row.uplift for row in rows]),
        weights(rows),
        columns,
    )


def _skill(place: Path, name: str) -> str | None:
    path = place / name
    try:
        if path.is_dir():
            path = path / "SKILL.md"
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            return file.read(_MAX_TEXT)
    except (OSError, ValueError):
        return None


def _drawn(params: Mapping[str, Any], pictures: Mapping[str, str]) -> list[str]:
    """Write pictures into the folder that a request names, if it does; return their paths."""
    if not params.get("plots"):
        return []
    folder = Path(str(params["plots"]))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, picture in pictures.items():
            (folder / name).write_text(picture, encoding="utf-8")
    except OSError as error:
        raise of_disk(error, str(folder)) from error
    return [str(folder / name) for name in pictures]
