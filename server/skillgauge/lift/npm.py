"""Installs agents with npm on the host, for an image: what is built then needs no network.

No script of a package is run. An agent that is a program of its own is linked to as it is; one that
is JavaScript needs Node in the image.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from skillgauge.errors import UserError
from skillgauge.lift.harnesses import Package

NODE: Final = "22.23.5"
"""The Node that an image gets if it has none, or one too old."""
CPUS: Final = {"amd64": "x64", "arm64": "arm64"}
"""What npm calls the engine's processors."""
EXTRAS: Final = ("rg",)
"""Programs that an agent brings for itself and looks for in PATH."""
LEFT_OUT: Final = re.compile(r"/(node_modules/[^/]+-baseline|codex-resources/voice)$")
"""Builds for old processors, and what only speech needs."""
SECONDS: Final = 1800
_ELF: Final = b"\x7fELF"
_MAJOR: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Target:
    """The system that packages are for."""

    architecture: str
    """As the engine calls it."""
    libc: str = "glibc"

    @property
    def cpu(self) -> str:
        """The processor as npm calls it; UserError for one that agents are not made for."""
        if self.architecture not in CPUS:
            raise UserError(f"There are no agents for the engine's processor {self.architecture}")
        return CPUS[self.architecture]


@dataclass(frozen=True, slots=True)
class Installed:
    """A package in a folder, with its programs: names with paths below the folder."""

    folder: Path
    programs: dict[str, str]
    node: int
    """The least major version of Node that it needs, 0 if it needs none."""


def find_npm() -> str | None:
    """Return npm's path on this host."""
    return shutil.which("npm")


def install(package: Package, folder: Path, target: Target) -> Installed:
    """Install a package of a known version, and return what it has."""
    _npm(f"{package.name}@{package.version}", folder, target)
    programs = dict(_programs(folder, (package.program, *EXTRAS)))
    manifest = _manifest(folder, package.name)
    found = str(manifest.get("version", ""))
    if found != package.version:
        what = f"npm installed {package.name} {found or 'not at all'} in place of {package.version}"
        raise UserError(what)
    if package.program in programs:
        return Installed(folder, programs, 0)
    programs[package.program] = _script(manifest, package)
    return Installed(folder, programs, _least_node(manifest))


def install_node(folder: Path, target: Target) -> Installed:
    """Install Node itself."""
    name = f"node-linux-{target.cpu}"
    if target.libc != "glibc":
        raise UserError("npm has Node for glibc alone", how="Name a base image that has Node")
    _npm(f"{name}@{NODE}", folder, target)
    return Installed(folder, {"node": f"node_modules/{name}/bin/node"}, 0)


def _npm(wanted: str, folder: Path, target: Target) -> None:
    folder.mkdir(parents=True)
    command = [
        find_npm() or "npm",
        "install",
        f"--prefix={folder}",
        "--os=linux",
        f"--cpu={target.cpu}",
        f"--libc={target.libc}",
        *("--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"),
        wanted,
    ]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
            cwd=folder,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"npm can't install {wanted}", str(error)) from error
    if done.returncode:
        raise UserError(f"npm can't install {wanted}", _said(done.stderr), "See `npm ping`")


def _said(errors: str) -> str:
    """Return the line of npm's errors that says most."""
    lines = [re.sub(r"^npm (error|ERR!) ?", "", line).strip() for line in errors.splitlines()]
    told = [line for line in lines if line.count(" ") > 2 and "log of this run" not in line]
    return (told[0] if told else "it says no more")[:300].rstrip(".")


def _programs(folder: Path, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the programs of these names that need no interpreter."""
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not LEFT_OUT.search(f"{root}/{name}"))
        for name in sorted(set(files).intersection(names)):
            path = Path(root, name)
            if not path.is_symlink() and os.access(path, os.X_OK) and _starts(path, _ELF):
                yield name, path.relative_to(folder).as_posix()


def _starts(path: Path, mark: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(mark)) == mark


def _manifest(folder: Path, name: str) -> dict[str, Any]:
    try:
        text = (folder / "node_modules" / name / "package.json").read_text(encoding="utf-8")
        return json.loads(text)
    except (OSError, ValueError):
        return {}


def _script(manifest: dict[str, Any], package: Package) -> str:
    bins: Any = manifest.get("bin")
    script: Any = bins
    if isinstance(bins, dict):
        script = cast("dict[str, Any]", bins).get(package.program)
    if not isinstance(script, str):
        raise UserError(f"{package.name} {package.version} has no program “{package.program}”")
    return os.path.normpath(f"node_modules/{package.name}/{script}")


def _least_node(manifest: dict[str, Any]) -> int:
    engines: dict[str, Any] = manifest.get("engines") or {}
    match = _MAJOR.search(str(engines.get("node", "")))
    return int(match[0]) if match else 1
