"""Start and surroundings: folders, options, configuration, watched files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types as lsp

from skillgauge.lsp.options import SECTION, read_options
from skillgauge.lsp.surroundings import Project
from skillgauge.lsp.uris import path_of

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.text import Encoding

WATCHED = (
    "**/[Ss][Kk][Ii][Ll][Ll].[Mm][Dd]",
    "**/{scripts,references,reference,assets,resources,templates,evals}/**",
    "**/skillgauge.toml",
    "**/pyproject.toml",
)
CONFIGS = ("skillgauge.toml", "pyproject.toml")


def register(server: SkillgaugeServer) -> None:
    """Register the handlers of the session's life."""

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        """Only what can't wait: the client waits for the reply, and nothing is loaded yet."""
        session = server.session
        session.encoding = _encoding(server)
        uris = [folder.uri for folder in params.workspace_folders or ()]
        uris = uris or [params.root_uri or ""]
        session.around.roots = [path for uri in uris if (path := path_of(uri)) is not None]
        if not session.around.roots and params.root_path:
            session.around.roots = [Path(params.root_path)]
        server.initial_options = params.initialization_options
        if not _wants_tokens(server, params):
            server.withdraw(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL)

    @server.feature(lsp.INITIALIZED)
    async def initialized(params: lsp.InitializedParams) -> None:
        around = server.session.around
        around.config_read = server.publisher.config_read
        around.wants_scan = server.scanner.request
        _take(server, server.initial_options)
        for root in around.roots:
            server.scanner.request(Project(root))
        await _register(server)
        await _ask_for_settings(server)
        await server.warm_up()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configuration(params: lsp.DidChangeConfigurationParams) -> None:
        if not await _ask_for_settings(server):
            _take(server, params.settings)
            server.reload()
            await server.scores.renew()
            await server.lift.renew()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(params: lsp.DidChangeWatchedFilesParams) -> None:
        paths = [path for change in params.changes if (path := path_of(change.uri)) is not None]
        for path in paths:
            server.session.around.changed(path)
            server.lift.touched(path)
            if path.name.lower() == "skill.md":
                server.scanner.request_at(path)
        configs = [path for path in paths if path.name in CONFIGS]
        for path in configs:
            if not path.is_file():
                server.publisher.config_read(path, ())
        if configs:
            server.reload()
        else:
            server.publisher.everything()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders(params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        around = server.session.around
        removed = {path_of(folder.uri) for folder in params.event.removed}
        around.roots = [root for root in around.roots if root not in removed]
        added = [root for folder in params.event.added if (root := path_of(folder.uri))]
        around.roots += [root for root in added if root not in around.roots]
        server.reload()
        for root in added:
            server.scanner.request(Project(root))


async def _register(server: SkillgaugeServer) -> None:
    """Have the client tell of changed files and of changed settings, if it can."""
    workspace = server.client_capabilities.workspace
    files = workspace.did_change_watched_files if workspace else None
    settings = workspace.did_change_configuration if workspace else None
    wishes: list[lsp.Registration] = []
    if files and files.dynamic_registration:
        watchers = [lsp.FileSystemWatcher(pattern) for pattern in WATCHED]
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
        method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
        wishes.append(lsp.Registration("skillgauge-files", method, options))
    if settings and settings.dynamic_registration:
        section = lsp.DidChangeConfigurationRegistrationOptions(section=SECTION)
        method = lsp.WORKSPACE_DID_CHANGE_CONFIGURATION
        wishes.append(lsp.Registration("skillgauge-settings", method, section))
    if wishes:
        await server.client_register_capability_async(lsp.RegistrationParams(wishes))
    server.session.around.watching = bool(files and files.dynamic_registration)


async def _ask_for_settings(server: SkillgaugeServer) -> bool:
    """Ask the client for its settings and take them; return whether it can be asked."""
    workspace = server.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return False
    item = lsp.ConfigurationItem(section=SECTION)
    found = await server.workspace_configuration_async(lsp.ConfigurationParams([item]))
    before = server.session.around.options
    _take(server, found[0] if found else None)
    if server.session.around.options != before:
        server.reload()
        await server.scores.renew()
        await server.lift.renew()
    return True


def _take(server: SkillgaugeServer, given: object) -> None:
    """Take options, which add to those of `initialize`; the user is told of what is wrong."""
    around = server.session.around
    first, faults = read_options(_plain(server.initial_options))
    trusted = first.trusted if server.trust is None else server.trust
    if given is not server.initial_options:
        first, faults = read_options(_plain(given), replace(first, trusted=trusted))
    if trusted is False:  # settings may be the workspace's own
        first = replace(first, trusted=False)
    if first != around.options:
        around.options = first
        around.forget_configs()
    for fault in faults:
        message = f"Skillgauge: {fault}"
        server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, message))


async def take_trust(server: SkillgaugeServer, trusted: bool) -> None:
    """Follow the user's decision on the workspace, which settings can't make."""
    server.trust = trusted
    around = server.session.around
    around.options = replace(around.options, trusted=trusted)
    await server.lift.renew()


def _plain(value: object) -> object:
    """Return JSON as Python has it: objects come as named tuples from some readers."""
    if hasattr(value, "_asdict"):
        return {key: _plain(item) for key, item in cast("Any", value)._asdict().items()}
    return value


def _wants_tokens(server: SkillgaugeServer, params: lsp.InitializeParams) -> bool:
    """Return whether semantic tokens add something: VS Code has its own for a SKILL.md."""
    options = _plain(params.initialization_options)
    if isinstance(options, Mapping):
        asked = cast("Mapping[str, object]", options).get("semanticTokens")
        if isinstance(asked, bool):
            return asked
    name = params.client_info.name.lower() if params.client_info else ""
    return not name.startswith(("visual studio code", "vscode", "code - oss"))


def _encoding(server: SkillgaugeServer) -> Encoding:
    """Return what pygls agreed on with the client."""
    encodings: dict[lsp.PositionEncodingKind | str | None, Encoding] = {
        lsp.PositionEncodingKind.Utf8: "utf-8",
        lsp.PositionEncodingKind.Utf32: "utf-32",
    }
    return encodings.get(server.workspace.position_encoding, "utf-16")
