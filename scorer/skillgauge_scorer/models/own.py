"""Exports a checkpoint of the user's own, and puts it among the installed models."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from skillgauge_scorer.errors import ScorerError, of_disk
from skillgauge_scorer.models import MODELS
from skillgauge_scorer.models.install import EXPORTER, need_libraries, try_out
from skillgauge_scorer.models.store import (
    Installed,
    Progress,
    load,
    put,
    root,
    sweep,
    write_manifest,
)
from skillgauge_scorer.models.wheel import need

BITS: Final = (4, 8)
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def export(
    given: str,
    progress: Progress,
    *,
    called: str | None = None,
    bits: int = 4,
    layers: Sequence[int] | None = None,
    again: bool = False,
) -> Installed:
    """Export a folder, or a model of the hub, and return what is installed."""
    from skillgauge_scorer.export import hf

    need_libraries()
    hf.need()
    if bits not in BITS:
        raise ScorerError(f"A model is exported with 4 or 8 bits, not {bits}")
    name = _name(given, called, bits, again)
    source, origin = hf.locate(given)
    folder = root()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        sweep()
        need(folder, _size(source, bits))
        with tempfile.TemporaryDirectory(prefix=".build-", dir=folder) as scratch:
            built = Path(scratch, name)
            built.mkdir()
            backbone = hf.export(source, built, layers, bits, _told(progress))
            try_out(name, built, backbone)
            write_manifest(built, name, {**_facts(source, origin, bits), "backbone": backbone})
            put(built, name)
    except OSError as error:
        raise of_disk(error, error.filename or str(folder)) from error
    return load(name)


def _name(given: str, called: str | None, bits: int, again: bool) -> str:
    last = re.split(r"[/\\]", given.rstrip("/\\"))[-1].lower()
    usual = re.sub(r"[^a-z0-9._-]+", "-", last).strip("-._") or "model"
    name = f"{usual}-int{bits}" if called is None else called
    if not _NAME.fullmatch(name) or name in MODELS:
        raise ScorerError(
            f"“{name}” can't be the name of an exported model", how="Choose with --name"
        )
    if not again and (root() / name).exists():
        raise ScorerError(f"The model “{name}” is there already", how="Give --again or --name")
    return name


def _size(source: Path, bits: int) -> int:
    """Return at most what an export takes, of numbers of 16 bits: blocks have 2 bits more."""
    weights = sum(path.stat().st_size for path in source.glob("*.safetensors"))
    return weights * (bits + 2) // 16 + (64 << 20)


def _told(progress: Progress) -> Callable[[int, int], None]:
    return lambda done, total: progress("convert", done, total)


def _facts(source: Path, origin: dict[str, str], bits: int) -> dict[str, object]:
    licences = [name for name in ("LICENSE", "LICENSE.txt") if (source / name).is_file()]
    return {
        "title": origin.get("repository") or source.name,
        "licence": f"see its {licences[0]}" if licences else "its own",
        "exporter": EXPORTER,
        "bits": bits,
        "source": origin,
    }
