"""C1: a short ordered procedure, from a script's interface or from the sections' own commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from skillgauge.revise.candidate import Draft, hole
from skillgauge.revise.facts import MAX_COMMAND, Facts
from skillgauge.revise.facts.source import Source
from skillgauge.revise.place import code, new_section
from skillgauge.revise.skeletons._usage import usage
from skillgauge.revise.skeletons._verbs import is_order, without_number

if TYPE_CHECKING:
    from skillgauge.document.markdown import Section

METRIC: Final = "C1"
HEADING: Final = re.compile(
    r"\b(?:workflow|procedure|step[- ]by[- ]step|steps|process|at a glance)\b", re.IGNORECASE
)
TITLE: Final = "Workflow"
MIN_STEPS: Final = 3
MAX_STEPS: Final = 9
_MARKER: Final = re.compile(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+")
_STEP: Final = re.compile(r"(?:step|phase|stage)[ \t]*(?:\d|[A-Z]\b)", re.IGNORECASE)
_END: Final = re.compile(r"[.:!?]+\Z")


def drafts(facts: Facts) -> Iterator[Draft]:
    """Yield procedures, unless the text has a section for that, or numbered steps."""
    lists = facts.skill.markdown.lists
    numbered = any(item.start is not None and len(item.items) >= MIN_STEPS for item in lists)
    if numbered or any(True for _ in facts.skill.markdown.find_sections(HEADING)):
        return
    made = [
        ("Add the procedure of the script", _of_script(facts)),
        ("Add the sections as an ordered procedure", _of_sections(facts)),
    ]
    for title, steps in made:
        if len(steps) >= MIN_STEPS:
            block = "\n".join(f"{at}. {step}" for at, step in enumerate(steps[:MAX_STEPS], 1))
            edit = new_section(facts.skill, TITLE, block, first=True)
            yield Draft(title, (edit,))


def _of_script(facts: Facts) -> list[str]:
    source = next((item for item in facts.scripts if item.parameters), None)
    if source is None:
        return []
    inputs = [item for item in source.parameters if item.required]
    steps: list[str] = []
    if inputs:
        names = ", ".join(code(item.name) for item in inputs[:4])
        steps.append(f"Get {names} from the request; {hole('ask for what is missing')}.")
    steps.append(f"Run {code(usage(source))}.")
    steps.append(_checked(source))
    if source.printed:
        steps.append(f"Read the {source.printed} on standard output, and {hole('answer from it')}.")
    return steps


def _checked(source: Source) -> str:
    return (
        "Check the exit status: go on with 0; with any other, read standard error,"
        f" {hole('correct the cause and run it again')}."
    )


def _of_sections(facts: Facts) -> list[str]:
    """Return the sections that are steps, each with its first command or its first order.

    Steps are headings such as “Step 2: …”, or that are orders: a number alone may count topics.
    """
    found: dict[bool, list[Section]] = {True: [], False: []}
    for section in facts.skill.markdown.sections:
        title = without_number(section.heading.text)
        counted = _STEP.match(section.heading.text.strip()) is not None
        fits = section.heading.level in (2, 3) and 3 < len(title) <= 70
        if fits and (counted or is_order(title)):
            found[counted].append(section)
    chosen = max(found.values(), key=len)
    return list(dict.fromkeys(_step(facts, section) for section in chosen))


def _step(facts: Facts, section: Section) -> str:
    title = _END.sub("", without_number(section.heading.text))
    if command := _command(facts, section):
        return f"{title}: run {code(command)}."
    if order := _order(facts, section):
        return f"{title}: {order[:1].lower()}{order[1:]}."
    return f"{title}."


def _order(facts: Facts, section: Section) -> str:
    """Return the first item of a section's lists that is an order and short."""
    for found in facts.skill.markdown.lists:
        if section.own.start <= found.span.start < section.own.end:
            for item in found.items:
                lines = facts.skill.source[slice(*item.span)].strip().split("\n")
                line = _END.sub("", _MARKER.sub("", lines[0]).strip())
                if len(lines) == 1 and len(line) <= MAX_COMMAND and is_order(line):
                    return line
    return ""


def _command(facts: Facts, section: Section) -> str:
    for block, command in facts.commands:
        if section.own.start <= block.span.start < section.own.end:
            return facts.written(command)
    return ""
