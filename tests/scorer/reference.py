"""A decoder of the Llama family in plain numpy: what the exported graph is held against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def states(
    metadata: Mapping[str, Any], weights: Mapping[str, NDArray[np.float32]], ids: Any, last: int
) -> list[Floats]:
    """Return the residual stream before the first block and after each up to `last`."""
    name = metadata["general.architecture"]
    heads = metadata[f"{name}.attention.head_count"]
    kv_heads = metadata[f"{name}.attention.head_count_kv"]
    epsilon = metadata[f"{name}.attention.layer_norm_rms_epsilon"]
    base = metadata[f"{name}.rope.freq_base"]
    stream = weights["token_embd.weight"][np.asarray(ids)].astype(np.float64)
    found = [stream]
    for block in range(last):

        def weight(part: str, block: int = block) -> Any:
            return weights.get(f"blk.{block}.{part}")

        normal = _norm(stream, weight("attn_norm.weight"), epsilon)
        parts: list[Floats] = []
        for part, count in (("q", heads), ("k", kv_heads), ("v", kv_heads)):
            value = normal @ weight(f"attn_{part}.weight").T
            if (bias := weight(f"attn_{part}.bias")) is not None:
                value = value + bias[0]
            value = value.reshape(len(value), count, -1)
            if (scale := weight(f"attn_{part}_norm.weight")) is not None:
                value = _norm(value, scale, epsilon)
            parts.append(_turn(value, base, name == "llama") if part != "v" else value)
        stream = stream + _attention(*parts) @ weight("attn_output.weight").T
        normal = _norm(stream, weight("ffn_norm.weight"), epsilon)
        gate = normal @ weight("ffn_gate.weight").T
        up = normal @ weight("ffn_up.weight").T
        stream = stream + (gate / (1 + np.exp(-gate)) * up) @ weight("ffn_down.weight").T
        found.append(stream)
    return found


def _norm(value: Floats, weight: NDArray[np.float32], epsilon: float) -> Floats:
    return value / np.sqrt((value**2).mean(axis=-1, keepdims=True) + epsilon) * weight[0]


def _turn(value: Floats, base: float, neighbours: bool) -> Floats:
    size = value.shape[-1]
    speeds = base ** (-np.arange(0, size, 2) / size)
    angle = np.arange(len(value))[:, None, None] * speeds
    left, right = (
        (value[..., 0::2], value[..., 1::2])
        if neighbours
        else (value[..., : size // 2], value[..., size // 2 :])
    )
    turned = (
        left * np.cos(angle) - right * np.sin(angle),
        left * np.sin(angle) + right * np.cos(angle),
    )
    return np.stack(turned, -1).reshape(value.shape) if neighbours else np.concatenate(turned, -1)


def _attention(query: Floats, key: Floats, value: Floats) -> Floats:
    group = query.shape[1] // key.shape[1]
    key, value = key.repeat(group, axis=1), value.repeat(group, axis=1)
    weight = np.einsum("qhd,khd->hqk", query, key) / np.sqrt(query.shape[-1])
    weight[:, ~np.tri(len(query), dtype=bool)] = -np.inf
    weight = np.exp(weight - weight.max(axis=-1, keepdims=True))
    weight /= weight.sum(axis=-1, keepdims=True)
    return np.einsum("hqk,khd->qhd", weight, value).reshape(len(query), -1)
