"""What the training requests share: a model with its encoder, and pairs read, sifted, encoded."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from skillgauge_scorer import bundle
from skillgauge_scorer.bundle import Bundle
from skillgauge_scorer.errors import ScorerError, of_disk
from skillgauge_scorer.models import DEFAULT, store
from skillgauge_scorer.models.install import need_libraries
from skillgauge_scorer.models.store import Installed
from skillgauge_scorer.train import pairs as pair_files
from skillgauge_scorer.train.dataset import Set, gather
from skillgauge_scorer.train.pairs import Pair
from skillgauge_scorer.train.splits import apart, unseen
from skillgauge_scorer.train.states import Encoder
from skillgauge_scorer.train.written import read_folder
from skillgauge_scorer.views import Mode

Progress = Callable[[str, int, int], None]

CONTRAST: Final = Path(__file__).parents[2] / "contrast"
"""The contrast set, where this runs from a checkout; it is no part of the package."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A model that reads skills, with what it has read on disk."""

    model: Installed
    encoder: Encoder
    layers: tuple[int, ...]


def reader(name: str, states: str, mode: Mode) -> Reader:
    """Load a model, with the file that keeps its states."""
    from skillgauge_scorer.runtime import load

    need_libraries()
    model = store.load(name or DEFAULT)
    backbone = load(model)
    known = json.dumps([bundle.backbone_of(model), backbone.layers, mode], sort_keys=True)
    path = Path(states or store.root() / "states") / f"{model.name}.sqlite"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise of_disk(error, str(path.parent)) from error
    return Reader(model, Encoder(path, backbone, known, mode), backbone.layers)


def bundle_of(name: str, folder: str) -> tuple[str, Bundle]:
    """Return a bundle and the name of its model: from a folder, else what the model has."""
    if folder:
        found = bundle.load(Path(folder))
        made: Mapping[str, Any] = found.manifest.get("backbone") or {}
        own = str(made.get("name") or DEFAULT)
        bundle.check(found, store.load(own))
        return own, found
    need_libraries()
    model = store.load(name or DEFAULT)
    return model.name, bundle.load_for(model)


def training_pairs(path: str, written: str) -> tuple[list[Pair], int]:
    """Return the pairs to learn from, and how many were left out for they resemble others.

    Those written by hand come first: of two that resemble each other across folds, the first stays.
    """
    found: list[Pair] = []
    if written:
        found += written_pairs(Path(written))
    if path:
        if not Path(path).is_file():
            how = "Make one with `skillgauge train pairs`"
            raise ScorerError(f"The file of pairs “{path}” does not exist", how=how)
        found += pair_files.read(Path(path))
    if not found:
        raise ScorerError("There are no pairs to learn from")
    return apart(dict.fromkeys(found))


def contrast_pairs(folder: str) -> list[Pair]:
    """Return the pairs to validate on; none where no folder is named and the project's is away."""
    if folder:
        return written_pairs(Path(folder))
    return read_folder(CONTRAST) if CONTRAST.is_dir() else []


def written_pairs(folder: Path) -> list[Pair]:
    """Return the pairs of a folder that must hold some."""
    if not folder.is_dir():
        raise ScorerError(f"The folder “{folder}” does not exist")
    if not (found := read_folder(folder)):
        raise ScorerError(f"The folder “{folder}” holds no pairs")
    return found


def without(pairs: Sequence[Pair], held_out: Sequence[Pair]) -> tuple[list[Pair], int]:
    """Return the pairs that resemble none of those held out; ScorerError if none is left."""
    kept, gone = unseen(pairs, held_out)
    if not kept:
        raise ScorerError("All pairs to learn from resemble those to validate on")
    return kept, gone


def encoded(
    pairs: Sequence[Pair], encoder: Encoder, step: str, progress: Progress
) -> dict[str, Set]:
    """Encode pairs, and return them by metric."""
    progress(step, 0, len(pairs))
    return gather(pairs, encoder, lambda done: progress(step, done, len(pairs)))
