"""D1: a table of what can go wrong, from raised errors, messages, and what has to be there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.revise.candidate import Draft, hole
from skillgauge.revise.facts import Facts
from skillgauge.revise.facts.faults import Fault
from skillgauge.revise.place import add_rows, code, find

METRIC: Final = "D1"
HEADING: Final = re.compile(
    r"\b(?:troubleshoot\w*|errors?|failures?|common (?:issues|problems|mistakes)|when it fails"
    r"|known issues|pitfalls|gotchas|if something goes wrong)\b",
    re.IGNORECASE,
)
TITLE: Final = "Troubleshooting"
HEADER: Final = ["What happens", "Why", "What to do"]
MAX_ROWS: Final = 8
_ACTIONS: Final = {
    "exit 2": "Correct the arguments and run it again",
    "logged": "Read what it names and check it before going on",
}
_MEND: Final = "Tell the user the message; mend what it names, then run it again"


def drafts(facts: Facts) -> Iterator[Draft]:
    """Yield a table of what sources say, one of what has to be there, and one of both."""
    said, needed = list(_said(facts)), list(_needed(facts))
    for title, rows in (
        ("Add the scripts' messages as a troubleshooting table", said),
        ("Add what can be missing as a troubleshooting table", needed),
        ("Add messages and what can be missing as a table", _both(said, needed)),
    ):
        if rows:
            edit = add_rows(facts.skill, _heading(facts), TITLE, HEADER, rows[:MAX_ROWS])
            yield Draft(title, (edit,))


def _both(said: list[list[str]], needed: list[list[str]]) -> list[list[str]]:
    return [*said[: MAX_ROWS // 2], *needed[: MAX_ROWS // 2]] if said and needed else []


def _heading(facts: Facts) -> re.Pattern[str]:
    """Return the headings to look for: the plain one first, where the text has it."""
    plain = re.compile(r"\btroubleshoot", re.IGNORECASE)
    return plain if find(facts.skill, plain) else HEADING


def _said(facts: Facts) -> Iterator[list[str]]:
    for source in (*facts.scripts, *facts.examples):
        for fault in source.faults:
            # In an example the message stands in the text already: in code, with no advice.
            if source.path and facts.mentions(code(fault.message)):
                continue
            if facts.mentions(f"| {code(fault.message)} |"):
                continue
            yield [code(fault.message), _why(fault, source.path), hole(_action(fault))]


def _why(fault: Fault, path: str) -> str:
    place = f"{code(path.rpartition('/')[2])}: " if path else ""
    if fault.condition:
        return f"{place}{code(fault.condition)}"
    if fault.how in ("logged", "standard error"):
        return f"{place}said on {'the log' if fault.how == 'logged' else 'standard error'}"
    return f"{place}{code(fault.how)}" if fault.how[:4] != "exit" else f"{place}{fault.how}"


def _action(fault: Fault) -> str:
    return _ACTIONS.get(fault.how, _MEND)


def _needed(facts: Facts) -> Iterator[list[str]]:
    """Yield rows for programs, variables, modules and files that the text counts on."""
    found = [*_tools(facts), *_variables(facts), *_modules(facts), *_files(facts)]
    yield from (row for row in found if not facts.mentions(row[0]))


def _tools(facts: Facts) -> Iterator[list[str]]:
    for tool in facts.tools[:3]:
        action = f"Install {code(tool)}, or tell the user that it is missing; don't go on without"
        yield [
            code(f"{tool}: command not found"),
            "It is not installed or not on the path",
            hole(action),
        ]


def _variables(facts: Facts) -> Iterator[list[str]]:
    for name in facts.variables[:2]:
        action = f"Ask the user to set {code(name)}; never make up a value"
        yield [f"{code(name)} is empty", "The environment variable is not set", hole(action)]


def _modules(facts: Facts) -> Iterator[list[str]]:
    for name in facts.modules[:2]:
        message = f"ModuleNotFoundError: No module named '{name}'"
        action = "Install the package in the Python that runs the code, then run it again"
        yield [code(message), f"The package of {code(name)} is not installed", hole(action)]


def _files(facts: Facts) -> Iterator[list[str]]:
    for use in [use for use in facts.files if not use.written][:2]:
        message = f"No such file or directory: '{use.path}'"
        action = "Check the path with the user; don't go on with a made-up file"
        yield [code(message), f"{code(use.call)} does not find its input", hole(action)]
