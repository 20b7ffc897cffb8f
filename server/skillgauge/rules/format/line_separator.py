r"""The text holds a character that only some readers take for a line break.

## Why is this bad?
To YAML 1.1, to some JavaScript and to Python's `splitlines`, U+0085, U+2028 and U+2029 end a line;
to Markdown, editors and YAML 1.2 they don't. One and the same value is read in two ways, lines are
counted differently, and nothing of it is to be seen.

## Bad
````skill escaped
---
name: release-notes
description: Writes release notes from merged pull requests.\u{2028}Use when a release is prepared.
---
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
````

## Fix safety
The fix puts a blank in its place. It is unsafe, as a line break may be meant.

## References
- https://www.unicode.org/reports/tr13/tr13-5.html
- https://yaml.org/spec/1.2.2/#54-line-break-characters
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.format._control import double_encoded
from skillgauge.text import Span

_NAMES: Final = {
    "\x85": "U+0085 (next line)",
    "\u2028": "U+2028 (line separator)",
    "\u2029": "U+2029 (paragraph separator)",
}
_SEPARATOR: Final = re.compile(r"[\x85\u2028\u2029]")


@rule("F062", Severity.WARNING, fix="unsafe")
def line_separator(skill: Skill) -> Iterator[Finding]:
    """Report each NEL, LS and PS, unless NEL is part of text that was encoded twice."""
    if not _NAMES.keys() & skill.text.beyond_ascii:
        return
    twice = [span for span, _ in double_encoded(skill.text)]
    for match in _SEPARATOR.finditer(skill.source):
        span = Span(*match.span())
        if not any(other.start <= span.start < other.end for other in twice):
            yield Finding(
                span,
                f"{_NAMES[match[0]]} is a line break to some readers and none to others; write a"
                " blank or a real line break.",
                Fix("Write a blank", (Edit(span, " "),), safe=False),
            )
