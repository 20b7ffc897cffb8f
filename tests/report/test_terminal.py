"""Excerpts: the carets stand under the right characters, whatever the line is made of."""

from __future__ import annotations

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillgauge.report._terminal import cells, excerpt, safe


def marked(line: str, words: str, width: int = 100) -> tuple[str, str]:
    """Return a line as shown and the text of its caret line."""
    at = line.index(words)
    found = excerpt(line, at, at + len(words), width)
    return found.shown, " " * found.start + "^" * found.width


@pytest.mark.parametrize(
    ("line", "words", "shown", "carets"),
    [
        ("abc def", "def", "abc def", "    ^^^"),
        ("\tabc", "abc", "    abc", "    ^^^"),
        ("a\tb", "\t", "a    b", " ^^^^"),
        ("文字 x", "x", "文字 x", "     ^"),
        ("文字 x", "字", "文字 x", "  ^^"),
        ("😀 x", "x", "😀 x", "   ^"),
        ("👩\u200d🚒 x", "x", "👩\u200d🚒 x", "     ^"),
        ("e\u0301 x", "x", "e\u0301 x", "  ^"),
        ("a\u200bb", "b", "a<U+200B>b", "         ^"),
        ("a\x1b[0m", "[0m", "a␛[0m", "  ^^^"),
        ("a\x85b", "b", "a<U+0085>b", "         ^"),
        ("a\udcffb", "b", "a<\\xff>b", "       ^"),
        ("ｆull", "u", "ｆull", "  ^"),
    ],
)
def test_carets(line: str, words: str, shown: str, carets: str) -> None:
    assert marked(line, words) == (shown, carets)


def test_an_empty_range_has_one_caret() -> None:
    assert excerpt("abc", 3, 3, 100) == ("abc", 3, 1)
    assert excerpt("", 0, 0, 100) == ("", 0, 1)


def test_long_lines_are_cut_around_the_range() -> None:
    assert marked("x" * 50 + "MARK" + "y" * 50, "MARK", 20) == (
        "…xxxxxxxMARKyyyyyyy…",
        "        ^^^^",
    )
    assert marked("MARK" + "y" * 50, "MARK", 20) == ("MARKyyyyyyyyyyyyyy…", "^^^^")
    assert marked("x" * 50 + "MARK", "MARK", 20) == ("…xxxxxxxxxxxxxxMARK", " " * 15 + "^^^^")
    shown, carets = marked("a" * 10 + "M" * 50, "M" * 50, 20)
    assert (shown, carets) == ("…" + "M" * 18 + "…", " " + "^" * 18)


def test_a_line_of_a_million_characters_is_no_trouble() -> None:
    line = "文" * 500_000 + "M" + "文" * 500_000
    shown, carets = marked(line, "M", 80)
    assert "M" in shown
    assert len(carets) < 80


LINES = ("Zl", "Zp")
TEXT = st.text(st.characters(exclude_characters="\n\r"), max_size=120)


@given(TEXT, st.integers(0, 120), st.integers(0, 120), st.integers(20, 60))
def test_excerpts_fit_and_are_harmless(line: str, start: int, end: int, width: int) -> None:
    start, end = sorted((min(start, len(line)), min(end, len(line))))
    found = excerpt(line, start, end, width)
    assert sum(cell.width for cell in cells(found.shown.replace("…", "."))) <= width
    assert found.start + found.width <= width + 1
    odd = {char for char in found.shown if category(char)[0] == "C" or category(char) in LINES}
    assert odd <= set("\u200d")  # inside of an emoji


def test_safe_leaves_ordinary_text() -> None:
    assert safe("Ein „Satz“ – 文字 😀.") == "Ein „Satz“ – 文字 😀."
    assert safe("a\nb\x07") == "a␊b␇"
