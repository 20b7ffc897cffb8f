"""The document says something that a date makes wrong: “as of 2025”, “before August 2025”.

## Why is this bad?
A skill is used for years; an agent can't tell whether “as of March 2025” still holds. Say where to
look it up, or put what is out of date under a heading of its own (“Old patterns”).

## Bad
````skill
---
name: order-items
description: Orders items. Use when stock is low.
---
The price is 12 euro as of March 2025.
````

## Good
````skill
---
name: order-items
description: Orders items. Use when stock is low.
---
Read the price from the catalogue, which names its date (the edition of March 2025 has 12 euro).
````

## References
- https://platform.claude.com/docs/en/agents-and-tools/agent-skills/best-practices
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Finding, Severity, rule
from skillgauge.text import Span

_MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_DATE: Final = (
    rf"(?:(?:early|mid|late)[ -]|[QH][1-4][ ,]*|{_MONTH} (?:\d{{1,2}}(?:st|nd|rd|th)?,? )?"
    rf"|\d{{1,2}} {_MONTH} )?20[1-3]\d(?:-\d\d){{0,2}}\b"
)
_YEAR: Final = lazy_pattern(r"20[1-3]\d")
_LONGEST: Final = 80  # from the first word to the year
_AGES: Final = lazy_pattern(
    rf"\b(?:as of(?: this writing,?)?(?: in)? "
    r"|(?:expected|planned|scheduled|coming|announced) (?:in|for|by) "
    r"|(?:will be|is being|to be) (?:removed|retired|sunset|deprecated|released|available) "
    r"(?:in|on|by|after|from) "
    r"|if (?:you|this|it|today)\b[^.\n\ufffc]{0,40}? (?:before|after|until) "
    rf")\(?{_DATE}",
    re.IGNORECASE,
)


@rule("E009", Severity.HINT)
def time_sensitive(skill: Skill) -> Iterator[Finding]:
    """Report each phrase in the prose; years in titles, citations and versions are none."""
    prose = skill.markdown.unquoted
    end = 0
    for year in _YEAR.finditer(prose):  # there are few: look back from each
        match = _AGES.search(prose, max(year.start() - _LONGEST, end), year.end() + 6)
        if match and match.start() < year.start() < match.end():
            end = match.end()
            yield Finding(
                Span(*match.span()),
                f"“{match[0]}” ages; say where to look it up, or leave the date out.",
            )
