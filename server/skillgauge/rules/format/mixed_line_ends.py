r"""Lines end in different ways: some with CR LF, some with LF or CR.

## Why is this bad?
Tools that look for a line end of one kind miss the others: a line-based reader of frontmatter or
fences goes wrong, and every editor that makes them equal changes lines that nobody edited.

## Bad
````skill escaped
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
# Release notes\u{D}

Read the merged pull requests.
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
# Release notes

Read the merged pull requests.
````

## Fix safety
The fix gives all lines the end that most of them have, and LF in case of a tie.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.text import Span

_BREAK: Final = re.compile(r"\r\n|\n|\r")
_NAMES: Final = {"\n": "LF", "\r\n": "CR LF", "\r": "CR"}


@rule("F061", Severity.WARNING, fix="safe")
def mixed_line_ends(skill: Skill) -> Iterator[Finding]:
    """Report the first line end that is not of the most frequent kind."""
    source = skill.source
    if "\r" not in source or source.count("\r\n") == source.count("\r") == source.count("\n"):
        return
    counts = Counter(match[0] for match in _BREAK.finditer(source))
    usual = max(counts, key=lambda kind: (counts[kind], kind == "\n"))
    odd = [match for match in _BREAK.finditer(source) if match[0] != usual]
    if not odd:
        return
    edits = tuple(Edit(Span(*match.span()), usual) for match in odd)
    number = len(odd)
    yield Finding(
        edits[0].span,
        f"{_NAMES[odd[0][0]]} ends this line and {_NAMES[usual]} most others"
        f" ({number:,} of {sum(counts.values()):,} differ); use one of them.",
        Fix(f"End all lines with {_NAMES[usual]}", edits),
    )
