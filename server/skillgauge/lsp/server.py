"""Skillgauge's language server: a session, and the features that lie in `features/`."""

from __future__ import annotations

import asyncio
import gc

from skillgauge import __version__
from skillgauge.lsp.base_server import Server
from skillgauge.lsp.collisions import Collisions
from skillgauge.lsp.features import register_all
from skillgauge.lsp.lift import LiftRuns
from skillgauge.lsp.publisher import Publisher
from skillgauge.lsp.revisions import Revisions
from skillgauge.lsp.scanner import Scanner
from skillgauge.lsp.scores import Scores
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
        self.scores = Scores(self)
        self.revisions = Revisions(self)
        self.collisions = Collisions(self)
        self.lift = LiftRuns(self)
        self.initial_options: object = None
        """What the client sent as initialization options."""
        self.trust: bool | None = None
        """What the client has said of the workspace since."""
        register_all(self)

    def reload(self) -> None:
        """Read the configuration again and judge every open document anew."""
        self.session.around.forget_configs()
        self.publisher.everything()

    async def stopped(self) -> int:
        """Wait for the end, end the children too, and return the exit status."""
        status = await super().stopped()
        self.collisions.close()
        await self.revisions.close()
        await self.scores.close()
        await self.lift.close()
        return status

    async def warm_up(self) -> None:
        """Load what the first document needs, a step a turn, so that no message has to wait.

        What is loaded by then is never garbage, and the collector need not look at it again.
        """
        from skillgauge.rules import load_some

        for _ in load_some():
            await asyncio.sleep(0)
        gc.freeze()
        gc.enable()


def main(*, tcp: str | None = None, ws: str | None = None, scorer: bool = True) -> int:
    """Serve one client and return the exit status; addresses are `HOST:PORT`, port 0 for any.

    Without `scorer`, no model is ever asked.
    """
    transport: Transport = Stdio()
    if tcp is not None:
        transport = Tcp(*parse_address(tcp))
    elif ws is not None:
        transport = WebSocket(*parse_address(ws))
    server = SkillgaugeServer()
    server.scores.off = not scorer
    return server.start(transport)
