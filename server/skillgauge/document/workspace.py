"""The skills that an agent sees side by side, each by what its list entry shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from skillgauge.document.nodes import Scalar
from skillgauge.document.routing import Collision, collisions
from skillgauge.document.skill import Skill
from skillgauge.document.vocabulary import words
from skillgauge.text import Position

_SAMPLES: Final = words(
    """
    templates template examples example fixtures fixture tests test testdata test-data __tests__
    samples sample assets references evals docs doc i18n locales translations archive archived
    """
)
"""Folders whose skills are shown or tested, not installed."""


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


@dataclass(frozen=True)
class Workspace:
    """All skills found, in path order, and the root that they were found under.

    What is worked out over all of them is worked out once, when it is first asked for.
    """

    root: Path | None
    skills: tuple[SkillSummary, ...]

    @cached_property
    def listed(self) -> tuple[SkillSummary, ...]:
        """The skills that a client may list: no templates, none inside another skill's folder."""
        folders = {str(skill.path.parent) for skill in self.skills}
        return tuple(
            skill
            for skill in self.skills
            if not self._is_sample(skill.path) and not _is_nested(skill.path, folders)
        )

    def _is_sample(self, path: Path) -> bool:
        if self.root is None or not path.is_relative_to(self.root):
            return False
        return any(part.lower() in _SAMPLES for part in path.relative_to(self.root).parts[:-2])

    @cached_property
    def _by_path(self) -> Mapping[Path, SkillSummary]:
        return {skill.path: skill for skill in reversed(self.listed)}

    def own(self, path: Path) -> SkillSummary | None:
        """Return what `listed` has of the skill at `path`; None if it isn't listed."""
        return self._by_path.get(path)

    @cached_property
    def collisions(self) -> Mapping[Path, tuple[Collision, ...]]:
        """What each skill's description collides with, by path; see `routing`."""
        return collisions(self.listed)

    def others(self, skill: Skill) -> tuple[SkillSummary, ...]:
        """Return every summary but the skill's own."""
        return tuple(other for other in self.skills if other.path != skill.path)


def _is_nested(path: Path, folders: set[str]) -> bool:
    """Return whether a folder above a skill's own is one of `folders`."""
    folder = path.parent
    return any(str(above) in folders for above in folder.parents)


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
