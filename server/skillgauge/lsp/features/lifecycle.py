"""Start and surroundings: roots, capabilities, configuration, watched files, workspace scans."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types as lsp

from skillgauge.lsp.session import path_of
from skillgauge.text import Encoding

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

log = logging.getLogger(__name__)

WATCHED = (
    "**/[Ss][Kk][Ii][Ll][Ll].[Mm][Dd]",
    "**/{scripts,references,reference,assets,resources,templates,evals}/**",
    "**/skillgauge.toml",
    "**/pyproject.toml",
)


def register(server: SkillgaugeServer) -> None:
    """Register the handlers of the session's life."""

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        session = server.session
        session.encoding = _encoding(server)
        folders = list(params.workspace_folders or ())
        uris = [folder.uri for folder in folders] or [params.root_uri or ""]
        session.roots = [path for uri in uris if (path := path_of(uri)) is not None]
        if not session.roots and params.root_path:
            session.roots = [Path(params.root_path)]
        options = params.initialization_options
        server.options = cast("dict[str, Any]", options) if isinstance(options, dict) else {}

    @server.feature(lsp.INITIALIZED)
    async def initialized(params: lsp.InitializedParams) -> None:
        session = server.session
        session.encoding = _encoding(server)
        session.config_failed = server.publisher.config_failed
        for root in list(session.roots):  # before anything is awaited: requests wait for them
            server.scanner.request(root)
        workspace = server.client_capabilities.workspace
        files = workspace.did_change_watched_files if workspace else None
        if files and files.dynamic_registration:
            watchers = [lsp.FileSystemWatcher(pattern) for pattern in WATCHED]
            await server.client_register_capability_async(
                lsp.RegistrationParams(
                    [
                        lsp.Registration(
                            "skillgauge-files",
                            lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                            lsp.DidChangeWatchedFilesRegistrationOptions(watchers),
                        )
                    ]
                )
            )
            session.watching = True

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configuration(params: lsp.DidChangeConfigurationParams) -> None:
        reload(server)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(params: lsp.DidChangeWatchedFilesParams) -> None:
        paths = [path for change in params.changes if (path := path_of(change.uri)) is not None]
        if any(path.name in ("skillgauge.toml", "pyproject.toml") for path in paths):
            server.session.forget_configs()
        for path in paths:
            server.session.forget_folder(path)
            if path.name.lower() == "skill.md" and (root := server.session.root_of(path)):
                server.scanner.request(root)
        server.session.renew()
        server.publisher.everything()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders(params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        session = server.session
        removed = {path_of(folder.uri) for folder in params.event.removed}
        session.roots = [root for root in session.roots if root not in removed]
        for root in removed:
            if root is not None:
                session.forget_workspace(root)
        for folder in params.event.added:
            if (root := path_of(folder.uri)) is not None and root not in session.roots:
                session.roots.append(root)
                server.scanner.request(root)
        reload(server)


def reload(server: SkillgaugeServer) -> None:
    """Read the configuration again and judge every open document anew."""
    server.session.forget_configs()
    server.session.renew()
    server.publisher.everything()


def _encoding(server: SkillgaugeServer) -> Encoding:
    """Return what pygls agreed on with the client; known once it has answered `initialize`."""
    try:
        chosen = server.workspace.position_encoding
    except RuntimeError:
        return "utf-16"
    encodings: dict[lsp.PositionEncodingKind | str | None, Encoding] = {
        lsp.PositionEncodingKind.Utf8: "utf-8",
        lsp.PositionEncodingKind.Utf32: "utf-32",
    }
    return encodings.get(chosen, "utf-16")


class Scanner:
    """Reads the skills of each root into a `Workspace`, one root at a time, a few files a turn."""

    def __init__(self, server: SkillgaugeServer) -> None:
        """Scan nothing yet."""
        self.server = server
        self._wanted: dict[Path, None] = {}
        self._task: asyncio.Task[None] | None = None

    def request(self, root: Path) -> None:
        """Have a root scanned (again) soon."""
        self._wanted[root] = None
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def wait(self) -> None:
        """Wait until nothing is left to scan."""
        while self._task is not None and not self._task.done():
            await asyncio.shield(self._task)

    async def _run(self) -> None:
        await asyncio.sleep(0.05)  # requests come in bursts
        while self._wanted:
            root = next(iter(self._wanted))
            del self._wanted[root]
            try:
                await self._scan(root)
            except OSError as error:
                log.warning("Can't scan %s: %s", root, error)
            self.server.session.renew()
            self.server.publisher.everything()

    async def _scan(self, root: Path) -> None:
        from skillgauge.discover import walk_workspace

        session = self.server.session
        steps = walk_workspace(root, session.config(root / "SKILL.md"))
        for step in steps:
            if step is None:
                await asyncio.sleep(0)
            else:
                session.set_workspace(root, step)
