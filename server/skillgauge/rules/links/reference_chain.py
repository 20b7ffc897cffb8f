"""A reference leads on to a further file that SKILL.md does not name.

## Why is this bad?
The specification asks for references one level deep. An agent that reads a reference in part, or
decides by SKILL.md alone what to load, never learns of a file that only another reference names.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
For field types, read [the field guide](references/fields.md).
````
````file references/fields.md
# Fields

Dates are a case of their own: [dates](dates.md).
````
````file references/dates.md
# Dates
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
For field types, read [the field guide](references/fields.md); for dates, also
[dates](references/dates.md).
````
````file references/fields.md
# Fields

Dates are a case of their own: [dates](dates.md).
````
````file references/dates.md
# Dates
````

## References
- [Specification: file references](https://agentskills.io/specification#file-references)
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from skillgauge.document.folder import normalise
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.links._siblings import is_markdown, links_of, read_sibling


@rule("L010", Severity.HINT, needs={"folder"})
def reference_chain(skill: Skill) -> Iterator[Finding]:
    """Report each reference, where it is first named, that links to files SKILL.md doesn't name."""
    seen: set[str] = set()
    for reference in skill.references:
        target = reference.target
        if not target or not reference.exists or target in seen or not is_markdown(target):
            continue
        if target.endswith("SKILL.md"):
            continue  # a skill within the skill has its own references
        seen.add(target)
        text = read_sibling(skill, target)
        if not text:
            continue
        further = [
            path
            for path in _links_of(skill, target, text)
            if posixpath.basename(path) not in skill.source
        ]
        if further:
            names = ", ".join(f"“{path}”" for path in further[:3])
            more = f" and {len(further) - 3} more" if len(further) > 3 else ""
            yield Finding(
                reference.path_span,
                f"“{target}” leads on to {names}{more}, which SKILL.md does not name; name it here"
                " and say when to read it.",
            )


def _links_of(skill: Skill, base: str, text: str) -> list[str]:
    """Return the Markdown files of the folder that a reference links to, in order."""
    if skill.folder is None:
        return []
    files = skill.folder.files
    found: dict[str, None] = {}
    for destination in links_of(text):
        path = normalise(posixpath.join(posixpath.dirname(base), unquote(destination)))
        if path and path != base and path in files and not path.endswith("SKILL.md"):
            found[path] = None
    return list(found)
