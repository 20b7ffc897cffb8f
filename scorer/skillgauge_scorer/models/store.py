"""The folder of installed models: what is there, whether it is whole, and how to remove it.

A model is a folder with a `manifest.json` that has the size and hash of every other file. It
comes into being by one rename, so a folder without a manifest was not made here.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from skillgauge_scorer.errors import ScorerError, of_disk

SCHEMA: Final = 1
MANIFEST: Final = "manifest.json"
MAX_MANIFEST: Final = 1024 * 1024
STALE: Final = 6 * 3600.0
"""Seconds after which a folder of an installation that was killed is swept away."""
_PIECE: Final = 1 << 20
_TRIES: Final = 5

Progress = Callable[[str, int, int], None]
"""Told (step, done, total), in bytes; a total of 0 is unknown."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A model on disk, as its manifest has it."""

    folder: Path
    manifest: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return str(self.manifest["name"])

    @property
    def files(self) -> dict[str, dict[str, Any]]:
        """Return the size and hash of each file, by name."""
        return cast("dict[str, dict[str, Any]]", self.manifest["files"])

    @property
    def size(self) -> int:
        """Return the bytes of all files."""
        return sum(int(entry["size"]) for entry in self.files.values())


def root() -> Path:
    """Return the folder that holds the models; nothing is made."""
    given = os.environ.get("SKILLGAUGE_MODELS")
    if given:
        return Path(os.path.abspath(given))
    data = os.environ.get("XDG_DATA_HOME")
    if data and os.path.isabs(data):
        return Path(data, "skillgauge", "models")
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home(), "skillgauge", "models")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "skillgauge" / "models"
    return Path.home() / ".local" / "share" / "skillgauge" / "models"


def installed() -> list[Installed]:
    """Return the models that are there, broken ones left out."""
    found: list[Installed] = []
    folder = root()
    for name in sorted(os.listdir(folder)) if folder.is_dir() else []:
        if name.startswith(".") or not (folder / name / MANIFEST).is_file():
            continue
        try:
            found.append(load(name))
        except ScorerError:
            continue
    return found


def load(name: str) -> Installed:
    """Return an installed model; ScorerError if it isn't there or its manifest is foreign."""
    folder = root() / name
    mend = f"Run `skillgauge model remove {name}`, then `skillgauge model install {name}`"
    try:
        with open(folder / MANIFEST, "rb") as file:
            data = file.read(MAX_MANIFEST + 1)
    except FileNotFoundError:
        if folder.exists():
            raise ScorerError(f"“{folder}” holds no model of Skillgauge", how=mend) from None
        how = f"Run `skillgauge model install {name}`"
        raise ScorerError(f"The model “{name}” is not installed", how=how) from None
    except OSError as error:
        raise of_disk(error, str(folder)) from error
    manifest = _parse(data)
    if manifest is None or manifest.get("name") != name:
        raise ScorerError(f"The manifest in “{folder}” is broken", how=mend)
    if manifest.get("schema_version") != SCHEMA:
        why = "another version of Skillgauge made it"
        raise ScorerError(f"The model in “{folder}” can't be used", why, mend)
    return Installed(folder, manifest)


def _parse(data: bytes) -> dict[str, Any] | None:
    """Return a manifest, None unless it has the shape that is relied on."""
    try:
        value: object = json.loads(data) if len(data) <= MAX_MANIFEST else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    manifest = cast("dict[str, Any]", value)
    files = manifest.get("files")
    if not isinstance(files, dict) or not isinstance(manifest.get("backbone"), dict):
        return None
    for name, entry in cast("dict[str, Any]", files).items():
        if not _plain(name) or not isinstance(entry, dict):
            return None
        shape = cast("dict[str, Any]", entry)
        if type(shape.get("size")) is not int or not isinstance(shape.get("sha256"), str):
            return None
    return manifest


def _plain(name: str) -> bool:
    return name not in ("", ".", "..") and not set(name) & set("/\\:\0")


def digest(path: Path, told: Callable[[int], None] | None = None) -> str:
    """Return the SHA-256 of a file, telling after each piece how many bytes it has read."""
    made, done = hashlib.sha256(), 0
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            made.update(piece)
            done += len(piece)
            if told:
                told(done)
    return made.hexdigest()


def verify(model: Installed, progress: Progress) -> None:
    """Compare every file with the manifest; ScorerError names the first that differs."""
    how = f"Run `skillgauge model install {model.name} --again`"
    total, before = model.size, 0
    for name, entry in sorted(model.files.items()):
        path = model.folder / name
        base = before

        def told(done: int, base: int = base) -> None:
            progress("verify", base + done, total)

        try:
            right = path.stat().st_size == entry["size"] and digest(path, told) == entry["sha256"]
        except FileNotFoundError:
            raise ScorerError(f"“{path}” is missing", how=how) from None
        except OSError as error:
            raise of_disk(error, str(path)) from error
        if not right:
            raise ScorerError(f"“{path}” is not the file that was installed", how=how)
        before += entry["size"]


def write_manifest(folder: Path, name: str, facts: Mapping[str, Any]) -> None:
    """Write the manifest of a folder that is complete: facts, and all its files."""
    files = {
        path.name: {"size": path.stat().st_size, "sha256": digest(path)}
        for path in sorted(folder.iterdir())
        if path.name != MANIFEST
    }
    manifest = {"schema_version": SCHEMA, "name": name, **facts, "files": files}
    text = json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")


def put(built: Path, name: str) -> Path:
    """Put a complete folder in its place, in which an older one is replaced."""
    place = root() / name
    old = root() / f".old-{os.getpid()}-{name}"
    for _ in range(_TRIES):
        if place.exists():
            os.replace(place, old)
            shutil.rmtree(old, ignore_errors=True)
        try:
            os.replace(built, place)
        except OSError:  # another process has put its own there in the meantime
            continue
        return place
    raise ScorerError(f"“{place}” is used by another process", how="Try again when it has ended")


def remove(name: str) -> bool:
    """Remove a model, whatever state it is in; return whether there was one."""
    place = root() / name
    if not _plain(name) or name.startswith(".") or not place.exists():
        return False
    try:
        gone = root() / f".old-{os.getpid()}-{name}"
        os.replace(place, gone)
        shutil.rmtree(gone)
    except OSError as error:
        raise of_disk(error, str(place)) from error
    return True


def sweep(now: float | None = None) -> None:
    """Remove what installations that were killed have left behind."""
    limit = (time.time() if now is None else now) - STALE
    for path in root().glob(".*-*"):
        ours = path.name.startswith((".build-", ".fetch-", ".old-"))
        if ours and path.is_dir() and path.stat().st_mtime < limit:
            shutil.rmtree(path, ignore_errors=True)
