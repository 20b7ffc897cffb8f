"""A script or data file lies in references/.

## Why is this bad?
References are for reading; programs belong into `scripts/`, data into `assets/`. A schema or sample
to be read is at home there all the same, so the check is off by default and part of the structural
score (5 points off efficiency).

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
See references/sizes.json.
````
````file references/sizes.json
{"small": 100}
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
See assets/sizes.json.
````
````file assets/sizes.json
{"small": 100}
````
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_SUFFIXES: Final = frozenset({".py", ".sh", ".json", ".csv", ".yaml", ".yml", ".toml"})


@rule("E008", None, aces=Severity.INFO, needs={"folder"}, deduction=("efficiency", 5))
def non_doc_in_references(skill: Skill) -> Iterator[Finding]:
    """Report the first such file right in `references/`."""
    folder = skill.folder
    for path in skill.aces.direct("references"):
        if folder and path in folder.files and posixpath.splitext(path)[1] in _SUFFIXES:
            yield Finding(skill.head, f"{path} is no document; move it to scripts/ or assets/.")
            return
