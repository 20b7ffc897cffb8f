"""From the states of tokens to one state of a scope: the mean, the last, the mean of directions.

Means are of tokens, so the state of a scope is the token-weighted mean of its parts, and a score is
exactly the sum of what its tokens contribute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

Pooling = Literal["mean", "normed", "last"]
POOLINGS: Final[tuple[Pooling, ...]] = ("mean", "normed", "last")


@dataclass(frozen=True, slots=True)
class Pooled:
    """The states of a stretch of tokens, pooled: by layer, one vector a pooling."""

    count: int
    """Tokens."""
    states: Mapping[int, Mapping[Pooling, Floats]]


def normed(states: Floats) -> Floats:
    """Return each token's state as a direction, scaled so that a value's usual size is 1."""
    size = np.sqrt(np.mean(states * states, axis=1, keepdims=True))
    return states / np.maximum(size, 1e-6)


def pool(states: Mapping[int, Floats], start: int, end: int) -> Pooled:
    """Return the pooled states of tokens `start` to `end`, of which there is at least one."""
    found: dict[int, dict[Pooling, Floats]] = {}
    for layer, value in states.items():
        tokens = value[start:end]
        found[layer] = {
            "mean": tokens.mean(axis=0, dtype=np.float64).astype(np.float32),
            "normed": normed(tokens).mean(axis=0, dtype=np.float64).astype(np.float32),
            "last": tokens[-1].copy(),
        }
    return Pooled(end - start, found)


def join(parts: Sequence[Pooled]) -> Pooled:
    """Return the pooled states of stretches that follow each other."""
    count = sum(part.count for part in parts)
    found: dict[int, dict[Pooling, Floats]] = {}
    for layer in parts[0].states:
        found[layer] = {"last": parts[-1].states[layer]["last"]}
        for name in ("mean", "normed"):
            total = sum(part.count * part.states[layer][name].astype(np.float64) for part in parts)
            found[layer][name] = np.asarray(total / count, np.float32)
    return Pooled(count, found)
