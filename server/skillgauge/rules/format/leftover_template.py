"""Text of a template was left where the skill's own should stand.

## Why is this bad?
A name or description that says “TODO” or “replace with” tells an agent nothing about the skill, and
it is chosen for nothing or for the wrong task.

## Bad
````skill folder=release-notes
---
name: release-notes
description: Replace with description of the skill and when Claude should use it.
---
# [TODO: Skill title]
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
---
# Release notes

Leave `[TODO: date]` in the title.
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.text import Span

_SLOT: Final = (
    r"\[(?:TODO|FIXME|TBD|PLACEHOLDER)\b[^\]\r\n]*\]"
    r"|<your[-_ ](?:skill|name|title|description)[-_ \w]*>"
    r"|\[(?:your|insert|skill)[ -](?:skill[ -])?(?:name|title|description)(?: here)?\]"
    r"|\{\{ *(?:skill[-_ ]?)?(?:name|title|description) *\}\}"
)
_ANYWHERE: Final = re.compile(
    _SLOT + r"|\breplace (?:this )?with (?:a |the |your )?(?:skill )?description\b"
    r"|\b(?:your-skill-name|your_skill_name|my-skill-name)\b|\blorem ipsum\b",
    re.IGNORECASE,
)
_WHOLE: Final = re.compile(
    rf"(?:[*_]*(?:{_SLOT})[*_.]*|TODO:.{{0,200}}|(?:your|insert) (?:content|text|instructions)"
    r" here\.?|lorem ipsum\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_FIRST: Final = frozenset("[<{*_TtYyIiLl")
_KEYS: Final = ("name", "description", "when_to_use", "license", "compatibility", "argument-hint")


@rule("F073", Severity.WARNING)
def leftover_template(skill: Skill) -> Iterator[Finding]:
    """Report slots of templates in the frontmatter, and headings and paragraphs that are one."""
    block = skill.frontmatter
    for entry in block.entries if block else ():
        if entry.key in _KEYS:
            start, end = entry.value.span
            for match in _ANYWHERE.finditer(skill.source, start, end):
                shown = " ".join(match[0].split())
                shown = shown if len(shown) <= 50 else f"{shown[:50]}…"
                yield Finding(
                    Span(*match.span()),
                    f"“{shown}” was left from a template; write what is true of this skill.",
                )
    found = skill.markdown
    for group in ((heading.text_span for heading in found.headings), found.paragraphs):
        for start, end in group:
            if skill.source[start : start + 1] in _FIRST and _WHOLE.fullmatch(
                skill.source, start, end
            ):
                line = skill.text.line_span(skill.text.line_of(start))
                yield Finding(
                    Span(start, min(end, line.end)),
                    "This was left from a template; write the text or remove it.",
                )
