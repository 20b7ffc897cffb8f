"""Phrases that turn an agent against its user, where text uses them rather than speaks of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rules.security._context import cautioned, forbidden, sentence_around
from skillgauge.rules.security._find import places
from skillgauge.text import Span

_BEFORE: Final = lazy_pattern(
    r"(?:\A|[,;:—–]|\b(?:please|must|should|shall|now|always|then|and|also|first|finally|next"
    r"|instead"
    r"|immediately|important|you|agent|assistant|claude|to))[\s*_\ufffc>\"“]*\Z",
    re.IGNORECASE,
)
_REPORTED: Final = lazy_pattern(
    r"\b(?:such as|e\.g\.|for example|phrases?|attempt\w*|tr(?:y|ies|ying)|says?|saying|contain\w*"
    r"|patterns?|text that|prompts? that|telling|asks?|asking|instruct(?:s|ing)|tells|claims?"
    r"|users? may"
    r"|if (?:a|an|the|any|someone|anyone)\b|when (?:a|an|the|any)\b|whether|how to|cannot"
    r"|designed to)\b",
    re.IGNORECASE,
)
_BULLET: Final = " \t\r\n>*+-#0123456789.)_|"


def commands(
    skill: Skill, verbs: tuple[str, ...], phrase: re.Pattern[str]
) -> Iterator[re.Match[str]]:
    """Yield where the prose commands what `phrase` matches, beginning with one of `verbs`.

    Words in quotation marks, reports of what somebody says and text that forbids or warns of it are
    no commands. Matches are on the text in lower case.
    """
    folded = skill.markdown.folded
    for at in places(folded, verbs):
        match = phrase.match(folded, at)
        if match is None:
            continue
        span = Span(*match.span())
        around = sentence_around(skill, span)
        before = skill.source[around.start : span.start].lstrip(_BULLET)
        ordered = match[0].startswith("without") or _BEFORE.search(before)
        if not ordered or _REPORTED.search(before) or forbidden(before):
            continue
        if not cautioned(skill, span):
            yield match
