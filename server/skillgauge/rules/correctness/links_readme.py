"""The document links to a README.md beside it.

## Why is this bad?
A README is written for people, SKILL.md for agents; following the link costs an agent a file that
mostly says the same. Many repositories keep one on purpose, so the check is off by default and part
of the structural score (5 points off correctness).

## Bad
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
See the [readme](README.md) for the options.
````
````file README.md
# Resize images
````

## Good
````skill
---
name: resize-images
description: Resizes images. Use when pictures are too large.
---
See the [options](references/options.md).
````
````file README.md
# Resize images
````
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.local_links import local_links
from skillgauge.document.markdown_reader import read_markdown
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule


@rule("C003", None, aces=Severity.WARNING, needs={"folder"}, deduction=("correctness", 5))
def links_readme(skill: Skill) -> Iterator[Finding]:
    """Report the first link whose path is that of the README."""
    folder = skill.folder
    if folder is None or not ("README.md" in folder.files or "README.md" in folder.directories):
        return
    # Frontmatter that doesn't read as a mapping is Markdown to the tool that we agree with.
    markdown = skill.markdown if skill.aces.fields else read_markdown(skill.source)
    for span, path in local_links(markdown):
        if path.casefold() == "readme.md":
            yield Finding(
                span, "This links to README.md, which is for people; link to a reference instead."
            )
            return
