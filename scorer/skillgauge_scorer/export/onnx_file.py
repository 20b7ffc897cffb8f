"""Writes ONNX files: the few messages of the format that a decoder needs, in protobuf's encoding.

Large weights go to a second file as they come, so that a model is never in memory as a whole;
onnxruntime maps that file.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

TYPES: Final = {"float32": 1, "uint8": 2, "int32": 6, "int64": 7, "float16": 10}
_INLINE: Final = 16 * 1024
"""Bytes up to which a weight stays in the first file."""
_PAGE: Final = 4096
_IR_VERSION: Final = 8
_OPSETS: Final = (("", 17), ("com.microsoft", 1))

Shape = Sequence[int | str]


class Weights:
    """The weights of one or more graphs."""

    def __init__(self, data: BinaryIO, name: str) -> None:
        """Take the file for the large ones, and its name as the graphs will give it."""
        self._data, self._name, self._at = data, name, 0
        self.messages: list[bytes] = []

    def add(self, name: str, array: NDArray[Any]) -> str:
        """Write a weight."""
        array = np.ascontiguousarray(array)
        message = b"".join(_number(1, size) for size in array.shape)
        message += _number(2, TYPES[str(array.dtype)]) + _text(8, name)
        raw = array.tobytes()
        if len(raw) <= _INLINE:
            message += _bytes(9, raw)
        else:
            place = {"location": self._name, "offset": self._write(raw), "length": len(raw)}
            for key, value in place.items():
                message += _bytes(13, _text(1, key) + _text(2, str(value)))
            message += _number(14, 1)
        self.messages.append(message)
        return name

    def _write(self, raw: bytes) -> int:
        """Write bytes at the next page of the second file, and return where that is."""
        offset = -(-self._at // _PAGE) * _PAGE
        self._data.write(bytes(offset - self._at))
        self._data.write(raw)
        self._at = offset + len(raw)
        return offset


class Writer:
    """A graph in the making."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._nodes: list[bytes] = []
        self._inputs: list[bytes] = []
        self._outputs: list[bytes] = []

    def input(self, name: str, kind: str, shape: Shape) -> None:
        """Declare an input."""
        self._inputs.append(_value(name, kind, shape))

    def output(self, name: str, kind: str, shape: Shape) -> None:
        """Declare an output."""
        self._outputs.append(_value(name, kind, shape))

    def node(
        self,
        kind: str,
        inputs: Sequence[str],
        outputs: Sequence[str],
        domain: str = "",
        **attributes: float | int,
    ) -> None:
        """Add an operation; an empty name is an input that is left out."""
        message = b"".join(_text(1, name) for name in inputs)
        message += b"".join(_text(2, name) for name in outputs)
        message += _text(3, f"{kind}:{outputs[0]}") + _text(4, kind)
        for name, value in attributes.items():
            message += _bytes(5, _attribute(name, value))
        self._nodes.append(message + _text(7, domain))

    def save(self, path: Path, name: str, weights: Weights) -> None:
        """Write the graph. It names all weights, those that it doesn't use too."""
        graph = b"".join(_bytes(1, node) for node in self._nodes) + _text(2, name)
        graph += b"".join(_bytes(5, weight) for weight in weights.messages)
        graph += b"".join(_bytes(11, value) for value in self._inputs)
        graph += b"".join(_bytes(12, value) for value in self._outputs)
        model = _number(1, _IR_VERSION) + _text(2, "skillgauge") + _bytes(7, graph)
        for domain, version in _OPSETS:
            model += _bytes(8, _text(1, domain) + _number(2, version))
        path.write_bytes(model)


def _value(name: str, kind: str, shape: Shape) -> bytes:
    sizes = (_text(2, size) if isinstance(size, str) else _number(1, size) for size in shape)
    dimensions = b"".join(_bytes(1, size) for size in sizes)
    tensor = _number(1, TYPES[kind]) + _bytes(2, dimensions)
    return _text(1, name) + _bytes(2, _bytes(1, tensor))


def _attribute(name: str, value: float | int) -> bytes:
    if isinstance(value, float):
        return _text(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, 1)
    return _text(1, name) + _number(3, value) + _number(20, 2)


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1  # negative numbers are written as their 64-bit complement
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    made.append(value)
    return bytes(made)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())
