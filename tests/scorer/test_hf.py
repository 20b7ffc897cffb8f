"""Checkpoints exported to ONNX, against the same in torch: small random ones made here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")
pytest.importorskip("torch", reason="needs the extra “train”")
pytest.importorskip("transformers", reason="needs the extra “train”")

import numpy as np
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.export.blocks import floats
from skillgauge_scorer.export.gguf_file import Tensor
from skillgauge_scorer.export.requantise import eight, four
from skillgauge_scorer.models import requests, store
from skillgauge_scorer.reference import load as load_reference
from skillgauge_scorer.runtime import load
from tests.scorer.tiny import byte_tokens

SIZES = {
    "hidden_size": 128,
    "intermediate_size": 256,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 258,
    "max_position_embeddings": 512,
}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500_000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
}
MODELS = {
    "llama": {},
    "llama with slowed angles": {"rope_parameters": LLAMA3},
    "llama with biases": {"attention_bias": True, "mlp_bias": True, "head_dim": 48},
    "qwen2": {},
    "qwen3": {"head_dim": 64},
}


def checkpoint(folder: Path, name: str, **more: Any) -> Path:
    """Save a random model with a tokenizer of bytes."""
    settings = {**SIZES, **MODELS.get(name, {}), **more}
    config = transformers.AutoConfig.for_model(name.partition(" ")[0], **settings)
    torch.manual_seed(5)
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    with torch.no_grad():
        for part, value in model.named_parameters():
            if value.ndim == 1:  # norms are ones and biases zeros at first
                value.add_(torch.randn_like(value) * 0.2)
            elif "embed" in part:
                value.normal_(0, 1)
            else:
                value.normal_(0, 0.08)
            if value.ndim == 2:  # numbers that 8 bits hold exactly
                data = eight(value.numpy())
                value.copy_(torch.from_numpy(floats(Tensor("", "Q8_0", tuple(value.shape), data))))
    model.save_pretrained(folder)
    vocabulary = {token: at for at, token in enumerate(byte_tokens())}
    plain = Tokenizer(models.BPE(vocabulary, []))
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made = transformers.PreTrainedTokenizerFast(
        tokenizer_object=plain, bos_token="<s>", additional_special_tokens=["<|im_start|>"]
    )
    made.save_pretrained(folder)
    return folder


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)  # models this small only wait for each other on more


def quiet(step: str, done: int, total: int) -> None:
    pass


def exported(folder: Path, **params: Any) -> store.Installed:
    result = requests.answer("export", {"name": str(folder), **params}, quiet)
    return store.load(result["name"])


TEXT = (
    "# Resize images\n\nRun `convert -resize 50% in.png out.png`; it exits 1 if a file is missing."
)


@pytest.mark.parametrize(("work", "kind", "off"), [(four, "Q4_1", 0.08), (eight, "Q8_0", 0.006)])
def test_blocks_hold_numbers(work: Any, kind: str, off: float) -> None:
    plain = np.random.default_rng(2).normal(0, 1, (40, 96)).astype(np.float32)
    plain[3] = 0
    plain[4, :32] = 0.25
    found = floats(Tensor("", kind, plain.shape, work(plain)))
    assert found.shape == plain.shape
    assert np.array_equal(found[3], plain[3])
    assert np.allclose(found[4, :32], 0.25, rtol=1e-3, atol=0)
    assert np.sqrt(((found - plain) ** 2).mean()) < off
    with pytest.raises(ScorerError, match="rows of 33"):
        work(np.zeros((2, 33), np.float32))


def test_fitted_blocks_are_nearer_than_those_of_least_and_largest() -> None:
    cut = np.random.default_rng(3).standard_t(4, (500, 32)).astype(np.float32)
    found = floats(Tensor("", "Q4_1", cut.shape, four(cut)))
    least = cut.min(axis=1, keepdims=True)
    step = (cut.max(axis=1, keepdims=True) - least) / 15
    usual = np.rint((cut - least) / step) * step + least
    assert ((found - cut) ** 2).sum() < 0.95 * ((usual - cut) ** 2).sum()


@pytest.mark.parametrize("name", MODELS)
def test_states_are_those_of_torch(tmp_path: Path, models: Path, name: str) -> None:
    folder = checkpoint(tmp_path / "model", name)
    model = exported(folder, bits=8, layers=[0, 2, 4])
    backbone = load(model)
    reference = load_reference(model, backbone.encode)
    ids = backbone.encode(TEXT * 3).ids
    assert len(ids) == 3 * len(TEXT.encode())
    wanted, found = reference.states(ids), backbone.states(ids)
    assert list(found) == list(wanted) == [0, 2, 4]
    for layer, state in wanted.items():
        assert np.abs(found[layer] - state).max() < 5e-5 * np.abs(state).max(), layer
    (part,) = reference.after(ids[:40], [ids[40:]])
    assert np.allclose(part[4], wanted[4][40:], atol=1e-4)


def test_turning_neighbours_instead_of_halves_would_show(tmp_path: Path, models: Path) -> None:
    """The test above is worth something: with the other layout, states are far off."""
    folder = checkpoint(tmp_path / "model", "llama")
    model = exported(folder, bits=8, layers=[4])
    backbone = load(model)
    ids = backbone.encode(TEXT * 3).ids
    wanted = load_reference(model, backbone.encode).states(ids)[4]
    graph = (model.folder / "backbone.onnx").read_bytes()
    other = graph.replace(b"rotary_interleaved\x18\x00", b"rotary_interleaved\x18\x01")
    assert other != graph
    (model.folder / "backbone.onnx").write_bytes(other)
    found = load(model).states(ids)[4]
    assert np.abs(found - wanted).max() > 0.1 * np.abs(wanted).max()


def test_four_bits_are_smaller_and_near(tmp_path: Path, models: Path) -> None:
    folder = checkpoint(tmp_path / "model", "qwen3")
    four, eight = (
        exported(folder, bits=bits, layers=[4], called=f"bits-{bits}") for bits in (4, 8)
    )
    assert (
        four.files["backbone.onnx.data"]["size"] < 0.75 * eight.files["backbone.onnx.data"]["size"]
    )
    ids = load(four).encode(TEXT * 3).ids
    left, right = (load(model).states(ids)[4] for model in (four, eight))
    assert 0.01 < np.linalg.norm(left - right) / np.linalg.norm(right) < 0.2


def test_control_tokens_are_text(tmp_path: Path, models: Path) -> None:
    folder = checkpoint(tmp_path / "model", "llama")
    backbone = load(exported(folder, layers=[1]))
    assert len(backbone.encode("<|im_start|>").ids) == 12
    assert len(backbone.encode("").ids) == 0


def test_what_an_export_is_called_and_says_of_itself(tmp_path: Path, models: Path) -> None:
    folder = checkpoint(tmp_path / "My Model", "llama")
    model = exported(folder)
    assert model.name == "my-model-int4"
    assert model.manifest["backbone"]["layers"] == [1, 2, 3]
    assert model.manifest["source"]["folder"] == str(folder)
    store.verify(model, quiet)
    assert exported(folder, called="other", bits=8).name == "other"
    with pytest.raises(ScorerError, match="is there already"):
        exported(folder)
    assert exported(folder, again=True).name == "my-model-int4"
    names = [entry["name"] for entry in requests.answer("list", {}, quiet)]
    assert names[1:] == ["my-model-int4", "other"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"model_type": "gemma3_text"}, "“gemma3_text” can't be exported: llama, qwen2, qwen3"),
        ({"model_type": "qwen3_5_text"}, "“qwen3_5_text” can't be exported"),
        ({"model_type": "no_such_kind"}, "config.json” can't be used"),
        ({"hidden_act": "gelu"}, "activation “gelu”"),
        ({"quantization_config": {"quant_method": "gptq", "bits": 4}}, "quantised already"),
        (
            {"rope_parameters": {"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0}},
            "rotary scaling “yarn”",
        ),
        ({"num_hidden_layers": 9}, "has no tensor for “blk.4"),
    ],
)
def test_what_can_not_be_exported_is_said(
    tmp_path: Path, models: Path, change: dict[str, Any], said: str
) -> None:
    folder = checkpoint(tmp_path / "model", "llama")
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ScorerError) as caught:
        exported(folder, layers=[5] if "num_hidden_layers" in change else None)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert [path.name for path in models.iterdir()] == []


def test_a_sliding_window_is_refused(tmp_path: Path, models: Path) -> None:
    more = {"use_sliding_window": True, "max_window_layers": 0, "sliding_window": 64}
    with pytest.raises(ScorerError, match="sliding window"):
        exported(checkpoint(tmp_path / "model", "qwen2", **more))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("nothing here", "no folder, and no name"),
        ("owner/name", "“owner/name” could not be fetched"),
        (".", "has no config.json"),
    ],
)
def test_what_is_no_checkpoint(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch, given: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ScorerError, match=said) as caught:
        exported(Path(given))
    assert "\n" not in str(caught.value)


def test_a_copy_of_the_hub_is_used(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the hub's own library keeps it, and with no network."""
    place = tmp_path / "hub" / "models--owner--name"
    checkpoint(place / "snapshots" / "abc123", "llama")
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text("abc123")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    model = exported(Path("owner/name"), layers=[2])
    assert model.name == "name-int4"
    assert model.manifest["source"] == {"repository": "owner/name", "revision": "abc123"}


@pytest.mark.parametrize("damage", ["cut", "none"])
def test_broken_weights(tmp_path: Path, models: Path, damage: str) -> None:
    folder = checkpoint(tmp_path / "model", "llama")
    file = folder / "model.safetensors"
    if damage == "cut":
        file.write_bytes(file.read_bytes()[:1000])
    else:
        file.unlink()
    with pytest.raises(ScorerError, match="safetensors"):
        exported(folder)


@pytest.mark.parametrize("called", ["", ".x", "a/b", "smollm2-135m-instruct", "a b"])
def test_names_that_can_not_be(tmp_path: Path, models: Path, called: str) -> None:
    folder = checkpoint(tmp_path / "model", "llama")
    if called:
        with pytest.raises(ScorerError, match="name"):
            exported(folder, called=called)
    for layers in ([9], [-1]):
        with pytest.raises(ScorerError, match="layers 0 to 4"):
            exported(folder, layers=layers)
