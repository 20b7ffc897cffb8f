"""The `name` begins or ends with a hyphen, or has two in a row.

## Why is this bad?
The specification allows single hyphens between letters and digits only. VS Code, Roo Code and an
upload to claude.ai don't take a skill with another name. To Claude Code the name is a label for
people, so the rule is silent where that is the only target.

## Bad
````skill folder=pdf-tools
---
name: pdf--tools
description: Splits and merges PDF files. Use when the user asks for single pages of a PDF.
---
````

## Good
````skill
---
name: pdf-tools
description: Splits and merges PDF files. Use when the user asks for single pages of a PDF.
---
````

## Fix safety
People may call the skill by its old name, so the fix is unsafe.

## References
- https://agentskills.io/specification#name-field
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.format._names import form_level, form_matters, name_of, rename_fix

_FAULT: Final = re.compile(r"\A-+|-+\Z|--+")
_OTHER: Final = re.compile(r"[^a-z0-9-]")


@rule("F035", Severity.WARNING, spec=Severity.ERROR, fix="unsafe", needs={"clients", "folder"})
def name_hyphens(skill: Skill) -> Iterator[Finding]:
    """Report the first hyphens out of place; a name with other faults too gets no fix here."""
    value = name_of(skill)
    fault = _FAULT.search(value.text) if value else None
    if value is None or fault is None or not form_matters(skill):
        return
    start, end = fault.span()
    place = "begins with" if start == 0 else "ends with" if end == len(value.text) else "has"
    what = "a hyphen" if end - start == 1 else f"{end - start} hyphens in a row"
    fix = None
    if not _OTHER.search(value.text):
        fix = rename_fix(skill, value, re.sub("--+", "-", value.text.strip("-")))
    yield Finding(
        skill.find_in_value(value, start, end),
        f"The name {place} {what}; hyphens stand singly, between letters and digits.",
        fix,
        level=form_level(skill),
    )
