"""The tokenizer made of a file's vocabulary, and sessions that can't be loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.runtime import Backbone, Stopped
from tests.scorer.test_export import backbone
from tests.scorer.tiny import byte_tokens, decoder


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Backbone:
    return backbone(tmp_path_factory.mktemp("tiny"), decoder("Q4_0"), (0,))


def test_tokens_and_places(tiny: Backbone) -> None:
    found = tiny.encode("in the 2é")
    places = list(zip(found.starts.tolist(), found.ends.tolist(), strict=True))
    names = byte_tokens()
    wanted = [names.index("i"), names.index("n"), 258, names.index("Ġ"), names.index("2")]
    assert found.ids.tolist() == [*wanted, *"é".encode()]
    assert places == [(0, 1), (1, 2), (2, 6), (6, 7), (7, 8), (8, 9), (8, 9)]


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(codec=None)))
def test_every_character_has_its_tokens(tiny: Backbone, text: str) -> None:
    found = tiny.encode(text)
    covered = {at for a, e in zip(found.starts, found.ends, strict=True) for at in range(a, e)}
    assert covered == set(range(len(text)))
    assert (found.starts[1:] >= found.starts[:-1]).all()
    assert (found.ids >= 0).all()


def test_control_tokens_are_text(tiny: Backbone) -> None:
    assert len(tiny.encode("<|im_start|>")) == len("<|im_start|>")


@pytest.mark.parametrize("name", ["backbone.onnx", "backbone.onnx.data", "tokenizer.json"])
def test_a_damaged_backbone_is_a_sentence(tmp_path: Path, name: str) -> None:
    backbone(tmp_path, decoder("Q4_0"))
    facts = {"layers": [1], "blocks": 1, "width": 256, "kv_heads": 2, "head": 64, "context": 9}
    (tmp_path / name).write_bytes(b"\x08")
    with pytest.raises(ScorerError, match=name.removesuffix(".data")):
        Backbone(tmp_path, facts)


def test_parts_see_the_prefix_and_themselves_alone(tmp_path: Path) -> None:
    made = backbone(tmp_path, decoder("Q4_1"), (0, 1, 2))
    random = np.random.default_rng(7)
    prefix = random.integers(0, 256, 41)
    parts = [random.integers(0, 256, size) for size in (1, 300, 0, 17, 5, 18, 64, 2)]
    found = made.after(prefix, parts)
    assert len(found) == len(parts)
    for part, states in zip(parts, found, strict=True):
        alone = made.states(np.concatenate([prefix, part]))
        for layer in made.layers:
            wanted = alone[layer][len(prefix) :]
            assert states[layer].shape == wanted.shape
            assert np.abs(states[layer] - wanted).max(initial=0) < 1e-4


def test_parts_without_a_prefix_and_none(tmp_path: Path) -> None:
    made = backbone(tmp_path, decoder("Q4_0"), (2,))
    assert made.after([1, 2, 3], []) == []
    part = [4, 5, 6, 7]
    assert np.abs(made.after([], [part, part])[1][2] - made.states(part)[2]).max() < 1e-4
    with pytest.raises(ScorerError, match="1024 tokens, not 1025"):
        made.after([1], [part, [0] * 1024])


def test_parts_can_be_stopped(tmp_path: Path) -> None:
    made = backbone(tmp_path, decoder("Q4_0"), (2,))
    parts = [[part] * 200 for part in range(9)]
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) == 2

    with pytest.raises(Stopped):
        made.after([1], parts, stop)
    text = [1, *parts[3]]
    assert np.abs(made.after([1], parts)[3][2] - made.states(text)[2][1:]).max() < 1e-4
