"""The default model in full: against plain numpy, and its tokens against a second splitting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

import numpy as np

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.export.blocks import floats
from skillgauge_scorer.export.gguf_file import GGUF
from skillgauge_scorer.models import DEFAULT, store
from skillgauge_scorer.runtime import Backbone, load
from tests.scorer import reference
from tests.scorer.tiny import byte_tokens

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def model() -> store.Installed:
    try:
        return store.load(DEFAULT)
    except ScorerError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def backbone(model: store.Installed) -> Backbone:
    return load(model)


@pytest.fixture(scope="module")
def file(model: store.Installed) -> GGUF:
    return GGUF(model.folder / "model.gguf")


def texts() -> list[str]:
    skills = sorted((ROOT / "examples").rglob("SKILL.md"))
    assert skills
    return [path.read_text(encoding="utf-8") for path in skills]


def rank(values: Any) -> Any:
    return np.argsort(np.argsort(values)).astype(float)


def test_states_are_those_of_plain_numbers(backbone: Backbone, file: GGUF) -> None:
    last = max(backbone.layers)
    parts = tuple(f"blk.{block}." for block in range(last))
    wanted_tensors = [name for name in file.tensors if name.startswith(("token_embd", *parts))]
    weights = {name: floats(file.tensors[name]) for name in wanted_tensors}
    for text in texts()[:2]:
        ids = backbone.encode(text).ids[:160]
        wanted = reference.states(file.metadata, weights, ids, last)
        for layer, found in backbone.states(ids).items():
            # The first token's state is thousands of times as large as the others, and apart.
            for rows in (slice(0, 1), slice(1, None)):
                off = np.abs(found[rows] - wanted[layer][rows]).max()
                assert off < 1e-3 * np.abs(wanted[layer][rows]).max(), layer
            pooled, plain = found[1:].mean(axis=0), wanted[layer][1:].mean(axis=0)
            cosine = pooled @ plain / np.linalg.norm(pooled) / np.linalg.norm(plain)
            assert cosine > 0.99999
            assert np.corrcoef(rank(pooled), rank(plain))[0, 1] > 0.9999


def test_an_edit_ends_in_the_states_of_a_cold_run(backbone: Backbone) -> None:
    text = texts()[0]
    middle = len(text) // 2
    backbone.states(backbone.encode(text).ids)
    ids = backbone.encode(f"{text[:middle]} edited {text[middle:]}").ids
    warm = backbone.states(ids)
    backbone.forget()
    for layer, cold in backbone.states(ids).items():
        assert np.abs(warm[layer][1:] - cold[1:]).max() < 1e-3 * np.abs(cold[1:]).max()


def test_tokens_are_those_of_a_plain_implementation(backbone: Backbone, file: GGUF) -> None:
    """Compare a few hundred lines, and texts in several scripts."""
    ranks = {
        tuple(merge.split(" ")): at
        for at, merge in enumerate(file.metadata["tokenizer.ggml.merges"])
    }
    numbers = {name: at for at, name in enumerate(file.metadata["tokenizer.ggml.tokens"])}
    lines = [line for text in texts() for line in text.splitlines(keepends=True)]
    others = [
        "Grüße, naïve façade — “quoted”…  \n\n",
        "日本語のテキスト and العربية, 12345 v2.10!",
        "tabs\t\tand   spaces  \r\n don't they're WE'LL",
        "👩‍👩‍👧 emoji 🎉🎉 <|im_start|>system",
    ]
    assert len(lines) > 100
    for line in [*lines, *others]:
        wanted = [numbers[part] for word in words(line) for part in merged(word, ranks)]
        assert backbone.encode(line).ids.tolist() == wanted, line


_WORDS = re.compile(
    r"'s|'t|'re|'ve|'m|'ll|'d| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+", re.UNICODE
)


def words(text: str) -> Iterator[str]:
    """Yield the pieces that merges don't cross; digits stand alone."""
    for part in re.split(r"(\d)", text):
        for word in _WORDS.findall(part):
            yield "".join(byte_tokens()[byte] for byte in word.encode())


def merged(word: str, ranks: dict[tuple[str, ...], int]) -> list[str]:
    parts = list(word)
    while len(parts) > 1:
        pairs = [ranks.get(pair, 1 << 30) for pair in pairwise(parts)]
        at = pairs.index(min(pairs))
        if pairs[at] == 1 << 30:
            break
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts
