r"""A control character turns the direction of text, so that it reads otherwise than it is stored.

## Why is this bad?
Overrides and embeddings (U+202A to U+202E) and isolates (U+2066 to U+2069) make an editor show
characters in another order than the agent reads them. A reviewer sees a harmless command or path
where a harmful one stands; that is known as a Trojan Source attack. Paths copied from a file
dialogue often carry such a character too, and then don't work.

Balanced isolates and embeddings around Arabic or Hebrew words are what they were made for and are
left alone; overrides never are.

## Bad
````skill escaped
---
name: clean-up
description: Cleans up. Use when the disk is full.
---
Run `clean \u{202E}txt.exe\u{202C} all`.
````

## Good
````skill escaped
---
name: clean-up
description: Cleans up. Use when the disk is full.
---
The user may write \u{2067}\u{5E0}\u{5E7}\u{5D4} 1\u{2069} or "clean up".
````

## Fix safety
The fix removes the character. It is safe where no text that runs from right to left stands on the
line; there it may change how the line is shown.

## References
- https://trojansource.codes/
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.security._invisible import BIDI_SET, has_rtl, line_around, name_of
from skillgauge.text import Span

_CONTROL: Final = lazy_pattern("[\u202a-\u202e\u2066-\u2069]")
_OVERRIDES: Final = "\u202d\u202e"
_CLOSES: Final = {"\u202c": "\u202a\u202b\u202d\u202e", "\u2069": "\u2066\u2067\u2068"}


@rule("S002", Severity.WARNING, fix="mixed")
def bidi_control(skill: Skill) -> Iterator[Finding]:
    """Report each direction control that isn't one of a pair around right-to-left text."""
    source = skill.source
    if not skill.text.beyond_ascii & BIDI_SET:
        return
    open_at: list[re.Match[str]] = []
    bad: list[re.Match[str]] = []
    for match in _CONTROL.finditer(source):
        while open_at and "\n" in source[open_at[-1].start() : match.start()]:
            bad.append(open_at.pop())  # a pair doesn't reach past its line
        closes = _CLOSES.get(match[0])
        if closes is None:
            open_at.append(match)
        elif open_at and open_at[-1][0] in closes:
            opening = open_at.pop()
            around = line_around(source, match.start())
            if opening[0] in _OVERRIDES or not has_rtl(around):
                bad += [opening, match]
        else:
            bad.append(match)
    bad += open_at
    for match in sorted(bad, key=lambda match: match.start()):
        span = Span(*match.span())
        yield Finding(
            span,
            f"{name_of(match[0])} is invisible and makes the line read otherwise than it is stored;"
            " remove it.",
            Fix(
                "Remove the character",
                (Edit(span, ""),),
                safe=not has_rtl(line_around(source, span.start)),
            ),
        )
