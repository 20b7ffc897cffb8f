"""Reads a text with the backbone and keeps of each token only what the directions make of it.

A part of the body that was read before behind the same prefix is not read again, so that an edit
costs its own part.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.bundle import Bundle, Term
from skillgauge_scorer.pooling import normed
from skillgauge_scorer.runtime import TOGETHER, Backbone, Tokens
from skillgauge_scorer.views import Scope, View, read

Floats = NDArray[np.float32]
Offsets = NDArray[np.int64]

KEPT: Final = 400_000
"""Tokens whose projections are kept, of all documents together."""
_LONG: Final = 4096
"""Characters of a description whose places are not looked for: no client takes as many."""

Stop = Callable[[], bool]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of tokens: where each begins in the source, and a row of values for each term."""

    starts: Offsets
    values: Floats

    def __len__(self) -> int:
        return len(self.starts)


@dataclass(frozen=True, slots=True)
class Projection:
    """What the directions make of a text."""

    view: View
    tokens: int
    """All tokens of the text, those that were left out too."""
    truncated: bool
    scopes: dict[Scope, Piece]
    """What was read of each scope; an empty one is left out."""
    rows: dict[str, int]
    """The row of each term in its scope's values; see `key`."""


def key(term: Term) -> str:
    """Return what tells a term from the others."""
    return f"{term.scope} {term.tensor} {term.layer} {term.pooling}"


class Projector:
    """A backbone with the bundle that was fitted to it."""

    def __init__(self, backbone: Backbone, bundle: Bundle) -> None:
        """Read nothing yet."""
        self.backbone, self.bundle = backbone, bundle
        self._terms: dict[Scope, dict[str, Term]] = {"description": {}, "body": {}}
        for metric in bundle.metrics.values():
            for term in metric.terms:
                self._terms[term.scope][key(term)] = term
        self._rows = {name: at for terms in self._terms.values() for at, name in enumerate(terms)}
        self._known: OrderedDict[bytes, Floats] = OrderedDict()
        self._size = 0

    @property
    def device(self) -> str:
        """Where the backbone runs: “cpu” or “cuda”."""
        return self.backbone.device.name

    def project(
        self, source: str, stop: Stop | None = None, progress: Progress | None = None
    ) -> Projection:
        """Read a text; Stopped if `stop` says so, and what was read by then is kept."""
        view = read(source, self.bundle.mode)
        encode = self.backbone.encode
        prefix, parts = encode(view.prefix), [encode(part.text) for part in view.parts]
        total = len(prefix) + sum(map(len, parts))
        most, context = self.bundle.max_tokens, self.backbone.context
        head = prefix.ids[: max(min(most, context) // 2, 1)]
        used, wanted, starts = len(head), list[Offsets](), list[Offsets]()
        for part, tokens in zip(view.parts, parts, strict=True):
            if (left := min(most - used, context - len(head))) <= 0:
                break
            wanted.append(tokens.ids[:left])
            starts.append(tokens.starts[:left] + part.start)
            used += len(wanted[-1])
        scopes: dict[Scope, Piece] = {}
        if (described := self._described(view, prefix, head, stop)) is not None:
            scopes["description"] = described
        values = self._body(head, wanted, stop, progress)
        if values:
            scopes["body"] = Piece(np.concatenate(starts), np.concatenate(values, axis=1))
        return Projection(view, total, used < total, scopes, self._rows)

    def _described(
        self, view: View, prefix: Tokens, head: Offsets, stop: Stop | None
    ) -> Piece | None:
        """Return what is made of the description's own tokens, None if there are none."""
        inside = (prefix.ends > view.described.start) & (prefix.starts < view.described.end)
        chosen = np.flatnonzero(inside[: len(head)])
        if not len(chosen):
            return None
        name = _digest(b"prefix", head)
        values = self._recall(name)
        if values is None:
            values = self._values("description", self.backbone.states(head, stop))
            self._keep(name, values)
        starts = np.maximum(prefix.starts[chosen], view.described.start)
        return Piece(_in_source(view, starts), values[:, chosen])

    def _body(
        self, head: Offsets, wanted: list[Offsets], stop: Stop | None, progress: Progress | None
    ) -> list[Floats]:
        """Return what is made of parts, those that are not known read in batches."""
        names = [_digest(head.tobytes(), ids) for ids in wanted]
        found = {name: value for name in names if (value := self._recall(name)) is not None}
        missing = [at for at, name in enumerate(names) if name not in found]
        done, total = 0, sum(len(wanted[at]) for at in missing)
        for batch in _batches([len(wanted[at]) for at in missing], TOGETHER[self.device]):
            chosen = [missing[at] for at in batch]
            if progress is not None:
                progress("score", done, total)
            read_now = self.backbone.after(head, [wanted[at] for at in chosen], stop)
            for at, states in zip(chosen, read_now, strict=True):
                found[names[at]] = self._values("body", states)
                self._keep(names[at], found[names[at]])
                done += len(wanted[at])
        return [found[name] for name in names]

    def _values(self, scope: Scope, states: dict[int, Floats]) -> Floats:
        """Return a row of projections for each term of a scope."""
        terms = self._terms[scope].values()
        count = len(next(iter(states.values())))
        made = np.zeros((len(terms), count), np.float32)
        for row, term in enumerate(terms):
            tokens = states[term.layer]
            made[row] = (normed(tokens) if term.pooling == "normed" else tokens) @ term.vector
        return made

    def _recall(self, name: bytes) -> Floats | None:
        if (found := self._known.get(name)) is not None:
            self._known.move_to_end(name)
        return found

    def _keep(self, name: bytes, values: Floats) -> None:
        if name not in self._known:
            self._size += values.shape[1]
        self._known[name] = values
        while self._size > KEPT and len(self._known) > 1:
            _, old = self._known.popitem(last=False)
            self._size -= old.shape[1]


def _digest(before: bytes, ids: Offsets) -> bytes:
    return hashlib.blake2b(before + b"\0" + ids.tobytes(), digest_size=16).digest()


def _batches(sizes: Sequence[int], most: int) -> Iterator[list[int]]:
    """Yield the numbers of texts in batches of at most so many tokens, or of one text."""
    batch, size = list[int](), 0
    for at, own in enumerate(sizes):
        if batch and size + own > most:
            yield batch
            batch, size = [], 0
        batch.append(at)
        size += own
    if batch:
        yield batch


def _in_source(view: View, starts: Offsets) -> Offsets:
    """Return for places of the prefix, all in the description, places of the same source lines.

    Only lines are asked for, and to find a place takes a walk through the description: so only as
    many are looked for as it takes to tell where the lines change.
    """
    text = view.skill.text
    value = view.skill.value("description")
    assert value is not None
    found = np.full(len(starts), value.span.start, np.int64)
    one_line = text.line_of(value.span.start) == text.line_of(value.span.end)
    if one_line or len(value.text) > _LONG:
        return found
    spans = [(0, len(starts) - 1)]
    while spans:
        first, last = spans.pop()
        places = [
            view.source_of(int(starts[at]), int(starts[at]) + 1).start for at in (first, last)
        ]
        if last - first < 2 or text.line_of(places[0]) == text.line_of(places[1]):
            found[first : last + 1] = places[0]
            found[last] = places[1]
        else:
            middle = (first + last) // 2
            spans += [(first, middle), (middle, last)]
    return found
