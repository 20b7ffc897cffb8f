"""A1: the file is Markdown and begins with frontmatter that has a name and a description.

Fixed rules and no model. Only that the keys are there counts, whatever their values.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

from skillgauge.document.frontmatter import Frontmatter, find_frontmatter
from skillgauge.document.nodes import Mapping
from skillgauge_scorer.metrics._metric import Meaning

METRIC: Final = Meaning(
    code="A1",
    name="Format validity",
    dimension="Applicability",
    sees="file",
    meaning="The file is Markdown with frontmatter that parses and has a name and a description.",
    low="A client may pass over this file: it does not have the format of a skill",
    hint="Mend what the reasons say; `skillgauge check` shows the places.",
)
REQUIRED: Final = ("name", "description")


def reasons(source: str, file_name: str = "SKILL.md") -> tuple[str, ...]:
    """Return why a text fails; nothing if it passes."""
    return tuple(_reasons(source, file_name))


def _reasons(source: str, file_name: str) -> Iterator[str]:
    if PurePath(file_name).suffix.lower() != ".md":
        yield "The file's name does not end in .md"
    found = find_frontmatter(source)
    if found is None or found.before.start != found.before.end:
        yield "The file does not begin with frontmatter: a first line “---” is missing"
    elif found.closing is None or not found.closed:
        yield "The frontmatter is not closed by a line “---”"
    elif found.too_large:
        yield "The frontmatter is too large to be parsed"
    elif found.fault is not None:
        yield f"The frontmatter is no valid YAML: {found.fault.problem}"
    elif not isinstance(found.root, Mapping):
        yield "The frontmatter is no mapping of keys to values"
    else:
        yield from _missing(found)


def _missing(found: Frontmatter) -> Iterator[str]:
    for key in REQUIRED:
        if found.entry(key) is None:
            yield f"The frontmatter has no key “{key}”"
