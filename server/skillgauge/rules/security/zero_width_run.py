r"""A run of invisible characters is long enough to encode a text.

## Why is this bad?
Zero-width characters can stand for the bits of a text, and variation selectors behind one emoji
for its bytes. Nobody sees them, copying carries them along, and an agent that is told how decodes
them: a way to bring instructions or marks past a review. The message shows what the run says
where that can be told.

Emoji made of several characters, and joiners in Persian or Indic words, are never that long.

## Bad
````skill escaped
---
name: greet
description: Greets people. Use when someone says hello.
---
Hello\u{200B}\u{200C}\u{200C}\u{200B}\u{200C}\u{200B}\u{200B}\u{200B}\u{200B}\u{200C}\u{200C}\u{200B}\u{200C}\u{200B}\u{200B}\u{200C}
````

## Good
````skill escaped
---
name: greet
description: Greets people. Use when someone says hello.
---
Hello \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466} and \u{2764}\u{FE0F}.
````

## Fix safety
The fix removes the run. Nothing that can be seen changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.security._hidden import excerpt
from skillgauge.rules.security._invisible import RUN_SET, SELECTORS, ZERO_WIDTH, run_text
from skillgauge.text import Span

MIN_RUN: Final = 8
"""Zero-width characters in a row that make one character of a hidden text."""
MIN_SELECTORS: Final = 4
_RUN: Final = lazy_pattern(f"[{ZERO_WIDTH}]{{{MIN_RUN},}}|[{SELECTORS}]{{{MIN_SELECTORS},}}")


@rule("S003", Severity.WARNING, fix="safe")
def zero_width_run(skill: Skill) -> Iterator[Finding]:
    """Report each long run of invisible characters with what it says."""
    source = skill.source
    if not skill.text.beyond_ascii & RUN_SET:
        return
    for match in _RUN.finditer(source):
        span = Span(*match.span())
        says = excerpt(run_text(match[0]))
        what = f"They decode to “{says}”. " if says else ""
        yield Finding(
            span,
            f"{len(match[0])} invisible characters stand here in a row, enough to hide a text."
            f" {what}Remove them.",
            Fix("Remove the invisible characters", (Edit(span, ""),)),
        )
