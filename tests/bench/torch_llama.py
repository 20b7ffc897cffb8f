"""The scorer's backbone in torch, in 32 bits: what its speed is compared with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch.nn.functional import linear, rms_norm, scaled_dot_product_attention, silu

from skillgauge_scorer.export.blocks import floats
from skillgauge_scorer.export.decoder import angles, read
from skillgauge_scorer.export.gguf_file import GGUF


class Llama:
    """The first blocks of a decoder of the Llama family, with a cache of keys and values."""

    def __init__(
        self, file: GGUF, layers: Sequence[int], threads: int, device: str = "cpu"
    ) -> None:
        torch.set_num_threads(threads)
        self.sizes, self.layers, self.device = read(file), tuple(layers), device
        names = ("token_embd.", *(f"blk.{block}." for block in range(max(layers))))
        self.weights = {
            name: torch.from_numpy(floats(tensor).copy()).to(device)
            for name, tensor in file.tensors.items()
            if name.startswith(names)
        }
        turned = torch.from_numpy(angles(file, self.sizes)).to(device)
        self.turns = torch.polar(torch.ones_like(turned), turned)
        self.forget()

    def forget(self) -> None:
        self.known: Any = np.zeros(0, np.int64)
        self.past: list[Any] = [None] * max(self.layers)

    def states(self, ids: Any) -> dict[int, Any]:
        """Return the states of the tokens behind those that the last text began with, too."""
        size = min(len(ids), len(self.known))
        differing = np.flatnonzero(ids[:size] != self.known[:size])
        kept = int(differing[0]) if len(differing) else size
        self.past = [past and [part[:, :, :kept] for part in past] for past in self.past]
        self.known = ids
        return self.run(ids[None, kept:], kept)

    @torch.inference_mode()
    def run(self, ids: Any, start: int = 0, keep: bool = True) -> dict[int, Any]:
        """Return the states of rows of tokens, which follow what is in the cache if `start`."""
        stream = self.weights["token_embd.weight"][torch.from_numpy(ids).to(self.device)]
        found: dict[int, Any] = {}
        for block in range(max(self.layers) + 1):
            if block in self.layers:
                found[block] = stream.cpu().numpy()
            if block < max(self.layers):
                stream = self._block(block, stream, start, keep)
        return found

    def _block(self, block: int, stream: Any, start: int, keep: bool) -> Any:
        def weight(name: str) -> Any:
            return self.weights[f"blk.{block}.{name}.weight"]

        normal = self._norm(stream, weight("attn_norm"))
        queries, keys, values = (linear(normal, weight(f"attn_{part}")) for part in "qkv")
        attended = self._attention(block, queries, keys, values, start, keep)
        stream = stream + linear(attended, weight("attn_output"))
        normal = self._norm(stream, weight("ffn_norm"))
        gate = silu(linear(normal, weight("ffn_gate"))) * linear(normal, weight("ffn_up"))
        return stream + linear(gate, weight("ffn_down"))

    def _norm(self, value: Any, scale: Any) -> Any:
        return rms_norm(value, (self.sizes.width,), scale[0], self.sizes.epsilon)

    def _attention(self, block: int, *parts: Any) -> Any:
        queries, keys, values, start, keep = parts
        length = queries.shape[1]
        queries, keys = (self._turn(self._heads(part), start) for part in (queries, keys))
        values = self._heads(values)
        if start and (past := self.past[block]) is not None:
            keys, values = torch.cat([past[0], keys], 2), torch.cat([past[1], values], 2)
        if keep:
            self.past[block] = [keys, values]
        mask = None
        if start:
            places = torch.arange(start + length, device=self.device)
            mask = places[None] <= places[start:, None]
        made = scaled_dot_product_attention(
            queries, keys, values, mask, is_causal=not start, enable_gqa=True
        )
        return made.transpose(1, 2).flatten(2)

    def _heads(self, value: Any) -> Any:
        return value.unflatten(2, (-1, self.sizes.head)).transpose(1, 2)

    def _turn(self, value: Any, start: int) -> Any:
        """Turn neighbours, as files of Llama have them."""
        pairs = torch.view_as_complex(value.unflatten(3, (-1, 2)).contiguous())
        turned = pairs * self.turns[start : start + value.shape[2]]
        return torch.view_as_real(turned).flatten(3)


def timed(device: str, run: Callable[[], Any]) -> Callable[[], Any]:
    """Return a run that ends when the device has done its work."""

    def whole() -> Any:
        result = run()
        if device == "cuda":
            torch.cuda.synchronize()
        return result

    return whole
