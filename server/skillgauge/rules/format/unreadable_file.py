"""The file can't be read as text.

## Why is this bad?
It is missing, no regular file, binary, in another encoding than UTF-8, or far larger than any skill
should be. No client can read it either, and no other rule judges it.

## Bad
````skill problem=it_is_encoded_as_UTF-16,_not_UTF-8
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.evals import EvalFile
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.text import Span


@rule("F000", Severity.ERROR, spec=Severity.ERROR, aces=Severity.ERROR)
def unreadable_file(document: Skill | EvalFile) -> Iterator[Finding]:
    """Report why a skill or an evaluation file was not read, at its beginning."""
    if document.problem:
        yield Finding(Span(0, 0), f"{document.file_name} can’t be read: {document.problem}.")
