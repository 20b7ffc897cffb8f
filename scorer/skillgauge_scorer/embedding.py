"""Descriptions as vectors, so that those of two skills can be compared.

The mean state of a description at a middle layer, less what all descriptions have in common: their
mean, and the few axes along which they differ most, which are length and style.

`python -m skillgauge_scorer.embedding FOLDER` fits it anew on the skills below a folder.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.bundle import SHIPPED, backbone_of, folder_for
from skillgauge_scorer.models.store import Installed
from skillgauge_scorer.runtime import Backbone
from skillgauge_scorer.views import LEAD

Floats = NDArray[np.float32]

FILE: Final = "embedding.safetensors"
LAYER: Final = 12
AXES: Final = 2
SAME: Final = 0.60
"""The cosine from which on two descriptions are taken for the same, whatever their words."""
APART: Final = 0.50
"""The cosine below which two are taken for different, however many words they share."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """How states become vectors that can be compared."""

    layer: int
    mean: Floats
    axes: Floats
    same: float
    apart: float

    def clean(self, states: Floats) -> Floats:
        """Return states, a row each, as vectors of length 1."""
        rest = states - self.mean
        rest = rest - (rest @ self.axes.T) @ self.axes
        return rest / np.maximum(np.linalg.norm(rest, axis=-1, keepdims=True), 1e-6)


def fit(states: Floats, layer: int = LAYER, axes: int = AXES) -> Embedding:
    """Return an embedding for the states of many descriptions, a row each."""
    mean = states.mean(axis=0)
    found = np.linalg.svd(states - mean, full_matrices=False)[2][:axes]
    return Embedding(layer, mean.astype(np.float32), found.astype(np.float32), SAME, APART)


def load_for(model: Installed) -> Embedding | None:
    """Return a model's embedding, None if there is none that was fitted to it."""
    safetensors: Any = import_module("safetensors")  # its types are unknown in part
    path = folder_for(model.name) / FILE
    if not path.is_file():
        path = SHIPPED / model.name / FILE
    try:
        with safetensors.safe_open(path, "np") as file:
            facts = cast("Mapping[str, str]", file.metadata() or {})
            if facts.get("gguf_sha256") != backbone_of(model)["gguf_sha256"]:
                return None
            mean = np.asarray(file.get_tensor("mean"), np.float32)
            axes = np.asarray(file.get_tensor("axes"), np.float32)
        if axes.ndim != 2 or mean.shape != axes.shape[1:]:
            return None
        return Embedding(
            int(facts["layer"]), mean, axes, float(facts["same"]), float(facts["apart"])
        )
    except (OSError, safetensors.SafetensorError, KeyError, ValueError):
        return None


def write(folder: Path, embedding: Embedding, model: Installed) -> Path:
    """Write an embedding where `load_for` finds it."""
    from safetensors.numpy import save

    facts = {
        "gguf_sha256": backbone_of(model)["gguf_sha256"],
        "layer": str(embedding.layer),
        "same": str(embedding.same),
        "apart": str(embedding.apart),
    }
    folder.mkdir(parents=True, exist_ok=True)
    data = save({"mean": embedding.mean, "axes": embedding.axes}, facts)
    (folder / FILE).write_bytes(data)
    return folder / FILE


def state_of(backbone: Backbone, layer: int, name: str, description: str) -> Floats | None:
    """Return the mean state of a description, None for an empty one."""
    head = f"{LEAD}{name or 'unnamed'}\n"
    tokens = backbone.encode(f"{head}{description}\n\n")
    inside = (tokens.ends > len(head)) & (tokens.starts < len(head) + len(description))
    chosen = np.flatnonzero(inside)[: backbone.context // 2]
    if not len(chosen):
        return None
    states = backbone.states(tokens.ids[: chosen[-1] + 1])[layer]
    return states[chosen].mean(axis=0)


def alike(vectors: Sequence[Floats | None], least: float) -> list[tuple[int, int, float]]:
    """Return the pairs of vectors whose cosine is at least so much, the most alike first."""
    known = [at for at, vector in enumerate(vectors) if vector is not None]
    if len(known) < 2:
        return []
    table = np.stack([vector for vector in vectors if vector is not None])
    found: list[tuple[int, int, float]] = []
    for row in range(len(known) - 1):  # a row at a time: all at once is much memory for thousands
        values = table[row + 1 :] @ table[row]
        found += [
            (known[row], known[row + 1 + int(at)], round(float(values[at]), 3))
            for at in np.flatnonzero(values >= least)
        ]
    return sorted(found, key=lambda item: (-item[2], item[0], item[1]))


def main(words: Sequence[str]) -> int:
    """Fit the default model's embedding on the skills below a folder, and write it."""
    from skillgauge.document.skill import load_skill
    from skillgauge_scorer.models import DEFAULT, store
    from skillgauge_scorer.runtime import load

    model = store.load(DEFAULT)
    backbone = load(model)
    states: list[Any] = []
    for path in sorted(Path(words[0]).rglob("SKILL.md")):
        skill = load_skill(path)
        if skill.name and skill.description:
            states.append(state_of(backbone, LAYER, skill.name, skill.description))
    found = np.stack([state for state in states if state is not None])
    print(write(SHIPPED / DEFAULT, fit(found), model), len(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
