"""Keys and values of the tokens of a text, in buffers that the graph reads and extends in place.

The same buffer is bound to input and output, so a chunk is written behind what is there, and a
text is cut short by counting fewer of its tokens. On CUDA the buffers stay on the device.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]

_FIRST: Final = 512
"""Tokens that the buffers hold at first."""
_TYPES: Final = {"tensor(float)": np.float32, "tensor(float16)": np.float16}


class Cache:
    """What is kept of a text, whose tokens are `known`, or of some texts in rows."""

    def __init__(self, session: Any, device: str, most: int, rows: int = 1) -> None:
        """`most` is how many tokens there can be in a row."""
        past = [value for value in session.get_inputs() if value.name.startswith("past.")]
        self.names = [value.name.removeprefix("past.") for value in past]
        self._type = _TYPES[past[0].type] if past else np.float32
        # A graph of the embedding alone has none.
        self._shape = (rows, past[0].shape[1], past[0].shape[3]) if past else (rows, 0, 0)
        self._device, self._most = device, most
        self._buffers: dict[str, Any] = {}
        self._room = 0
        self.known: Ids = np.zeros(0, np.int64)

    def keep(self, ids: Ids) -> int:
        """Forget what is not the beginning of a text, and return how many tokens are left."""
        size = min(len(self.known), len(ids))
        differing = np.flatnonzero(self.known[:size] != ids[:size])
        kept = int(differing[0]) if len(differing) else size
        self.known = self.known[:kept]
        return kept

    def forget(self) -> None:
        """Free the buffers."""
        self.known, self._room, self._buffers = np.zeros(0, np.int64), 0, {}

    def reserve(self, count: int) -> None:
        """Make room for a number of tokens, keeping what is known."""
        if self._room and count <= self._room:
            return
        onnxruntime: Any = import_module("onnxruntime")
        room = min(max(_FIRST, 2 * self._room, count), self._most)
        rows, heads, head = self._shape
        for name in self.names:
            wider = np.zeros((rows, heads, room, head), self._type)
            if (old := self._buffers.pop(name, None)) is not None:
                wider[:, :, : len(self.known)] = old.numpy()[:, :, : len(self.known)]
            self._buffers[name] = onnxruntime.OrtValue.ortvalue_from_numpy(wider, self._device, 0)
        self._room = room

    def bind(self, binding: Any) -> None:
        """Let a run read the buffers and write to them."""
        for name in self.names:
            binding.bind_ortvalue_input(f"past.{name}", self._buffers[name])
            binding.bind_ortvalue_output(f"now.{name}", self._buffers[name])
