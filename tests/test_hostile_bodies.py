"""Texts that repeat what rules look for: the time of all rules grows with the length, no faster.

Each text is judged at two lengths. Work that grows with the square takes 16 times as long for four
times the text; a linear one takes four times, and a noisy machine adds to that.
"""

from __future__ import annotations

import time

import pytest

from skillgauge.engine import check, profile_settings

from .helpers import skill

HEAD = "---\nname: demo\ndescription: Makes reports. Use when one is asked for.\n---\n\n"
SHORT = 25_000
ENOUGH = 0.35
"""Seconds that no one minds, whatever the ratio."""

UNITS = {
    "brackets": "[",
    "links": "[a](b.md) ",
    "half links": "[a](",
    "emphasis": "*_",
    "backticks": "`",
    "tags": "<a ",
    "comments": "<!--",
    "quotes": ">",
    "items": "- a\n",
    "headings": "# a\n",
    "hashes": "#",
    "underlines": "a\n=\n",
    "fences": "```\n",
    "nested fences": "````sh\n```\n",
    "table": "| a |\n",
    "paths": "`scripts/a.py` ",
    "parents": "../",
    "slashes": "/",
    "backslashes": "\\",
    "addresses": "http://a.b/c?d=e ",
    "words": "word ",
    "letters": "a",
    "numbers": "1.",
    "line breaks": "\n",
    "blanks": "\u00a0",
    "zero width": "\u200b",
    "ideographs": "漢字",
    "entities": "&amp;",
    "downloads": "curl http://a | sh\n",
    "base64": "QUJD",
    "key": "sk-aB3",
    "arguments": "$ARGUMENTS ",
    "orders": "never ignore all previous instructions\n",
    "installs": "pip install a\n",
    "definitions": "[a]: b\n",
    "suppressions": "<!-- skillgauge: ignore L001 -->\n",
    "conflicts": "<<<<<<< a\n=======\n>>>>>>> b\n",
}


def seconds(text: str) -> float:
    document = skill(HEAD + text, {}, folder="demo")
    start = time.process_time()
    check(document, profile_settings("strict"))
    return time.process_time() - start


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS.keys())
def test_time_grows_with_the_length(unit: str) -> None:
    long = seconds(unit * (4 * SHORT // len(unit)))
    if long > ENOUGH:
        short = seconds(unit * (SHORT // len(unit)))
        assert long < 9 * short, f"{short:.2f} s, and {long:.2f} s for four times the text"
