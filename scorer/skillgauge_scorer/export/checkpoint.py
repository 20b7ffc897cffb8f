"""A checkpoint in safetensors that shows itself as a GGUF file, one tensor at a time.

Names and sizes are translated, and matrices come in blocks of 4 or 8 bits, so that the same graph
is written for both. Of a model of many gigabytes no more than one tensor is in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.export.gguf_file import Tensor
from skillgauge_scorer.export.requantise import eight, four

Floats = NDArray[np.float32]

FAMILY: Final = ("llama", "qwen2", "qwen3")
BITS: Final = (4, 8)
ROPES: Final = ("default", "linear", "llama3")
_NAMES: Final = {
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
_BLOCK: Final = re.compile(r"(?:model\.)?layers\.(\d+)\.(.+)\.(weight|bias)")
_EMBEDDING: Final = re.compile(r"(?:model\.)?embed_tokens\.weight")
_EMBEDDED: Final = "token_embd.weight"
_SLOWED: Final = "rope_freqs.weight"


class Checkpoint:
    """A folder with a model of the Llama family, as `transformers` saves it."""

    def __init__(self, folder: Path, bits: int) -> None:
        """Read the configuration, and find the tensors."""
        self.folder = folder
        config = configuration(folder)
        check(config)
        speeds = _speeds(config)
        self.metadata: Mapping[str, Any] = _metadata(config)
        self.tensors: Mapping[str, Tensor] = _Tensors(folder, bits, speeds)

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """Return an entry; ScorerError if it is missing or of another kind."""
        value = self.metadata.get(key, default)
        if kind is float and type(value) is int:
            value = float(value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise ScorerError(f"The configuration in “{self.folder}” has no usable “{key}”")
        return value

    def tensor(self, name: str) -> Tensor:
        """Return a tensor that has to be there."""
        if name not in self.tensors:
            raise ScorerError(f"“{self.folder}” has no tensor for “{name}”")
        return self.tensors[name]


def configuration(folder: Path) -> Any:
    """Return what `transformers` makes of a folder's `config.json`."""
    transformers: Any = import_module("transformers")
    if not (folder / "config.json").is_file():
        raise ScorerError(f"“{folder}” holds no model: it has no config.json")
    try:
        return transformers.AutoConfig.from_pretrained(str(folder))
    except Exception as error:  # the library has many kinds
        why = str(error).strip().splitlines()[0].rstrip(".") if str(error).strip() else ""
        raise ScorerError(f"“{folder}/config.json” can't be used", why) from error


def check(config: Any) -> None:
    """Raise ScorerError, in one sentence, for a model that the graph can't be."""
    kind = str(config.model_type)
    if kind not in FAMILY:
        listed = ", ".join(FAMILY)
        raise ScorerError(f"A model of the architecture “{kind}” can't be exported: {listed} can")
    if getattr(config, "quantization_config", None):
        how = "Export the model that it was made from"
        raise ScorerError("A model that is quantised already can't be exported", how=how)
    act = str(config.hidden_act)
    if act not in ("silu", "swish"):
        raise ScorerError(f"A model with the activation “{act}” can't be exported: “silu” can")
    layers = cast("list[str]", getattr(config, "layer_types", None) or [])
    if any(layer != "full_attention" for layer in layers):
        raise ScorerError("A model whose attention has a sliding window can't be exported")


def _metadata(config: Any) -> dict[str, Any]:
    name = str(config.model_type)
    heads = int(config.num_attention_heads)
    return {
        "general.architecture": name,
        f"{name}.block_count": int(config.num_hidden_layers),
        f"{name}.embedding_length": int(config.hidden_size),
        f"{name}.attention.head_count": heads,
        f"{name}.attention.head_count_kv": int(config.num_key_value_heads or heads),
        f"{name}.attention.key_length": _head(config),
        f"{name}.attention.layer_norm_rms_epsilon": float(config.rms_norm_eps),
        f"{name}.context_length": int(config.max_position_embeddings),
        f"{name}.rope.freq_base": _base(config),
    }


def _head(config: Any) -> int:
    given = getattr(config, "head_dim", None)
    return int(given or config.hidden_size // config.num_attention_heads)


def _base(config: Any) -> float:
    return float(_rope(config).get("rope_theta", 10_000.0))


def _rope(config: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", getattr(config, "rope_parameters", None) or {})


def _speeds(config: Any) -> Floats | None:
    """Return how much slower each pair of a head turns than usual; None for none."""
    module: Any = import_module("transformers.models.llama.modeling_llama")
    rope = str(_rope(config).get("rope_type", "default"))
    if rope not in ROPES:
        raise ScorerError(f"A model with rotary scaling “{rope}” can't be exported")
    made: Any = module.LlamaRotaryEmbedding(config)
    found = np.asarray(made.inv_freq.double().numpy(), np.float64)
    head = _head(config)
    if len(found) != head // 2:
        raise ScorerError("A model that turns a part of each head only can't be exported")
    usual = _base(config) ** -(np.arange(0, head, 2, dtype=np.float64) / head)
    if np.allclose(found, usual, rtol=1e-5, atol=0):
        return None
    return (usual / found).astype(np.float32)


class _Tensors(Mapping[str, Tensor]):
    """The tensors of a folder, under GGUF's names."""

    def __init__(self, folder: Path, bits: int, slowed: Floats | None) -> None:
        self._bits, self._slowed = bits, slowed
        self._places: dict[str, tuple[Any, str]] = {}
        self._last: Tensor | None = None
        safetensors: Any = import_module("safetensors")
        files = sorted(folder.glob("*.safetensors"))
        if not files:
            raise ScorerError(f"“{folder}” holds no weights in safetensors")
        for path in files:
            try:
                file = safetensors.safe_open(str(path), framework="pt")
                names = list(file.keys())
            except Exception as error:  # the library's own kind is not public
                raise ScorerError(f"“{path}” is broken or cut off", str(error)) from error
            for name in names:
                if (made := renamed(name)) is not None:
                    self._places[made] = file, name

    def __iter__(self) -> Iterator[str]:
        yield from self._places
        if self._slowed is not None:
            yield _SLOWED

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in self._places or (name == _SLOWED and self._slowed is not None)

    def __getitem__(self, name: str) -> Tensor:
        if self._last is None or self._last.name != name:
            self._last = self._made(name)
        return self._last

    def _made(self, name: str) -> Tensor:
        if name == _SLOWED and self._slowed is not None:
            return _plain(name, self._slowed[None])
        file, place = self._places[name]
        values = cast("Floats", file.get_tensor(place).float().numpy())
        if values.ndim == 1:
            return _plain(name, values[None])
        # All that is computed begins with the embedding, and it costs no time: 8 bits always.
        bits = 8 if name == _EMBEDDED else self._bits
        data = four(values) if bits == 4 else eight(values)
        return Tensor(name, "Q4_1" if bits == 4 else "Q8_0", values.shape, data)


def _plain(name: str, values: Floats) -> Tensor:
    data = np.ascontiguousarray(values, "<f4").view(np.uint8)
    return Tensor(name, "F32", values.shape[1:], data)


def renamed(name: str) -> str | None:
    """Return GGUF's name for a tensor of a checkpoint, None for one that is not needed."""
    if _EMBEDDING.fullmatch(name):
        return _EMBEDDED
    match = _BLOCK.fullmatch(name)
    if match is None or match[2] not in _NAMES:
        return None
    return f"blk.{match[1]}.{_NAMES[match[2]]}.{match[3]}"
