"""B2: the programs, packages and variables that the text counts on, named in one place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.revise.candidate import Draft
from skillgauge.revise.facts import Facts
from skillgauge.revise.place import add, code

METRIC: Final = "B2"
HEADING: Final = re.compile(
    r"\b(?:requirements?|prerequisites?|dependencies|installation|setup|before you start)\b",
    re.IGNORECASE,
)
MAX_ITEMS: Final = 8


def drafts(facts: Facts) -> Iterator[Draft]:
    """Yield the list of what is needed, without what such a section has already."""
    told = "\n".join(
        facts.skill.source[section.span.start : section.span.end]
        for section in facts.skill.markdown.find_sections(HEADING)
    )
    lines = [_tool(facts, name) for name in facts.tools[:MAX_ITEMS] if name not in told]
    for where, names in (
        ("importable in Python", facts.modules),
        ("set in the environment", facts.variables),
    ):
        new = [name for name in names if name not in told][:MAX_ITEMS]
        if new:
            lines.append(f"- {', '.join(code(name) for name in new)} {where}")
    if lines:
        edit = add(facts.skill, HEADING, "Requirements", "\n".join(lines))
        yield Draft("Add the programs, packages and variables that are needed", (edit,))


def _tool(facts: Facts, name: str) -> str:
    used = facts.example_of(name)
    return (
        f"- {code(name)} on the path, for {code(used)}" if used else f"- {code(name)} on the path"
    )
