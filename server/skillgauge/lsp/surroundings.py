"""What lies around a document: its configuration, its folder, and the skills beside it.

A file's project is worked out as on the command line: the folder of its configuration, else its git
repository, else the folder that the editor has open, else the folder that holds the skill's own.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skillgauge.lsp.options import Options

if TYPE_CHECKING:
    from skillgauge.config import Config
    from skillgauge.document.workspace import Workspace
    from skillgauge.errors import ConfigError
    from skillgauge.lsp.kept_folder import KeptFolder

log = logging.getLogger(__name__)

FOLDER_SECONDS: Final = 2.0
"""How long a folder's listing is trusted when the client does not watch files for us."""
WATCHED_FOLDER_SECONDS: Final = 10.0
"""The same when it does: it watches the usual folders of a skill, not every file."""
MAX_FOLDERS: Final = 2_000
"""Folders whose listings are kept; those asked for longest ago go first."""


@dataclass(frozen=True, slots=True)
class Project:
    """The folder whose skills are neighbours; `depth` limits how far down they are looked for."""

    root: Path
    depth: int | None = None


@dataclass
class Surroundings:
    """Asked with every keystroke, worked out seldom. All access is on the event loop."""

    roots: list[Path] = field(default_factory=list[Path])
    """The folders that the editor has open."""
    watching: bool = False
    """Whether the client tells of changed files."""
    options: Options = field(default_factory=Options)
    config_read: Callable[[Path, Sequence[ConfigError]], None] | None = None
    """Told of each configuration file that was read, with its faults."""
    wants_scan: Callable[[Project], None] | None = None
    """Told of a project whose skills are not known yet."""
    _configs: dict[Path, Config] = field(default_factory=dict[Path, "Config"])
    _loaded: dict[Path, Config | None] = field(default_factory=dict[Path, "Config | None"])
    _good: dict[Path, Config] = field(default_factory=dict[Path, "Config"])
    _clients: dict[tuple[Path, tuple[str, ...]], tuple[str, ...]] = field(
        default_factory=dict[tuple[Path, tuple[str, ...]], tuple[str, ...]]
    )
    _projects: dict[Path, Project] = field(default_factory=dict[Path, Project])
    _folders: dict[Path, tuple[KeptFolder, float]] = field(
        default_factory=dict[Path, tuple["KeptFolder", float]]
    )
    _workspaces: dict[Project, Workspace] = field(default_factory=dict[Project, "Workspace"])
    _members: dict[Project, frozenset[Path]] = field(default_factory=dict[Project, frozenset[Path]])
    _joined: dict[Path, tuple[Workspace, Workspace]] = field(
        default_factory=dict[Path, tuple["Workspace", "Workspace"]]
    )

    # --- configuration -----------------------------------------------------------------------

    def config(self, path: Path | None) -> Config:
        """Return the configuration in force for a file; for None, that of a text without one."""
        return self.config_of(path.parent if path else self._somewhere())

    def config_of(self, folder: Path) -> Config:
        """Return the configuration in force in a folder."""
        from skillgauge.config import Config, find_config

        if (known := self._configs.get(folder)) is not None:
            return known
        found = find_config(folder)
        config = self._load(found) if found else None
        made = config or Config.default(self._bare(folder).root)
        made = self._configs[folder] = self.options.adjust(made)
        return made

    def _load(self, path: Path) -> Config | None:
        """Return what a file says; if it can't be taken, what it said last."""
        from skillgauge.config_reader import read_config

        if path not in self._loaded:
            config, faults = read_config(path)
            if not faults:
                self._good[path] = config
            self._loaded[path] = self._good.get(path)  # known before anybody is told and asks
            for fault in faults:
                log.warning("%s", fault)
            if self.config_read:
                self.config_read(path, faults)
        return self._loaded[path]

    def _somewhere(self) -> Path:
        return self.roots[0] if self.roots else Path.cwd()

    def clients(self, config: Config) -> tuple[str, ...]:
        """Return the ids of the clients that a configuration, or else its root, is made for."""
        key = (config.root, config.clients)
        if key not in self._clients:
            self._clients[key] = config.client_ids()
        return self._clients[key]

    def forget_configs(self) -> None:
        """Look for configuration files again when next asked."""
        self._configs.clear()
        self._loaded.clear()
        self._clients.clear()
        self._projects.clear()

    # --- projects ----------------------------------------------------------------------------

    def root_of(self, path: Path) -> Path | None:
        """Return the outermost of the editor's folders that holds a path."""
        holding = [root for root in self.roots if path.is_relative_to(root)]
        return min(holding, key=lambda root: len(root.parts), default=None)

    def project(self, path: Path) -> Project:
        """Return the project of a file."""
        folder = path.parent
        if folder not in self._projects:
            config = self.config_of(folder)
            own = config.path is not None and folder.is_relative_to(config.root)
            self._projects[folder] = Project(config.root) if own else self._bare(folder)
        return self._projects[folder]

    def _bare(self, folder: Path) -> Project:
        """Return the project where no configuration says it."""
        from skillgauge.discover import find_skill, git_root

        root = git_root(str(folder))
        if root:
            return Project(Path(root))
        if (opened := self.root_of(folder)) is not None:
            return Project(opened)
        beside = folder.name == "evals" and find_skill(str(folder.parent))
        return Project(folder.parent.parent if beside else folder.parent, 1)

    # --- folders -----------------------------------------------------------------------------

    def folder(self, path: Path) -> KeptFolder:
        """Return a folder's listing, not older than the client's watching warrants.

        The same object comes back as long as nothing in the folder has changed.
        """
        from skillgauge.lsp.kept_folder import KeptFolder

        now = time.monotonic()
        known = self._folders.pop(path, None)
        limit = WATCHED_FOLDER_SECONDS if self.watching else FOLDER_SECONDS
        folder, asked = known or (None, 0.0)
        if folder is None or (now - asked >= limit and not folder.is_fresh()):
            folder, asked = KeptFolder(path), now
        elif now - asked >= limit:
            asked = now
        self._folders[path] = (folder, asked)  # the last one now
        while len(self._folders) > MAX_FOLDERS:
            del self._folders[next(iter(self._folders))]
        return folder

    def changed(self, path: Path) -> None:
        """List again the folders that hold a changed file, if they have changed."""
        for folder in [folder for folder in self._folders if path.is_relative_to(folder)]:
            self._folders[folder] = (self._folders[folder][0], float("-inf"))

    # --- neighbours --------------------------------------------------------------------------

    def workspace(self, path: Path | None, *, scan: bool = True) -> Workspace | None:
        """Return the skills around a file; while it is None, a scan is on its way if asked for."""
        if path is None:
            return None
        project = self.project(path)
        known = self._workspaces.get(project)
        if known is None:
            if scan and self.wants_scan:
                self.wants_scan(project)
            return None
        if path.name.lower() != "skill.md" or path in self._members[project]:
            return known
        return self._joined_by(known, path) if path.is_file() else known

    def _joined_by(self, known: Workspace, path: Path) -> Workspace:
        """Return the neighbours of a skill; one that is passed over joins only its own."""
        usual, joined = self._joined.get(path, (None, known))
        if usual is not known:
            from skillgauge.document.skill import load_skill
            from skillgauge.document.workspace import summarise

            skills = (*known.skills, summarise(load_skill(path)))
            joined = replace(known, skills=tuple(sorted(skills, key=lambda item: str(item.path))))
            self._joined[path] = (known, joined)
        return joined

    def set_workspace(self, project: Project, workspace: Workspace) -> bool:
        """Take the result of a scan; return whether it differs from what was known."""
        if self._workspaces.get(project) == workspace:
            return False
        self._workspaces[project] = workspace
        self._members[project] = frozenset(skill.path for skill in workspace.skills)
        self._joined.clear()
        return True

    def replace_workspace(self, project: Project, workspace: Workspace) -> None:
        """Take the same skills with something else said of them."""
        self._workspaces[project] = workspace
        self._joined.clear()

    def forget_workspace(self, project: Project) -> None:
        """Forget a project that nothing belongs to any more."""
        self._workspaces.pop(project, None)

    def workspaces(self) -> dict[Project, Workspace]:
        """Return all projects that have been scanned."""
        return dict(self._workspaces)
