"""Exported decoders against a plain one in numpy, for each type of blocks and architecture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

import numpy as np

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.export.blocks import blocks, floats, quantised
from skillgauge_scorer.export.gguf import export
from skillgauge_scorer.export.gguf_file import GGUF, BrokenGGUF, Tensor
from skillgauge_scorer.runtime import Backbone, Stopped
from tests.scorer import reference
from tests.scorer.quants import NUMBERS, tensor
from tests.scorer.tiny import BLOCKS, WIDTH, Tiny, decoder

EXACT = ("Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q4_K", "Q5_K", "Q6_K")
PLAIN = ("F16", "F32", "BF16")
"""Those that are quantised, to 8 bits."""


def backbone(folder: Path, tiny: Tiny, layers: tuple[int, ...] = (0, 1, 2)) -> Backbone:
    path = tiny.write(folder / "model.gguf")
    return Backbone(folder, export(path, folder, layers, lambda done, total: None))


def tokens(count: int) -> Any:
    return np.random.default_rng(count).integers(0, 256, count)


def distance(left: Any, right: Any) -> float:
    return float(np.abs(left - right).max() / np.abs(right).max())


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_of_blocks(kind: str) -> None:
    data, numbers = tensor(kind, 6, 512, kind.encode()[0])
    made = Tensor("x", kind, numbers.shape, data)
    assert np.allclose(floats(made), numbers, rtol=0, atol=1e-6)
    image = blocks(made)
    if kind in EXACT:
        assert np.allclose(image.floats(), numbers, rtol=0, atol=1e-6)
    else:
        step = np.abs(numbers.reshape(6, -1, 32)).max(axis=2, keepdims=True) / 127
        off = np.abs(image.floats() - numbers).reshape(6, -1, 32)
        assert (off <= step / 2 + 1e-6).all()
    assert set(EXACT) | set(PLAIN) == set(NUMBERS)


def test_zeros_stay_zeros() -> None:
    assert not quantised(np.zeros((2, 64), np.float32)).floats().any()


@pytest.mark.parametrize(
    ("kind", "architecture"),
    [
        *((kind, "llama") for kind in NUMBERS),
        ("Q4_1", "qwen2"),
        ("Q8_0", "qwen3"),
    ],
)
def test_states_are_those_of_the_plain_decoder(
    tmp_path: Path, kind: str, architecture: str
) -> None:
    tiny = decoder(kind, architecture)
    ids = tokens(300)  # more than a chunk
    found = backbone(tmp_path, tiny).states(ids)
    wanted = reference.states(tiny.metadata, tiny.numbers, ids, BLOCKS)
    assert list(found) == [0, 1, 2]
    limit = 2e-5 if kind in EXACT else 2e-2
    for layer in range(BLOCKS + 1):
        assert found[layer].shape == (300, WIDTH)
        assert distance(found[layer], wanted[layer]) < limit


def test_what_comes_after_the_last_layer_is_left_out(tmp_path: Path) -> None:
    tiny = decoder("Q8_0")
    whole = backbone(tmp_path, tiny).states(tokens(9))
    size = (tmp_path / "backbone.onnx.data").stat().st_size
    cut = backbone(tmp_path, tiny, (1,)).states(tokens(9))
    assert list(cut) == [1]
    assert np.array_equal(cut[1], whole[1])
    assert (tmp_path / "backbone.onnx.data").stat().st_size < size


def test_linear_scaling_and_slowed_angles(tmp_path: Path) -> None:
    tiny = decoder("Q8_0")
    plain = backbone(tmp_path, tiny).states(tokens(20))[2]
    tiny.metadata |= {"llama.rope.scaling.type": "linear", "llama.rope.scaling.factor": 4.0}
    scaled = backbone(tmp_path, tiny).states(tokens(20))[2]
    del tiny.metadata["llama.rope.scaling.type"]
    factors = np.full((1, 32), 4.0, np.float32)
    tiny.tensors["rope_freqs.weight"] = "F32", (factors.view(np.uint8), factors)
    slowed = backbone(tmp_path, tiny).states(tokens(20))[2]
    assert distance(scaled, plain) > 1e-3
    assert np.array_equal(scaled, slowed)


def test_any_way_to_a_text_ends_in_the_same_states(tmp_path: Path) -> None:
    """Texts that share a beginning of any length, growing and shrinking, over many chunks."""
    made = backbone(tmp_path, decoder("Q4_0"))
    random = np.random.default_rng(4)
    ids = tokens(700)
    for _ in range(6):
        at = int(random.integers(0, len(ids)))
        ids = np.concatenate([ids[:at], random.integers(0, 256, int(random.integers(1, 300)))])
        warm = made.states(ids)
        made.forget()
        cold = made.states(ids)
        assert distance(warm[2], cold[2]) < 1e-5


def test_stopping_keeps_what_was_computed(tmp_path: Path) -> None:
    made = backbone(tmp_path, decoder("Q4_0"))
    ids = tokens(900)
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) == 3

    with pytest.raises(Stopped):
        made.states(ids, stop)
    asked.clear()
    found = made.states(ids, lambda: bool(asked.append(1)))
    assert len(asked) == 2, "two of four chunks were known"
    made.forget()
    assert distance(found[2], made.states(ids)[2]) < 1e-5


def test_no_tokens_and_too_many(tmp_path: Path) -> None:
    made = backbone(tmp_path, decoder("Q4_0"))
    assert made.states([])[1].shape == (0, WIDTH)
    with pytest.raises(ScorerError, match="1024 tokens"):
        made.states(tokens(1025))


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("general.architecture", "gemma3", "gemma3"),
        ("llama.expert_count", 8, "mixture"),
        ("llama.rope.scaling.type", "yarn", "yarn"),
        ("llama.rope.dimension_count", 32, "part of each head"),
        ("llama.block_count", 9, r"blk\.2"),
        ("llama.context_length", 0, "is 0"),
        ("llama.context_length", "x", "context_length"),
        ("tokenizer.ggml.model", "llama", "tokenizer"),
        ("tokenizer.ggml.pre", "other", "tokenizer"),
        ("tokenizer.ggml.merges", ["a"], "no pairs"),
        ("tokenizer.ggml.merges", ["zz yy"], "broken"),
        ("general.alignment", 0, "alignment"),
    ],
)
def test_what_can_not_be_exported_is_said(tmp_path: Path, key: str, value: Any, said: str) -> None:
    tiny = decoder("Q4_0")
    tiny.metadata[key] = value
    with pytest.raises(ScorerError, match=said):
        backbone(tmp_path, tiny, (BLOCKS + 1,) if key == "llama.block_count" else (0, 1, 2))


@pytest.mark.parametrize("layers", [(), (-1,), (BLOCKS + 1,)])
def test_layers_that_are_not_there(tmp_path: Path, layers: tuple[int, ...]) -> None:
    with pytest.raises(ScorerError, match="layers 0 to 2"):
        backbone(tmp_path, decoder("Q4_0"), layers)


def test_version_2_is_read_and_others_are_not(tmp_path: Path) -> None:
    tiny = decoder("Q4_0")
    assert len(GGUF(tiny.write(tmp_path / "x", version=2)).tensors) == len(tiny.tensors)
    with pytest.raises(BrokenGGUF, match="version 1"):
        GGUF(tiny.write(tmp_path / "x", version=1))


def test_damaged_files_are_called_broken(tmp_path: Path) -> None:
    """Cut off anywhere, or with any byte of the header changed, no file raises anything else."""
    path = tmp_path / "x"
    tiny = Tiny({"general.architecture": "llama", "a": ["b", "c"], "d": 1.5, "e": True})
    tiny.add("t", "Q4_0", 2, 64)
    whole = tiny.write(path).read_bytes()
    for size in range(len(whole) - 24):  # the rest fills up the last tensor
        path.write_bytes(whole[:size])
        with pytest.raises(BrokenGGUF):
            GGUF(path)
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            GGUF(path)
        except BrokenGGUF:
            continue
