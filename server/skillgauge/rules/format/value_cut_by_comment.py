"""A text in the frontmatter is cut off by a number sign, which begins a comment.

## Why is this bad?
Outside quotes, a blank followed by `#` begins a comment: what follows is no part of the value, and
nothing says so. An agent chooses skills by half a description then.

## Bad
````skill
---
name: issue-notes
description: Summarises issues such as #1234 in a few lines. Use when the user names an issue.
---
````

## Good
````skill
---
name: issue-notes
description: "Summarises issues such as #1234 in a few lines. Use when the user names an issue."
---
````

## Fix safety
The fix quotes value and comment together. It is unsafe, since a comment may be meant.

## References
- https://yaml.org/spec/1.2.2/#66-comments
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.nodes import Scalar
from skillgauge.document.skill import Skill
from skillgauge.document.yaml_repair import quote_plain
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.text import Span

_TEXTS: Final = ("description", "when_to_use", "argument-hint", "compatibility")
"""Keys that hold prose. Elsewhere a comment is likely, and mostly with a blank behind the sign."""
_CUT: Final = re.compile(r"[ \t]+(?P<rest>#[^\s#!][^\r\n]*)")
_GOES_ON: Final = re.compile(
    r"[ \t]+(?P<rest>#[ \t]+(?:and|or|nor|but|with|for|to|in|of|from|by|on|at|as|into|that|which"
    r"|when|whenever|if|while|before|after|because|so|then)\b[^\r\n]*)"
)
_ENDS: Final = (".", "!", "?", ":", ";", "…")


@rule("F020", Severity.WARNING, fix="unsafe")
def value_cut_by_comment(skill: Skill) -> Iterator[Finding]:
    """Report text behind a value of prose that is a comment to YAML, from its number sign on."""
    entries = skill.frontmatter.entries if skill.frontmatter else ()
    for entry in entries:
        value = entry.value
        if entry.key not in _TEXTS or not isinstance(value, Scalar) or value.style != "plain":
            continue
        match = _lost(skill.source, value)
        if match is None:
            continue
        lost = match["rest"].rstrip(" \t")
        start = value.span.start if value.text else match.start("rest")
        whole = Span(start, match.start("rest") + len(lost))
        repair = quote_plain(skill.source, whole)
        fix = None
        if repair:
            edits = (Edit(repair.span, repair.text),)
            fix = Fix(f"Quote the value of “{entry.key}”", edits, safe=False)
        shown = lost if len(lost) <= 30 else f"{lost[:30]}…"
        yield Finding(
            Span(match.start("rest"), whole.end),
            f"“{shown}” is a comment to YAML and no part of “{entry.key}”; put the value in"
            " quotes.",
            fix,
        )


def _lost(source: str, value: Scalar) -> re.Match[str] | None:
    """Return what is cut off: a word glued to its sign, or a sentence that goes on behind one."""
    if match := _CUT.match(source, value.span.end):
        return match
    if not value.text or value.text.endswith(_ENDS):
        return None
    return _GOES_ON.match(source, value.span.end)
