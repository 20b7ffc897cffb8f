"""Huge and hostile texts: reading ends, in time and memory that grow no faster than the text.

What is quadratic here would take minutes; the timeout is generous.
"""

from __future__ import annotations

import tracemalloc

import pytest

from skillgauge.document.markdown_reader import MAX_MARKDOWN
from skillgauge.document.skill import Skill
from skillgauge.text import Text

pytestmark = pytest.mark.timeout(60)
MIB = 1024 * 1024
BOMB = "---\na: &a [x, x, x]\n" + "".join(
    f"{chr(98 + level)}: &{chr(98 + level)} [{', '.join([f'*{chr(97 + level)}'] * 9)}]\n"
    for level in range(20)
)
TEXTS = {
    "10 MB of prose on one line": "The quick brown fox. " * (10 * MIB // 21),
    "10 MB of Chinese": "汉字" * (10 * MIB // 6),
    "2 MB of paragraphs": "word `code` and [a](b) – text\n\n" * (2 * MIB // 33),
    "100,000 lines": "plain words\n" * 100_000,
    "30,000 list items": "- item `x`\n" * 30_000,
    "30,000 headings": "".join("#" * (line % 6 + 1) + " H\n" for line in range(30_000)),
    "30,000 fences": "```\n" * 30_000,
    "30,000 rules": "---\n" * 30_000,
    "100,000 brackets": "[" * 100_000,
    "brackets and their ends": "[" * 50_000 + "]" * 50_000,
    "images in images": "![" * 10_000 + "](x)" * 10_000,
    "quotes in quotes": ">" * 20_000,
    "lists in lists": "- " * 50_000,
    "backticks": "`a``b```c" * 20_000,
    "asterisks": "*" * 100_000 + "a" + "*" * 100_000,
    "comments that don't end": "<!-- " * 50_000,
    "a wide table": "|a" * 20_000 + "|\n" + "|-" * 20_000 + "|\n" + ("|b" * 20_000 + "|\n") * 3,
    "10,000 definitions": "".join(f"[a{number}]: b\n[a{number}]\n\n" for number in range(10_000)),
    "a million blanks": "a" + " " * 1_000_000 + "b",
    "a million line ends": "\r" * 1_000_000,
    "flow lists in frontmatter": "---\nname: " + "[" * 60_000 + "\n---\n",
    "lists in frontmatter": "---\n" + "- " * 30_000 + "\n---\n",
    "an alias bomb": BOMB + "---\n",
    "20,000 broken entries": "---\n" + "a: b: c\n" * 8_000 + "---\n",
    "20,000 stray lines": "---\n" + "a b\n" * 16_000 + "---\n",
    "blanks in a broken value": "---\na: b: c" + " " * 60_000 + "x\n---\n",
    "blanks in a key": "---\na" + " " * 60_000 + "x\n---\n",
    "a quotation mark that swallows all": '---\na: "x\n' + "b: c\n" * 12_000 + "---\n",
    "frontmatter of 1 MB": "---\n" + "a: b\n" * 200_000 + "---\n",
}


@pytest.mark.parametrize("case", TEXTS)
def test_reading_ends(case: str) -> None:
    skill = Skill(Text(TEXTS[case]))
    assert len(skill.markdown.prose) == len(skill.source)
    assert all(part.span.end <= len(skill.source) for part in skill.markdown.sections)
    if block := skill.frontmatter:
        assert len(block.broken) <= 500


@pytest.mark.parametrize("case", ["an alias bomb", "flow lists in frontmatter"])
def test_memory_is_bounded(case: str) -> None:
    """Aliases are not expanded, and nesting is cut."""
    skill = Skill(Text(TEXTS[case]))
    tracemalloc.start()
    assert skill.markdown is not None
    assert skill.frontmatter is None or skill.frontmatter.inner is not None
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100 * MIB


def test_markdown_beyond_the_limit_is_not_read() -> None:
    skill = Skill(Text("# First\n" + "words\n" * (MAX_MARKDOWN // 6) + "\n# Last\n"))
    assert [heading.text for heading in skill.markdown.headings] == ["First"]
