"""The server's only mutable state: open documents, configuration, folders and workspaces.

Handlers take a `Snapshot` and never look back at the session: a snapshot is frozen, and everything
derived from it (document, findings, digest) is computed once and shared.
"""

from __future__ import annotations

import enum
import hashlib
import logging
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from skillgauge.document.evals import EvalFile
from skillgauge.document.files import read_file, too_large
from skillgauge.document.folder import DiskFolder
from skillgauge.document.skill import Skill, load_skill
from skillgauge.document.workspace import Workspace
from skillgauge.engine import Document, Result, check
from skillgauge.text import Encoding, Text

if TYPE_CHECKING:
    from skillgauge.config import Config

log = logging.getLogger(__name__)

FOLDER_SECONDS: Final = 2.0
"""How long a folder's listing is trusted when the client does not watch files for us."""
WATCHED_FOLDER_SECONDS: Final = 60.0

_EVALS: Final = re.compile(
    r"(?:\A|/)(?:evals\.(?:jsonl?|ya?ml)|evals/config\.ya?ml)\Z", re.IGNORECASE
)
_CONFIGS: Final = ("skillgauge.toml", "pyproject.toml")


class Kind(enum.Enum):
    """What a document is to us, by its file name alone: language ids differ between editors."""

    SKILL = "skill"
    EVALS = "evals"
    CONFIG = "config"
    RESOURCE = "resource"
    """Any other file: navigation works in it, findings don't."""


def kind_of(uri: str, language: str = "", text: str = "") -> Kind:
    """Return what a document is; one without a file goes by language or looks."""
    path = urlsplit(uri).path
    name = unquote(path.rsplit("/", 1)[-1])
    if name.lower() == "skill.md":
        return Kind.SKILL
    if _EVALS.search(path):
        return Kind.EVALS
    if name in _CONFIGS:
        return Kind.CONFIG
    if not uri.startswith("file:"):
        looks = re.match(r"\ufeff?---\s*\n(?:.*\n)*?(?:name|description):", text[:4000])
        if language == "skill" or (language in ("markdown", "") and looks):
            return Kind.SKILL
    return Kind.RESOURCE


@dataclass(frozen=True)
class Snapshot:
    """One version of one document, with what was known around it at that moment."""

    uri: str
    version: int | None
    text: Text
    kind: Kind
    path: Path | None
    config: Config
    clients: tuple[str, ...]
    """Ids of the clients that the workspace targets."""
    folder: DiskFolder | None
    workspace: Workspace | None
    problem: str = ""

    @cached_property
    def document(self) -> Document | None:
        """The parsed document, None for files that rules don't judge."""
        if self.kind is Kind.SKILL:
            return self.skill
        if self.kind is Kind.EVALS:
            return EvalFile(self.text, self.path, self._skill_beside(), self.problem)
        return None

    @cached_property
    def skill(self) -> Skill:
        """The document read as a skill: also right for any other Markdown file's navigation."""
        return Skill(self.text, self.path, self.folder, self.workspace, self.clients, self.problem)

    def _skill_beside(self) -> Skill | None:
        if self.path is None:
            return None
        beside = self.path.parent.parent / "SKILL.md"
        return load_skill(beside, None, self.clients) if beside.is_file() else None

    @cached_property
    def result(self) -> Result:
        """The findings and the structural score."""
        if self.document is None:
            return Result((), None)
        return check(self.document, self.config.settings(self.path))

    @cached_property
    def digest(self) -> str:
        """A hash of what a client is shown, so that equal reports are told as unchanged."""
        shown = hashlib.blake2b(digest_size=16)
        for finding in self.result.findings:
            start = self.text.position(finding.span.start)
            end = self.text.position(finding.span.end)
            shown.update(
                repr((start, end, finding.code, finding.severity, finding.message)).encode()
            )
            shown.update(
                repr((finding.related, finding.fix is not None)).encode("utf-8", "replace")
            )
        return shown.hexdigest()


@dataclass
class Session:
    """What the server knows. All access is on the event loop."""

    encoding: Encoding = "utf-16"
    roots: list[Path] = field(default_factory=list[Path])
    watching: bool = False
    """Whether the client tells of changed files."""
    _open: dict[str, Snapshot] = field(default_factory=dict[str, Snapshot])
    _configs: dict[Path, Config] = field(default_factory=dict[Path, "Config"])
    _clients: dict[Path, tuple[str, ...]] = field(default_factory=dict[Path, tuple[str, ...]])
    _folders: dict[Path, tuple[DiskFolder, float]] = field(
        default_factory=dict[Path, tuple[DiskFolder, float]]
    )
    _workspaces: dict[Path, Workspace] = field(default_factory=dict[Path, Workspace])
    config_failed: Callable[[Exception], None] | None = None
    """Told of a configuration file that can't be taken; the last good one stays in force."""

    # --- documents ---------------------------------------------------------------------------

    def opened(self, uri: str, language: str, version: int | None, text: str) -> Snapshot:
        """Take a document that was opened."""
        return self._put(uri, version, Text(text), kind_of(uri, language, text))

    def changed(self, uri: str, version: int | None, text: str) -> Snapshot:
        """Take a document's new text."""
        known = self._open.get(uri)
        return self._put(uri, version, Text(text), known.kind if known else kind_of(uri))

    def closed(self, uri: str) -> None:
        """Forget a document."""
        self._open.pop(uri, None)

    def is_open(self, uri: str) -> bool:
        """Return whether the editor holds the document."""
        return uri in self._open

    def is_current(self, snapshot: Snapshot) -> bool:
        """Return whether a snapshot is still the newest: nothing else may be shown."""
        return self._open.get(snapshot.uri) is snapshot

    def snapshot(self, uri: str) -> Snapshot | None:
        """Return the newest snapshot of a document: the editor's, else the file's on disk."""
        if known := self._open.get(uri):
            return known
        path = path_of(uri)
        if path is None or not path.is_file():
            return None
        text, problem = read_file(path)
        return self._make(uri, None, text, kind_of(uri), problem)

    def open_snapshots(self) -> Iterator[Snapshot]:
        """Yield the newest snapshot of every open document."""
        yield from list(self._open.values())

    def renew(self) -> None:
        """Make new snapshots of all open documents: something around them changed."""
        for old in list(self._open.values()):
            self._put(old.uri, old.version, old.text, old.kind)

    def _put(self, uri: str, version: int | None, text: Text, kind: Kind) -> Snapshot:
        problem = too_large(len(text))
        made = self._open[uri] = self._make(uri, version, text, kind, problem)
        return made

    def _make(
        self, uri: str, version: int | None, text: Text, kind: Kind, problem: str = ""
    ) -> Snapshot:
        path = path_of(uri)
        config = self.config(path)
        return Snapshot(
            uri=uri,
            version=version,
            text=text,
            kind=kind,
            path=path,
            config=config,
            clients=self.clients(config),
            folder=self.folder(path.parent) if path else None,
            workspace=self.workspace(path),
            problem=problem,
        )

    # --- what is around them -----------------------------------------------------------------

    def config(self, path: Path | None) -> Config:
        """Return the configuration in force for a file."""
        from skillgauge.config import Config, find_config, load_config

        start = path.parent if path else (self.roots[0] if self.roots else Path.cwd())
        if (known := self._configs.get(start)) is not None:
            return known
        found = find_config(start)
        config = None
        if found is not None:
            try:
                config = load_config(found)
            except Exception as error:
                log.warning("%s", error)
                if self.config_failed:
                    self.config_failed(error)
        if config is None:
            config = Config.default(self.root_of(start) or start)
        self._configs[start] = config
        return config

    def clients(self, config: Config) -> tuple[str, ...]:
        """Return the ids of the clients that a configuration, or else its root, is made for."""
        known = self._clients.get(config.root)
        if known is None:
            known = self._clients[config.root] = config.client_ids()
        return known

    def forget_configs(self) -> None:
        """Read configuration files again when next asked."""
        self._configs.clear()
        self._clients.clear()

    def folder(self, path: Path) -> DiskFolder:
        """Return a folder's listing, not older than the client's watching warrants."""
        now = time.monotonic()
        known = self._folders.get(path)
        limit = WATCHED_FOLDER_SECONDS if self.watching else FOLDER_SECONDS
        if known is not None and now - known[1] < limit:
            return known[0]
        made = DiskFolder(path)
        self._folders[path] = (made, now)
        return made

    def forget_folder(self, changed: Path) -> None:
        """List again the folders that hold a changed file."""
        for folder in [folder for folder in self._folders if changed.is_relative_to(folder)]:
            del self._folders[folder]

    def root_of(self, path: Path) -> Path | None:
        """Return the innermost workspace folder that holds a path."""
        holding = [root for root in self.roots if path.is_relative_to(root)]
        return max(holding, key=lambda root: len(root.parts), default=None)

    def workspace(self, path: Path | None) -> Workspace | None:
        """Return the skills around a file, None until its root has been scanned."""
        if path is None:
            return None
        holding = [root for root in self._workspaces if path.is_relative_to(root)]
        root = max(holding, key=lambda root: len(root.parts), default=None)
        return self._workspaces[root] if root else None

    def set_workspace(self, root: Path, workspace: Workspace) -> None:
        """Take the result of a scan."""
        self._workspaces[root] = workspace

    def forget_workspace(self, root: Path) -> None:
        """Forget a root that the client removed."""
        self._workspaces.pop(root, None)

    def workspaces(self) -> dict[Path, Workspace]:
        """Return all scanned workspaces by root."""
        return dict(self._workspaces)


def path_of(uri: str) -> Path | None:
    """Return the path of a `file:` URI, None for others."""
    from pygls.uris import to_fs_path

    path = to_fs_path(uri)
    return Path(path) if path and uri.startswith("file:") else None


def uri_of(path: Path) -> str:
    """Return the `file:` URI of a path, percent-encoded as editors do."""
    from pygls.uris import from_fs_path

    return from_fs_path(str(path)) or path.as_uri()
