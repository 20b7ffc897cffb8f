"""The `name` is read as a number, a boolean, a date, null, a list or a mapping instead of a text.

## Why is this bad?
YAML gives a meaning to some bare words: `123`, `1.0`, `true`, `null`, and in its older version also
`yes`, `no`, `on` and `off`. A client then gets something that is no text, and fails, skips the
skill or shows another name. Quotes make a text of any word. Words with a meaning in YAML 1.1 alone
depend on the client's parser, and are a warning.

## Bad
````skill folder=on
---
name: on
description: Switches the lamps of the lab on. Use when someone asks for light.
---
````

## Good
````skill folder=on
---
name: "on"
description: Switches the lamps of the lab on. Use when someone asks for light.
---
````

## References
- https://agentskills.io/specification#name-field
- https://yaml.org/spec/1.2.2/#103-core-schema
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.nodes import Scalar
from skillgauge.document.skill import Skill
from skillgauge.document.yaml_repair import quote
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.format._names import is_legal
from skillgauge.rules.format._types import is_legacy, not_text


@rule("F032", Severity.ERROR, spec=Severity.ERROR, fix="safe")
def name_not_string(skill: Skill) -> Iterator[Finding]:
    """Report a name that is no text to some or all YAML parsers, at the value."""
    value = skill.frontmatter.value("name") if skill.frontmatter else None
    kind = not_text(value)
    if value is None or kind is None:
        return
    fix = None
    if (
        isinstance(value, Scalar)
        and value.type != "null"
        and not value.tag
        and is_legal(value.text)
    ):
        fix = Fix("Quote the name", (Edit(value.span, quote(value.text)),))
    advice = "put it in quotes" if fix else "write a plain name"
    yield Finding(
        value.span,
        f"“name” must be a text, but {kind}; {advice}.",
        fix,
        level=Severity.WARNING if is_legacy(value) else None,
    )
