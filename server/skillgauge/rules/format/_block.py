"""What the rules about the place of the frontmatter have in common."""

from __future__ import annotations

import re
from typing import Final

from skillgauge.clients import Client
from skillgauge.document.frontmatter import find_frontmatter
from skillgauge.document.nodes import Mapping
from skillgauge.document.skill import Skill
from skillgauge.rules.format._clients import every, names, where

FENCE: Final = re.compile(r"[ ]{0,3}(?:`{3,}|~{3,})")


def blind(skill: Skill) -> str:
    """Return a sentence on who does not see a skill whose file begins without frontmatter."""
    found = where(skill, _needs_it)
    if found:
        return f" {names(found)} {'skip' if len(found) > 1 else 'skips'} the skill."
    return "" if unneeded(skill) else " Most clients then skip the skill."


def unneeded(skill: Skill) -> bool:
    """Return whether each targeted client can do without frontmatter."""
    return every(skill, lambda client: client.needs_frontmatter is False)


def is_good(text: str) -> bool:
    """Return whether a text opens with a closed block that has a name or a description."""
    block = find_frontmatter(text)
    return (
        block is not None
        and block.closed
        and block.before.start == block.before.end
        and isinstance(block.root, Mapping)
        and (block.has("name") or block.has("description"))
    )


def line_break(skill: Skill) -> str:
    """Return the line break that the file begins with."""
    match = re.search(r"\r\n|\n|\r", skill.source)
    return match[0] if match else "\n"


def _needs_it(client: Client) -> bool:
    return client.needs_frontmatter is True
