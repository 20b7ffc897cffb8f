"""A frontmatter value begins with a character that YAML reserves, so the block does not parse.

## Why is this bad?
At the start of a value `@`, a backtick, `%` and a comma are reserved, `*` refers to another value,
`&` names one, `!` gives it a type, `|` and `>` begin a block of text on the next line, `-` begins a
list item. The parser stops there, and the whole block is lost.

## Bad
````skill
---
name: state-patterns
description: @Observable and other ways to hold state in SwiftUI. Use when views share state.
---
````

## Good
````skill
---
name: state-patterns
description: "@Observable and other ways to hold state in SwiftUI. Use when views share state."
---
````

## Fix safety
The fix puts the value in quotes and is proved by reading it back. Behind `|` or `>` it quotes the
text alone, and is unsafe since another form may be wanted.

## References
- https://yaml.org/spec/1.2.2/#53-indicator-characters
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.format._yaml import broken, consequence, mend

_MEANING: Final = {
    "%": "begins a directive",
    ",": "stands between the items of a list",
    "]": "ends a list",
    "}": "ends a mapping",
    "*": "refers to another value",
    "&": "gives a value a name",
    "!": "begins a type",
    "-": "begins a list item",
    "?": "begins a key",
}


@rule("F012", Severity.ERROR, spec=Severity.ERROR, fix="mixed", needs={"clients"}, reveals=True)
def yaml_reserved_indicator(skill: Skill) -> Iterator[Finding]:
    """Report each broken entry whose value begins with an indicator, at that character."""
    for entry in broken(skill, "indicator"):
        sign = skill.text.slice(entry.at)
        of = f"the value of “{entry.name}”" if entry.name else "a value"
        if sign in "|>":
            message = f"The text behind “{sign}” must begin on the next line; or quote {of}."
        else:
            meaning = _MEANING.get(sign, "is reserved")
            message = f"“{sign}” {meaning} in YAML and can’t begin {of}; put it in quotes."
        title = f"Quote the value of “{entry.name}”" if entry.name else "Quote the value"
        yield Finding(entry.at, message + consequence(skill), mend(entry, title))
