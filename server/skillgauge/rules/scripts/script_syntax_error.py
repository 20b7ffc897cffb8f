"""A bundled Python script does not parse.

## Why is this bad?
The script stops with a syntax error before its first line is run. The agent then repairs it in the
middle of its task, or does the work by hand. Python 2 prints and half-finished edits are common.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Run `python scripts/fill.py form.pdf`.
````
````file scripts/fill.py
import sys
print "filling", sys.argv[1]
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Run `python scripts/fill.py form.pdf`.
````
````file scripts/fill.py
import sys
print("filling", sys.argv[1])
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.scripts._python import read_python
from skillgauge.rules.scripts._scripts import at_line, bundled
from skillgauge.text import split_lines

_TEMPLATE: Final = re.compile(r"\{\{[^{}\n]+\}\}|\{%|<%|<[A-Z][A-Z_]+>|\$\{[A-Z_]+\}")


@rule("T009", Severity.WARNING, needs={"folder"})
def script_syntax_error(skill: Skill) -> Iterator[Finding]:
    """Report each script with a fault where SKILL.md first names it; templates are left out."""
    for script in bundled(skill, ".py"):
        fault = read_python(script.text).fault
        if fault is None:
            continue
        lines = split_lines(script.text)
        line = lines[fault.line - 1] if fault.line <= len(lines) else ""
        if _TEMPLATE.search(line):
            continue
        yield Finding(
            script.place,
            f"“{script.path}” does not parse, line {fault.line}: {fault.what}.",
            related=at_line(skill, script.path, fault.line, fault.column, "The parser stops here"),
        )
