"""Descriptions as vectors: what is alike, what is kept, and that a score goes before."""

from __future__ import annotations

import io
import json
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

import numpy as np

from skillgauge_scorer import bundle, embedding
from skillgauge_scorer.__main__ import serve
from skillgauge_scorer.embedding import alike, fit, state_of
from skillgauge_scorer.models import DEFAULT, store
from skillgauge_scorer.runtime import Backbone, load
from skillgauge_scorer.train.states import Encoder
from tests.scorer.bundles import SKILL, install_tiny, write_bundle

TEXTS = ["Books what comes in.", "Counts rows of a table.", "Books what came in.", ""]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("models")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SKILLGAUGE_MODELS", str(place))
        model = install_tiny(tmp_path_factory.mktemp("wheel"))
        made = write_bundle(model)
        backbone = load(model)
        states = [state_of(backbone, 2, "a", f"{text} And more.") for text in TEXTS]
        table = np.stack([state for state in states if state is not None])
        embedding.write(made.folder, fit(table, 2, 1), model)
    return place


@pytest.fixture
def backbone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Backbone:
    monkeypatch.setenv("SKILLGAUGE_MODELS", str(folder))
    return load(store.load(DEFAULT))


def ask(*requests: dict[str, Any]) -> list[dict[str, Any]]:
    target = io.StringIO()
    lines = [json.dumps({"id": at, **request}) for at, request in enumerate(requests)]
    serve(lines, target)
    answers = [json.loads(line) for line in target.getvalue().splitlines()]
    return [answer for answer in answers if "progress" not in answer]


def test_the_state_is_the_one_that_scores_are_made_of(backbone: Backbone, tmp_path: Path) -> None:
    features = Encoder(tmp_path / "s", backbone, "tiny", "sections").features(SKILL)
    assert features.description is not None
    text = "Builds a report from a CSV file. Use when the user has a table and asks for a summary."
    found = state_of(backbone, 2, "csv-report", text)
    assert found is not None
    assert np.allclose(found, features.description.states[2]["mean"], atol=1e-4)
    assert state_of(backbone, 2, "csv-report", "") is None


def test_what_all_have_in_common_is_taken_out() -> None:
    random = np.random.default_rng(3)
    common = 50 * random.normal(size=8)
    states = (common + random.normal(size=(40, 8))).astype(np.float32)
    found = fit(states, axes=2).clean(states)
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-4)
    plain = states / np.linalg.norm(states, axis=1, keepdims=True)
    assert (plain @ plain.T).min() > 0.99
    assert abs((found @ found.T).mean()) < 0.05


def test_pairs() -> None:
    vectors = [np.array(value, np.float32) for value in ([1, 0], [0, 1], [0.8, 0.6])]
    assert alike([vectors[0], None, *vectors[1:]], 0.5) == [
        (0, 3, pytest.approx(0.8)),
        (2, 3, pytest.approx(0.6)),
    ]
    assert alike([None, vectors[0]], 0.0) == []


def test_collisions_are_kept(backbone: Backbone, tmp_path: Path) -> None:
    skills = [{"name": "a", "description": text} for text in (*TEXTS, TEXTS[0])]
    params = {"skills": skills, "cache": str(tmp_path / "scores")}
    (first,) = ask({"method": "collisions", "params": params})
    assert first["result"]["same"] == embedding.SAME
    best = first["result"]["pairs"][0]
    assert (best[:2], round(best[2], 3)) == ([0, 4], 1.0)
    assert 3 not in {at for pair in first["result"]["pairs"] for at in pair[:2]}
    assert len(list((tmp_path / "scores-texts").iterdir())) == 3
    (again,) = ask({"method": "collisions", "params": params})
    assert again == first


def test_a_score_goes_before(backbone: Backbone, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that comes while descriptions are compared is answered first."""
    skills = [{"name": "a", "description": f"{text} {at}"} for at, text in enumerate(TEXTS * 3)]
    seen: list[str] = []
    plain = embedding.state_of

    def noted(*words: Any) -> Any:
        seen.append("description")
        time.sleep(0.05)
        return plain(*words)

    monkeypatch.setattr(embedding, "state_of", noted)
    answers = ask(
        {"method": "collisions", "params": {"skills": skills}},
        {"method": "score", "params": {"text": SKILL}},
    )
    assert [answer["id"] for answer in answers] == [1, 0]
    assert len(seen) == len(skills)


@pytest.mark.parametrize("fault", ["missing", "broken", "foreign"])
def test_without_one_that_fits(
    backbone: Backbone, fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(embedding, "folder_for", lambda name: tmp_path)
    monkeypatch.setattr(embedding, "SHIPPED", tmp_path / "none")
    if fault == "broken":
        (tmp_path / embedding.FILE).write_bytes(b"\0" * 20)
    elif fault == "foreign":
        monkeypatch.setattr(embedding, "backbone_of", lambda model: {"gguf_sha256": "0"})
        embedding.write(tmp_path, fit(np.eye(4, dtype=np.float32)), store.load(DEFAULT))
        monkeypatch.setattr(embedding, "backbone_of", bundle.backbone_of)
    (answer,) = ask({"method": "collisions", "params": {"skills": []}})
    assert "can't compare descriptions" in answer["error"]["what"]
