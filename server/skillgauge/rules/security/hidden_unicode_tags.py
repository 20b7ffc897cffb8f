r"""Text is hidden in Unicode tag characters, which no editor shows and every model reads.

## Why is this bad?
Each ASCII character has an invisible twin among the tag characters, U+E0000 to U+E007F. A text
written in them can't be seen in any editor, preview or review, but a model reads it like any
other. There is no honest use for it in a skill: what stands there are an attacker's instructions.
The message shows what the hidden text says.

The flags of England, Scotland and Wales end in tag characters too; those are fine.

## Bad
````skill escaped
---
name: weather
description: Shows the weather. Use when asked for a forecast.
---
A helpful skill.\u{E0001}\u{E0072}\u{E006D}\u{E0020}\u{E002D}\u{E0072}\u{E0066}
````

## Good
````skill escaped
---
name: weather
description: Shows the weather. Use when asked for a forecast.
---
The weather in Scotland \u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}.
````

## Fix safety
The fix removes the hidden characters. Nothing that can be seen changes.

## References
- https://www.unicode.org/charts/PDF/UE0000.pdf
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.security._hidden import excerpt
from skillgauge.rules.security._invisible import TAG_SET, TAGS, tags_text
from skillgauge.text import Span

_RUN: Final = lazy_pattern(f"[{TAGS}]+")
_FLAG: Final = lazy_pattern("[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f\\Z")
_FLAG_BASE: Final = "\U0001f3f4"


@rule("S001", Severity.ERROR, fix="safe")
def hidden_unicode_tags(skill: Skill) -> Iterator[Finding]:
    """Report each run of tag characters with what it says."""
    source = skill.source
    if not skill.text.beyond_ascii & TAG_SET:
        return
    for match in _RUN.finditer(source):
        before = source[match.start() - 1 : match.start()]
        if before == _FLAG_BASE and _FLAG.match(match[0]):
            continue
        says = excerpt(tags_text(match[0]))
        what = f"They say “{says}”." if says else "They spell nothing."
        yield Finding(
            Span(*match.span()),
            f"Here stand {len(match[0])} invisible tag characters that a model reads. {what} Remove"
            " them, and ask where they come from.",
            Fix("Remove the hidden text", (Edit(Span(*match.span()), ""),)),
        )
