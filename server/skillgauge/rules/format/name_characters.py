"""The `name` holds characters other than lower-case letters, digits and hyphens.

## Why is this bad?
The specification allows a to z, 0 to 9 and hyphens. VS Code, Roo Code and an upload to claude.ai
don't take a skill with any other name, some without a word. To Claude Code the name is a label for
people, so the rule is silent where that is the only target. The specification's text and its
reference validator differ on other alphabets: the validator takes lower-case letters of any, so
these are a remark only, unless a letter merely looks like a Latin one.

## Bad
````skill folder=pdf-tools
---
name: PDF_tools
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
People may call the skill by its old name, so the fix is unsafe. It takes the folder's name where
both must agree, else the name in lower case with hyphens.

## References
- https://agentskills.io/specification#name-field
- https://github.com/agentskills/agentskills/pull/345
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.format._clients import listed
from skillgauge.rules.format._names import (
    form_level,
    form_matters,
    is_legal,
    name_of,
    rename_fix,
    slug,
)

_LEGAL: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_TWINS: Final = str.maketrans("аеорсухіјѕԁһոοαν", "aeopcyxijsdhnoav")
"""Cyrillic, Armenian and Greek letters that look like Latin ones."""


@rule("F033", Severity.WARNING, spec=Severity.ERROR, fix="unsafe", needs={"clients", "folder"})
def name_characters(skill: Skill) -> Iterator[Finding]:
    """Report the characters of a name that don't belong there, from the first to the last."""
    value = name_of(skill)
    text = value.text if value else ""
    wrong = [index for index, char in enumerate(text) if char not in _LEGAL]
    if value is None or not wrong or not form_matters(skill):
        return
    chars = list(dict.fromkeys(text[index] for index in wrong))
    twin = text.translate(_TWINS)
    span = skill.find_in_value(value, wrong[0], wrong[-1] + 1)
    if is_legal(twin) and any("a" <= char <= "z" for char in text):
        yield Finding(
            span,
            f"The name holds {_named(chars)}, which only looks like Latin letters; type it anew.",
            rename_fix(skill, value, twin),
            level=form_level(skill),
        )
        return
    if all(char.isalnum() and char == char.lower() and not char.isascii() for char in chars):
        yield Finding(
            span,
            f"The name holds {_named(chars)}: the specification’s text allows a to z only, its"
            " validator any lower-case letter, and several clients don’t take the skill.",
            level=Severity.INFO,
        )
        return
    yield Finding(
        span,
        f"The name holds {_named(chars)}; a name has lower-case letters, digits and hyphens only.",
        rename_fix(skill, value, slug(text)),
        level=form_level(skill),
    )


def _named(chars: list[str]) -> str:
    """Return characters as words: letters quoted, others by name where they can't be seen."""
    capitals = [char for char in chars if "A" <= char <= "Z"]
    if len(capitals) < 2:
        return listed([_name(char) for char in chars], most=4)
    rest = [_name(char) for char in chars if char not in capitals]
    return listed(["capital letters", *rest], most=4)


def _name(char: str) -> str:
    if char == " ":
        return "a blank"
    if char.isascii() and char.isprintable():
        return f"“{char}”"
    name = unicodedata.name(char, "").lower()
    shown = f"“{char}” " if char.isprintable() else ""
    return f"{shown}({name or f'U+{ord(char):04X}'})"
