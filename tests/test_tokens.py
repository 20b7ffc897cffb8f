"""The token estimate, and the places that the rules on length point at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillgauge.engine import run
from skillgauge.rules import by_key
from skillgauge.tokens import estimate_tokens, may_exceed

from .helpers import skill

FRONT = "---\nname: count-words\ndescription: Counts words.\n---\n"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        # Counts by a Qwen tokenizer (151,000 entries). One kind of sentence strays further than
        # a whole skill.
        ("", 0),
        ("Convert the invoices of a customer into rows of a table.\n" * 100, 1_200),
        (
            "for index, row in enumerate(rows):\n    total += row['price'] * row['count']\n" * 50,
            1_200,
        ),
        ("| 2024-01-02 | 1,250.00 | 19 % |\n" * 50, 1_400),
        ("请将客户的发票转换为表格中的行，并核对每一页的总额。\n" * 50, 850),
    ],
)
def test_estimate(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == pytest.approx(tokens, rel=0.2)


@given(st.text(max_size=300), st.text(max_size=300))
def test_estimate_is_never_negative_and_grows(one: str, two: str) -> None:
    assert 0 <= estimate_tokens(one) <= estimate_tokens(one + "\n" + two) + 2


def test_line_ends_count_once() -> None:
    text = "Count the words.\n" * 40
    assert estimate_tokens(text.replace("\n", "\r\n")) == estimate_tokens(text)
    assert estimate_tokens(text.replace("\n", "\r")) == estimate_tokens(text)


def test_short_texts_are_not_counted() -> None:
    assert not may_exceed("a" * 13_000, 5_000)
    assert may_exceed("a" * 13_001, 5_000)
    assert may_exceed("字" * 2_500, 5_000)
    assert not may_exceed("字" * 1_500, 5_000)


def test_the_first_line_beyond() -> None:
    """Line 501 of the body, or the next one with text."""
    rule = by_key()["body-too-long"]
    lines = [f"line {number}" for number in range(1, 521)]
    (finding,) = run(rule, skill(FRONT + "\n".join(lines)))
    document = skill(FRONT + "\n".join(lines))
    assert document.text.slice(finding.span) == "line 501"
    assert "520 lines" in finding.message
    lines[500:503] = ["", "", ""]
    document = skill(FRONT + "\r\n".join(lines) + "\r\n")
    (finding,) = run(rule, document)
    assert document.text.slice(finding.span) == "line 504"
    assert not run(rule, skill(FRONT + "\n".join(lines[:500]) + "\n"))


def test_the_line_where_the_tokens_pass() -> None:
    rule = by_key()["body-too-many-tokens"]
    lines = [f"Line {number:04d} says what to do and how." for number in range(1000)]
    document = skill(FRONT + "\n".join(lines))
    (finding,) = run(rule, document)
    # 7 words, 4 digits, a full stop and a line break are 14.52 tokens by the weights: 344 lines.
    assert document.text.slice(finding.span)[:9] == "Line 0344"
    assert "14,520 tokens" in finding.message or "14,519 tokens" in finding.message
