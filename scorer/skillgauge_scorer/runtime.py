"""Runs a backbone: text to tokens with their places, tokens to hidden states.

Keys and values of the last text stay in buffers that the graph reads and extends in place, so a
text that begins like the last one costs its new end only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.models.store import Installed

Floats = NDArray[np.float32]

THREADS: Final = 2
CHUNK: Final = 256
"""Tokens between two looks at whether to stop; twice as many take a seventh less time."""
_FIRST: Final = 512
"""Tokens that the buffers hold at first."""


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
        self._shape = int(facts["kv_heads"]), int(facts["head"])
        self._names = [f"{kind}.{block}" for block in range(facts["blocks"]) for kind in "kv"]
        self._session = _session(folder / "backbone.onnx", threads)
        self._tokenizer = _tokenizer(folder / "tokenizer.json")
        self._buffers: dict[str, Any] = {}
        self._room = 0
        self._known: NDArray[np.int64] = np.zeros(0, np.int64)
        self._states: dict[int, Floats] = {}

    def encode(self, text: str) -> Tokens:
        """Return the tokens of a text."""
        # Lone surrogates have no bytes; a replacement of the same length keeps all places.
        clean = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        if len(clean) != len(text):
            clean = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
        found = self._tokenizer.encode(clean, add_special_tokens=False)
        places = np.array(found.offsets, np.int64).reshape(-1, 2)
        return Tokens(np.array(found.ids, np.int64), places[:, 0], places[:, 1])

    def states(
        self,
        ids: Sequence[int] | NDArray[np.int64],
        stop: Callable[[], bool] | None = None,
        chunk: int = CHUNK,
    ) -> dict[int, Floats]:
        """Return the state of each token at each layer; `stop` is asked between chunks."""
        wanted = np.asarray(ids, np.int64)
        if len(wanted) > self.context:
            raise ScorerError(f"The model reads {self.context} tokens, not {len(wanted)}")
        kept = _common(self._known, wanted)
        self._known = self._known[:kept]
        self._reserve(len(wanted))
        for start in range(kept, len(wanted), chunk):
            if stop is not None and stop():
                raise Stopped
            self._step(start, wanted[start : start + chunk])
        return {layer: self._states[layer][: len(wanted)].copy() for layer in self.layers}

    def after(
        self,
        prefix: Sequence[int] | NDArray[np.int64],
        parts: Sequence[Sequence[int] | NDArray[np.int64]],
        stop: Callable[[], bool] | None = None,
    ) -> list[dict[int, Floats]]:
        """Return the states of each part, as if it alone came after the prefix.

        The prefix is computed once. `stop` is asked between parts.
        """
        before = np.asarray(prefix, np.int64)
        wanted = [np.asarray(part, np.int64) for part in parts]
        longest = len(before) + max(map(len, wanted), default=0)
        if longest > self.context:
            raise ScorerError(f"The model reads {self.context} tokens, not {longest}")
        self._reserve(longest)
        self.states(before, stop)
        found: list[dict[int, Floats]] = []
        for part in wanted:
            if stop is not None and stop():
                raise Stopped
            # Whatever was behind the prefix is overwritten.
            self._known = before
            for start in range(0, len(part), CHUNK):
                self._step(len(before) + start, part[start : start + CHUNK])
            span = slice(len(before), len(before) + len(part))
            found.append({layer: self._states[layer][span].copy() for layer in self.layers})
        self._known = before
        return found

    def forget(self) -> None:
        """Free what is kept of the last text."""
        self._known, self._room = np.zeros(0, np.int64), 0
        self._buffers, self._states = {}, {}

    def _step(self, start: int, ids: NDArray[np.int64]) -> None:
        """Compute some tokens that follow those that are known."""
        total = start + len(ids)
        binding = self._session.io_binding()
        binding.bind_cpu_input("tokens", ids[None])
        binding.bind_cpu_input("last", np.array([total - 1], np.int32))
        binding.bind_cpu_input("total", np.array(total, np.int32))
        for name in self._names:
            binding.bind_ortvalue_input(f"past.{name}", self._buffers[name])
            binding.bind_ortvalue_output(f"now.{name}", self._buffers[name])
        for layer in self.layers:
            binding.bind_output(f"hidden.{layer}")
        self._session.run_with_iobinding(binding)
        hidden = binding.get_outputs()[len(self._names) :]
        for layer, value in zip(self.layers, hidden, strict=True):
            self._states[layer][start:total] = value.numpy()[0]
        self._known = np.concatenate([self._known[:start], ids])

    def _reserve(self, count: int) -> None:
        """Make room for a number of tokens, keeping what is known."""
        if self._room and count <= self._room:
            return
        onnxruntime: Any = import_module("onnxruntime")

        room = min(max(_FIRST, 2 * self._room, count), self.context)
        heads, head = self._shape
        for name in self._names:
            wider = np.zeros((1, heads, room, head), np.float32)
            if (old := self._buffers.get(name)) is not None:
                wider[:, :, : self._room] = old.numpy()
            self._buffers[name] = onnxruntime.OrtValue.ortvalue_from_numpy(wider)
        for layer in self.layers:
            states = np.zeros((room, self.width), np.float32)
            if (before := self._states.get(layer)) is not None:
                states[: self._room] = before
            self._states[layer] = states
        self._room = room


def load(model: Installed, threads: int = THREADS) -> Backbone:
    """Load an installed model's backbone."""
    try:
        return Backbone(model.folder, model.manifest["backbone"], threads)
    except (KeyError, TypeError, ValueError) as error:
        how = f"Run `skillgauge model install {model.name} --again`"
        raise ScorerError(f"The manifest in “{model.folder}” is broken", how=how) from error


def _common(left: NDArray[np.int64], right: NDArray[np.int64]) -> int:
    """Return how many tokens two texts begin with in common."""
    size = min(len(left), len(right))
    differing = np.flatnonzero(left[:size] != right[:size])
    return int(differing[0]) if len(differing) else size


def _session(path: Path, threads: int) -> Any:
    onnxruntime: Any = import_module("onnxruntime")  # it has no types
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait by spinning take the processor from the editor, and from each other.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the library has an exception for each kind of fault
        what = f"onnxruntime can't load “{path}”"
        raise ScorerError(what, str(error).splitlines()[0], "Install the model again") from error


def _tokenizer(path: Path) -> Any:
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises plain Exception
        raise ScorerError(f"“{path}” is no tokenizer", str(error)) from error
