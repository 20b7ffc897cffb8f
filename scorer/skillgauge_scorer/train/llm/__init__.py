"""Pairs written by a language model behind an endpoint that speaks OpenAI's chat completions.

What it writes is screened by code, and kept on disk, so that a run that was interrupted goes on.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skillgauge_scorer.train.corpus import Source
from skillgauge_scorer.train.llm.endpoint import Endpoint, complete
from skillgauge_scorer.train.llm.kept import Kept
from skillgauge_scorer.train.llm.prompts import Asks, messages
from skillgauge_scorer.train.llm.screening import fault, put_in
from skillgauge_scorer.train.pairs import METRICS, Kind, Pair
from skillgauge_scorer.train.written import MATCHED

JOBS: Final = 4
"""Questions that are open at once."""
TRIES: Final = 3
"""Answers that are asked for until one passes the screening."""


@dataclass(frozen=True, slots=True)
class Task:
    """One pair to be written."""

    source: Source
    metric: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Outcome:
    """The pairs that passed, and how often which fault was found in what did not."""

    pairs: tuple[Pair, ...]
    faults: dict[str, int]
    asked: int
    """Questions that were not answered on disk already."""


def tasks(sources: Sequence[Source], kinds: Sequence[Kind]) -> list[Task]:
    """Return the pairs that can be written of some skills, skill by skill."""
    return [
        Task(source, metric, kind)
        for source in sources
        for kind in kinds
        for metric in (METRICS if kind == "plain" else MATCHED)
    ]


def write_pairs(
    endpoint: Endpoint,
    wanted: Sequence[Task],
    folder: Path,
    progress: Callable[[int, int], None] | None = None,
    jobs: int = JOBS,
) -> Outcome:
    """Have pairs written; those of one skill come in the order of `wanted`."""
    writer = _Writer(endpoint, Kept(folder))
    found: list[Pair] = []
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for done, pair in enumerate(pool.map(writer.write, wanted), 1):
                if pair is not None:
                    found.append(pair)
                if progress:
                    progress(done, len(wanted))
        except BaseException:
            writer.stopped = True
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return Outcome(tuple(found), dict(writer.faults), writer.asked)


class _Writer:
    """Asks for one pair after another, from several threads."""

    def __init__(self, endpoint: Endpoint, kept: Kept) -> None:
        self._endpoint, self._kept = endpoint, kept
        self._lock = threading.Lock()
        self.faults: Counter[str] = Counter()
        self.asked = 0
        self.stopped = False

    def write(self, task: Task) -> Pair | None:
        """Return a pair that passes the screening, None if no answer does."""
        source, metric = task.source.text, task.metric
        positive = source
        if task.kind == "matched":
            told = self._answer(task, "substance", source)
            if told is None:
                return None
            positive = told
        negative = self._answer(task, "words" if task.kind == "matched" else "break", positive)
        if negative is None:
            return None
        how = f"a language model: {self._endpoint.model}"
        return Pair(metric, task.kind, task.source.group, positive, negative, how)

    def _answer(self, task: Task, asks: Asks, given: str) -> str | None:
        """Return the skill as the model rewrote it, if one of a few tries passes."""
        for text in self._texts(task.metric, asks, given):
            made = put_in(given, task.metric, text)
            why = fault(task.metric, asks, given, made)
            if not why:
                return made
            with self._lock:
                self.faults[f"{task.metric}: {why}"] += 1
        return None

    def _texts(self, metric: str, asks: Asks, given: str) -> Iterator[str]:
        for attempt in range(TRIES):
            if self.stopped:
                return
            asked = messages(metric, asks, given)
            key = self._kept.key(self._endpoint.model, asked, attempt)
            text = self._kept.get(key)
            if text is None:
                text = complete(self._endpoint, asked, attempt)
                self._kept.put(key, text)
                with self._lock:
                    self.asked += 1
            yield text
