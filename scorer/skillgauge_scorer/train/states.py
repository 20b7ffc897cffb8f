"""The pooled states of skills, kept on disk: encoding takes hours, fitting takes seconds.

States belong to what was encoded, a part behind a prefix, so that a skill and its variants share
those of the parts that they have in common.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.pooling import POOLINGS, Pooled, join, pool
from skillgauge_scorer.runtime import Backbone, Tokens
from skillgauge_scorer.views import Mode, View, read


@dataclass(frozen=True, slots=True)
class Features:
    """The pooled states of a skill's scopes; None for a scope without tokens."""

    description: Pooled | None
    body: Pooled | None

    @property
    def tokens(self) -> int:
        """The number of tokens of both scopes."""
        return sum(part.count for part in (self.description, self.body) if part)


class Encoder:
    """Encodes skills, and keeps what it has encoded in a file."""

    def __init__(self, path: Path, backbone: Backbone, name: str, mode: Mode) -> None:
        """`name` identifies the backbone: states of another one are not taken."""
        self._backbone, self._name = backbone, name
        self._mode: Mode = mode
        self._kept = sqlite3.connect(path, timeout=60)
        self._kept.execute("pragma synchronous = off")
        self._kept.execute("create table if not exists states (key blob primary key, value blob)")
        self.encoded = 0
        """Tokens that were not found on disk."""

    def features(self, text: str, *, body: bool = True, most: int = 20_000) -> Features:
        """Return the states of a skill, of at most so many tokens; without its body if so asked."""
        view = read(text, self._mode)
        prefix = self._backbone.encode(view.prefix)
        start, end = described(view, prefix)
        description = None
        if end > start:
            description = self._pooled(prefix.ids[:end], start, end)
        parts: list[Pooled] = []
        left = most - len(prefix)
        for part in view.parts if body else ():
            ids = self._backbone.encode(part.text).ids[: max(0, left)]
            left -= len(ids)
            if len(ids):
                whole = np.concatenate([prefix.ids, ids])
                parts.append(self._pooled(whole, len(prefix), len(whole)))
        self._kept.commit()
        return Features(description, join(parts) if parts else None)

    def _pooled(self, ids: NDArray[np.int64], start: int, end: int) -> Pooled:
        digest = hashlib.sha256(f"{self._name}\0{start}\0{end}\0".encode() + ids.tobytes())
        key = digest.digest()
        found = self._kept.execute("select value from states where key = ?", (key,)).fetchone()
        if found is not None:
            return _unpacked(found[0], end - start, self._backbone.layers, self._backbone.width)
        pooled = pool(self._backbone.states(ids), start, end)
        self.encoded += end - start
        self._kept.execute("insert into states values (?, ?)", (key, _packed(pooled)))
        return pooled


def described(view: View, prefix: Tokens) -> tuple[int, int]:
    """Return the tokens of the prefix that are the description's: first, and one past the last."""
    span = view.described
    within = np.flatnonzero((prefix.ends > span.start) & (prefix.starts < span.end))
    return (int(within[0]), int(within[-1]) + 1) if len(within) else (0, 0)


def _packed(pooled: Pooled) -> bytes:
    values = [state[name] for state in pooled.states.values() for name in POOLINGS]
    return np.stack(values).astype(np.float32).tobytes()


def _unpacked(data: Any, count: int, layers: Sequence[int], width: int) -> Pooled:
    values = np.frombuffer(data, np.float32).reshape(len(layers), len(POOLINGS), width)
    return Pooled(
        count,
        {
            layer: dict(zip(POOLINGS, value, strict=True))
            for layer, value in zip(layers, values, strict=True)
        },
    )
