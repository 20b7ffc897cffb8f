"""An instruction begins with a hedge: “Try to …”, “You might want to …”.

## Why is this bad?
Under “try to” an agent may leave the thing out, and nobody can check whether it did. Say what to
do, and in which case not to.

## Bad
````skill
---
name: count-words
description: Counts words. Use when a text has a limit.
---
- Try to keep the title under ten words.
````

## Good
````skill
---
name: count-words
description: Counts words. Use when a text has a limit.
---
- Keep the title under ten words, unless a name is longer.
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.text import Span

_HEDGE: Final = re.compile(
    r"(?:Try to|Perhaps|You (?:might|may) (?:want|wish) to|You could (?:maybe|perhaps)"
    r"|It (?:might|may) be (?:good|worth|useful|helpful|wise) to)(?= [a-z])"
)
_ITEM: Final = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?\Z")
_LONGEST: Final = 60  # of what stands before an item's first word
_MOST: Final = 200  # that are looked at
_WARNED: Final = re.compile(r"don['’]t|do not|never|avoid|mistake|❌|anti-?pattern", re.IGNORECASE)


@rule("E010", Severity.HINT)
def hedge_language(skill: Skill) -> Iterator[Finding]:
    """Look at the first words of sentences and list items; a list of what not to do is left out."""
    prose = skill.markdown.unquoted
    for match in islice(_HEDGE.finditer(prose), _MOST):
        start = match.start()
        if _begins(skill, prose, start) and not _is_warned_of(skill, start):
            yield Finding(
                Span(*match.span()),
                f"“{match[0]}” leaves the step to chance; say plainly what to do.",
            )


def _begins(skill: Skill, prose: str, start: int) -> bool:
    """Return whether a sentence, a line or a list item begins at `start`."""
    if prose[start - 2 : start] in (". ", "! ", "? "):
        return True
    line = skill.text.line_span(skill.text.line_of(start)).start
    return start - line <= _LONGEST and bool(_ITEM.match(prose, line, start))


def _is_warned_of(skill: Skill, offset: int) -> bool:
    """Return whether a list around `offset`, or its section, is about what not to do."""
    section = skill.markdown.section_at(offset)
    if section and _WARNED.search(section.heading.text):
        return True
    outer = min(
        (group.span.start for group in skill.markdown.lists if group.span.contains(offset)),
        default=None,
    )
    if outer is None:
        return False
    before = skill.source[max(outer - 200, 0) : outer].rstrip()
    return bool(_WARNED.search(re.split(r"[\r\n]", before)[-1]))
