"""Whether a key is really not there, and not merely unreadable or misspelt."""

from __future__ import annotations

import re

from skillgauge.document.frontmatter import Frontmatter
from skillgauge.document.nodes import Mapping
from skillgauge.document.skill import Skill
from skillgauge.rules.format._keys import misspelt


def lacking(skill: Skill, key: str) -> Frontmatter | None:
    """Return the frontmatter if it lacks a key for certain, else None."""
    block = skill.frontmatter
    if block is None or block.too_large or block.has(key) or misspelt(skill, key):
        return None
    if block.fault is None:
        return block if block.root is None or isinstance(block.root, Mapping) else None
    written = re.search(
        rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*:",
        skill.source[block.inner.start : block.inner.end],
        re.MULTILINE | re.IGNORECASE,
    )
    return None if written else block
