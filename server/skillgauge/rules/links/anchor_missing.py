"""A link names a heading that the document does not have.

## Why is this bad?
Readers land at the top of the file instead of at the place, and an agent that searches for the
heading does not find it. It is usually a heading that was renamed. Headings are named as GitHub
names them, a second one of the same text with `-1`; ids of HTML tags count too.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
# Fill forms

Dates are a case of their own, see [below](#date-fields).

## Fields with dates

Write them as the form asks.
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
# Fill forms

Dates are a case of their own, see [below](#fields-with-dates).

## Fields with dates

Write them as the form asks.
````

## Fix safety
Safe where a single heading differs from the link only in case, hyphens or signs; a similar one is
offered as an unsafe fix.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.anchors import anchors, loose
from skillgauge.document.references import Reference
from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.links._siblings import anchors_of, read_sibling

_NOT_A_HEADING: Final = re.compile(r"(?:L\d+(?:-L?\d+)?|top|:~:.*|user-content-.*|page=\d+)\Z")


@rule("L008", Severity.WARNING, fix="mixed", needs={"folder"})
def anchor_missing(skill: Skill) -> Iterator[Finding]:
    """Report fragments that no heading or id of the target has."""
    own: frozenset[str] | None = None
    for reference in skill.references:
        anchor = reference.anchor
        if not anchor or reference.link is None or _NOT_A_HEADING.match(anchor):
            continue
        if reference.target == "" or reference.target == skill.file_name:
            if own is None:
                own = frozenset(anchors(skill.markdown))
            known, where = own, "this file"
        elif reference.target and reference.exists:
            text = read_sibling(skill, reference.target)
            if text is None:
                continue
            known, where = anchors_of(text), f"“{reference.target}”"
        else:
            continue
        if anchor not in known:
            yield _finding(reference, anchor, known, where)


def _finding(reference: Reference, anchor: str, known: frozenset[str], where: str) -> Finding:
    span = reference.anchor_span or reference.span
    same = [name for name in known if loose(name) == loose(anchor)]
    longer = [name for name in known if name.startswith(f"{anchor}-")]
    meant = (
        same
        or (longer if len(longer) == 1 else [])
        or difflib.get_close_matches(anchor, sorted(known), n=1, cutoff=0.8)
    )
    message = f"No heading of {where} is reached by “#{anchor}”"
    if len(meant) != 1:
        return Finding(span, f"{message}; link to one that is there.")
    fix = Fix(f"Write “#{meant[0]}”", (Edit(span, meant[0]),), safe=bool(same))
    return Finding(span, f"{message}; did you mean “#{meant[0]}”?", fix)
