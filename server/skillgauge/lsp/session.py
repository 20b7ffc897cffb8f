"""The open documents, each as a `Snapshot`; with what lies around them, the only mutable state."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skillgauge.lsp.surroundings import Surroundings
from skillgauge.lsp.uris import JUDGED, Kind, kind_of, path_of, uri_of

if TYPE_CHECKING:
    from skillgauge.lsp.snapshot import Around, Snapshot
    from skillgauge.text import Encoding, Text

MAX_CLOSED: Final = 2_000
MAX_CLOSED_CHARACTERS: Final = 32 * 1024 * 1024
"""Files on disk whose findings are kept; those asked for longest ago go first."""

FileTime = tuple[int, int]


@dataclass
class Session:
    """What the server knows. All access is on the event loop."""

    encoding: Encoding = "utf-16"
    around: Surroundings = field(default_factory=Surroundings)
    _open: dict[str, Snapshot] = field(default_factory=dict[str, "Snapshot"])
    _uris: dict[Path, str] = field(default_factory=dict[Path, str])
    """The URI of each open file: editors spell them in more than one way."""
    _closed: dict[str, tuple[FileTime, Snapshot]] = field(
        default_factory=dict[str, tuple[FileTime, "Snapshot"]]
    )
    _characters: int = 0
    """Those of the files in `_closed`."""

    def opened(self, uri: str, language: str, version: int | None, text: str) -> Snapshot:
        """Take a document that was opened."""
        self._drop(uri)
        if (path := path_of(uri)) is not None:
            self.around.changed(path)
            self._uris[path] = uri
        return self._put(uri, version, text, kind_of(uri, language, text))

    def changed(self, uri: str, version: int | None, text: str) -> Snapshot:
        """Take a document's new text."""
        known = self._open.get(uri)
        return self._put(uri, version, text, known.kind if known else kind_of(uri))

    def closed(self, uri: str) -> None:
        """Forget a document."""
        self._open.pop(uri, None)
        if (path := path_of(uri)) is not None:
            self._uris.pop(path, None)

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
        if path is None:
            return None
        if (spelt := self._uris.get(path)) is not None:
            return self._open[spelt]
        return self._on_disk(uri, path)

    def at(self, path: Path) -> Snapshot | None:
        """Return the newest snapshot of a file."""
        return self.snapshot(self.uri_of(path))

    def uri_of(self, path: Path) -> str:
        """Return a file's URI, spelt as the editor does if it has the file open."""
        return self._uris.get(path) or uri_of(path)

    def open_snapshots(self) -> Iterator[Snapshot]:
        """Yield the newest snapshot of every open document."""
        yield from list(self._open.values())

    def renew(self) -> None:
        """Look again at what lies around all open documents.

        Where nothing there has changed, the snapshot stays, and with it what it has worked out.
        """
        for uri, old in list(self._open.items()):
            made = self._make(uri, old.version, old.text, old.kind, old.problem)
            self._open[uri] = made.following(old)

    def text_of(self, path: Path) -> Text | None:
        """Return the text of a file as the editor or the disk has it, None if there is none."""
        held = self.at(path)
        return held.text if held is not None and not held.problem else None

    def _put(self, uri: str, version: int | None, text: str, kind: Kind) -> Snapshot:
        from skillgauge.lsp.snapshot import problem_of
        from skillgauge.text import Text

        made = self._make(uri, version, Text(text), kind, problem_of(text))
        known = self._open.get(uri)
        self._open[uri] = made if known is None else made.following(known)
        return self._open[uri]

    def _on_disk(self, uri: str, path: Path) -> Snapshot | None:
        from skillgauge.document.files import read_file

        try:
            found = os.stat(path)
        except (OSError, ValueError):
            self._drop(uri)
            return None
        if not stat.S_ISREG(found.st_mode):
            return None
        time = (found.st_mtime_ns, found.st_size)
        read_at, known = self._drop(uri)
        if known is not None and read_at == time:
            made = self._make(uri, None, known.text, known.kind, known.problem).following(known)
        else:
            text, problem = read_file(path)
            made = self._make(uri, None, text, kind_of(uri), problem)
        self._keep(uri, time, made)
        return made

    def _keep(self, uri: str, time: FileTime, made: Snapshot) -> None:
        self._closed[uri] = (time, made)  # the last one now
        self._characters += len(made.text)
        while len(self._closed) > MAX_CLOSED or self._characters > MAX_CLOSED_CHARACTERS:
            self._drop(next(iter(self._closed)))

    def _drop(self, uri: str) -> tuple[FileTime | None, Snapshot | None]:
        time, snapshot = self._closed.pop(uri, (None, None))
        self._characters -= len(snapshot.text) if snapshot else 0
        return time, snapshot

    def _make(
        self, uri: str, version: int | None, text: Text, kind: Kind, problem: str
    ) -> Snapshot:
        from skillgauge.lsp.snapshot import Snapshot

        path = path_of(uri)
        return Snapshot(uri, version, text, kind, path, self._around(path, kind), problem)

    def _around(self, path: Path | None, kind: Kind) -> Around:
        from skillgauge.lsp.snapshot import Around

        around, judged = self.around, kind in JUDGED
        config = around.config(path)
        folder = path.parent if path and judged else None
        if folder is not None and kind is Kind.EVALS:
            folder = folder.parent
        return Around(
            config=config,
            clients=around.clients(config),
            folder=around.folder(folder) if folder else None,
            workspace=around.workspace(path, scan=judged),
        )
