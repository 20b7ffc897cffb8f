"""A file in references/ is named with digits only, a word like “doc” or “data”, or under 4 letters.

## Why is this bad?
The name of a reference is what an agent chooses it by. Short names can be exact (`sql.md`), so the
check is off by default and part of the structural score (5 points off efficiency).

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
See [the options](references/doc.md).
````
````file references/doc.md
-resize takes a size.
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
See [the options](references/resize-options.md).
````
````file references/resize-options.md
-resize takes a size.
````
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_VAGUE: Final = frozenset({"doc", "file", "data", "info", "misc", "temp"})
_SHORTEST: Final = 4


@rule("E006", None, aces=Severity.INFO, needs={"folder"}, deduction=("efficiency", 5))
def vague_reference_name(skill: Skill) -> Iterator[Finding]:
    """Report the first such name."""
    for path in skill.aces.direct("references", ".md"):
        stem = posixpath.basename(path).removesuffix(".md").lower()
        if stem.isdigit() or stem in _VAGUE or len(stem) < _SHORTEST:
            yield Finding(skill.head, f"The name {path} does not say what the file is about.")
            return
