"""Bundles: written, read back, and refused with a sentence when anything is not as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

import numpy as np

from skillgauge_scorer import bundle
from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.models import DEFAULT
from skillgauge_scorer.models.store import Installed
from tests.scorer.bundles import TERMS, directions, facts, install_tiny, write_bundle

MANIFEST, TENSORS = bundle.MANIFEST, bundle.TENSORS


@pytest.fixture
def model(models: Path, tmp_path: Path) -> Installed:
    return install_tiny(tmp_path)


def test_what_is_written_is_read(model: Installed) -> None:
    written = write_bundle(model)
    read = bundle.load_for(model)
    assert read.id == written.id
    assert list(read.metrics) == list(TERMS)
    assert read.layers == (0, 2)
    assert (read.mode, read.max_tokens) == ("sections", 600)
    wanted = directions()
    for code, terms in TERMS.items():
        metric = read.metrics[code]
        assert [(term.scope, term.layer, term.pooling) for term in metric.terms] == terms
        for row, term in enumerate(metric.terms):
            assert np.array_equal(term.vector, wanted[f"{code}.{row}"])
    assert (read.metrics["C2"].label, read.metrics["C2"].shown) == ("surface", True)
    assert (read.metrics["D1"].label, read.metrics["D1"].shown) == ("substance", False)
    assert [code for code, metric in read.metrics.items() if not metric.linear] == ["C1"]
    assert sorted(path.name for path in read.folder.iterdir()) == [TENSORS, MANIFEST]


def test_the_id_follows_the_contents(model: Installed) -> None:
    same, other = write_bundle(model).id, write_bundle(model, recipe="other").id
    assert write_bundle(model).id == same != other


def test_the_logistic() -> None:
    metric = bundle.Metric("A2", (), 0.0, 1.0, (2.0, 1.0), {}, "substance", True)
    assert metric.probability(-0.5) == 0.5
    assert metric.probability(1.0) == pytest.approx(0.95257413)
    assert metric.probability(-1e9) < 1e-200
    assert metric.probability(1e9) == 1.0


def refused(model: Installed) -> str:
    with pytest.raises(ScorerError) as caught:
        bundle.load_for(model)
    assert caught.value.how
    return str(caught.value)


def test_none_at_all(model: Installed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bundle, "SHIPPED", tmp_path)
    assert f"no directions for the model “{DEFAULT}”" in refused(model)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        (MANIFEST, b"{", "its manifest can't be read"),
        (MANIFEST, b"[]", "its manifest can't be read"),
        (MANIFEST, b"[" * 100_000, "its manifest can't be read"),
        (MANIFEST, b'{"schema_version": 2}', "another version"),
        (TENSORS, b"", "is not the file that was written"),
        (TENSORS, None, "is missing"),
    ],
)
def test_broken_files(model: Installed, name: str, content: bytes | None, why: str) -> None:
    path = write_bundle(model).folder / name
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    assert why in refused(model)


def test_a_changed_number(model: Installed) -> None:
    path = write_bundle(model).folder / MANIFEST
    path.write_text(path.read_text().replace('"mu": -0.2', '"mu": -0.3'))
    assert "its manifest was changed" in refused(model)


def test_another_backbone(model: Installed) -> None:
    other = {**bundle.backbone_of(model), "gguf_sha256": "0" * 64}
    write_bundle(model, backbone=other)
    assert "made for another model" in refused(model)


def changed(model: Installed, **change: Any) -> dict[str, Any]:
    metrics = facts(model)["metrics"]
    term = metrics["A2"]["terms"][0]
    for key, value in change.items():
        (term if key in term else metrics["A2"])[key] = value
    return metrics


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"layer": 1}, "it has no layer 1"),
        ({"scope": "title"}, "“title”"),
        ({"pooling": "max"}, "“max”"),
        ({"tensor": "none"}, "none"),
        ({"sigma": 0.0}, "numbers that can't be"),
        ({"terms": []}, "no terms"),
        ({"logistic": [1.0]}, "ValueError"),
    ],
)
def test_facts_that_cannot_be(model: Installed, change: dict[str, Any], why: str) -> None:
    def written_and_read() -> None:
        write_bundle(model, metrics=changed(model, **change))
        bundle.load_for(model)

    with pytest.raises(ScorerError) as caught:
        written_and_read()
    assert why in str(caught.value)


def test_a_wrong_shape(model: Installed) -> None:
    place = write_bundle(model).folder
    vectors = directions() | {"A2.0": np.ones(3, np.float32)}
    bundle.write(place, facts(model), vectors)
    assert "“A2.0” has 3 numbers, not 256" in refused(model)


def test_no_number(model: Installed) -> None:
    vectors = directions() | {"A2.0": np.full(256, np.nan, np.float32)}
    with pytest.raises(ScorerError, match="no vector of numbers"):
        bundle.write(write_bundle(model).folder, facts(model), vectors)


def test_manifests_are_json_without_nan(model: Installed) -> None:
    text = (write_bundle(model).folder / MANIFEST).read_text()
    assert json.loads(text)["schema_version"] == bundle.SCHEMA
    with pytest.raises(ValueError, match="JSON"):
        write_bundle(model, figure=float("nan"))
