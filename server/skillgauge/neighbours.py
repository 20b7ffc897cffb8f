"""A project's skills side by side: read once, as summaries, for the rules that compare them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from skillgauge.cache import Cache, digest
from skillgauge.document.files import check_size

if TYPE_CHECKING:
    from skillgauge.document.workspace import Workspace

SECTION: Final = "skills"


@dataclass(slots=True)
class Neighbourhood:
    """The skills of a project, their bytes read by `read`."""

    root: str
    paths: list[str]
    read: Callable[[str], bytes]
    cache: Cache | None
    _summaries: dict[str, list[Any]] | None = None
    _signature: str = ""
    _workspace: Workspace | None = None

    @property
    def summaries(self) -> dict[str, list[Any]]:
        """The summary of each skill as plain values, by path, in path order."""
        if self._summaries is None:
            self._summaries = {path: self._summary(path) for path in self.paths}
        return self._summaries

    @property
    def signature(self) -> str:
        """A hash of everything that rules see of these skills."""
        if not self._signature:
            self._signature = digest(*(repr(item) for item in self.summaries.items()))
        return self._signature

    @property
    def workspace(self) -> Workspace:
        """The summaries as rules want them."""
        if self._workspace is None:
            from skillgauge.document.workspace import SkillSummary, Workspace
            from skillgauge.text import Position

            skills = tuple(
                SkillSummary(
                    Path(path), name, description, when, Position(*start), Position(*end), visible
                )
                for path, (name, description, when, start, end, visible) in self.summaries.items()
            )
            self._workspace = Workspace(Path(self.root), skills)
        return self._workspace

    def _summary(self, path: str) -> list[Any]:
        data = self.read(path)
        condition = digest(data)
        known = self.cache.get(SECTION, path, condition) if self.cache else None
        if isinstance(known, list) and len(cast("list[Any]", known)) == 6:
            return cast("list[Any]", known)
        made = _summarise(path, data)
        if self.cache:
            self.cache.put(SECTION, path, condition, made)
        return made


def _summarise(path: str, data: bytes) -> list[Any]:
    from skillgauge.document.folder import DiskFolder
    from skillgauge.document.skill import Skill
    from skillgauge.document.workspace import summarise

    text, problem = check_size(data)
    found = summarise(Skill(text, Path(path), DiskFolder(Path(path).parent), problem=problem))
    return [
        *(found.name, found.description, found.when_to_use),
        *(list(found.start), list(found.end), found.model_invocable),
    ]
