"""A command in the text uses an option that the bundled script does not have.

## Why is this bad?
The script stops with “unrecognized arguments”, and the agent has to find out by itself how it is
called. Usually the script was changed and SKILL.md was not.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Run `python scripts/fill.py form.pdf --out filled.pdf`.
````
````file scripts/fill.py
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("form")
parser.add_argument("--target")
parser.parse_args()
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Run `python scripts/fill.py form.pdf --target filled.pdf`.
````
````file scripts/fill.py
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("form")
parser.add_argument("--target")
parser.parse_args()
````
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.scripts._python import Options, read_python
from skillgauge.rules.scripts._scripts import read_script, runs
from skillgauge.text import Span

_OPTION: Final = re.compile(r"(?P<name>--?[A-Za-z][\w-]*)(?:=.*)?\Z")


@rule("T006", Severity.WARNING, needs={"folder"})
def script_option_unknown(skill: Skill) -> Iterator[Finding]:
    """Report options of commands that run an argparse script which can be read whole."""
    for reference in runs(skill):
        path, invocation = reference.target or "", reference.invocation
        text = read_script(skill, path) if path.endswith(".py") else None
        if not text or invocation is None:
            continue
        for word in invocation.arguments:
            if word.text == "--":
                break
            match = _OPTION.match(word.text)
            if match is None or match["name"] in text:
                continue
            options = read_python(text).options
            if options is not None and not _known(match["name"], options):
                start = word.span.start
                if skill.source[start : start + 1] in "\"'":
                    continue
                close = difflib.get_close_matches(match["name"], sorted(options.names), 1, 0.75)
                hint = f"; did you mean “{close[0]}”?" if close else "."
                yield Finding(
                    Span(start, start + len(match["name"])),
                    f"“{path}” has no option “{match['name']}”{hint}",
                )


def _known(name: str, options: Options) -> bool:
    if name in options.names or name in ("-h", "--help"):
        return True
    if name.startswith("--"):
        return any(option.startswith(name) for option in options.names)  # abbreviated
    return name[:2] in options.names or f"-{name}" in options.names
