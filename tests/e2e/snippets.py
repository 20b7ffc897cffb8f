"""The code blocks of the set-up pages, so that tests run what users copy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

PAGES = Path(__file__).parent.parent.parent / "docs" / "editors"
_BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


def snippet(page: str, heading: str, language: str) -> str:
    """Return the first block of a language below a heading of a page."""
    text = (PAGES / page).read_text(encoding="utf-8")
    _, found, below = text.partition(f"\n## {heading}\n")
    assert found, f"{page} has no heading “{heading}”"
    section = re.split(r"^## ", below, maxsplit=1, flags=re.MULTILINE)[0]
    for block in _BLOCK.finditer(section):
        if block["language"] == language:
            return block["code"]
    raise AssertionError(f"{page} has no {language} below “{heading}”")


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """Yield language and code of every block of a page."""
    for block in _BLOCK.finditer(page.read_text(encoding="utf-8")):
        yield block["language"], block["code"]
