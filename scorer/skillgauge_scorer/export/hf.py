"""Exports a checkpoint of the Llama family to ONNX: a folder, or a name of the Hugging Face hub.

This and `reference` alone import torch and transformers, and only when they are called.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, cast

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.export.checkpoint import Checkpoint
from skillgauge_scorer.export.decoder import read
from skillgauge_scorer.export.gguf import TOKENIZER, write

LIBRARIES: Final = ("torch", "transformers", "safetensors")
_REPOSITORY: Final = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_WANTED: Final = ("*.json", "*.safetensors", "*.model", "*.txt")
_SHARES: Final = (0.25, 0.33, 0.4, 0.47, 0.53, 0.6, 0.67, 0.7, 0.75)
"""Where in the depth of a model the layers lie that are kept unless others are asked for."""


def library() -> Any:
    """Return `transformers`, told to keep to itself: the process's errors are read by a person."""
    found: Any = import_module("transformers")
    found.utils.logging.set_verbosity_error()
    found.utils.logging.disable_progress_bar()
    return found


def need() -> None:
    """Raise ScorerError unless what reads checkpoints is installed."""
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        listed = ", ".join(missing)
        how = "Run `pip install 'skillgauge[train]'`"
        raise ScorerError(f"Checkpoints need what is not installed: {listed}", how=how)


def locate(given: str) -> tuple[Path, dict[str, str]]:
    """Return the folder of a checkpoint, fetched where it is a name, and what tells where from."""
    folder = Path(given)
    if folder.is_dir():
        return folder, {"folder": str(folder.resolve())}
    if not _REPOSITORY.fullmatch(given):
        raise ScorerError(f"“{given}” is no folder, and no name of a model such as OWNER/NAME")
    return fetched(given, None)


def fetched(repository: str, revision: str | None) -> tuple[Path, dict[str, str]]:
    """Return the local copy of a repository, fetched unless it is there; the library resumes."""
    hub: Any = import_module("huggingface_hub")
    try:
        place = hub.snapshot_download(repository, revision=revision, allow_patterns=list(_WANTED))
    except Exception as error:  # the library has a dozen kinds
        lines = str(error).strip().splitlines() or [type(error).__name__]
        how = "Try again with a network, `huggingface-cli login`, or give a folder"
        raise ScorerError(
            f"“{repository}” could not be fetched", lines[0].rstrip("."), how
        ) from error
    return Path(place), {"repository": repository, "revision": Path(place).name}


def export(
    folder: Path,
    target: Path,
    layers: Sequence[int] | None,
    bits: int,
    progress: Callable[[int, int], None],
) -> dict[str, Any]:
    """Write the backbone of a checkpoint into a folder, and return what the runtime has to know."""
    source = Checkpoint(folder, bits)
    # Checkpoints turn halves of a head; only GGUF files of Llama have neighbours side by side.
    decoder = replace(read(source), interleaved=False)
    text = tokenizer(folder)
    facts = write(source, decoder, target, layers or usual_layers(decoder.blocks), progress)
    (target / TOKENIZER).write_text(text, encoding="utf-8")
    return facts


def usual_layers(blocks: int) -> list[int]:
    """Return the layers that are kept of a model with that many blocks."""
    return sorted({round(blocks * share) for share in _SHARES})


def tokenizer(folder: Path) -> str:
    """Return a checkpoint's tokenizer as JSON, for which control tokens are plain text."""
    try:
        loaded: Any = library().AutoTokenizer.from_pretrained(str(folder), use_fast=True)
        made: dict[str, Any] = json.loads(loaded.backend_tokenizer.to_str())
    except Exception as error:  # the library has many kinds
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise ScorerError(f"“{folder}” has no usable tokenizer", lines[0].rstrip(".")) from error
    made["post_processor"] = made["truncation"] = made["padding"] = None
    added = cast("list[dict[str, Any]]", made.get("added_tokens") or [])
    made["added_tokens"] = [
        token for token in added if not (token["special"] or str(token["content"])[:1] == "<")
    ]
    return json.dumps(made, ensure_ascii=False)
