"""Writes small random decoders as GGUF files."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.scorer.quants import NUMBERS, Blocks, tensor

Floats = NDArray[np.float32]

WIDTH, FEED, HEADS, KV_HEADS, HEAD, BLOCKS = 256, 512, 4, 2, 64, 2
ALIGNMENT = 32


def byte_tokens() -> list[str]:
    """Return the 256 letters that byte-level vocabularies write bytes with, in the bytes' order."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte if byte in shown else next(others)) for byte in range(256)]


@dataclass(slots=True)
class Tiny:
    """A file's contents, and the numbers that its tensors stand for."""

    metadata: dict[str, Any]
    tensors: dict[str, tuple[str, Blocks]] = field(default_factory=dict[str, tuple[str, Blocks]])

    def add(self, name: str, kind: str, rows: int, columns: int, **options: Any) -> None:
        seed = [len(self.tensors), rows, columns]
        self.tensors[name] = kind, tensor(kind, rows, columns, seed, **options)

    @property
    def numbers(self) -> dict[str, Floats]:
        return {name: made[1] for name, (_, made) in self.tensors.items()}

    def write(self, path: Path, version: int = 3) -> Path:
        path.write_bytes(gguf(self.metadata, self.tensors, version))
        return path


def decoder(kind: str, architecture: str = "llama") -> Tiny:
    """Return a random decoder whose matrices have a type of blocks."""
    tokens = [*byte_tokens(), "Ġt", "he", "Ġthe"]
    made = Tiny(
        {
            "general.architecture": architecture,
            f"{architecture}.block_count": BLOCKS,
            f"{architecture}.embedding_length": WIDTH,
            f"{architecture}.attention.head_count": HEADS,
            f"{architecture}.attention.head_count_kv": KV_HEADS,
            f"{architecture}.attention.layer_norm_rms_epsilon": 1e-5,
            f"{architecture}.context_length": 1024,
            f"{architecture}.rope.freq_base": 1000.0,
            "tokenizer.ggml.model": "gpt2",
            "tokenizer.ggml.pre": "smollm",
            "tokenizer.ggml.tokens": tokens,
            "tokenizer.ggml.merges": ["Ġ t", "h e", "Ġt he"],
        }
    )
    made.add("token_embd.weight", kind, len(tokens), WIDTH, spread=0.5)
    for block in range(BLOCKS):
        base = f"blk.{block}"
        for name in ("attn_norm", "ffn_norm"):
            made.add(f"{base}.{name}.weight", "F32", 1, WIDTH, spread=1.0)
        sizes = {"attn_q": HEADS * HEAD, "attn_k": KV_HEADS * HEAD, "attn_v": KV_HEADS * HEAD}
        for name, rows in sizes.items():
            made.add(f"{base}.{name}.weight", kind, rows, WIDTH)
            if architecture == "qwen2":
                made.add(f"{base}.{name}.bias", "F32", 1, rows, spread=0.5)
        if architecture == "qwen3":
            for name in ("attn_q_norm", "attn_k_norm"):
                made.add(f"{base}.{name}.weight", "F32", 1, HEAD, spread=1.0)
        made.add(f"{base}.attn_output.weight", kind, WIDTH, HEADS * HEAD)
        made.add(f"{base}.ffn_gate.weight", kind, FEED, WIDTH)
        made.add(f"{base}.ffn_up.weight", kind, FEED, WIDTH)
        made.add(f"{base}.ffn_down.weight", kind, WIDTH, FEED)
    return made


def gguf(
    metadata: Mapping[str, Any], tensors: Mapping[str, tuple[str, Blocks]], version: int = 3
) -> bytes:
    """Return the bytes of a file."""
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(metadata))
    head += b"".join(_text(key) + _value(value) for key, value in metadata.items())
    body = b""
    for name, (kind, (data, numbers)) in tensors.items():
        shape = numbers.shape[::-1] if numbers.shape[0] > 1 else numbers.shape[1:]
        head += _text(name) + struct.pack(f"<I{len(shape)}Q", len(shape), *shape)
        head += struct.pack("<IQ", NUMBERS[kind], len(body))
        body += data.tobytes()
        body += bytes(-len(body) % ALIGNMENT)
    return head + bytes(-len(head) % ALIGNMENT) + body


def _text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value: Any) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    items = b"".join(_text(item) for item in value)
    return struct.pack("<IIQ", 9, 8, len(value)) + items
