"""Where a finding about the folder's name points."""

from __future__ import annotations

from skillgauge.document.skill import Skill
from skillgauge.text import Span


def place_of_folder_name(skill: Skill) -> Span:
    """Return the range of the `name` value when it is the folder's name, else the file's head."""
    value = skill.value("name")
    return value.span if value and value.text == skill.folder_name else skill.head
