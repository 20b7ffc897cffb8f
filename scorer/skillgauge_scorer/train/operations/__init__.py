"""The ways to break a skill in one metric by rule, so that training works offline.

Each module has `break_(source, others, random) -> str | None`: the negative, None where the skill
gives no hold. They follow the six operations of the SkillEval paper's appendix B; where a language
model rewrites there, these replace and reorder. A negative keeps about the length.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from importlib import import_module

from skillgauge_scorer.train.pairs import METRICS, Pair
from skillgauge_scorer.train.surface import words
from skillgauge_scorer.train.written import with_end_of


def pairs_of(source: str, group: str, others: Sequence[str]) -> list[Pair]:
    """Return what each operation makes of a skill; the same for the same arguments."""
    found: list[Pair] = []
    for metric in METRICS:
        module = import_module(f"{__name__}.{metric.lower()}")
        seed = hashlib.sha256(f"{metric}\0{source}".encode()).digest()
        negative = module.break_(source, others, random.Random(seed))
        if negative is not None:
            negative = with_end_of(source, negative)
        if negative is not None and _kept_length(source, negative):
            found.append(Pair(metric, "plain", group, source, negative, module.HOW))
    return found


def _kept_length(source: str, negative: str) -> bool:
    return negative != source and 0.7 <= words(negative) / max(1, words(source)) <= 1.3
