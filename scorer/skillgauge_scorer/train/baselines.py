"""What a direction has to beat: length, the structural score, word lists, and a TF-IDF logistic."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.train.dataset import Set, scope_text
from skillgauge_scorer.train.solve import Matrix, logistic
from skillgauge_scorer.train.surface import TELLTALE

_TOKEN: Final = re.compile(r"[a-z]+|\d+|[^\w\s]", re.IGNORECASE)
_LEAST: Final = 3
"""Texts that a word must stand in to count."""
_PENALTY: Final = 1e-3


def scores(train: Set | None, test: Set) -> dict[str, tuple[Matrix, Matrix]]:
    """Return each baseline's scores of the positives and the negatives of `test`.

    Counts score as they are, more being better; TF-IDF learns from the pairs of `train`, and is
    left out without them.
    """
    found = {
        "words": (test.positive.surface["words"], test.negative.surface["words"]),
        "structure": (
            np.array([structure(pair.positive) for pair in test.pairs]),
            np.array([structure(pair.negative) for pair in test.pairs]),
        ),
    }
    if train is not None:
        found["tf-idf"] = tfidf(train, test)
    for name in TELLTALE[test.metric]:
        if name != "words":
            found[name] = (test.positive.surface[name], test.negative.surface[name])
    return found


def structure(source: str) -> float:
    """Return the structural score of a skill, 0 to 100."""
    from skillgauge.engine import check

    found = check(Skill(Text(source))).structure
    return found.score if found else 0.0


def tfidf(train: Set, test: Set) -> tuple[Matrix, Matrix]:
    """Return a logistic's scores on TF-IDF of words and signs, fitted on the pairs of `train`."""
    texts = [scope_text(train.metric, pair.positive) for pair in train.pairs]
    texts += [scope_text(train.metric, pair.negative) for pair in train.pairs]
    bags = [_bag(text) for text in texts]
    seen = Counter(word for bag in bags for word in bag)
    words = sorted(word for word, count in seen.items() if count >= _LEAST)
    places = {word: at for at, word in enumerate(words)}
    rarity = np.log(len(bags) / np.array([seen[word] for word in words], np.float64)) + 1
    rows = _rows(bags, places, rarity)
    labels = np.repeat([1.0, 0.0], len(train.pairs))
    vector = fitted(rows, labels)
    found: list[Matrix] = []
    for side in ("positive", "negative"):
        texts = [scope_text(test.metric, getattr(pair, side)) for pair in test.pairs]
        found.append(_rows([_bag(text) for text in texts], places, rarity) @ vector)
    return found[0], found[1]


def fitted(rows: Matrix, labels: Matrix) -> Matrix:
    """Return a logistic's direction in the span of few rows with many columns."""
    sizes, basis = np.linalg.eigh(rows @ rows.T)
    kept = sizes > 1e-9
    root = np.sqrt(sizes[kept])
    inside = basis[:, kept] * root
    share = np.full(len(rows), 1 / len(rows))
    found = logistic(inside, labels, share, _PENALTY)
    return rows.T @ (basis[:, kept] @ (found / root))


def _bag(text: str) -> Counter[str]:
    return Counter(match.lower() for match in _TOKEN.findall(text))


def _rows(bags: Sequence[Counter[str]], places: dict[str, int], rarity: Matrix) -> Matrix:
    rows = np.zeros((len(bags), len(places)))
    for row, bag in zip(rows, bags, strict=True):
        for word, count in bag.items():
            if (at := places.get(word)) is not None:
                row[at] = 1 + np.log(count)
    rows *= rarity
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
