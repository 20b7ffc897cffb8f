"""The directions and the embedding that are shipped, with the model that they were made for."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

import numpy as np

from skillgauge_scorer import bundle, embedding
from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.models import DEFAULT, store
from skillgauge_scorer.profile import profile
from skillgauge_scorer.projection import Projector
from skillgauge_scorer.runtime import load
from tests.scorer.bundles import SKILL, TERMS

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def model() -> store.Installed:
    try:
        return store.load(DEFAULT)
    except ScorerError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def projector(model: store.Installed) -> Projector:
    made = bundle.load(bundle.SHIPPED / DEFAULT)
    bundle.check(made, model)
    return Projector(load(model), made)


def test_a_skill_has_every_score_and_its_lines_sum_to_it(projector: Projector) -> None:
    found = profile(projector, SKILL)
    assert set(found.scores) == set(TERMS)
    for score in found.scores.values():
        assert score.z is not None
        assert math.isfinite(score.z)
        if score.lines:
            assert sum(score.lines.values()) == pytest.approx(score.z, abs=1e-5)


def test_an_edit_leads_to_the_score_of_a_cold_run(projector: Projector) -> None:
    profile(projector, SKILL)
    edited = SKILL.replace("count its rows", "count its columns, and its rows")
    warm = profile(projector, edited)
    projector.backbone.forget()
    cold = profile(Projector(projector.backbone, projector.bundle), edited)
    for code, score in cold.scores.items():
        assert warm.scores[code].z == pytest.approx(score.z, abs=1e-3)


def test_what_means_the_same_is_alike(model: store.Installed, projector: Projector) -> None:
    comparing = embedding.load_for(model)
    assert comparing is not None
    texts = {
        "pdf-forms": "Fills PDF forms from a table. Use when the user has a form and data to"
        " enter.",
        "form-filler": "Completes fillable PDF documents with values out of a spreadsheet. Use when"
        " somebody asks to enter data into a form.",
        "changelog": "Writes a changelog entry from the commits since the last release.",
    }
    states = [
        embedding.state_of(projector.backbone, comparing.layer, name, text)
        for name, text in texts.items()
    ]
    vectors = comparing.clean(np.stack([state for state in states if state is not None]))
    likeness = vectors @ vectors.T
    assert likeness[0, 1] >= comparing.same
    assert max(likeness[0, 2], likeness[1, 2]) < comparing.apart


def test_manifest_and_files_are_readable() -> None:
    for path in Path(bundle.SHIPPED / DEFAULT).iterdir():
        assert path.stat().st_mode & 0o044 == 0o044, path
