"""Reads the skills of each project into a `Workspace`, one project at a time, a file a turn."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from skillgauge.lsp.surroundings import Project

if TYPE_CHECKING:
    from skillgauge.document.workspace import SkillSummary, Workspace
    from skillgauge.lsp.server import SkillgaugeServer

log = logging.getLogger(__name__)

BURST_SECONDS = 0.05
"""Requests come in bursts: one scan answers them all."""


class Scanner:
    """Scans when asked, and tells the publisher when something has changed."""

    def __init__(self, server: SkillgaugeServer) -> None:
        """Scan nothing yet."""
        self.server = server
        self.pause = BURST_SECONDS
        self._wanted: dict[Project, None] = {}
        self._task: asyncio.Task[None] | None = None
        self._read: dict[Path, tuple[tuple[int, int], SkillSummary]] = {}

    def request(self, project: Project) -> None:
        """Have a project scanned (again) soon."""
        self._wanted[project] = None
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    def request_at(self, path: Path) -> None:
        """Have the project of a file scanned again."""
        self.request(self.server.session.around.project(path))

    async def wait(self) -> None:
        """Wait until nothing is left to scan."""
        while self._task is not None and not self._task.done():
            await asyncio.shield(self._task)

    async def _run(self) -> None:
        await asyncio.sleep(self.pause)
        changed = False
        while self._wanted:
            project = next(iter(self._wanted))
            del self._wanted[project]
            try:
                found = await self._scan(project)
            except Exception:
                log.exception("Can't scan %s", project.root)
                continue
            changed |= self.server.session.around.set_workspace(project, found)
        if changed:
            self.server.publisher.everything()
            self.server.collisions.soon()

    async def _scan(self, project: Project) -> Workspace:
        from skillgauge.document.workspace import Workspace

        paths: list[str] = []
        for path in self._walk(project):
            await asyncio.sleep(0)
            if path:
                paths.append(path)
        skills: list[SkillSummary] = []
        for path in sorted(paths):
            skills.append(self._summary(Path(path)))
            await asyncio.sleep(0)
        return Workspace(project.root, tuple(skills))

    def _walk(self, project: Project) -> Iterator[str | None]:
        """Yield the skills of a project, and None for each folder."""
        from skillgauge.discover import MAX_FOLDERS, Walker

        around = self.server.session.around
        walker = Walker(lambda folder: around.config_of(Path(folder)), MAX_FOLDERS, project.depth)
        root = str(project.root)
        for found in walker.walk(root, root):
            if found is None:
                yield None
            elif found.kind == "skill":
                yield found.path

    def _summary(self, path: Path) -> SkillSummary:
        """Return the summary of a skill; a file that has not changed is not read again."""
        from skillgauge.document.skill import load_skill
        from skillgauge.document.workspace import summarise

        try:
            found = os.stat(path)
            time = (found.st_mtime_ns, found.st_size)
        except OSError:
            time = (-1, -1)
        known = self._read.get(path)
        if known is None or known[0] != time:
            known = self._read[path] = (time, summarise(load_skill(path)))
        return known[1]
