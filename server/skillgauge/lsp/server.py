"""Skillgauge's language server: a session, and the features that lie in `features/`."""

from __future__ import annotations

from typing import Any

from skillgauge import __version__
from skillgauge.lsp.features import register_all
from skillgauge.lsp.features.diagnostics import Publisher
from skillgauge.lsp.features.lifecycle import Scanner
from skillgauge.lsp.protocol import Server
from skillgauge.lsp.session import Session
from skillgauge.lsp.transport import Stdio, Tcp, Transport, WebSocket, parse_address


class SkillgaugeServer(Server):
    """The server with its session."""

    def __init__(self) -> None:
        """Make the server and register every feature."""
        super().__init__("skillgauge", __version__)
        self.session = Session()
        self.publisher = Publisher(self)
        self.scanner = Scanner(self)
        self.options: dict[str, Any] = {}
        """The client's initialization options."""
        register_all(self)


def main(*, tcp: str | None = None, ws: str | None = None) -> int:
    """Serve one client and return the exit status; addresses are `HOST:PORT`, port 0 for any."""
    transport: Transport = Stdio()
    if tcp is not None:
        transport = Tcp(*parse_address(tcp))
    elif ws is not None:
        transport = WebSocket(*parse_address(ws))
    return SkillgaugeServer().start(transport)
