"""How much of a text is a copy: against the plain definition, word by word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from skillgauge.rules.evals._copies import RUN, Copied, copied

WORDS = st.lists(st.sampled_from("abc"), max_size=60)


def plainly(own: list[str], other: list[str]) -> int:
    """Count the words of all runs of RUN words that stand in both."""
    runs = {tuple(other[at : at + RUN]) for at in range(len(other) - RUN + 1)}
    hit = {
        place
        for at in range(len(own) - RUN + 1)
        if tuple(own[at : at + RUN]) in runs
        for place in range(at, at + RUN)
    }
    return len(hit)


@given(WORDS, WORDS, st.integers(0, 50), st.integers(0, 40))
def test_as_defined(other: list[str], noise: list[str], start: int, length: int) -> None:
    own = noise[:7] + other[start : start + length] + noise[7:]
    expected = Copied(plainly(own, other), len(own))
    assert copied(" ".join(own), "-- " + ", ".join(other)) == expected


def test_words_are_whole() -> None:
    text = " ".join(f"word{number}" for number in range(12))
    assert copied(text, text.upper()).part == 1.0
    assert copied(text, "x" + text + "x").shared == 0
