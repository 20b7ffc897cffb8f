"""Which device a backbone runs on, and the reason; no card is needed for what is tested here."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

import numpy as np

from skillgauge_scorer import session
from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.session import CPU, CUDA, Device, choose, start
from tests.scorer.test_export import backbone, distance, tokens
from tests.scorer.tiny import decoder

onnxruntime: Any = import_module("onnxruntime")  # it has no types


class Fake:
    """An onnxruntime that says that it has CUDA."""

    SessionOptions = onnxruntime.SessionOptions

    def __init__(self, fault: str) -> None:
        self.fault = fault
        self.opened: list[tuple[str, list[str]]] = []

    def get_available_providers(self) -> list[str]:
        return [CUDA, CPU]

    def InferenceSession(self, path: str, options: Any, providers: list[Any]) -> Any:
        names = [name if isinstance(name, str) else name[0] for name in providers]
        self.opened.append((Path(path).name, names))
        if CUDA in names and self.fault == "raises":
            raise RuntimeError("CUDA error 35: the driver is too old\nand more")
        made = onnxruntime.InferenceSession(path, options, providers=[CPU])
        if self.fault == "works":
            made.get_providers = lambda: names
        return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    backbone(tmp_path, decoder("Q4_0"))
    return tmp_path


def fake(monkeypatch: pytest.MonkeyPatch, fault: str) -> Fake:
    made = Fake(fault)
    monkeypatch.delenv(session.VARIABLE, raising=False)
    monkeypatch.setattr(session, "import_module", lambda name: made)
    return made


def test_cuda_where_there_is_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = fake(monkeypatch, "works")
    assert start(folder, 1)[1] == Device("cuda")
    assert made.opened == [("backbone.cuda.onnx", [CUDA, CPU])]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("raises", "CUDA failed: CUDA error 35: the driver is too old"),
        ("left out", "onnxruntime can't load CUDA's libraries, or finds no card"),
    ],
)
def test_cuda_that_fails_gives_way(
    folder: Path, monkeypatch: pytest.MonkeyPatch, fault: str, reason: str
) -> None:
    made = fake(monkeypatch, fault)
    opened, device = start(folder, 1)
    assert device == Device("cpu", reason)
    assert made.opened == [("backbone.cuda.onnx", [CUDA, CPU]), ("backbone.onnx", [CPU])]
    assert opened.get_inputs()[3].type == "tensor(float)"


@pytest.mark.parametrize("wanted", ["cpu", "CPU"])
def test_the_environment_can_ask_for_the_cpu(
    folder: Path, monkeypatch: pytest.MonkeyPatch, wanted: str
) -> None:
    monkeypatch.setenv(session.VARIABLE, wanted)
    device = choose([CUDA, CPU], folder)
    assert device == Device("cpu", "SKILLGAUGE_DEVICE asks for the CPU")


def test_reasons_for_the_cpu(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(session.VARIABLE, raising=False)
    assert "no CUDA" in choose([CPU], folder).reason
    (folder / "backbone.cuda.onnx").unlink()
    assert choose([CUDA, CPU], folder) == Device("cpu", "The model was converted for the CPU alone")


def test_a_graph_that_is_missing_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ScorerError, match=r"can't load .*backbone\.onnx”"):
        start(tmp_path, 1)


@pytest.mark.parametrize(("kind", "architecture"), [("Q4_1", "llama"), ("Q8_0", "qwen3")])
def test_the_graph_for_cuda_agrees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, architecture: str
) -> None:
    """Its operations, attention in 16 bits among them, run on a CPU too."""
    tiny, ids = decoder(kind, architecture), tokens(400)
    wanted = backbone(tmp_path, tiny)
    monkeypatch.setitem(session.GRAPHS, "cpu", session.GRAPHS["cuda"])
    found = backbone(tmp_path, tiny)
    warm = found.states(ids)
    for layer, states in wanted.states(ids).items():
        assert warm[layer].dtype == np.float32
        assert distance(warm[layer], states) < 5e-3
    changed = np.concatenate([ids[:300], ids[:50]])
    assert distance(found.states(changed)[2], wanted.states(changed)[2]) < 5e-3
    parts = [ids[:20], ids[30:90]]
    for one, other in zip(
        found.after(ids[:9], parts, together=500), wanted.after(ids[:9], parts), strict=True
    ):
        assert distance(one[2], other[2]) < 5e-3
