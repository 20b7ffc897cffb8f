"""Has the scorer say which skills' descriptions are alike; until it has, words alone decide."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from skillgauge.errors import UserError

if TYPE_CHECKING:
    from skillgauge.document.workspace import Workspace
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.surroundings import Project

log = logging.getLogger(__name__)


class Collisions:
    """Asks in the background, once a scorer is there, and again when skills have changed."""

    def __init__(self, server: SkillgaugeServer) -> None:
        """Ask nothing yet."""
        self.server = server
        self._answered: dict[Project, Workspace] = {}
        """The workspaces as they are with what the scorer has said of them."""
        self._task: asyncio.Task[None] | None = None

    @property
    def idle(self) -> bool:
        """Whether nothing is being asked."""
        return self._task is None or self._task.done()

    def soon(self) -> None:
        """Ask about the workspaces that nothing is known of, if the scorer is there."""
        if self.server.scores.scorer is not None and self.server.scores.wanted and self.idle:
            self._task = asyncio.create_task(self._run())

    def close(self) -> None:
        """Ask no more."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        changed = False
        try:
            while (found := self._next()) is not None:
                changed |= await self._compare(*found)
        except Exception:
            log.exception("Descriptions can't be compared")
        if changed:
            self.server.publisher.everything()

    def _next(self) -> tuple[Project, Workspace] | None:
        """Return a workspace that nothing has been asked about yet."""
        for project, workspace in self.server.session.around.workspaces().items():
            if self._answered.get(project) is not workspace and len(workspace.listed) > 1:
                return project, workspace
        return None

    async def _compare(self, project: Project, workspace: Workspace) -> bool:
        """Have a workspace's descriptions compared; return whether that changes anything."""
        around = self.server.session.around
        self._answered[project] = workspace  # whatever comes of it, it is not asked again
        try:
            made = await self._ask(workspace)
        except (UserError, OSError) as error:
            log.info("Descriptions are not compared: %s", error)
            return False
        if around.workspaces().get(project) is not workspace:
            return False  # a scan has come in between
        if made.collisions == workspace.collisions:
            return False
        self._answered[project] = made
        around.replace_workspace(project, made)
        return True

    async def _ask(self, workspace: Workspace) -> Workspace:
        from skillgauge.cache import default_folder
        from skillgauge.document.routing import Likeness, collisions

        listed = [skill for skill in workspace.listed if skill.model_invocable]
        skills = [
            {"name": skill.name, "description": f"{skill.description} {skill.when_to_use}".strip()}
            for skill in listed
        ]
        params: dict[str, Any] = {
            "document": f"collisions {workspace.root}",
            "skills": skills,
            "cache": str(default_folder() / "scores"),
        }
        reply = await self.server.scores.ask("collisions", params)
        alike = cast("list[tuple[int, int, float]]", reply["pairs"])
        pairs = {(listed[one].path, listed[other].path): value for one, other, value in alike}
        made = replace(workspace)
        found = collisions(workspace.listed, Likeness(pairs, float(reply["same"])))
        vars(made)["collisions"] = found  # in place of what words alone would say
        return made
