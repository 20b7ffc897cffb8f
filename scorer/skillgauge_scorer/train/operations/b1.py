"""B1: the body of another skill under this skill's frontmatter, the nearest of a like length."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.train.surface import words

HOW: Final = "the body is that of a near skill of like length"
_WORD: Final = re.compile(r"[a-z]{4,}")
_NEAR: Final = 0.25
"""The share of the pairs whose body is the nearest; the others get one by chance."""


def break_(source: str, others: Sequence[str], chance: random.Random) -> str | None:
    """Return the frontmatter with the body of one of `others`."""
    skill = Skill(Text(source))
    if skill.description is None:
        return None
    size = words(source)
    fitting = [one for one in others if one != source and 0.8 * size <= words(one) <= 1.25 * size]
    if not fitting:
        return None
    if chance.random() < _NEAR:
        own = set(_WORD.findall(skill.description.lower()))
        other = max(fitting, key=lambda one: len(own & set(_WORD.findall(one.lower()))))
    else:
        other = chance.choice(fitting)
    return source[: skill.body.start] + other[Skill(Text(other)).body.start :]
