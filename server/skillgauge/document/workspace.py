"""The skills that an agent sees side by side, each by what its list entry shows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from skillgauge.document.nodes import Scalar
from skillgauge.document.skill import Skill
from skillgauge.text import Position


@dataclass(frozen=True, slots=True)
class SkillSummary:
    """A skill as its neighbours need it; small enough to keep for thousands."""

    path: Path
    name: str
    """The name that the agent's list shows: the `name` key, else the folder's name."""
    description: str
    when_to_use: str
    start: Position
    """Where the description's value begins (or the file, without one), from 0."""
    end: Position
    model_invocable: bool = True
    """False with `disable-model-invocation: true`: then the description is in no list."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """All skills found, in path order, and the root that they were found under."""

    root: Path | None
    skills: tuple[SkillSummary, ...]

    def others(self, skill: Skill) -> tuple[SkillSummary, ...]:
        """Return every summary but the skill's own."""
        return tuple(other for other in self.skills if other.path != skill.path)


def summarise(skill: Skill) -> SkillSummary:
    """Return what neighbours need to know of a skill."""
    value = skill.value("description")
    text = skill.text
    start = text.position(value.span.start) if value else Position(0, 0)
    end = text.position(value.span.end) if value else Position(0, 0)
    when = skill.value("when_to_use")
    hidden = skill.value("disable-model-invocation")
    return SkillSummary(
        path=skill.path or Path(skill.file_name),
        name=skill.name or skill.folder_name or "",
        description=skill.description or "",
        when_to_use=when.text if when else "",
        start=start,
        end=end,
        model_invocable=not (isinstance(hidden, Scalar) and hidden.text.lower() == "true"),
    )
