"""A candidate: an edit of one version of a text that may raise a metric."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from skillgauge.fix import apply_edits
from skillgauge.rule import Edit
from skillgauge.text import Span, encodable

OPEN: Final = "\ufdd0"
CLOSE: Final = "\ufdd1"
"""Enclose what the author is to look at: characters that stand in no good text."""
_MARK: Final = re.compile(f"([{OPEN}{CLOSE}])")


def hole(text: str) -> str:
    """Mark words of a draft as a suggestion of ours that the author has to check or replace."""
    return f"{OPEN}{text}{CLOSE}"


@dataclass(frozen=True, slots=True)
class Draft:
    """What a skeleton proposes; holes are still marked in the edits."""

    title: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A draft with its holes found. `edits` belong to exactly the text they were made from."""

    metric: str
    name: str
    """The skeleton that made it, and which of its drafts it is."""
    title: str
    edits: tuple[Edit, ...]
    holes: tuple[tuple[int, Span], ...]
    """(index of an edit, range in its text) of each suggestion that is no fact."""

    def apply(self, source: str) -> str:
        """Return the text with the edits."""
        return apply_edits(source, self.edits)

    def suggestions(self) -> tuple[str, ...]:
        """Return the words that the author has to check, each once."""
        found = (self.edits[index].text[slice(*span)] for index, span in self.holes)
        return tuple(dict.fromkeys(found))

    def snippets(self) -> tuple[str, ...]:
        """Return the edits' texts with each hole as a tab stop, equal ones linked by one number."""
        numbers = {words: at for at, words in enumerate(self.suggestions(), 1)}
        made: list[str] = []
        for index, edit in enumerate(self.edits):
            parts: list[str] = []
            at = 0
            for place, span in self.holes:
                if place == index:
                    words = edit.text[slice(*span)]
                    parts.append(_escaped(edit.text[at : span.start]))
                    parts.append(f"${{{numbers[words]}:{_escaped(words)}}}")
                    at = span.end
            made.append("".join([*parts, _escaped(edit.text[at:])]))
        return tuple(made)


def _escaped(text: str) -> str:
    """Return text as it has to stand in a snippet."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def make(metric: str, name: str, draft: Draft) -> Candidate:
    """Return a draft as a candidate: the marks are taken out and remembered."""
    edits: list[Edit] = []
    holes: list[tuple[int, Span]] = []
    for index, edit in enumerate(draft.edits):
        text, found = _without_marks(edit.text)
        edits.append(Edit(edit.span, encodable(text)))
        holes += [(index, span) for span in found]
    return Candidate(metric, name, draft.title, tuple(edits), tuple(holes))


def _without_marks(text: str) -> tuple[str, list[Span]]:
    parts: list[str] = []
    holes: list[Span] = []
    length, start = 0, 0
    for piece in _MARK.split(text):
        if piece == OPEN:
            start = length
        elif piece == CLOSE:
            holes.append(Span(start, length))
        else:
            parts.append(piece)
            length += len(piece)
    return "".join(parts), holes
