"""Random tensors in each of GGUF's block types, with the numbers that they stand for.

Written from the format's definition, one value of a block at a time, as a second opinion on the
code that is tested.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]
Blocks = tuple[Bytes, Floats]
"""Blocks as bytes, and their numbers: both with a row a block."""

NUMBERS = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q5_0": 6, "Q5_1": 7, "Q8_0": 8} | {
    "Q4_K": 12,
    "Q5_K": 13,
    "Q6_K": 14,
    "BF16": 30,
}
SIZES = {"Q4_0": 32, "Q4_1": 32, "Q5_0": 32, "Q5_1": 32, "Q8_0": 32} | dict.fromkeys(
    ("Q4_K", "Q5_K", "Q6_K"), 256
)


def tensor(kind: str, rows: int, columns: int, seed: Any, spread: float = 0.05) -> Blocks:
    """Return the bytes of a random matrix, and the matrix."""
    random = np.random.default_rng(seed)
    if kind not in SIZES:
        plain = (random.standard_normal((rows, columns)) * spread).astype(np.float32)
        return _plain(kind, plain)
    count = rows * columns // SIZES[kind]
    data, numbers = _MAKERS[kind](random, count, spread)
    assert np.array_equal(data.shape[0], count)
    return data.reshape(rows, -1), numbers.reshape(rows, columns)


def _plain(kind: str, plain: Floats) -> Blocks:
    if kind == "F32":
        return plain.view(np.uint8), plain
    if kind == "F16":
        half = plain.astype(np.float16)
        return half.view(np.uint8), half.astype(np.float32)
    cut = plain.view(np.uint32) >> 16
    return cut.astype(np.uint16).view(np.uint8), (cut << 16).view(np.float32)


def _half(random: np.random.Generator, count: int, spread: float) -> tuple[Bytes, Floats]:
    value = (random.uniform(0.5, 1.5, (count, 1)) * spread).astype(np.float16)
    return value.view(np.uint8), value.astype(np.float32)[:, 0]


def _bytes(random: np.random.Generator, count: int, size: int) -> Bytes:
    return random.integers(0, 256, (count, size), dtype=np.uint8)


def _small(top: int) -> Callable[[np.random.Generator, int, float], Blocks]:
    """Return a maker of blocks of 32: `top` is 16 or 32, and the scale alone says all."""

    def make(random: np.random.Generator, count: int, spread: float) -> Blocks:
        scale, number = _half(random, count, spread / top * 4)
        values, packed = _nibbles_and_tops(random, count, top)
        numbers = np.stack([number * (value - top // 2) for value in values], axis=1)
        return np.hstack([scale, packed]), numbers.astype(np.float32)

    return make


def _small_with_minimum(top: int) -> Callable[[np.random.Generator, int, float], Blocks]:
    def make(random: np.random.Generator, count: int, spread: float) -> Blocks:
        scale, number = _half(random, count, spread / top * 4)
        scale[::7], number[::7] = 0, 0  # blocks of one number: their minimum
        low, least = _half(random, count, spread * -2)
        values, packed = _nibbles_and_tops(random, count, top)
        numbers = np.stack([number * value + least for value in values], axis=1)
        return np.hstack([scale, low, packed]), numbers.astype(np.float32)

    return make


def _nibbles_and_tops(
    random: np.random.Generator, count: int, top: int
) -> tuple[list[Floats], Bytes]:
    tops, nibbles = _bytes(random, count, 4), _bytes(random, count, 16)
    values: list[Floats] = []
    for place in range(32):
        byte = nibbles[:, place % 16]
        value = (byte & 15) if place < 16 else (byte >> 4)
        if top == 32:
            value = value + 16 * ((tops[:, place // 8] >> (place % 8)) & 1)
        values.append(value.astype(np.float32))
    return values, np.hstack([tops, nibbles]) if top == 32 else nibbles


def _q8_0(random: np.random.Generator, count: int, spread: float) -> Blocks:
    scale, number = _half(random, count, spread / 64)
    values = _bytes(random, count, 32)
    return np.hstack([scale, values]), values.view(np.int8) * number[:, None]


def _k(top: int) -> Callable[[np.random.Generator, int, float], Blocks]:
    """Return a maker of K blocks with minima: of 4 bits for a top of 16, of 5 for 32."""

    def make(random: np.random.Generator, count: int, spread: float) -> Blocks:
        scale, number = _half(random, count, spread / top / 16)
        low, least = _half(random, count, spread / 16)
        packed, tops = _bytes(random, count, 12), _bytes(random, count, 32)
        nibbles = _bytes(random, count, 128)
        numbers = np.zeros((count, 256), np.float32)
        for part in range(8):
            if part < 4:
                factor, minus = packed[:, part] & 63, packed[:, part + 4] & 63
            else:
                factor = (packed[:, part + 4] & 15) | ((packed[:, part - 4] >> 6) << 4)
                minus = (packed[:, part + 4] >> 4) | ((packed[:, part] >> 6) << 4)
            for place in range(32):
                byte = nibbles[:, part // 2 * 32 + place]
                value = ((byte >> 4) if part % 2 else (byte & 15)).astype(np.float32)
                if top == 32:
                    value += 16 * ((tops[:, place] >> part) & 1)
                numbers[:, part * 32 + place] = number * factor * value - least * minus
        middle = [tops] if top == 32 else []
        return np.hstack([scale, low, packed, *middle, nibbles]), numbers

    return make


def _q6_k(random: np.random.Generator, count: int, spread: float) -> Blocks:
    low, high = _bytes(random, count, 128), _bytes(random, count, 64)
    factors = _bytes(random, count, 16)
    scale, number = _half(random, count, spread / 32 / 64)
    numbers = np.zeros((count, 256), np.float32)
    for place in range(256):
        half, within = divmod(place, 128)
        quarter, column = divmod(within, 32)
        byte = low[:, half * 64 + (quarter % 2) * 32 + column]
        value = (byte >> 4) if quarter >= 2 else (byte & 15)
        value = value | (((high[:, half * 32 + column] >> (2 * quarter)) & 3) << 4)
        factor = factors[:, place // 16].view(np.int8).astype(np.float32)
        numbers[:, place] = number * factor * (value.astype(np.float32) - 32)
    return np.hstack([low, high, factors, scale]), numbers


_MAKERS: dict[str, Callable[[np.random.Generator, int, float], Blocks]] = {
    "Q4_0": _small(16),
    "Q4_1": _small_with_minimum(16),
    "Q5_0": _small(32),
    "Q5_1": _small_with_minimum(32),
    "Q8_0": _q8_0,
    "Q4_K": _k(16),
    "Q5_K": _k(32),
    "Q6_K": _q6_k,
}
