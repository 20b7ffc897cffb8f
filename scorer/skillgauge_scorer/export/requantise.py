"""Plain numbers into the blocks of GGUF: `Q4_1` with 4 bits, `Q8_0` with 8.

Four bits are fitted: after the plain choice of least and largest value, scale and minimum are set
by least squares to the values chosen, and each block keeps the best of a few rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.errors import ScorerError

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]

SIZE: Final = 32
_TOP: Final = np.float32(15)
_ROUNDS: Final = 4
_PIECE: Final = 1 << 22
"""Numbers that are worked on at a time, so that large matrices need little room."""


def four(plain: Floats) -> Bytes:
    """Return the rows of a matrix as `Q4_1`."""
    return _in_pieces(plain, _four)


def eight(plain: Floats) -> Bytes:
    """Return the rows of a matrix as `Q8_0`."""
    return _in_pieces(plain, _eight)


def _in_pieces(plain: Floats, work: Callable[[Floats], Bytes]) -> Bytes:
    rows, width = plain.shape
    if width % SIZE:
        raise ScorerError(f"A matrix with rows of {width} can't be cut into blocks")
    step = max(_PIECE // width, 1)
    pieces = [work(plain[at : at + step].reshape(-1, SIZE)) for at in range(0, rows, step)]
    return np.concatenate(pieces).reshape(rows, -1)


def _eight(cut: Floats) -> Bytes:
    scales = (np.abs(cut).max(axis=1) / np.float32(127)).astype("<f2")
    values = np.clip(np.rint(_divided(cut, scales.astype(np.float32))), -127, 127)
    return np.concatenate([_raw(scales), values.astype(np.int8).view(np.uint8)], axis=1)


def _four(cut: Floats) -> Bytes:
    least = cut.min(axis=1)
    best = _fitted(cut, (cut.max(axis=1) - least) / _TOP, least)
    error = _error(cut, *best)
    trial = best
    for _ in range(_ROUNDS):
        trial = _fitted(cut, *_regressed(cut, trial[0]))
        off = _error(cut, *trial)
        better = off < error
        best = (
            np.where(better[:, None], trial[0], best[0]),
            np.where(better, trial[1], best[1]),
            np.where(better, trial[2], best[2]),
        )
        error = np.minimum(error, off)
    values, scales, minima = best
    whole = values.astype(np.uint8)
    packed = whole[:, : SIZE // 2] | (whole[:, SIZE // 2 :] << np.uint8(4))
    return np.concatenate([_raw(scales), _raw(minima), packed], axis=1)


def _fitted(cut: Floats, scales: Floats, minima: Floats) -> tuple[Floats, Floats, Floats]:
    """Return values for scales and minima, both rounded to the 16 bits that are kept."""
    scales, minima = _rounded(scales), _rounded(minima)
    values = np.clip(np.rint(_divided(cut - minima[:, None], scales)), 0, _TOP)
    return values.astype(np.float32), scales, minima


def _regressed(cut: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Return the scales and minima that fit best to values that are chosen."""
    middle, mean = values.mean(axis=1, keepdims=True), cut.mean(axis=1, keepdims=True)
    spread = ((values - middle) ** 2).sum(axis=1)
    slope = ((values - middle) * (cut - mean)).sum(axis=1) / np.where(
        spread > 0, spread, np.float32(1)
    )
    return slope, mean[:, 0] - slope * middle[:, 0]


def _error(cut: Floats, values: Floats, scales: Floats, minima: Floats) -> Floats:
    off = values * scales[:, None] + minima[:, None] - cut
    return np.square(off).sum(axis=1)


def _divided(cut: Floats, scales: Floats) -> Floats:
    safe = np.where(scales != 0, scales, 1).astype(np.float32)
    return cut / safe[:, None]


def _rounded(values: Floats) -> Floats:
    return values.astype("<f2").astype(np.float32)


def _raw(values: NDArray[np.floating]) -> Bytes:
    return values.astype("<f2").view(np.uint8).reshape(len(values), 2)
