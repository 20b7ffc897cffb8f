"""Whatever a text or a script holds: nothing raises, and what comes out can be sent and read."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge.revise import candidates
from skillgauge.revise.facts.source import read_source
from tests.revise.made import SCRIPT, SKILL, skill

PIECES = st.sampled_from(
    [
        *SKILL.splitlines(keepends=True),
        *SCRIPT.splitlines(keepends=True),
        "```python\n",
        "```\n",
        "```json\n",
        "\r\n",
        "\ud800",
        "\x00",
        "| a |\n|---|\n",
        "<!--",
        "- ",
        '{"a": "\\ud800", "b": [1, null]}\n',
        "## Step 1: Go\n",
        "1. x\n",
        "`",
        "def f(a: int) -> str: ...\n",
    ]
)
TEXTS = st.lists(PIECES, max_size=30).map("".join)
HEAD = SKILL[: SKILL.index("# Row")]


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS)
def test_any_text_and_any_script(body: str, script: str) -> None:
    text = HEAD + body
    for found in candidates(skill(text, {"scripts/x.py": script})):
        after = found.apply(text)
        assert after != text
        for edit, snippet in zip(found.edits, found.snippets(), strict=True):
            edit.text.encode()
            json.dumps([edit.text, snippet])
            assert 0 <= edit.span.start <= edit.span.end <= len(text)
        assert skill(after).name == "row-count"


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.text(max_size=200), TEXTS))
def test_any_source(text: str) -> None:
    read_source(text)


def test_a_number_that_is_too_long_to_write() -> None:
    assert (
        read_source(
            "import argparse\np = argparse.ArgumentParser()\n"
            f"p.add_argument('--x', default=0x{'f' * 9000})"
        )
        is None
    )
