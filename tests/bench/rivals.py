"""The linters that the benchmark runs beside ours: how each is installed and called.

They live in a cache folder of the benchmark, each in a place of its own, never in the project's
environment. What can't be installed is left out, and the report says so.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Rival:
    """One linter: its release, who installs it, and the arguments that check a path."""

    name: str
    version: str
    install: Callable[[Rival, Path], Path]
    arguments: tuple[str, ...]

    def command(self, cache: Path) -> list[str]:
        """The command without the path; installs the linter when the cache has it not yet."""
        return [str(self.install(self, cache / f"{self.name}-{self.version}")), *self.arguments]


def _from_pypi(rival: Rival, folder: Path) -> Path:
    program = folder / "bin" / rival.name
    if not program.exists():
        _quietly(sys.executable, "-m", "venv", str(folder))
        pip = str(folder / "bin" / "pip")
        _quietly(pip, "install", "--quiet", f"{rival.name}=={rival.version}")
    return program


def _from_npm(rival: Rival, folder: Path) -> Path:
    program = folder / "node_modules" / ".bin" / rival.name
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        package = f"{rival.name}@{rival.version}"
        _quietly("npm", "install", "--silent", "--no-audit", "--prefix", str(folder), package)
    return program


def _quietly(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True)


RIVALS = (
    Rival("agnix", "0.59.3", _from_pypi, ("--format", "json")),
    Rival("skillsaw", "0.22.0", _from_pypi, ("lint", "--format", "json", "--no-progress")),
    # Its security scan downloads and runs another program; the others have no such thing.
    Rival(
        "skill-check",
        "1.2.0",
        _from_npm,
        ("check", "--format", "json", "--no-security-scan", "--no-open"),
    ),
)


def installed(cache: Path) -> tuple[dict[str, list[str]], dict[str, str]]:
    """The command of every rival that there is, and for the others the reason why not."""
    commands: dict[str, list[str]] = {}
    absent: dict[str, str] = {}
    for rival in RIVALS:
        name = f"{rival.name} {rival.version}"
        try:
            commands[name] = rival.command(cache)
        except FileNotFoundError as error:
            absent[name] = f"{error.filename} is not on this machine"
        except subprocess.CalledProcessError as error:
            absent[name] = (error.stderr.strip().splitlines() or ["installation failed"])[-1]
    return commands, absent
