"""Reads GGUF files, versions 2 and 3: metadata and tensors, mapped and not copied.

Nothing in the file is trusted: every length is held against what is left of the file.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.errors import ScorerError, of_disk

Bytes = NDArray[np.uint8]

_SCALARS: Final = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?"} | {
    10: "Q",
    11: "q",
    12: "d",
}
_STRING: Final = 8
_ARRAY: Final = 9
_MAX_DIMENSIONS: Final = 4
TYPES: Final = {
    0: ("F32", 1, 4),
    1: ("F16", 1, 2),
    2: ("Q4_0", 32, 18),
    3: ("Q4_1", 32, 20),
    6: ("Q5_0", 32, 22),
    7: ("Q5_1", 32, 24),
    8: ("Q8_0", 32, 34),
    12: ("Q4_K", 256, 144),
    13: ("Q5_K", 256, 176),
    14: ("Q6_K", 256, 210),
    30: ("BF16", 1, 2),
}
"""The types of tensors that are read: name, values a block, bytes a block."""


class BrokenGGUF(ScorerError):
    """A file that is no GGUF, or a damaged one."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor: its rows as bytes, and how to read them."""

    name: str
    kind: str
    shape: tuple[int, ...]
    """As numpy has it: the last dimension is the row."""
    data: Bytes


class GGUF:
    """An open file."""

    def __init__(self, path: Path) -> None:
        """Read the metadata and find the tensors."""
        try:
            with open(path, "rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            if isinstance(error, OSError):
                raise of_disk(error, str(path)) from error
            raise BrokenGGUF(f"“{path}” is empty") from error
        self._path, self._at = path, 0
        self.metadata: dict[str, Any] = {}
        self.tensors: dict[str, Tensor] = {}
        try:
            self._read()
        except (struct.error, UnicodeDecodeError, IndexError) as error:
            raise BrokenGGUF(f"“{path}” is broken or cut off") from error

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """Return a value of the metadata; BrokenGGUF if it is missing or of another kind."""
        value = self.metadata.get(key, default)
        if kind is float and isinstance(value, int):
            value = float(value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise BrokenGGUF(f"“{self._path}” has no usable “{key}”")
        return value

    def tensor(self, name: str) -> Tensor:
        """Return a tensor that has to be there."""
        found = self.tensors.get(name)
        if found is None:
            raise BrokenGGUF(f"“{self._path}” has no tensor “{name}”")
        return found

    def _read(self) -> None:
        if self._map[:4] != b"GGUF":
            raise BrokenGGUF(f"“{self._path}” is no GGUF file")
        self._at = 4
        version = self._take("I")
        if version not in (2, 3):
            raise BrokenGGUF(f"“{self._path}” is GGUF version {version}, and 2 and 3 are read")
        tensors, entries = self._take("Q"), self._take("Q")
        for _ in range(entries):
            key = self._string()
            self.metadata[key] = self._value(self._take("I"))
        headers = [self._header() for _ in range(tensors)]
        alignment = self.get("general.alignment", int, 32)
        if alignment < 1:
            raise BrokenGGUF(f"“{self._path}” has no usable alignment")
        start = -(-self._at // alignment) * alignment
        for name, shape, kind, offset in headers:
            self.tensors[name] = self._tensor(name, shape, kind, start + offset)

    def _header(self) -> tuple[str, tuple[int, ...], int, int]:
        name, count = self._string(), self._take("I")
        if not 1 <= count <= _MAX_DIMENSIONS:
            raise BrokenGGUF(f"“{self._path}” has a tensor of {count} dimensions")
        shape = tuple(reversed([self._take("Q") for _ in range(count)]))
        return name, shape, self._take("I"), self._take("Q")

    def _tensor(self, name: str, shape: tuple[int, ...], kind: int, offset: int) -> Tensor:
        if kind not in TYPES:
            raise BrokenGGUF(f"“{self._path}” has tensors of type {kind}, which is not read")
        label, block, size = TYPES[kind]
        if shape[-1] % block or min(shape) < 1:
            raise BrokenGGUF(f"The tensor “{name}” has rows that are no whole blocks")
        count = prod(shape) // block * size
        if offset + count > len(self._map):
            raise BrokenGGUF(f"“{self._path}” is cut off")
        data = np.frombuffer(self._map, np.uint8, count, offset)
        return Tensor(name, label, shape, data.reshape(prod(shape[:-1]), -1))

    def _take(self, code: str) -> Any:
        value = struct.unpack_from(f"<{code}", self._map, self._at)[0]
        self._at += struct.calcsize(code)
        return value

    def _string(self) -> str:
        size = self._take("Q")
        if size > len(self._map) - self._at:
            raise IndexError(size)
        self._at += size
        return self._map[self._at - size : self._at].decode()

    def _value(self, kind: int) -> Any:
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            return self._array()
        if kind not in _SCALARS:
            raise BrokenGGUF(f"“{self._path}” has metadata of type {kind}")
        return self._take(_SCALARS[kind])

    def _array(self) -> list[Any]:
        kind, count = self._take("I"), self._take("Q")
        if kind not in _SCALARS:
            if kind != _STRING or count > len(self._map) - self._at:
                raise BrokenGGUF(f"“{self._path}” has an array of type {kind}")
            return [self._string() for _ in range(count)]
        size = struct.calcsize(_SCALARS[kind])
        if count * size > len(self._map) - self._at:
            raise IndexError(count)
        self._at += count * size
        return list(
            struct.unpack_from(f"<{count}{_SCALARS[kind]}", self._map, self._at - count * size)
        )
