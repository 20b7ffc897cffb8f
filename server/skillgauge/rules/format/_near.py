"""How near two words are: the number of typing errors between them."""

from __future__ import annotations

from collections.abc import Iterable


def distance(one: str, other: str) -> int:
    """Count the letters missing, added, wrong or swapped with their neighbour (no letter twice)."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, char in enumerate(one, 1):
        line = [row]
        for column, against in enumerate(other, 1):
            best = min(last[column] + 1, line[column - 1] + 1, last[column - 1] + (char != against))
            swapped = row > 1 and column > 1 and char == other[column - 2]
            if swapped and one[row - 2] == against:
                best = min(best, before[column - 2] + 1)
            line.append(best)
        before, last = last, line
    return last[-1]


def nearest(word: str, candidates: Iterable[str], most: int) -> str | None:
    """Return the candidate with the fewest typing errors, the first of equals; None over `most`."""
    scored = [
        (distance(word, candidate), index, candidate)
        for index, candidate in enumerate(candidates)
        if abs(len(word) - len(candidate)) <= most
    ]
    best = min(scored, default=None)
    return best[2] if best and best[0] <= most else None
