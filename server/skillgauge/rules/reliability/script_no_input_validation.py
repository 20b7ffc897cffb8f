"""A Python script takes an argument by its place and never looks whether it is there.

## Why is this bad?
An agent that leaves the argument out gets “IndexError: list index out of range”, which tells it
nothing. A line that checks, or `argparse`, tells it how to call the script.

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
Run scripts/resize.py with a picture.
````
````file scripts/resize.py
import sys

print(open(sys.argv[1]).read())
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
Run scripts/resize.py with a picture.
````
````file scripts/resize.py
import sys

if len(sys.argv) != 2:
    sys.exit("usage: resize.py PICTURE")
print(open(sys.argv[1]).read())
````

## References
- https://agentskills.io/skill-creation/using-scripts
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_LARGEST: Final = 64 * 1024  # characters; a longer script is not parsed
_TAKEN: Final = re.compile(r"argv\[[1-9]\]")
# Any of these is a way to look first, or to say what went wrong.
_LOOKED: Final = (
    *("argparse", "click", "typer", "docopt", "fire", "optparse", "getopt", "IndexError", "usage"),
    *("len(sys.argv", "len(argv", "if sys.argv", "if argv", "if not sys.argv", "in sys.argv"),
)


@rule("R008", Severity.HINT, needs={"folder"})
def script_no_input_validation(skill: Skill) -> Iterator[Finding]:
    """Read each script right in `scripts/`; only what parses as Python is judged."""
    folder = skill.folder
    if folder is None:
        return
    for path in skill.aces.direct("scripts", ".py"):
        text = folder.read(path) if path in folder.files else None
        if text is None or len(text) > _LARGEST or not _TAKEN.search(text):
            continue
        if any(sign in text for sign in _LOOKED):
            continue
        if line := _first_use(text):
            yield Finding(
                skill.head,
                f"{path} reads sys.argv in line {line} and never checks that the argument is there;"
                " check it and print the usage.",
            )


def _first_use(text: str) -> int:
    """Return the line where an argument is taken by its place, 0 if nowhere outside tests."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 0
    lines = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, int)
        and node.slice.value > 0
        and _is_argv(node.value)
    ]
    guarded = {
        inner.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.IfExp | ast.If)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Subscript)
    }
    return min((line for line in lines if line not in guarded), default=0)


def _is_argv(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "argv" and isinstance(node.value, ast.Name) and node.value.id == "sys"
    return isinstance(node, ast.Name) and node.id == "argv"
