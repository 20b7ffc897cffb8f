"""The folder holds compiled code, which runs and which nobody can read.

## Why is this bad?
Whoever looks a skill over reads its text and its scripts. A compiled file does what its maker
wants, unseen: an attacker gains a place for code that no reader, scanner or agent looks into.
Python runs a `.pyc` like the script that it claims to be made of. Ship the source.

Compiled Python and Java is a warning, since its source can always be shipped instead. A native
library or program may be meant to be there, and is a hint.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Run `python scripts/fill.pyc form.pdf`.
````
````file scripts/fill.pyc
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
print("filled")
````

## References
- https://docs.python.org/3/reference/import.html#cached-bytecode-invalidation
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_BYTE_CODE: Final = (".pyc", ".pyo", ".class")
_NATIVE: Final = (".pyd", ".so", ".dll", ".dylib", ".exe", ".node", ".o", ".jar", ".war")
_SEVERAL: Final = 5
"""More files than that are said in one finding."""


@rule("S020", Severity.WARNING, needs={"folder"})
def compiled_code(skill: Skill) -> Iterator[Finding]:
    """Report each such file where it is first named, else at the head; of many, how many."""
    files = skill.folder.files if skill.folder else ()
    for endings, level, kind in (
        (_BYTE_CODE, Severity.WARNING, "is compiled"),
        (_NATIVE, Severity.HINT, "is a compiled program or library"),
    ):
        found = [path for path in files if path.lower().endswith(endings)]
        for path in found[: _SEVERAL if len(found) <= _SEVERAL else 1]:
            named = (one.path_span for one in skill.references if one.target == path)
            more = f" (and {len(found) - 1} more)" if len(found) > _SEVERAL else ""
            yield Finding(
                next(named, skill.head),
                f"“{path}”{more} {kind}: nobody who reads the skill sees what it does. Ship the"
                " source.",
                level=level,
            )
