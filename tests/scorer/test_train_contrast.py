"""The contrast set: complete, of even length, and how far function words alone tell it apart."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Final

import numpy as np
import pytest

pytest.importorskip("numpy", reason="needs the extra “cpu”")

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.train.baselines import fitted
from skillgauge_scorer.train.dataset import scope_text
from skillgauge_scorer.train.pairs import METRICS, Pair
from skillgauge_scorer.train.statistics import auroc
from skillgauge_scorer.train.surface import words
from skillgauge_scorer.train.written import MATCHED, read_folder

FOLDER: Final = Path(__file__).parents[2] / "scorer" / "contrast"
FUNCTION_WORDS: Final = sorted(
    set(
        re.findall(
            r"\w+",
            """a an the and or but nor so yet if then than as of at by for from in into on onto out
            over to up with without within about after before between through during under above
            again further once here there where when why how all any both each few more most other
            others some such no not only own same too very can could will would shall should may
            might must do does did done be is are was were been being have has had it its they them
            their this that these those which who whom whose what while because until also just like
            one ones per via every many much several you your we our i he she his her""",
        )
    )
)


TOLD_APART: Final = {
    ("plain", "A2"): 1.0,
    ("plain", "B1"): 0.57,
    ("plain", "B2"): 0.98,
    ("plain", "C1"): 0.57,
    ("plain", "C2"): 0.89,
    ("plain", "D1"): 0.48,
    ("matched", "A2"): 0.98,
    ("matched", "B2"): 0.93,
    ("matched", "C1"): 0.99,
    ("matched", "C2"): 1.0,
    ("matched", "D1"): 0.97,
}
"""The AUROC of function words alone, as the README of the contrast set has it."""


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return read_folder(FOLDER)


def test_it_is_complete(pairs: list[Pair]) -> None:
    plain = Counter(pair.metric for pair in pairs if pair.kind == "plain")
    assert plain == dict.fromkeys(METRICS, 24)
    matched = Counter(pair.metric for pair in pairs if pair.kind == "matched")
    assert set(matched) == set(MATCHED)
    assert min(matched.values()) >= 16
    assert len({pair.positive for pair in pairs if pair.kind == "plain"}) == 24


def test_each_member_can_be_read_and_has_its_length(pairs: list[Pair]) -> None:
    for pair in pairs:
        good, bad = Skill(Text(pair.positive)), Skill(Text(pair.negative))
        for one in (good, bad):
            assert one.description
            assert one.name == pair.group
            assert one.markdown.sections
        ratio = words(pair.negative) / words(pair.positive)
        assert 0.8 <= ratio <= 1.2, f"{pair.group} {pair.metric} {pair.kind}: {ratio:.2f}"
        if pair.metric == "A2":
            assert pair.positive[good.body.start :] == pair.negative[bad.body.start :]
        else:
            assert pair.positive[: good.body.start] == pair.negative[: bad.body.start]
            assert pair.positive.split() != pair.negative.split()


def told_apart(pairs: list[Pair]) -> float:
    """Return the AUROC of a logistic on function words, each pair scored by one on the others."""

    def bag(text: str) -> np.ndarray:
        found = re.findall(r"[a-z']+", text.lower())
        counts = Counter(found)
        return np.array([counts[word] for word in FUNCTION_WORDS]) / max(1, len(found))

    sides = [
        np.array([bag(scope_text(pair.metric, getattr(pair, side))) for pair in pairs])
        for side in ("positive", "negative")
    ]
    scale = np.concatenate(sides).std(axis=0) + 1e-9
    good, bad = (side / scale for side in sides)
    scores = np.zeros((2, len(pairs)))
    for at in range(len(pairs)):
        kept = np.arange(len(pairs)) != at
        rows = np.concatenate([good[kept], bad[kept]])
        labels = np.repeat([1.0, 0.0], kept.sum())
        vector = fitted(rows - rows.mean(axis=0), labels)
        scores[:, at] = good[at] @ vector, bad[at] @ vector
    return auroc(scores[0], scores[1])


@pytest.mark.parametrize(("kind", "metric"), list(TOLD_APART))
def test_how_far_function_words_tell_it_apart(pairs: list[Pair], kind: str, metric: str) -> None:
    chosen = [pair for pair in pairs if (pair.kind, pair.metric) == (kind, metric)]
    assert told_apart(chosen) == pytest.approx(TOLD_APART[kind, metric], abs=0.08)
