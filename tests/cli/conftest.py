"""A project on disk, and the command line run in this process."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from skillgauge.cli import main

GOOD = "---\nname: {name}\ndescription: Cuts files. Use when one is too long.\n---\n\n# Cut\n"
BAD = "---\nname: {name}\ndescription: Cuts files: all of them.\n---\n\n# Cut\n"
"""One F011, at the colon behind “files”."""


def skill(folder: Path, text: str = BAD, name: str = "SKILL.md") -> Path:
    """Write a skill into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text.format(name=folder.name), encoding="utf-8", newline="\n")
    return path


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def findings(self) -> dict[str, list[str]]:
        """The findings of each file, as `line:column code`."""
        return {
            file["path"]: [
                "{line}:{column} {code}".format(**item["range"]["start"], code=item["code"])
                for item in file["findings"]
            ]
            for file in self.json["files"]
        }


Run = Callable[..., Ran]


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty git repository, and the working folder."""
    root = tmp_path / "repo"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("NO_COLOR", "FORCE_COLOR", "SKILLGAUGE_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return root


class _Stdin(io.TextIOWrapper):
    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data))


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `skillgauge` with some words."""

    def go(*words: str, stdin: bytes | None = None) -> Ran:
        if stdin is not None:
            monkeypatch.setattr("sys.stdin", _Stdin(stdin))
        capfdbinary.readouterr()
        status = main(list(map(str, words)))
        out, err = capfdbinary.readouterr()
        return Ran(status, out.decode("utf-8", "surrogateescape"), err.decode())

    return go


@pytest.fixture
def check(run: Run) -> Run:
    """Run `skillgauge check --format json` for one rule with a known finding."""

    def go(*words: str, **options: Any) -> Ran:
        select = () if "--select" in words else ("--select", "F011")
        return run("check", "--format", "json", *select, *words, **options)

    return go
