"""What a decoder of the Llama family is: its sizes, as a GGUF file's metadata has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.export.blocks import floats
from skillgauge_scorer.export.source import Source

ARCHITECTURES: Final = {"llama": True, "qwen2": False, "qwen3": False}
"""Whether rotary embedding turns neighbours (x0 with x1), not halves (x0 with the middle)."""
MAX_CONTEXT: Final = 32_768


@dataclass(frozen=True, slots=True)
class Decoder:
    """The sizes of a decoder."""

    architecture: str
    blocks: int
    width: int
    heads: int
    kv_heads: int
    head: int
    epsilon: float
    context: int
    """Tokens that positions are made for."""
    vocabulary: int
    interleaved: bool


def read(file: Source) -> Decoder:
    """Return what a file holds; ScorerError for what can't be exported."""
    name = str(file.get("general.architecture", str))
    if name not in ARCHITECTURES:
        known = ", ".join(ARCHITECTURES)
        raise ScorerError(f"A model of the architecture “{name}” can't be used: {known} can")
    if file.metadata.get(f"{name}.expert_count"):
        raise ScorerError("A mixture of experts can't be used: a dense model can")
    width = _positive(file, f"{name}.embedding_length")
    heads = _positive(file, f"{name}.attention.head_count")
    head = _positive(file, f"{name}.attention.key_length", width // heads)
    if file.get(f"{name}.rope.dimension_count", int, head) != head:
        raise ScorerError("A model that turns a part of each head only can't be used")
    scaling = file.metadata.get(f"{name}.rope.scaling.type", "none")
    if scaling not in ("none", "linear"):
        raise ScorerError(f"A model with rotary scaling “{scaling}” can't be used")
    vocabulary = file.tensor("token_embd.weight").shape[0]
    return Decoder(
        architecture=name,
        blocks=_positive(file, f"{name}.block_count"),
        width=width,
        heads=heads,
        kv_heads=_positive(file, f"{name}.attention.head_count_kv", heads),
        head=head,
        epsilon=float(file.get(f"{name}.attention.layer_norm_rms_epsilon", float)),
        context=min(_positive(file, f"{name}.context_length"), MAX_CONTEXT),
        vocabulary=vocabulary,
        interleaved=ARCHITECTURES[name],
    )


def _positive(file: Source, key: str, default: int | None = None) -> int:
    value: int = file.get(key, int, default)
    if value < 1:
        raise ScorerError(f"The model's “{key}” is {value}")
    return value


def angles(file: Source, decoder: Decoder) -> NDArray[np.float32]:
    """Return the rotary angle of each position and pair of a head's values."""
    name = decoder.architecture
    base = float(file.get(f"{name}.rope.freq_base", float, 10_000.0))
    speeds = base ** -(np.arange(0, decoder.head, 2, dtype=np.float64) / decoder.head)
    if "rope_freqs.weight" in file.tensors:  # how Llama 3.1 slows the slow ones down
        speeds = speeds / floats(file.tensors["rope_freqs.weight"])[0]
    if file.metadata.get(f"{name}.rope.scaling.type") == "linear":
        speeds = speeds / float(file.get(f"{name}.rope.scaling.factor", float))
    positions = np.arange(decoder.context, dtype=np.float64)
    return np.outer(positions, speeds).astype(np.float32)
