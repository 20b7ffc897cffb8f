"""Exports a GGUF file of the Llama family to ONNX, without torch.

The graph takes the tokens of one or more texts, and keys and values of what came before; it
returns the residual stream after chosen blocks (0 is the embedding), not normalised, and is cut
off after the last of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.export.blocks import blocks, floats, quantised
from skillgauge_scorer.export.decoder import Decoder, angles, read
from skillgauge_scorer.export.gguf_file import GGUF
from skillgauge_scorer.export.onnx_file import Writer
from skillgauge_scorer.export.vocabulary import tokenizer

GRAPH: Final = "backbone.onnx"
DATA: Final = "backbone.onnx.data"
TOKENIZER: Final = "tokenizer.json"
_CONTRIB: Final = "com.microsoft"


def export(
    path: Path, folder: Path, layers: Sequence[int], progress: Callable[[int, int], None]
) -> dict[str, Any]:
    """Write the backbone of a file into a folder, and return what the runtime has to know."""
    file = GGUF(path)
    decoder = read(file)
    chosen = sorted(set(layers))
    if not chosen or chosen[0] < 0 or chosen[-1] > decoder.blocks:
        raise ScorerError(f"The model has layers 0 to {decoder.blocks}")
    (folder / TOKENIZER).write_text(tokenizer(file), encoding="utf-8")
    with open(folder / DATA, "wb") as data:
        graph = _Graph(file, decoder, Writer(data, DATA))
        graph.build(chosen, progress)
        graph.writer.save(folder / GRAPH, decoder.architecture)
    return {
        "architecture": decoder.architecture,
        "layers": chosen,
        "blocks": chosen[-1],
        "width": decoder.width,
        "kv_heads": decoder.kv_heads,
        "head": decoder.head,
        "context": decoder.context,
    }


class _Graph:
    """Adds a decoder's operations to a writer."""

    def __init__(self, file: GGUF, decoder: Decoder, writer: Writer) -> None:
        self.file, self.decoder, self.writer = file, decoder, writer

    def build(self, layers: Sequence[int], progress: Callable[[int, int], None]) -> None:
        """Add everything up to the last layer."""
        self._inputs()
        stream = self._embed()
        for block in range(layers[-1] + 1):
            if block in layers:
                name = self.writer.output(
                    f"hidden.{block}", "float32", ["batch", "length", self.decoder.width]
                )
                self.writer.node("Identity", [stream], [name])
            if block < layers[-1]:
                stream = self._block(block, stream)
            progress(block + 1, layers[-1] + 1)

    def _inputs(self) -> None:
        writer = self.writer
        writer.input("tokens", "int64", ["batch", "length"])
        writer.input("last", "int32", ["batch"])
        writer.input("total", "int32", [])
        turned = angles(self.file, self.decoder)
        writer.weight("cos", np.cos(turned))
        writer.weight("sin", np.sin(turned))
        if "blk.0.attn_q_norm.weight" in self.file.tensors:
            for part, heads in (("q", self.decoder.heads), ("k", self.decoder.kv_heads)):
                shape = np.array([0, 0, heads, self.decoder.head], dtype=np.int64)
                writer.weight(f"split.{part}", shape)
            writer.weight("join", np.array([0, 0, -1], dtype=np.int64))

    def _embed(self) -> str:
        tensor = self.file.tensor("token_embd.weight")
        image = blocks(tensor)
        if image.zeros is not None:  # this operation takes whole zeros only
            image = quantised(floats(tensor))
        names = [self.writer.weight("embed.values", image.packed().reshape(len(image.values), -1))]
        names += ["tokens", self.writer.weight("embed.scales", image.scales)]
        self.writer.node(
            "GatherBlockQuantized",
            names,
            ["stream.0"],
            _CONTRIB,
            bits=image.bits,
            block_size=image.size,
            gather_axis=0,
            quantize_axis=1,
        )
        return "stream.0"

    def _block(self, block: int, stream: str) -> str:
        base = f"blk.{block}"
        normal = self._norm(stream, f"{base}.attn_norm")
        added = self._matmul(self._attention(block, normal), f"{base}.attn_output")
        middle = self._binary("Add", stream, added, f"{base}.middle")
        normal = self._norm(middle, f"{base}.ffn_norm")
        gate = self._matmul(normal, f"{base}.ffn_gate")
        self.writer.node("Sigmoid", [gate], [f"{base}.sigmoid"])
        gate = self._binary("Mul", gate, f"{base}.sigmoid", f"{base}.silu")
        up = self._matmul(normal, f"{base}.ffn_up")
        product = self._binary("Mul", gate, up, f"{base}.product")
        down = self._matmul(product, f"{base}.ffn_down")
        return self._binary("Add", middle, down, f"stream.{block + 1}")

    def _attention(self, block: int, normal: str) -> str:
        base, decoder = f"blk.{block}", self.decoder
        parts = [self._matmul(normal, f"{base}.attn_{part}") for part in "qkv"]
        if f"{base}.attn_q_norm.weight" in self.file.tensors:
            parts = [self._head_norm(base, part, parts["qkv".index(part)]) for part in "qk"] + [
                parts[2]
            ]
        shape = ["batch", decoder.kv_heads, "past", decoder.head]
        past = [self.writer.input(f"past.{kind}.{block}", "float32", shape) for kind in "kv"]
        shape = ["batch", decoder.kv_heads, "all", decoder.head]
        now = [self.writer.output(f"now.{kind}.{block}", "float32", shape) for kind in "kv"]
        self.writer.node(
            "GroupQueryAttention",
            [*parts, *past, "last", "total", "cos", "sin"],
            [f"{base}.attention", *now],
            _CONTRIB,
            num_heads=decoder.heads,
            kv_num_heads=decoder.kv_heads,
            do_rotary=1,
            rotary_interleaved=int(decoder.interleaved),
        )
        return f"{base}.attention"

    def _head_norm(self, base: str, part: str, value: str) -> str:
        """Normalise each head of queries or keys by itself."""
        split, joined = f"{value}.split", f"{value}.joined"
        self.writer.node("Reshape", [value, f"split.{part}"], [split])
        normal = self._norm(split, f"{base}.attn_{part}_norm")
        self.writer.node("Reshape", [normal, "join"], [joined])
        return joined

    def _norm(self, value: str, name: str) -> str:
        weight = self.writer.weight(f"{name}.weight", floats(self.file.tensor(f"{name}.weight"))[0])
        self.writer.node(
            "SimplifiedLayerNormalization",
            [value, weight],
            [name],
            axis=-1,
            epsilon=self.decoder.epsilon,
            stash_type=1,
        )
        return name

    def _matmul(self, value: str, name: str) -> str:
        image = blocks(self.file.tensor(f"{name}.weight"))
        names = [value, self.writer.weight(f"{name}.values", image.packed())]
        names.append(self.writer.weight(f"{name}.scales", image.scales))
        if image.zeros is not None:
            names.append(self.writer.weight(f"{name}.zeros", image.zeros))
        rows, count = image.scales.shape
        self.writer.node(
            "MatMulNBits",
            names,
            [name],
            _CONTRIB,
            K=count * image.size,
            N=rows,
            bits=image.bits,
            block_size=image.size,
            accuracy_level=0,
        )
        if f"{name}.bias" not in self.file.tensors:
            return name
        bias = self.writer.weight(f"{name}.bias", floats(self.file.tensors[f"{name}.bias"])[0])
        return self._binary("Add", name, bias, f"{name}.biased")

    def _binary(self, kind: str, left: str, right: str, name: str) -> str:
        self.writer.node(kind, [left, right], [name])
        return name
