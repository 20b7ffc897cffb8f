"""How near a quantised backbone is to the same in torch with 32 bits: what `model parity` prints.

With directions for the model, the scores of each metric are compared; without, what 64 random
directions make of the mean states of each layer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer import reference
from skillgauge_scorer.bundle import Bundle, load_for
from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.models.store import Installed, Progress
from skillgauge_scorer.runtime import Tokens
from skillgauge_scorer.runtime import load as load_backbone

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

TEXTS: Final = 200
TOKENS: Final = 1024
DIRECTIONS: Final = 64
LEAST: Final = 3
"""Texts that an order can be told of."""
_SEED: Final = 7
_MAX_BYTES: Final = 1 << 20


class Reader(Protocol):
    """What turns tokens to states: a backbone, or the reference."""

    layers: tuple[int, ...]

    def encode(self, text: str) -> Tokens:
        """Return the tokens of a text."""
        ...

    def states(self, ids: NDArray[np.int64]) -> dict[int, Floats]:
        """Return the state of each token at each layer."""
        ...


def compare(
    model: Installed, folder: Path, texts: int, tokens: int, progress: Progress
) -> dict[str, Any]:
    """Return for each metric or layer how the scores of the texts in a folder agree."""
    sources = list(_sources(folder, texts))
    if len(sources) < LEAST:
        raise ScorerError(f"“{folder}” has {len(sources)} Markdown files, {LEAST} are needed")
    backbone = load_backbone(model)
    plain = reference.load(model, backbone.encode)
    bundle = _bundle(model)
    work = _scored(replace(bundle, max_tokens=tokens)) if bundle else _projected(tokens)
    found: tuple[list[Any], list[Any]] = ([], [])
    for at, source in enumerate(sources):
        progress("parity", at, len(sources))
        for reader, results in zip((backbone, plain), found, strict=True):
            results.append(work(cast("Reader", reader), source))
    progress("parity", len(sources), len(sources))
    rows = _by_metric(*found) if bundle else _by_layer(*found)
    return {
        "name": model.name,
        "texts": len(sources),
        "tokens": tokens,
        "of": "metric" if bundle else "layer",
        "rows": rows,
    }


def _sources(folder: Path, limit: int) -> Iterator[str]:
    """Yield texts of a folder, spread over it: the skills if there are any, else all Markdown."""
    paths = sorted(folder.rglob("SKILL.md")) or sorted(folder.rglob("*.md"))
    step = max(len(paths) / max(limit, 1), 1.0)
    for at in range(min(limit, len(paths))):
        data = paths[int(at * step)].read_bytes()[:_MAX_BYTES]
        text = data.decode("utf-8", "replace")
        if text.strip():
            yield text


def _bundle(model: Installed) -> Bundle | None:
    try:
        return load_for(model)
    except ScorerError:
        return None


def _scored(bundle: Bundle) -> Callable[[Reader, str], dict[str, float | None]]:
    from skillgauge_scorer.profile import profile
    from skillgauge_scorer.projection import Projector

    made: dict[int, Projector] = {}

    def work(reader: Reader, source: str) -> dict[str, float | None]:
        projector = made.setdefault(id(reader), Projector(cast("Any", reader), bundle))
        scores = profile(projector, source).scores
        return {code: score.z for code, score in scores.items()}

    return work


def _projected(tokens: int) -> Callable[[Reader, str], dict[int, Doubles]]:
    random = np.random.default_rng(_SEED)
    directions: dict[int, Doubles] = {}

    def work(reader: Reader, source: str) -> dict[int, Doubles]:
        ids = reader.encode(source).ids[:tokens]
        found: dict[int, Doubles] = {}
        for layer, states in reader.states(ids).items():
            # The first token is thousands of times as large as all others, and says nothing.
            mean = states[min(1, len(states) - 1) :].mean(axis=0, dtype=np.float64)
            if layer not in directions:
                directions[layer] = random.normal(size=(DIRECTIONS, len(mean)))
            found[layer] = directions[layer] @ mean
        return found

    return work


def _by_metric(
    found: Sequence[dict[str, float | None]], wanted: Sequence[dict[str, float | None]]
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for code in wanted[0]:
        pairs = [(left[code], right[code]) for left, right in zip(found, wanted, strict=True)]
        both = np.array([pair for pair in pairs if None not in pair], np.float64).reshape(-1, 2)
        if len(both) < LEAST:
            continue
        off = np.abs(both[:, 0] - both[:, 1])
        rows.append(
            {
                "metric": code,
                "texts": len(both),
                "spearman": spearman(both[:, 0], both[:, 1]),
                "mean_difference": float(off.mean()),
                "largest_difference": float(off.max()),
            }
        )
    return rows


def _by_layer(
    found: Sequence[dict[int, Doubles]], wanted: Sequence[dict[int, Doubles]]
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for layer in wanted[0]:
        left, right = (np.array([item[layer] for item in side]) for side in (found, wanted))
        spread = right.std(axis=0)
        off = np.abs(left - right) / np.where(spread > 0, spread, 1)
        orders = [spearman(left[:, at], right[:, at]) for at in range(DIRECTIONS)]
        rows.append(
            {
                "layer": layer,
                "texts": len(left),
                "spearman": float(np.median(orders)),
                "least_spearman": float(min(orders)),
                "mean_difference": float(off.mean()),
                "largest_difference": float(off.max()),
            }
        )
    return rows


def spearman(left: Doubles, right: Doubles) -> float:
    """Return the rank correlation; equal values share the mean of their ranks."""
    first, second = _ranks(left), _ranks(right)
    first, second = first - first.mean(), second - second.mean()
    size = float(np.sqrt((first @ first) * (second @ second)))
    return float(first @ second) / size if size else 0.0


def _ranks(values: Doubles) -> Doubles:
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[places]
