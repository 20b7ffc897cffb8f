r"""A path to a file of the skill is written with backslashes.

## Why is this bad?
Only Windows reads a backslash as a separator. Everywhere else `scripts\fill.py` is the name of one
odd file in the current folder, which isn't there. Forward slashes work on every system.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Read [the field guide](references\fields.md), then run `python scripts\fill.py`.
````
````file references/fields.md
# Fields
````
````file scripts/fill.py
print("ok")
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Read [the field guide](references/fields.md), then run `python scripts/fill.py`.
````
````file references/fields.md
# Fields
````
````file scripts/fill.py
print("ok")
````

## Fix safety
Safe: each backslash of the path becomes a forward slash. In commands for PowerShell and cmd, and
behind `.\`, nothing is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.mentions import SHELLS
from skillgauge.document.paths import BUNDLED
from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.text import Span

_PATH: Final = re.compile(
    r"(?<![\w./\\])(?:scripts|references|reference|assets)(?:\\[\w.-]+)+(?<=[\w-])", re.ASCII
)
_WINDOWS: Final = frozenset({"powershell", "pwsh", "ps1", "bat", "batch", "cmd"})


@rule("L006", Severity.WARNING, fix="safe")
def link_backslash(skill: Skill) -> Iterator[Finding]:
    """Report links with backslashes, and such paths below the customary folders elsewhere."""
    source = skill.source
    if "\\" not in source:
        return
    seen: set[Span] = set()
    for reference in skill.references:
        if reference.link is not None and "\\" in reference.path and not reference.absolute:
            seen.add(reference.path_span)
            yield _finding(skill, reference.path_span)
    if not any(f"{folder}\\" in source for folder in BUNDLED):
        return
    markdown = skill.markdown
    places = [(markdown.prose, skill.body)]
    places += [(source, code.content) for code in markdown.code_spans]
    places += [
        (source, block.content)
        for block in markdown.code_blocks
        if block.language in SHELLS - _WINDOWS
    ]
    for text, span in places:
        if text.find("\\", span.start, span.end) < 0:
            continue
        for match in _PATH.finditer(text, span.start, span.end):
            at = Span(*match.span())
            if not any(at.overlaps(other) for other in seen):
                yield _finding(skill, at)


def _finding(skill: Skill, span: Span) -> Finding:
    written = skill.source[span.start : span.end]
    path = written.replace("\\", "/")
    return Finding(
        span,
        f"“{written}” works on Windows only; write “{path}”.",
        Fix("Use forward slashes", (Edit(span, path),)),
    )
