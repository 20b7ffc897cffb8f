"""The quick look at which characters a text has, and the prose in lower case."""

from __future__ import annotations

from skillgauge.document.markdown_reader import read_markdown
from skillgauge.text import Text


def test_beyond_ascii() -> None:
    """Every distinct character outside ASCII is there, and no other."""
    assert Text("plain text\n").beyond_ascii == frozenset()
    assert Text("naïve – 🧪 ï").beyond_ascii == frozenset("ï–🧪")
    assert Text("\x7f\x80").beyond_ascii == frozenset("\x80")


def test_folded_keeps_offsets() -> None:
    """A capital that becomes two characters in lower case stays one, as it was."""
    text = 'Read İSTANBUL, "QUOTED" and `CODE`, then STOP.\n'
    markdown = read_markdown(text)
    assert len(markdown.folded) == len(text)
    assert markdown.folded.index("stop") == text.index("STOP")
    assert "quoted" not in markdown.folded
    assert "code" not in markdown.folded
