"""The description is a bare list of keywords, or says one word over and over.

## Why is this bad?
A list of words matches every request that has one of them, so the skill is chosen where it
doesn't fit; and a model that reads it learns neither what the skill does nor when to use it. It
is also how a skill that should not be chosen tries to be. Write one sentence on what it does and
one on when to use it; keywords may follow.

## Bad
````skill
---
name: images
description: image, images, png, jpg, jpeg, gif, webp, resize, crop, convert, photo, picture
---
Work on images.
````

## Good
````skill
---
name: images
description: Resizes, crops and converts images. Use for png, jpg, gif and webp files.
---
Work on images.
````
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.security._find import words

MIN_ITEMS: Final = 8
MIN_REPEATS: Final = 6
_SMALL: Final = words("a an and are for from has into its not that the this use when with you your")
_PART: Final = lazy_pattern(r"[,;|/•\n]|\.\s")
_WORD: Final = lazy_pattern(r"[A-Za-z][\w'-]*")
_QUOTED: Final = lazy_pattern("\"[^\"]*\"|“[^”]*”|(?<!\\w)'[^'\n]*'(?!\\w)|`[^`]*`")


@rule("S016", Severity.HINT)
def keyword_baiting(skill: Skill) -> Iterator[Finding]:
    """Report a description that is all keywords, and one that repeats a word."""
    value = skill.value("description")
    if value is None or not value.text.strip():
        return
    text = _QUOTED.sub(" ", value.text)
    if sum(char > "\u2e7f" for char in text) * 4 > len(text):
        return  # Chinese, Japanese and Korean sentences can't be told from lists this way
    parts = [part.strip() for part in _PART.split(text) if part.strip()]
    longest = max((len(part.split()) for part in parts), default=0)
    if len(parts) >= MIN_ITEMS and longest <= 3:
        yield Finding(
            value.span,
            f"The description lists {len(parts)} keywords and holds no sentence. Say what the skill"
            " does and when to use it.",
        )
        return
    said = [word.lower() for word in _WORD.findall(text)]
    counts = Counter(word for word in said if len(word) > 2 and word not in _SMALL)
    word, times = counts.most_common(1)[0] if counts else ("", 0)
    if times >= MIN_REPEATS and times * 4 >= len(said):
        yield Finding(
            value.span,
            f"The description says “{word}” {times} times in {len(said)} words. Say once what the"
            " skill does and when to use it.",
        )
