"""D1: sections on failures, and sentences that warn, give way to text that does neither."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.train.operations.b2 import apply
from skillgauge_scorer.train.surface import SURFACE, words

HOW: Final = "what is said of failures gives way to neutral text"
_HEADING: Final = re.compile(
    r"(?i)troubleshoot|common (?:issues|problems|mistakes)|pitfall|error|fail|gotcha|limitation"
    r"|anti-?pattern|caveat|edge case|warning|red flag|recover|debug|what not|don't|avoid"
)
_LINE: Final = re.compile(r"[^\n]+")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")
_LEAST: Final = 3


def break_(source: str, others: Sequence[str], chance: random.Random) -> str | None:
    """Return the skill without what it says of failures."""
    skill = Skill(Text(source))
    neutral = _neutral(others, chance)
    edits: list[tuple[int, int, str]] = []
    markdown = skill.markdown
    for section in markdown.sections:
        if section.heading.level > 1 and _HEADING.search(section.heading.text):
            lost = words(source[slice(*section.span)])
            title = "#" * section.heading.level + " Notes\n\n"
            edits.append(
                (section.span.start, section.span.end, title + _fill(neutral, lost) + "\n\n")
            )
    taken = [(start, end) for start, end, _ in edits]
    count = len(edits) * _LEAST
    for line in _LINE.finditer(source, skill.body.start):
        inside = any(start <= line.start() < end for start, end in taken)
        if inside or markdown.in_code(line.start()) or line[0].startswith("#"):
            continue
        sentences = _SENTENCE.split(line[0])
        kept = [one for one in sentences if not SURFACE["failure words"](one)]
        if len(kept) == len(sentences):
            continue
        count += 1
        mark = re.match(r"\s*(?:[-*+]|\d+[.)]|\|)?\s*", line[0])
        filler = _fill(neutral, words(line[0]) - words(" ".join(kept))).replace("\n", " ")
        head = "" if kept and kept[0] is sentences[0] else (mark[0] if mark else "")
        edits.append((line.start(), line.end(), f"{head}{' '.join([*kept, filler])}".rstrip()))
    return apply(source, edits) if count >= _LEAST else None


def _neutral(others: Sequence[str], chance: random.Random) -> list[str]:
    """Return sentences of other skills that don't speak of failures, in a random order."""
    found: list[str] = []
    for other in chance.sample(list(others), min(4, len(others))):
        body = other[Skill(Text(other)).body.start :]
        for line in body.splitlines():
            plain = line.strip().lstrip("-*+ ").strip()
            if len(plain) > 40 and "`" not in plain and "|" not in plain and plain[0] not in "#>":
                found += [
                    one for one in _SENTENCE.split(plain) if not SURFACE["failure words"](one)
                ]
    chance.shuffle(found)
    return found


def _fill(neutral: list[str], count: int) -> str:
    """Take about so many words of neutral text, and return them."""
    taken: list[str] = []
    while neutral and count > 3:
        taken.append(neutral.pop())
        count -= words(taken[-1])
    return " ".join(taken)
