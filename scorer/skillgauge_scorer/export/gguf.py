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
from skillgauge_scorer.export.blocks import blocks, floats
from skillgauge_scorer.export.decoder import Decoder, angles, read
from skillgauge_scorer.export.gguf_file import GGUF
from skillgauge_scorer.export.onnx_file import Writer
from skillgauge_scorer.export.source import Source
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
    facts = write(file, decoder, folder, layers, progress)
    (folder / TOKENIZER).write_text(tokenizer(file), encoding="utf-8")
    return facts


def write(
    source: Source,
    decoder: Decoder,
    folder: Path,
    layers: Sequence[int],
    progress: Callable[[int, int], None],
) -> dict[str, Any]:
    """Write all but the tokenizer, and return what the runtime has to know."""
    chosen = sorted(set(layers))
    if not chosen or chosen[0] < 0 or chosen[-1] > decoder.blocks:
        raise ScorerError(f"The model has layers 0 to {decoder.blocks}")
    with open(folder / DATA, "wb") as data:
        graph = _Graph(source, decoder, Writer(data, DATA))
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

    def __init__(self, file: Source, decoder: Decoder, writer: Writer) -> None:
        self.file, self.decoder, self.writer = file, decoder, writer
        self._made: set[str] = set()

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

    def _embed(self) -> str:
        tensor = self.file.tensor("token_embd.weight")
        image = blocks(tensor)
        names = [self.writer.weight("embed.values", image.packed().reshape(len(image.values), -1))]
        names += ["tokens", self.writer.weight("embed.scales", image.scales)]
        self.writer.node(
            "GatherBlockQuantized",
            names,
            ["stream.0" if image.offsets is None else "embed"],
            _CONTRIB,
            bits=image.bits,
            block_size=image.size,
            gather_axis=0,
            quantize_axis=1,
        )
        if image.offsets is not None:
            offsets = self.writer.weight("embed.offsets", image.offsets[:, :, None])
            self.writer.node("Gather", [offsets, "tokens"], ["embed.offset"], axis=0)
            cut = self._cut("embed", image.size)
            self._binary("Add", cut, "embed.offset", "embed.sum")
            self._reshape("embed.sum", "stream.0", [0, 0, -1])
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
        heads = self._cut(value, self.decoder.head)
        normal = self._norm(heads, f"{base}.attn_{part}_norm")
        return self._reshape(normal, f"{value}.joined", [0, 0, -1])

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
        values = self.writer.weight(f"{name}.values", image.packed())
        scales = self.writer.weight(f"{name}.scales", image.scales)
        rows, count = image.scales.shape
        self.writer.node(
            "MatMulNBits",
            [value, values, scales],
            [name],
            _CONTRIB,
            K=count * image.size,
            N=rows,
            bits=image.bits,
            block_size=image.size,
            accuracy_level=0,
        )
        product = name
        if image.offsets is not None:
            offsets = self.writer.weight(f"{name}.offsets", image.offsets.T)
            part = self._binary("MatMul", self._sums(value, image.size), offsets, f"{name}.offset")
            product = self._binary("Add", name, part, f"{name}.sum")
        if f"{name}.bias" in self.file.tensors:
            bias = self.writer.weight(f"{name}.bias", floats(self.file.tensors[f"{name}.bias"])[0])
            product = self._binary("Add", product, bias, f"{name}.biased")
        return product

    def _sums(self, value: str, size: int) -> str:
        """Return the sums of a value's blocks."""
        name = f"{value}.sums.{size}"
        if name not in self._made:
            axes = self._constant("axis.last", [-1])
            self.writer.node("ReduceSum", [self._cut(value, size), axes], [name], keepdims=0)
            self._made.add(name)
        return name

    def _cut(self, value: str, size: int) -> str:
        """Return a value in blocks of a size."""
        return self._reshape(value, f"{value}.cut.{size}", [0, 0, -1, size])

    def _reshape(self, value: str, name: str, shape: Sequence[int]) -> str:
        """Reshape a value, where 0 is the same length as before, and -1 what is left."""
        wanted = self._constant("shape." + ".".join(map(str, shape)), shape)
        self.writer.node("Reshape", [value, wanted], [name])
        return name

    def _constant(self, name: str, values: Sequence[int]) -> str:
        if name not in self._made:
            self.writer.weight(name, np.array(values, np.int64))
            self._made.add(name)
        return name

    def _binary(self, kind: str, left: str, right: str, name: str) -> str:
        self.writer.node(kind, [left, right], [name])
        return name
