"""The frontmatter is not YAML, for a reason that no more particular rule has.

## Why is this bad?
One line that can't be read costs the whole block: many clients then leave the skill out without a
word. The other entries are judged all the same.

## Bad
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
made by the docs team
---
````

## Good
````skill
---
name: release-notes
description: Writes release notes from merged pull requests. Use when a release is prepared.
# made by the docs team
---
````

## Fix safety
A fix exists where it can be told what was meant: a missing blank behind a colon, a key moved to the
right by mistake. It is proved by reading the entry back.

## References
- https://agentskills.io/specification
- https://yaml.org/spec/1.2.2/
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.document.yaml_fault import BrokenEntry
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.format._control import is_control
from skillgauge.rules.format._yaml import broken, consequence, mend


@rule("F010", Severity.ERROR, spec=Severity.ERROR, fix="mixed", needs={"clients"}, reveals=True)
def yaml_invalid(skill: Skill) -> Iterator[Finding]:
    """Report each broken entry that no other rule reports, where the fault is."""
    causes = ("stray", "indent", "blank", "comment", "depth", "control", "other")
    for entry in broken(skill, *causes):
        shown = skill.text.slice(entry.at)
        if entry.cause != "control" or not is_control(shown):  # control-character has those
            message, fix = _judge(entry, shown)
            yield Finding(entry.at, message + consequence(skill), fix)


def _judge(entry: BrokenEntry, shown: str) -> tuple[str, Fix | None]:
    if entry.cause == "stray":
        return (
            "This line is no “key: value” and belongs to no entry above; indent it, make it a"
            " comment with “#”, or remove it.",
            None,
        )
    if entry.cause == "indent":
        rest = "; remove the blanks before it." if entry.repair else "."
        message = f"The indentation of this line doesn’t fit the lines around it{rest}"
        return message, mend(entry, "Remove the blanks")
    if entry.cause == "blank":
        message = f"YAML needs a blank behind the colon of “{entry.name}”."
        if "：" in shown:
            message = f"“：” is no colon for YAML; write “{entry.name}: ” with an ASCII one."
        return message, mend(entry, "Write a colon and a blank")
    if entry.cause == "comment":
        return (
            f"A comment begins here, and “{entry.name}” can’t go on behind it; put the value in"
            " quotes.",
            mend(entry, f"Quote the value of “{entry.name}”"),
        )
    if entry.cause == "control":
        fix = Fix("Remove the character", (Edit(entry.at, ""),))
        return f"YAML does not allow the character U+{ord(shown):04X}; remove it.", fix
    if entry.cause == "depth":
        return f"The value is {entry.fault.problem}, which no reader should follow.", None
    where = f" {entry.fault.context}" if entry.fault.context else ""
    return f"This can’t be read as YAML: {entry.fault.problem}{where}.", None
