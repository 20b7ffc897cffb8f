"""Quantised weights: from the blocks of GGUF to those of `MatMulNBits`, exactly where it can be.

A weight is (value - middle) * scale + offset, with a scale and an offset for each block of a row,
and whole values of 4 or 8 bits. The first part is what `MatMulNBits` computes fastest; the second
is a product of a thirty-second of the size, with the sums of the activations of each block. So all
of GGUF's types of blocks have an exact image, those with a minimum too. Plain numbers are
quantised, to 8 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.export.gguf_file import Tensor

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]

SIZE: Final = 32
MIDDLE: Final = {4: 8, 8: 128}
_LOW, _FOUR, _BITS6 = np.uint8(15), np.uint8(4), np.uint8(63)


@dataclass(frozen=True, slots=True)
class Blocks:
    """A matrix in blocks along its rows."""

    bits: int
    values: Bytes
    """Rows, blocks, values: one a byte, whatever `bits` is."""
    scales: Floats
    """Rows, blocks."""
    offsets: Floats | None
    """Rows, blocks; None for blocks without."""

    @property
    def size(self) -> int:
        """Return the values of a block."""
        return self.values.shape[2]

    def packed(self) -> Bytes:
        """Return the values as `MatMulNBits` has them: two a byte with 4 bits, the first low."""
        if self.bits == 8:
            return self.values
        return self.values[:, :, 0::2] | (self.values[:, :, 1::2] << _FOUR)

    def floats(self) -> Floats:
        """Return the matrix in plain numbers."""
        plain = (self.values.astype(np.float32) - MIDDLE[self.bits]) * self.scales[:, :, None]
        if self.offsets is not None:
            plain += self.offsets[:, :, None]
        return plain.reshape(len(plain), -1)


def blocks(tensor: Tensor) -> Blocks:
    """Return the image of a matrix."""
    if tensor.kind in _EXACT:
        return _EXACT[tensor.kind](tensor.data)
    return quantised(floats(tensor))


def floats(tensor: Tensor) -> Floats:
    """Return a tensor in plain numbers, as a matrix of its rows."""
    data = np.ascontiguousarray(tensor.data)
    if tensor.kind == "F32":
        return data.view("<f4").astype(np.float32, copy=False)
    if tensor.kind == "F16":
        return data.view("<f2").astype(np.float32)
    if tensor.kind == "BF16":
        return (data.view("<u2").astype(np.uint32) << 16).view(np.float32)
    return _EXACT[tensor.kind](data).floats()


def quantised(plain: Floats) -> Blocks:
    """Return plain numbers in symmetric blocks of 8 bits."""
    if plain.shape[1] % SIZE:
        raise ScorerError(f"A matrix with rows of {plain.shape[1]} can't be cut into blocks")
    cut = plain.reshape(len(plain), -1, SIZE)
    scales = np.abs(cut).max(axis=2) / np.float32(127)
    safe = np.where(scales > 0, scales, 1).astype(np.float32)
    values = np.rint(cut / safe[:, :, None]) + 128
    return Blocks(8, values.astype(np.uint8), scales, None)


def _split(data: Bytes, size: int) -> Bytes:
    return data.reshape(len(data), -1, size)


def _half(data: Bytes) -> Floats:
    """Return the 16-bit number that each block has in two bytes."""
    return np.ascontiguousarray(data).view("<f2")[..., 0].astype(np.float32)


def _nibbles(data: Bytes) -> Bytes:
    """Return low halves, then high halves, of each block's bytes."""
    return np.concatenate([data & _LOW, data >> _FOUR], axis=-1)


def _with_minimum(bits: int, values: Bytes, scales: Floats, minima: Floats) -> Blocks:
    """Return values * scale + minimum, for values of 4 bits, or of 5 in 8."""
    lift = 8 if bits == 4 else 16
    raised = values + np.uint8(MIDDLE[bits] - lift)
    offsets = (minima + np.float32(lift) * scales).astype(np.float32)
    return Blocks(bits, raised, scales, offsets)


def _q4_0(data: Bytes) -> Blocks:
    cut = _split(data, 18)
    return Blocks(4, _nibbles(cut[..., 2:]), _half(cut[..., :2]), None)


def _q4_1(data: Bytes) -> Blocks:
    cut = _split(data, 20)
    return _with_minimum(4, _nibbles(cut[..., 4:]), _half(cut[..., :2]), _half(cut[..., 2:4]))


def _q8_0(data: Bytes) -> Blocks:
    cut = _split(data, 34)
    return Blocks(8, cut[..., 2:] ^ np.uint8(128), _half(cut[..., :2]), None)


def _fives(high: Bytes, low: Bytes) -> Bytes:
    """Return values of five bits: 32 top bits in four bytes, and nibbles."""
    return _nibbles(low) | (np.unpackbits(high, axis=-1, bitorder="little") << _FOUR)


def _q5_0(data: Bytes) -> Blocks:
    cut = _split(data, 22)
    return Blocks(
        8, _fives(cut[..., 2:6], cut[..., 6:]) + np.uint8(128 - 16), _half(cut[..., :2]), None
    )


def _q5_1(data: Bytes) -> Blocks:
    cut = _split(data, 24)
    values = _fives(cut[..., 4:8], cut[..., 8:])
    return _with_minimum(8, values, _half(cut[..., :2]), _half(cut[..., 2:4]))


def _scales_and_minima(cut: Bytes) -> tuple[Floats, Floats]:
    """Return those of the eight parts of each K block of 4 or 5 bits."""
    packed = cut[..., 4:16]
    first, second, third = packed[..., :4], packed[..., 4:8], packed[..., 8:]
    scales = np.concatenate([first & 63, (third & 15) | ((first >> 6) << 4)], axis=-1)
    minima = np.concatenate([second & 63, (third >> 4) | ((second >> 6) << 4)], axis=-1)
    whole, least = _half(cut[..., :2])[..., None], _half(cut[..., 2:4])[..., None]
    rows = len(cut)
    return (whole * scales).reshape(rows, -1), (-least * minima).reshape(rows, -1)


def _parts(low: Bytes) -> Bytes:
    """Return rows, parts of 32, values: each 32 bytes hold two parts, low halves first."""
    quarters = low.reshape(*low.shape[:2], 4, 32)
    return np.stack([quarters & _LOW, quarters >> _FOUR], axis=3).reshape(len(low), -1, 32)


def _q4_k(data: Bytes) -> Blocks:
    cut = _split(data, 144)
    return _with_minimum(4, _parts(cut[..., 16:]), *_scales_and_minima(cut))


def _q5_k(data: Bytes) -> Blocks:
    cut = _split(data, 176)
    shifts = np.arange(8, dtype=np.uint8)[:, None]
    high = ((cut[..., None, 16:48] >> shifts) & np.uint8(1)).reshape(len(data), -1, 32)
    values = _parts(cut[..., 48:]) | (high << _FOUR)
    return _with_minimum(8, values, *_scales_and_minima(cut))


def _q6_k(data: Bytes) -> Blocks:
    cut = _split(data, 210)
    low = cut[..., :128].reshape(*cut.shape[:2], 2, 2, 32)
    high = cut[..., 128:192].reshape(*cut.shape[:2], 2, 1, 32)
    nibbles = np.concatenate([low & _LOW, low >> _FOUR], axis=3)
    shifts = np.array([0, 2, 4, 6], dtype=np.uint8)[:, None]
    values = nibbles | (((high >> shifts) & np.uint8(3)) << _FOUR)
    signed = np.ascontiguousarray(cut[..., 192:208]).view(np.int8).astype(np.float32)
    scales = signed * _half(cut[..., 208:])[..., None]
    rows = len(data)
    return Blocks(
        8, values.reshape(rows, -1, 16) + np.uint8(128 - 32), scales.reshape(rows, -1), None
    )


_EXACT: Final[dict[str, Callable[[Bytes], Blocks]]] = {
    "Q4_0": _q4_0,
    "Q4_1": _q4_1,
    "Q5_0": _q5_0,
    "Q5_1": _q5_1,
    "Q8_0": _q8_0,
    "Q4_K": _q4_k,
    "Q5_K": _q5_k,
    "Q6_K": _q6_k,
}
