"""A Markdown link or image leads to a file that is not in the skill's folder.

## Why is this bad?
The agent follows the link, finds nothing, and goes on without the knowledge that you put there, or
spends turns searching for it.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
# Fill forms

For fields that repeat, read [the guide](reference/fields.md).
````
````file references/fields.md
# Fields
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
# Fill forms

For fields that repeat, read [the guide](references/fields.md).
````
````file references/fields.md
# Fields
````

## Fix safety
The fix is safe where one single file of the folder has the same name elsewhere. A file with a
similar name is offered as an unsafe fix.

## References
- [Specification: file references](https://agentskills.io/specification#file-references)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.paths import BUNDLED, has_ending
from skillgauge.document.references import Reference
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.links._near import lead_to, nearest, same_but_case

_LINKS: Final = ("link", "image")


@rule("L001", Severity.WARNING, fix="mixed", needs={"folder"})
def link_target_missing(skill: Skill) -> Iterator[Finding]:
    """Report each link whose target is missing, unless it differs in case only."""
    for reference in skill.references:
        target = reference.target
        if reference.exists is not False or not target or reference.created:
            continue
        if not _is_link(reference) or not _is_of_the_skill(skill, reference, target):
            continue
        if "\\" in reference.path or same_but_case(skill, target):
            continue  # other rules say what is wrong
        near = nearest(skill, target)
        shown = reference.path.removeprefix("./")
        if near is None:
            advice = "add the file or remove the link."
            yield Finding(reference.span, f"“{shown}” is not in the skill's folder; {advice}")
            continue
        fix = lead_to(skill, [reference], near.path, safe=near.sure)
        yield Finding(
            reference.span,
            f"“{shown}” is not in the skill's folder; did you mean “{near.path}”?",
            fix,
        )


def _is_link(reference: Reference) -> bool:
    return reference.kind in _LINKS or (reference.kind == "variable" and reference.link is not None)


def _is_of_the_skill(skill: Skill, reference: Reference, target: str) -> bool:
    """Return whether a target is a file that the skill should have.

    `url` and `internal-wiki/page` are stand-ins; `.wiki/page.md` and what a quotation shows lie in
    the user's project.
    """
    top = target.partition("/")[0]
    if top in BUNDLED or (skill.folder is not None and top in skill.folder.directories):
        return True
    quoted = any(span.contains(reference.span.start) for span in skill.markdown.quotes)
    return has_ending(target) and not target.startswith(".") and not quoted
