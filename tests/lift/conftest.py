"""The command line, run in this process with a data folder of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from skillgauge.cli import main


@dataclass(frozen=True)
class Said:
    """What `skillgauge lift` did."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Lift = Callable[..., Said]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder."""
    folder = tmp_path / "data"
    monkeypatch.setenv("SKILLGAUGE_DATA", str(folder))
    for name in ("NO_COLOR", "FORCE_COLOR", "SKILLGAUGE_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def lift(data: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Lift:
    """Run `skillgauge lift` with some words."""

    def go(*words: object) -> Said:
        capfdbinary.readouterr()
        status = main(["lift", *map(str, words)])
        out, err = capfdbinary.readouterr()
        return Said(status, out.decode("utf-8"), err.decode())

    return go
