"""B2: names, numbers and code give way to words for what they are."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.text import Text

HOW: Final = "code, names and numbers give way to general words"
_KINDS: Final = (
    (re.compile(r"\.\w{1,5}$|/"), ("the file", "the script", "the document", "the folder")),
    (re.compile(r"\(|::|\."), ("the function", "the call", "the method", "the library")),
    (re.compile(r"^-|\s"), ("the command", "the tool", "the usual command", "the option")),
    (re.compile(r""), ("the setting", "the value", "the field", "the name", "the parameter")),
)
_LINES: Final = (
    "call the library with the settings that fit",
    "run the tool on the data and read what it prints",
    "set the options to the values of your project",
    "load the file, apply the change, and save it",
    "use the function that does this step",
    "pass the result to the following call",
)
_AMOUNTS: Final = ("a few", "several", "some", "a number of")
_NUMBER: Final = re.compile(
    r"(?<![\w.#-])\d[\d.,]*(?:%|ms|s|kb|mb|gb|k|px)?(?![\w.)])", re.IGNORECASE
)


def break_(source: str, others: Sequence[str], chance: random.Random) -> str | None:
    """Return the skill with its technical details made general."""
    skill = Skill(Text(source))
    markdown = skill.markdown
    edits: list[tuple[int, int, str]] = []
    for block in markdown.code_blocks:
        lines = source[slice(*block.content)].count("\n")
        plain = "\n".join(f"- {chance.choice(_LINES)}" for _ in range(max(1, min(lines, 12))))
        edits.append((block.span.start, block.span.end, plain + "\n"))
    blocks = [block.span for block in markdown.code_blocks]
    for span in markdown.code_spans:
        if not any(block.overlaps(span.span) for block in blocks):
            edits.append((span.span.start, span.span.end, _general(span.text, chance)))
    taken = [(start, end) for start, end, _ in edits]
    for match in _NUMBER.finditer(source, skill.body.start):
        if not any(start <= match.start() < end for start, end in taken):
            edits.append((match.start(), match.end(), chance.choice(_AMOUNTS)))
    return apply(source, edits) if len(edits) >= 4 else None


def _general(text: str, chance: random.Random) -> str:
    return next(chance.choice(names) for pattern, names in _KINDS if pattern.search(text))


def apply(source: str, edits: Sequence[tuple[int, int, str]]) -> str:
    """Return a text with stretches replaced; of two that overlap the first counts."""
    pieces: list[str] = []
    at = 0
    for start, end, text in sorted(edits):
        if start >= at:
            pieces += [source[at:start], text]
            at = end
    return "".join(pieces) + source[at:]
