"""Whether the arms were what they should be: the baseline saw nothing of the skill, the other did.

What a model was sent is in the record of its requests, so that is what is looked through: the
skill's description, and the lines of its body that are long enough to be its own. What the case
itself says doesn't count, for it is in both arms.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final

from skillgauge.lift.cases import Case
from skillgauge.lift.source import SkillSource
from skillgauge.text import split_lines

LONG: Final = 40
"""Shorter lines may be anybody's."""
MAX_MARKS: Final = 400


def marks(source: SkillSource, case: Case) -> tuple[str, ...]:
    """Return what can only come from the skill: its description and the long lines of its body."""
    skill = source.skill
    body = skill.source[skill.body.start : skill.body.end]
    lines = [line.strip() for line in split_lines(body)]
    known = " ".join((case.prompt, case.expected_output, *case.assertions))
    found = dict.fromkeys(
        line for line in ((skill.description or "").strip(), *lines) if len(line) >= LONG
    )
    return tuple(line for line in found if line not in known)[:MAX_MARKS]


def leak(requests: Iterable[str], wanted: tuple[str, ...]) -> str:
    """Return the first mark that a request holds, "" if none does."""
    shapes = {mark: _spellings(mark) for mark in wanted}
    for text in requests:
        for mark, spellings in shapes.items():
            if any(spelling in text for spelling in spellings):
                return mark
    return ""


def is_named(requests: Iterable[str], name: str) -> bool:
    """Return whether any request names a skill as a word of its own."""
    pattern = re.compile(rf"(?<![A-Za-z0-9_-]){re.escape(name)}(?![A-Za-z0-9_-])")
    return any(pattern.search(text) for text in requests)


def _spellings(mark: str) -> tuple[str, ...]:
    """Return a mark as it may stand in JSON, with either way of writing what isn't ASCII."""
    return tuple(
        dict.fromkeys((mark, json.dumps(mark)[1:-1], json.dumps(mark, ensure_ascii=False)[1:-1]))
    )
