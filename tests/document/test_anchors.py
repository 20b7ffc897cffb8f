"""Anchors are called as GitHub calls them."""

from __future__ import annotations

import pytest

from skillgauge.document.anchors import anchors, loose, slug
from skillgauge.document.markdown_reader import read_markdown


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Setup", "setup"),
        ("What's new in v2.0?", "whats-new-in-v20"),
        ("A & B / C", "a--b--c"),
        ("two_words – dashes—here", "two_words--dasheshere"),
        ("Über Größe", "über-größe"),
        ("第一步：准备", "第一步准备"),
        ("🚀 Go", "-go"),
        ("e\u0301tude", "e\u0301tude"),
        ("  padded  ", "padded"),
        ("100% (sure)", "100-sure"),
        ("", ""),
    ],
)
def test_slug(heading: str, expected: str) -> None:
    assert slug(heading) == expected


def test_anchors_of_a_document() -> None:
    text = (
        "# Top\n\n## Use\n\n## Use\n\n## Use 1\n\n### The `run` *command*\n\n"
        "## Kept {#own .wide}\n\n"
        '<a name="old"></a> <span id=new>x</span> <!-- id="no" -->\n\n```\n# Not\n```\n\nSet\n---\n'
    )
    found = anchors(read_markdown(text))
    assert list(found) == [
        "top",
        "use",
        "use-1",
        "use-1-1",
        "the-run-command",
        "own",
        "kept",
        "set",
        "old",
        "new",
    ]
    assert text[slice(*found["use-1"])] == "## Use"


def test_loose() -> None:
    assert loose("A--b_c!") == "abc" == loose("a-b-c")
