"""The tokenizer made of a file's vocabulary, and sessions that can't be loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.runtime import Backbone
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
