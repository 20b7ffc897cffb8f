"""A bundle: the directions that a backbone's states are projected on, and what they were fitted to.

Two files in one folder: `directions.safetensors` holds the vectors, `manifest.json` everything
else. Its id is a hash over both, so that equal ids mean equal scores.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.errors import ScorerError, of_disk
from skillgauge_scorer.models.store import Installed, root
from skillgauge_scorer.pooling import Pooling
from skillgauge_scorer.views import Mode, Scope

Floats = NDArray[np.float32]
Label = Literal["substance", "surface"]

SCHEMA: Final = 1
MANIFEST: Final = "manifest.json"
TENSORS: Final = "directions.safetensors"
SHIPPED: Final = Path(__file__).parent / "directions"
MAX_TOKENS: Final = 20_000
LINEAR: Final = frozenset({"mean", "normed"})
"""Poolings under which a score is the sum of what its tokens contribute."""
_MAX_MANIFEST: Final = 1 << 20
_MAX_TENSORS: Final = 1 << 26


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a metric's score: the pooled state of a scope at a layer, times a vector."""

    scope: Scope
    layer: int
    pooling: Pooling
    tensor: str
    vector: Floats


@dataclass(frozen=True, slots=True)
class Metric:
    """How a metric is computed, and how well that works."""

    code: str
    terms: tuple[Term, ...]
    mu: float
    sigma: float
    logistic: tuple[float, float]
    figures: Mapping[str, Any]
    label: Label
    shown: bool

    @property
    def linear(self) -> bool:
        """Whether a score is the sum of what its tokens contribute."""
        return all(term.pooling in LINEAR for term in self.terms)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The scopes that must not be empty for the metric to have a score."""
        return tuple(dict.fromkeys(term.scope for term in self.terms))

    def probability(self, z: float) -> float:
        """Return the fitted probability that a text with this score is of the better kind."""
        slope, shift = self.logistic
        return 1.0 / (1.0 + math.exp(-max(-500.0, min(500.0, slope * z + shift))))


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle in memory."""

    folder: Path
    id: str
    mode: Mode
    max_tokens: int
    metrics: Mapping[str, Metric]
    tensors: Mapping[str, Floats]
    manifest: Mapping[str, Any]

    @property
    def layers(self) -> tuple[int, ...]:
        """The layers whose states are asked for."""
        found = {term.layer for metric in self.metrics.values() for term in metric.terms}
        return tuple(sorted(found))


def backbone_of(model: Installed) -> dict[str, str]:
    """Return what tells a model from another, as a manifest has it."""
    source = cast("Mapping[str, Any]", model.manifest.get("source") or {})
    weights = source.get("gguf_sha256") or _weights(model)
    revision = source.get("revision") or source.get("version") or ""
    return {"name": model.name, "revision": str(revision), "gguf_sha256": str(weights)}


def _weights(model: Installed) -> str:
    """Return the hash of a model's largest file, which holds its weights."""
    entries = sorted(model.files.values(), key=lambda entry: int(entry["size"]))
    return str(entries[-1]["sha256"]) if entries else ""


def folder_for(name: str) -> Path:
    """Return where a model's directions lie: the user's own, else those that came along."""
    own = root() / "directions" / name
    return own if (own / MANIFEST).is_file() else SHIPPED / name


def load_for(model: Installed) -> Bundle:
    """Return the bundle of an installed model; ScorerError if there is none that fits it."""
    bundle = load(folder_for(model.name))
    check(bundle, model)
    return bundle


def load(folder: Path) -> Bundle:
    """Read and verify a bundle; ScorerError if anything about it is not as it was written."""
    manifest = _manifest(folder)
    tensors = _tensors(folder, manifest)
    try:
        encoding = manifest["encoding"]
        return Bundle(
            folder=folder,
            id=str(manifest["id"]),
            mode=_one_of(encoding["mode"], get_args(Mode)),
            max_tokens=int(encoding["max_tokens"]),
            metrics={
                str(code): _metric(str(code), facts, tensors)
                for code, facts in manifest["metrics"].items()
            },
            tensors=tensors,
            manifest=manifest,
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _broken(folder, f"{type(error).__name__} at {error}") from error


def check(bundle: Bundle, model: Installed) -> None:
    """Raise ScorerError unless a bundle was made for this model."""
    made, own = cast("Mapping[str, Any]", bundle.manifest.get("backbone") or {}), backbone_of(model)
    if made.get("name") != own["name"] or made.get("gguf_sha256") != own["gguf_sha256"]:
        raise ScorerError(
            f"The directions in “{bundle.folder}” were made for another model than “{model.name}”",
            how=f"Run `skillgauge model install {model.name} --again`, or train directions anew",
        )
    facts = cast("Mapping[str, Any]", model.manifest["backbone"])
    width, layers = facts.get("width"), list(cast("list[int]", facts.get("layers") or []))
    if missing := [layer for layer in bundle.layers if layer not in layers]:
        listed = ", ".join(map(str, missing))
        why = f"it has no layer {listed}"
        how = f"Run `skillgauge model install {model.name} --again`"
        raise ScorerError(f"The model “{model.name}” doesn't fit its directions", why, how)
    for metric in bundle.metrics.values():
        for term in metric.terms:
            if term.vector.shape != (width,):
                found = "×".join(map(str, term.vector.shape))
                raise _broken(bundle.folder, f"“{term.tensor}” has {found} numbers, not {width}")


def write(folder: Path, facts: Mapping[str, Any], tensors: Mapping[str, Floats]) -> Bundle:
    """Write a bundle, of which `facts` holds all but id, version and hashes, and read it back.

    Both files are replaced by renaming; a reader that comes between sees hashes that don't fit,
    never a mixture.
    """
    from safetensors.numpy import save

    data = save({name: np.ascontiguousarray(value, "<f4") for name, value in tensors.items()})
    files = {TENSORS: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}}
    manifest = {"schema_version": SCHEMA, "id": "", **facts, "files": files}
    manifest["id"] = _identity(manifest)
    text = json.dumps(manifest, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in ((TENSORS, data), (MANIFEST, text.encode())):
            draft = folder / f".new-{os.getpid()}-{name}"
            draft.write_bytes(content)
            os.replace(draft, folder / name)
    except OSError as error:
        raise of_disk(error, str(folder)) from error
    return load(folder)


def _identity(manifest: Mapping[str, Any]) -> str:
    rest = {key: value for key, value in manifest.items() if key != "id"}
    text = json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        data = (folder / MANIFEST).read_bytes()
    except FileNotFoundError:
        raise ScorerError(
            f"There are no directions for the model “{folder.name}”",
            how="Train them with `skillgauge train fit`, or use the default model",
        ) from None
    except OSError as error:
        raise of_disk(error, str(folder)) from error
    try:
        value: object = json.loads(data) if len(data) <= _MAX_MANIFEST else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise _broken(folder, "its manifest can't be read")
    manifest = cast("dict[str, Any]", value)
    if manifest.get("schema_version") != SCHEMA:
        raise _broken(folder, "another version of Skillgauge wrote it")
    if manifest.get("id") != _identity(manifest):
        raise _broken(folder, "its manifest was changed")
    return manifest


def _tensors(folder: Path, manifest: Mapping[str, Any]) -> dict[str, Floats]:
    try:
        entry = manifest["files"][TENSORS]
        wanted, size = entry["sha256"], int(entry["size"])
    except (KeyError, TypeError, ValueError):
        raise _broken(folder, f"its manifest doesn't list {TENSORS}") from None
    try:
        with open(folder / TENSORS, "rb") as file:
            data = file.read(_MAX_TENSORS + 1)
    except FileNotFoundError:
        raise _broken(folder, f"{TENSORS} is missing") from None
    except OSError as error:
        raise of_disk(error, str(folder)) from error
    if len(data) != size or hashlib.sha256(data).hexdigest() != wanted:
        raise _broken(folder, f"{TENSORS} is not the file that was written")
    try:
        from safetensors.numpy import load as parse
    except ImportError:
        raise _library("safetensors") from None
    try:
        found = parse(data)
    except Exception as error:  # the library raises its own and plain ones
        raise _broken(folder, f"{TENSORS} can't be read ({error})") from error
    return {name: np.asarray(value, np.float32) for name, value in found.items()}


def _metric(code: str, facts: Mapping[str, Any], tensors: Mapping[str, Floats]) -> Metric:
    slope, shift = facts["logistic"]
    made = Metric(
        code=code,
        terms=tuple(_term(item, tensors) for item in facts["terms"]),
        mu=float(facts["mu"]),
        sigma=float(facts["sigma"]),
        logistic=(float(slope), float(shift)),
        figures=dict(facts.get("figures") or {}),
        label=_one_of(facts.get("label", "substance"), get_args(Label)),
        shown=bool(facts.get("shown", True)),
    )
    numbers = (made.mu, made.sigma, *made.logistic)
    if not made.terms or not made.sigma > 0 or not all(map(math.isfinite, numbers)):
        raise ValueError(f"“{code}”: no terms, or numbers that can't be")
    return made


def _term(facts: Mapping[str, Any], tensors: Mapping[str, Floats]) -> Term:
    name = str(facts["tensor"])
    vector = tensors[name]
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise ValueError(f"“{name}” is no vector of numbers")
    return Term(
        _one_of(facts["scope"], get_args(Scope)),
        int(facts["layer"]),
        _one_of(facts["pooling"], get_args(Pooling)),
        name,
        vector,
    )


def _one_of(value: Any, known: Iterable[Any]) -> Any:
    if value not in tuple(known):
        raise ValueError(f"“{value}”")
    return value


def _broken(folder: Path, why: str) -> ScorerError:
    how = "Install Skillgauge again, or train these directions anew"
    return ScorerError(f"The directions in “{folder}” can't be used", why, how)


def _library(name: str) -> ScorerError:
    how = "Run `pip install 'skillgauge[cpu]'`, or with a CUDA device 'skillgauge[gpu]'"
    return ScorerError(f"The scorer needs what is not installed: {name}", how=how)
