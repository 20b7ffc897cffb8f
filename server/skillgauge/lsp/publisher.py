"""Sends findings, each set with its version and never a stale one, or has the client ask again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types as lsp

from skillgauge.lsp.convert import SOURCE, to_diagnostics
from skillgauge.lsp.uris import JUDGED

if TYPE_CHECKING:
    from skillgauge.errors import ConfigError
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot

PAUSE: Final = 0.001
"""Seconds without a further change after which a document is judged: a burst is judged once."""
PATIENCE: Final = 0.1
"""Seconds after which it is judged although changes go on."""
REFRESH_SECONDS: Final = 0.05
CONFIG_PAUSE: Final = 0.2
"""Seconds without a further change after which an open configuration file is judged."""


class Publisher:
    """Pushes to clients that don't ask; tells the others when to ask again."""

    def __init__(self, server: SkillgaugeServer) -> None:
        """Publish nothing yet."""
        self.server = server
        self.refresh_pause = REFRESH_SECONDS
        self._shown: set[str] = set()
        self._waiting: dict[str, tuple[asyncio.TimerHandle, float]] = {}
        self._configs: dict[Path, asyncio.TimerHandle] = {}
        self._refresh: asyncio.Task[None] | None = None
        self._findings_too = False
        """Whether the client is to ask for more than lenses."""

    @property
    def pulls(self) -> bool:
        """Whether the client asks for diagnostics itself."""
        document = self.server.client_capabilities.text_document
        return document is not None and document.diagnostic is not None

    @property
    def idle(self) -> bool:
        """Whether nothing is about to be sent."""
        waiting = self._waiting or self._configs
        return not waiting and (self._refresh is None or self._refresh.done())

    def soon(self, uri: str) -> None:
        """Push a document's findings once its changes pause."""
        if self.pulls:
            return
        loop = asyncio.get_running_loop()
        timer, since = self._waiting.pop(uri, (None, loop.time()))
        if timer is not None:
            timer.cancel()
        if loop.time() - since >= PATIENCE:
            self._push_newest(uri)
        else:
            self._waiting[uri] = (loop.call_later(PAUSE, self._push_newest, uri), since)

    def _push_newest(self, uri: str) -> None:
        self._waiting.pop(uri, None)
        snapshot = self.server.session.snapshot(uri)
        if snapshot is not None:
            self.push(snapshot)

    def push(self, snapshot: Snapshot) -> None:
        """Send a document's findings, unless the client pulls them or they are stale."""
        session = self.server.session
        if self.pulls or snapshot.kind not in JUDGED or not session.is_current(snapshot):
            return
        found = self.diagnostics(snapshot)
        if not found and snapshot.uri not in self._shown:
            return  # an empty list makes some editors open a buffer for the file
        self._shown.add(snapshot.uri)
        self._send(snapshot.uri, found, snapshot.version)

    def diagnostics(self, snapshot: Snapshot) -> list[lsp.Diagnostic]:
        """Return a document's findings as the client wants them."""
        found = to_diagnostics(self.server, snapshot)
        if self.server.scores.of(snapshot) is not None:
            from skillgauge.lsp.score_hints import hints

            found += hints(self.server, snapshot)
        if self.server.lift.of(snapshot) is not None:
            from skillgauge.lsp import lift_hints

            found += lift_hints.hints(self.server, snapshot)
        return found

    def digest(self, snapshot: Snapshot) -> str:
        """Return a hash of what `diagnostics` has."""
        made = snapshot.digest
        if self.server.scores.of(snapshot) is not None:
            from skillgauge.lsp.score_hints import digest

            made += digest(self.server, snapshot)
        if self.server.lift.of(snapshot) is not None:
            from skillgauge.lsp import lift_hints

            made += lift_hints.digest(self.server, snapshot)
        return made

    def rescored(self, uri: str) -> None:
        """Show what has become of a document's scores."""
        self.soon(uri)
        self.refresh()
        self.server.scores.tell(uri)

    def everything(self) -> None:
        """Judge again what has something new around it: push, or ask the client to pull soon."""
        session = self.server.session
        before = list(session.open_snapshots())
        session.renew()
        for snapshot in before:
            if not session.is_current(snapshot):
                self.soon(snapshot.uri)
        self.refresh()

    def refresh(self) -> None:
        """Have the client ask again, soon, for all that it asks for itself."""
        self._findings_too = True
        self.refresh_lenses()

    def refresh_lenses(self) -> None:
        """Have the client ask again, soon, for its lenses."""
        if self._refresh is None or self._refresh.done():
            self._refresh = asyncio.create_task(self._refresh_soon())

    async def _refresh_soon(self) -> None:
        await asyncio.sleep(self.refresh_pause)  # several causes in a row make one refresh
        workspace, all_of_it = self.server.client_capabilities.workspace, self._findings_too
        self._findings_too = False
        if workspace is None:
            return
        asks = (
            (workspace.diagnostics, self.server.workspace_diagnostic_refresh_async),
            (workspace.code_lens, self.server.workspace_code_lens_refresh_async),
            (workspace.inlay_hint, self.server.workspace_inlay_hint_refresh_async),
        )
        for supported, ask in asks if all_of_it else asks[1:2]:
            if supported is not None and supported.refresh_support:
                await ask(None)

    def clear(self, uri: str) -> None:
        """Take back what a document showed."""
        timer, _ = self._waiting.pop(uri, (None, 0.0))
        if timer is not None:
            timer.cancel()
        if uri in self._shown:
            self._shown.discard(uri)
            self._send(uri, [], None)

    def config_soon(self, path: Path) -> None:
        """Show a configuration file's faults, as the editor or the disk has it, after a pause."""
        if (timer := self._configs.pop(path, None)) is not None:
            timer.cancel()
        loop = asyncio.get_running_loop()
        self._configs[path] = loop.call_later(CONFIG_PAUSE, self._judge_config, path)

    def _judge_config(self, path: Path) -> None:
        self._configs.pop(path, None)
        from skillgauge.config import PYPROJECT, has_table

        text = self.server.session.text_of(path)
        faults: Sequence[ConfigError] = ()
        if text is not None:
            content = text.content
            ours = path.name != PYPROJECT or has_table(content.encode("utf-8", "replace"))
            if ours:
                from skillgauge.config_reader import read_config

                _, faults = read_config(path, content)
        self._show_config(path, faults)

    def config_read(self, path: Path, faults: Sequence[ConfigError]) -> None:
        """Take what is wrong with a file on disk; what the editor holds of it counts more."""
        if self.server.session.is_open(self.server.session.uri_of(path)):
            self.config_soon(path)
        else:
            self._show_config(path, faults)

    def _show_config(self, path: Path, faults: Sequence[ConfigError]) -> None:
        """Show a configuration file's faults at their places in that file, or take them back."""
        session = self.server.session
        uri = session.uri_of(path)
        if not faults:
            self.clear(uri)
            return
        held = session.snapshot(uri)
        self._shown.add(uri)
        found = [self._of_config(path, fault) for fault in faults]
        self._send(uri, found, held.version if held else None)

    def _of_config(self, path: Path, fault: ConfigError) -> lsp.Diagnostic:
        from skillgauge.lsp.convert import to_range
        from skillgauge.text import Span

        where = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 1))
        text = self.server.session.text_of(path)
        if text is not None:
            start = text.offset(max(fault.line - 1, 0), max(fault.column - 1, 0))
            end = text.line_span(text.line_of(start)).end
            where = to_range(text, Span(start, end), self.server.session.encoding)
        message = ". ".join(part for part in (fault.what, fault.why, fault.how) if part)
        severity = lsp.DiagnosticSeverity.Error
        return lsp.Diagnostic(where, message, severity=severity, source=SOURCE, code="config")

    def _send(self, uri: str, found: list[lsp.Diagnostic], version: int | None) -> None:
        params = lsp.PublishDiagnosticsParams(uri, found, version)
        self.server.text_document_publish_diagnostics(params)
