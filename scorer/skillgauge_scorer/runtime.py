"""Runs a backbone: text to tokens with their places, tokens to hidden states.

Keys and values of the last text are kept, so a text that begins like it costs its new end only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.cache import Cache
from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.models.install import EXPORTER
from skillgauge_scorer.models.store import Installed
from skillgauge_scorer.session import start

Floats = NDArray[np.float32]
Ids = Sequence[int] | NDArray[np.int64]
Stop = Callable[[], bool]
States = dict[int, Floats]
"""By layer, a row for each token."""

THREADS: Final = 2
CHUNK: Final = 256
"""Tokens between two looks at whether to stop."""
TOGETHER: Final = {"cpu": 0, "cuda": 8192}
"""Tokens that short texts are computed at once in; a CPU is as fast with one text at a time."""


class Stopped(Exception):
    """The caller has asked to stop; what was computed up to then is kept."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text, and where each begins and ends in it, in characters."""

    ids: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)


class Backbone:
    """A backbone in memory."""

    def __init__(self, folder: Path, facts: dict[str, Any], threads: int = THREADS) -> None:
        """Load what `export` wrote into a folder; `facts` is what it returned."""
        self.layers = tuple(cast("list[int]", facts["layers"]))
        self.width, self.context = int(facts["width"]), int(facts["context"])
        self._session, self.device = start(folder, threads)
        self._tokenizer = _tokenizer(folder / "tokenizer.json")
        self._cache = Cache(self._session, self.device.name, self.context)
        self._pieces: list[States] = []
        """The states of the first of the tokens that the cache knows."""

    def encode(self, text: str) -> Tokens:
        """Return the tokens of a text."""
        # Lone surrogates have no bytes; a replacement of the same length keeps all places.
        clean = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        if len(clean) != len(text):
            clean = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
        found = self._tokenizer.encode(clean, add_special_tokens=False)
        places = np.array(found.offsets, np.int64).reshape(-1, 2)
        return Tokens(np.array(found.ids, np.int64), places[:, 0], places[:, 1])

    def states(self, ids: Ids, stop: Stop | None = None, chunk: int = CHUNK) -> States:
        """Return the state of each token at each layer; `stop` is asked between chunks."""
        wanted = np.asarray(ids, np.int64)
        self._cut(self._cache.keep(wanted))
        self.each(wanted, self._take, stop, held=self._held(), chunk=chunk)
        return self._joined(self._pieces)

    def each(
        self,
        ids: Ids,
        take: Callable[[int, States], None],
        stop: Stop | None = None,
        *,
        held: int = 0,
        chunk: int = CHUNK,
    ) -> None:
        """Hand over the states of a text chunk by chunk, each with the place of its first token.

        A caller that still holds what it made of the first `held` tokens of the text before gets
        those again only that have changed.
        """
        wanted = np.asarray(ids, np.int64)
        self._check(len(wanted))
        kept = min(self._cache.keep(wanted), held)
        self._cache.known = wanted[:kept]
        self._cut(kept)
        self._cache.reserve(len(wanted))
        for at in range(kept, len(wanted), chunk):
            if stop is not None and stop():
                raise Stopped
            take(at, self._run(at, wanted[at : at + chunk]))

    def after(
        self,
        prefix: Ids,
        parts: Sequence[Ids],
        stop: Stop | None = None,
        together: int | None = None,
    ) -> list[States]:
        """Return the states of each part, as if it alone came after the prefix.

        With `together`, parts of similar length are computed at once, each in a row with a prefix
        of its own, up to that many tokens; without, one by one, after a prefix that is computed
        once. `stop` is asked in between.
        """
        before = np.asarray(prefix, np.int64)
        wanted = [np.asarray(part, np.int64) for part in parts]
        self._check(len(before) + max(map(len, wanted), default=0))
        most = TOGETHER[self.device.name] if together is None else together
        found: dict[int, States] = {}
        for group in _groups([len(before) + len(part) for part in wanted], most):
            if stop is not None and stop():
                raise Stopped
            if len(group) > 1:
                rows = [np.concatenate([before, wanted[index]]) for index in group]
                made = [_slice(states, slice(len(before), None)) for states in self._rows(rows)]
            else:
                made = [self._alone(before, wanted[group[0]], stop)]
            found.update(zip(group, made, strict=True))
        return [found[index] for index in range(len(wanted))]

    def forget(self) -> None:
        """Free what is kept of the last text."""
        self._cache.forget()
        self._pieces = []

    def _check(self, count: int) -> None:
        if count > self.context:
            raise ScorerError(f"The model reads {self.context} tokens, not {count}")

    def _alone(
        self, before: NDArray[np.int64], part: NDArray[np.int64], stop: Stop | None
    ) -> States:
        made: list[States] = []
        whole = np.concatenate([before, part])
        self.each(before, lambda at, states: None, stop, held=len(before))
        self.each(whole, lambda at, states: made.append(states), stop, held=len(before))
        self._cache.known = before
        return self._joined(made)

    def _run(self, start: int, ids: NDArray[np.int64]) -> States:
        """Compute some tokens that follow those that are known."""
        states = self._bound(self._cache, ids[None], start + len(ids))
        self._cache.known = np.concatenate([self._cache.known[:start], ids])
        return {layer: rows[0] for layer, rows in states.items()}

    def _rows(self, rows: Sequence[NDArray[np.int64]]) -> list[States]:
        """Compute some texts at once. What fills the short ones up comes last, and is not seen."""
        longest = max(map(len, rows))
        ids = np.zeros((len(rows), longest), np.int64)
        for row, text in zip(ids, rows, strict=True):
            row[: len(text)] = text
        cache = Cache(self._session, self.device.name, longest, len(rows))
        cache.reserve(longest)
        states = self._bound(cache, ids, longest)
        return [
            {layer: value[index, : len(text)] for layer, value in states.items()}
            for index, text in enumerate(rows)
        ]

    def _bound(self, cache: Cache, ids: NDArray[np.int64], total: int) -> States:
        """Run the graph on the tokens that end at `total` in each row."""
        binding = self._session.io_binding()
        binding.bind_cpu_input("tokens", np.ascontiguousarray(ids))
        binding.bind_cpu_input("last", np.full(len(ids), total - 1, np.int32))
        binding.bind_cpu_input("total", np.array(total, np.int32))
        cache.bind(binding)
        for layer in self.layers:
            binding.bind_output(f"hidden.{layer}", "cpu")
        self._session.run_with_iobinding(binding)
        hidden = binding.get_outputs()[len(cache.names) :]
        return {layer: value.numpy() for layer, value in zip(self.layers, hidden, strict=True)}

    def _held(self) -> int:
        return sum(len(piece[self.layers[0]]) for piece in self._pieces)

    def _take(self, at: int, states: States) -> None:
        self._pieces.append(states)

    def _cut(self, count: int) -> None:
        """Keep the states of so many tokens at most."""
        while (over := self._held() - count) > 0:
            last = self._pieces.pop()
            left = len(last[self.layers[0]]) - over
            if left > 0:
                self._pieces.append(_slice(last, slice(left)))

    def _joined(self, pieces: Sequence[States]) -> States:
        """Return the states of chunks that follow each other, as a copy."""
        empty = np.zeros((0, self.width), np.float32)
        return {
            layer: np.concatenate([empty, *(piece[layer] for piece in pieces)])
            for layer in self.layers
        }


def load(model: Installed, threads: int = THREADS) -> Backbone:
    """Load an installed model's backbone."""
    if model.manifest.get("exporter", EXPORTER) != EXPORTER:
        what = f"“{model.name}” was converted by another version of skillgauge"
        raise ScorerError(what, how=f"Run `skillgauge model install {model.name}`")
    try:
        return Backbone(model.folder, model.manifest["backbone"], threads)
    except (KeyError, TypeError, ValueError) as error:
        how = f"Run `skillgauge model install {model.name} --again`"
        raise ScorerError(f"The manifest in “{model.folder}” is broken", how=how) from error


def _groups(sizes: Sequence[int], most: int) -> list[list[int]]:
    """Return texts in groups of similar length that have `most` tokens, or are of one text."""
    groups: list[list[int]] = []
    for index in sorted(range(len(sizes)), key=lambda index: sizes[index]):
        # The newest is the longest, and the others are filled up to its length.
        if groups and (len(groups[-1]) + 1) * sizes[index] <= most:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def _slice(states: States, rows: slice) -> States:
    return {layer: value[rows] for layer, value in states.items()}


def _tokenizer(path: Path) -> Any:
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises plain Exception
        raise ScorerError(f"“{path}” is no tokenizer", str(error)) from error
