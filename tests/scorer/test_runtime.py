"""The tokenizer made of a file's vocabulary, and sessions that can't be loaded."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.models.store import Installed
from skillgauge_scorer.runtime import Backbone, States, Stopped, _groups, load  # pyright: ignore[reportPrivateUsage]
from tests.scorer.test_export import backbone
from tests.scorer.tiny import byte_tokens, decoder


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Backbone:
    return backbone(tmp_path_factory.mktemp("tiny"), decoder("Q4_0"), (0,))


@pytest.fixture(scope="module")
def tiny_pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Backbone, Backbone]:
    folders = tmp_path_factory.mktemp("warm"), tmp_path_factory.mktemp("cold")
    warm, cold = (backbone(folder, decoder("Q4_1"), (1, 2)) for folder in folders)
    return warm, cold


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


@pytest.mark.parametrize("together", [0, 100, 5000])
def test_parts_see_the_prefix_and_themselves_alone(tmp_path: Path, together: int) -> None:
    made = backbone(tmp_path, decoder("Q4_1"), (0, 1, 2))
    random = np.random.default_rng(7)
    prefix = random.integers(0, 256, 41)
    parts = [random.integers(0, 256, size) for size in (1, 300, 0, 17, 5, 18, 64, 2)]
    made.states(parts[1])  # what was there before doesn't matter
    found = made.after(prefix, parts, together=together)
    assert len(found) == len(parts)
    for part, states in zip(parts, found, strict=True):
        alone = made.states(np.concatenate([prefix, part]))
        for layer in made.layers:
            wanted = alone[layer][len(prefix) :]
            assert states[layer].shape == wanted.shape
            assert np.abs(states[layer] - wanted).max(initial=0) < 1e-4


def test_parts_of_similar_length_are_computed_together() -> None:
    sizes = [10, 200, 12, 9, 190, 1000]
    assert _groups(sizes, 450) == [[3, 0, 2], [4, 1], [5]]
    assert _groups(sizes, 0) == [[3], [0], [2], [4], [1], [5]]
    assert _groups([], 450) == []


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


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["put in", "take out", "put over", "parts", "forget", "stop"]),
        st.integers(0, 900),
        st.integers(1, 300),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=25, deadline=None)
@given(STEPS)
def test_any_edits_end_in_the_states_of_a_cold_run(
    tiny_pair: tuple[Backbone, Backbone], steps: list[tuple[str, int, int]]
) -> None:
    warm, cold = tiny_pair
    ids = np.arange(500) * 7 % 256
    for number, (step, at, size) in enumerate(steps):
        new = (np.arange(size) + 31 * number) % 256
        if step == "put in":
            ids = np.concatenate([ids[:at], new, ids[at:]])[:1000]
        elif step == "take out":
            ids = np.concatenate([ids[:at], ids[at + size :]])
        elif step == "put over":
            ids = np.concatenate([ids[:at], new, ids[at + size :]])[:1000]
        elif step == "parts":
            warm.after(ids[:at], [new[: 1000 - at], new[:3]])
        elif step == "forget":
            warm.forget()
        else:
            with suppress(Stopped):
                warm.states(ids[::-1], iter([False, True, True, True, True]).__next__)
        if number % 2:  # not each text is scored
            warm.states(ids)
    found = warm.states(ids)
    cold.forget()
    for layer, wanted in cold.states(ids).items():
        assert found[layer].shape == wanted.shape
        assert np.abs(found[layer] - wanted).max(initial=0) < 1e-3


def test_a_caller_can_keep_its_own_of_each_chunk(tmp_path: Path) -> None:
    made = backbone(tmp_path, decoder("Q4_1"), (1, 2))
    ids = np.arange(700) % 256
    sums: list[tuple[int, float]] = []

    def take(at: int, states: States) -> None:
        sums.append((at, float(states[2].sum())))

    made.each(ids, take)
    assert [at for at, _ in sums] == [0, 256, 512]
    changed = ids.copy()
    changed[600] = 1
    made.each(changed, take, held=len(ids))
    assert sums[3][0] == 600
    made.each(changed, take, held=512)
    assert sums[4][0] == 512
    assert abs(sums[4][1] - float(made.states(changed)[2][512:].sum())) < 1e-2


def test_a_model_of_another_exporter_is_named() -> None:
    facts = {"name": "old", "exporter": 1, "backbone": {}}
    with pytest.raises(ScorerError, match=r"another version.*Run `skillgauge model install old`"):
        load(Installed(Path("nowhere"), facts))
