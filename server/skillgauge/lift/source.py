"""The skill under test as the agents get it: its files without its evaluations, and their hash."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from skillgauge.document.folder import DiskFolder
from skillgauge.document.skill import Skill, load_skill
from skillgauge.errors import InputError, UserError

MAX_BYTES: Final = 256 * 2**20
"""Of all files of a skill together, and of all files of a case."""
_LEFT_OUT: Final = frozenset({"evals", "results"})
"""Folders at the top that no agent may see: the answers are in them."""


@dataclass(frozen=True)
class SkillSource:
    """A skill's folder."""

    folder: Path

    @cached_property
    def _listed(self) -> DiskFolder:
        return DiskFolder(self.folder)

    @cached_property
    def skill(self) -> Skill:
        """The document; InputError if it can't be read."""
        path = self.folder / "SKILL.md"
        found = load_skill(path)
        if found.problem:
            raise InputError(f"“{path}” can't be read", found.problem)
        return found

    @cached_property
    def name(self) -> str:
        """The skill's name: what its frontmatter says, else the folder's."""
        return self.skill.name or self._listed.name

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The paths of all files that an agent gets, from the folder on, in order."""
        if not self._listed.complete:
            raise UserError(
                f"Not all files of “{self.folder}” can be listed",
                "there are too many, or links lead out of it",
                "Leave in the folder what the skill needs",
            )
        found = sorted(
            path
            for path, info in self._listed.files.items()
            if path.split("/")[0] not in _LEFT_OUT and not info.outside
        )
        if sum(self._listed.files[path].size for path in found) > MAX_BYTES:
            raise UserError(f"The files of “{self.folder}” are larger than {MAX_BYTES >> 20} MiB")
        return tuple(found)

    @cached_property
    def digest(self) -> str:
        """A hash of all that an agent gets: paths, contents, and what may be executed."""
        made = hashlib.sha256()
        for path in self.files:
            data = (self.folder / path).read_bytes()
            flag = "x" if self._listed.files[path].executable else "-"
            made.update(f"{path}\0{flag}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
            made.update(data)
        return made.hexdigest()[:32]

    def copy_to(self, folder: Path) -> None:
        """Copy what an agent gets; links inside the folder become the files that they lead to."""
        for path in self.files:
            copy_file(self.folder / path, folder / path)

    def kept_in(self, folder: Path, more: Iterable[str] = ()) -> SkillSource:
        """Return a copy that stays as it is while its author goes on; `more` are further files."""
        copy = folder / self.folder.name
        if folder.exists():
            shutil.rmtree(folder)
        self.copy_to(copy)
        for path in more:
            copy_file(self.folder / path, copy / path)
        return SkillSource(copy)


def copy_file(source: Path, target: Path) -> None:
    """Copy a file with its right to be executed, and nothing else of it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    if os.access(source, os.X_OK):
        target.chmod(0o755)
