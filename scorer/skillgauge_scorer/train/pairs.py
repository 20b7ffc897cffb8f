"""Pairs of skills that differ in one metric, and how they are kept: a JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

from skillgauge_scorer.errors import ScorerError

METRICS: Final = ("A2", "B1", "B2", "C1", "C2", "D1")
"""The metrics that have a direction."""

Kind = Literal["plain", "matched"]
"""`matched`: the negative has the words and the decoration, the positive the substance."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two skills, whole; `group` is what must stay on one side of a split."""

    metric: str
    kind: Kind
    group: str
    positive: str
    negative: str
    how: str = ""
    """Which operation or model made the pair, "" for one that was written by hand."""


def write(path: Path, pairs: Iterable[Pair]) -> int:
    """Write pairs to a file, and return how many they are."""
    count = 0
    with open(path, "w", encoding="utf-8") as file:
        for count, pair in enumerate(pairs, 1):  # noqa: B007
            file.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")
    return count


def read(path: Path) -> Iterator[Pair]:
    """Yield the pairs of a file; ScorerError names a line that is none."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                yield Pair(**json.loads(line))
            except (ValueError, TypeError) as error:
                raise ScorerError(f"Line {number} of “{path}” is no pair", str(error)) from error
