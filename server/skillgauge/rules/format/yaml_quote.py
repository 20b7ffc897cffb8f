r"""A quoted frontmatter value is not closed, goes on behind its quote, or has an unknown escape.

## Why is this bad?
A quoted value must end with its second quote: nothing may follow but a comment, and a quote inside
needs the other kind of quotes around it. In double quotes a backslash begins an escape, of which
YAML knows a few only. The parser stops there, and the whole block is lost.

## Bad
````skill
---
name: house-style
description: "Plain words" and short sentences. Use when the user asks for an edit.
---
````

## Good
````skill
---
name: house-style
description: '"Plain words" and short sentences. Use when the user asks for an edit.'
---
````

## Fix safety
The fix quotes the whole value, adds the quote that is missing, or doubles the backslash, and is
proved by reading it back. It is unsafe where more than one meaning is possible: a single quote may
be an apostrophe, and `"C:\new\Users"` holds one escape by accident.

## References
- https://yaml.org/spec/1.2.2/#73-flow-scalar-styles
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.format._yaml import broken, consequence, mend


@rule("F014", Severity.ERROR, spec=Severity.ERROR, fix="mixed", needs={"clients"}, reveals=True)
def yaml_quote(skill: Skill) -> Iterator[Finding]:
    """Report each broken entry with a fault in its quotes, at the first quote or the backslash."""
    for entry in broken(skill, "quote", "escape"):
        of = f"the value of “{entry.name}”" if entry.name else "the value"
        shown = skill.text.slice(entry.at)
        if entry.cause == "escape":
            message = f"“{shown}” is no escape that YAML has; double the backslash."
            title = "Double the backslash"
        elif shown in skill.source[entry.at.end : entry.value_span.end]:
            message = f"This quote is closed before {of} ends; quote the whole value otherwise."
            title = f"Quote the whole of {of}"
        else:
            message = f"This quote is never closed; close it at the end of {of}."
            title = "Close the quote"
        yield Finding(entry.at, message + consequence(skill), mend(entry, title))
