"""A2: a description without its trigger, as long as before, of the body's own headings."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.train.surface import SURFACE, words
from skillgauge_scorer.train.written import with_description

HOW: Final = "the sentences with a trigger give way to the headings"
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")
_FRAMES: Final = (
    "Covers {}.",
    "Includes {}.",
    "Brings together {}.",
    "Offers guidance on {}.",
    "Provides {} in one place.",
)


def break_(source: str, others: Sequence[str], chance: random.Random) -> str | None:
    """Return the skill with a description that says what it is, not when it serves."""
    skill = Skill(Text(source))
    description = skill.description or ""
    if not SURFACE["trigger words"](description):
        return None
    kept = [one for one in _SENTENCE.split(description) if not SURFACE["trigger words"](one)]
    topics = [one.heading.text.lower() for one in skill.markdown.sections if one.heading.level == 2]
    topics = [topic for topic in topics if not SURFACE["trigger words"](topic) and topic.isascii()]
    chance.shuffle(topics)
    frames = list(_FRAMES)
    chance.shuffle(frames)
    wanted = words(description)
    while frames and len(topics) >= 2 and words(" ".join(kept)) < 0.9 * wanted:
        size = min(len(topics), max(2, (wanted - words(" ".join(kept))) // 3), 5)
        chosen, topics = topics[:size], topics[size:]
        kept.append(frames.pop().format(", ".join(chosen[:-1]) + " and " + chosen[-1]))
    result = " ".join(kept)
    if not 0.6 * wanted <= words(result) <= 1.4 * wanted:
        return None
    return with_description(source, result)
