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
from skillgauge_scorer.export.onnx_file import TYPES, Weights, Writer
from skillgauge_scorer.export.source import Source
from skillgauge_scorer.export.vocabulary import tokenizer

GRAPHS: Final = {"float32": "backbone.onnx", "float16": "backbone.cuda.onnx"}
"""Graphs by the type of their attention: CUDA's works in 16 bits. All else is in 32 in both."""
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
        graph = _Graph(source, decoder, Weights(data, DATA))
        graph.build(chosen, progress)
        for kind, name in GRAPHS.items():
            graph.writers[kind].save(folder / name, decoder.architecture, graph.weights)
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
    """Adds a decoder's operations to writers that share their weights."""

    def __init__(self, file: Source, decoder: Decoder, weights: Weights) -> None:
        self.file, self.decoder, self.weights = file, decoder, weights
        self.writers = {kind: Writer() for kind in GRAPHS}
        self._made: set[str] = set()

    def build(self, layers: Sequence[int], progress: Callable[[int, int], None]) -> None:
        """Add everything up to the last layer."""
        self._inputs()
        stream = self._embed()
        for block in range(layers[-1] + 1):
            if block in layers:
                shape = ["batch", "length", self.decoder.width]
                for writer in self.writers.values():
                    writer.output(f"hidden.{block}", "float32", shape)
                self._node("Identity", [stream], [f"hidden.{block}"])
            if block < layers[-1]:
                stream = self._block(block, stream)
            progress(block + 1, layers[-1] + 1)

    def _inputs(self) -> None:
        turned = angles(self.file, self.decoder)
        for kind, writer in self.writers.items():
            writer.input("tokens", "int64", ["batch", "length"])
            writer.input("last", "int32", ["batch"])
            writer.input("total", "int32", [])
            self.weights.add(f"cos.{kind}", np.cos(turned).astype(kind))
            self.weights.add(f"sin.{kind}", np.sin(turned).astype(kind))

    def _embed(self) -> str:
        tensor = self.file.tensor("token_embd.weight")
        image = blocks(tensor)
        names = [self.weights.add("embed.values", image.packed().reshape(len(image.values), -1))]
        names += ["tokens", self.weights.add("embed.scales", image.scales)]
        self._node(
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
            offsets = self.weights.add("embed.offsets", image.offsets[:, :, None])
            self._node("Gather", [offsets, "tokens"], ["embed.offset"], axis=0)
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
        self._node("Sigmoid", [gate], [f"{base}.sigmoid"])
        gate = self._binary("Mul", gate, f"{base}.sigmoid", f"{base}.silu")
        up = self._matmul(normal, f"{base}.ffn_up")
        product = self._binary("Mul", gate, up, f"{base}.product")
        down = self._matmul(product, f"{base}.ffn_down")
        return self._binary("Add", middle, down, f"stream.{block + 1}")

    def _attention(self, block: int, normal: str) -> str:
        base = f"blk.{block}"
        parts = [self._matmul(normal, f"{base}.attn_{part}") for part in "qkv"]
        if f"{base}.attn_q_norm.weight" in self.file.tensors:
            parts = [self._head_norm(base, part, parts["qkv".index(part)]) for part in "qk"] + [
                parts[2]
            ]
        for kind, writer in self.writers.items():
            self._group_query(writer, kind, block, parts)
        return f"{base}.attention"

    def _group_query(self, writer: Writer, kind: str, block: int, parts: Sequence[str]) -> None:
        """Add a block's attention, in numbers of a kind."""
        decoder, out = self.decoder, f"blk.{block}.attention"
        for part in "kv":
            shape = ["batch", decoder.kv_heads, "past", decoder.head]
            writer.input(f"past.{part}.{block}", kind, shape)
            writer.output(f"now.{part}.{block}", kind, [*shape[:2], "all", decoder.head])
        plain = kind == "float32"
        if not plain:
            for part in parts:
                writer.node("Cast", [part], [f"{part}.{kind}"], to=TYPES[kind])
        writer.node(
            "GroupQueryAttention",
            [
                *(part if plain else f"{part}.{kind}" for part in parts),
                *(f"past.{part}.{block}" for part in "kv"),
                "last",
                "total",
                f"cos.{kind}",
                f"sin.{kind}",
            ],
            [out if plain else f"{out}.{kind}", *(f"now.{part}.{block}" for part in "kv")],
            _CONTRIB,
            num_heads=decoder.heads,
            kv_num_heads=decoder.kv_heads,
            do_rotary=1,
            rotary_interleaved=int(decoder.interleaved),
        )
        if not plain:
            writer.node("Cast", [f"{out}.{kind}"], [out], to=TYPES["float32"])

    def _head_norm(self, base: str, part: str, value: str) -> str:
        """Normalise each head of queries or keys by itself."""
        heads = self._cut(value, self.decoder.head)
        normal = self._norm(heads, f"{base}.attn_{part}_norm")
        return self._reshape(normal, f"{value}.joined", [0, 0, -1])

    def _norm(self, value: str, name: str) -> str:
        weight = self.weights.add(f"{name}.weight", floats(self.file.tensor(f"{name}.weight"))[0])
        self._node(
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
        values = self.weights.add(f"{name}.values", image.packed())
        scales = self.weights.add(f"{name}.scales", image.scales)
        rows, count = image.scales.shape
        self._node(
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
            offsets = self.weights.add(f"{name}.offsets", image.offsets.T)
            part = self._binary("MatMul", self._sums(value, image.size), offsets, f"{name}.offset")
            product = self._binary("Add", name, part, f"{name}.sum")
        if f"{name}.bias" in self.file.tensors:
            bias = self.weights.add(f"{name}.bias", floats(self.file.tensors[f"{name}.bias"])[0])
            product = self._binary("Add", product, bias, f"{name}.biased")
        return product

    def _sums(self, value: str, size: int) -> str:
        """Return the sums of a value's blocks."""
        name = f"{value}.sums.{size}"
        if name not in self._made:
            axes = self._constant("axis.last", [-1])
            self._node("ReduceSum", [self._cut(value, size), axes], [name], keepdims=0)
            self._made.add(name)
        return name

    def _cut(self, value: str, size: int) -> str:
        """Return a value in blocks of a size."""
        return self._reshape(value, f"{value}.cut.{size}", [0, 0, -1, size])

    def _reshape(self, value: str, name: str, shape: Sequence[int]) -> str:
        """Reshape a value, where 0 is the same length as before, and -1 what is left."""
        wanted = self._constant("shape." + ".".join(map(str, shape)), shape)
        self._node("Reshape", [value, wanted], [name])
        return name

    def _constant(self, name: str, values: Sequence[int]) -> str:
        if name not in self._made:
            self.weights.add(name, np.array(values, np.int64))
            self._made.add(name)
        return name

    def _node(self, *operation: Any, **attributes: float | int) -> None:
        for writer in self.writers.values():
            writer.node(*operation, **attributes)

    def _binary(self, kind: str, left: str, right: str, name: str) -> str:
        self._node(kind, [left, right], [name])
        return name
