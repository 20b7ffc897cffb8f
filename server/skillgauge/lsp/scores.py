"""Has open skills scored once typing rests, and keeps each score for exactly the text it is of.

Scores come after the findings of rules and never instead of them. Without a model, or when the
scorer fails, everything else works as if there were no scores.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from skillgauge.errors import UserError
from skillgauge.lsp.uris import Kind

if TYPE_CHECKING:
    from skillgauge.async_child import AsyncChild
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot
    from skillgauge.scores import Profile, Scorer
    from skillgauge.text import Text

log = logging.getLogger(__name__)

QUIET: Final = 0.25
"""Seconds without a change after which a text is scored."""
AGAIN: Final = 30.0
"""Seconds after which a scorer that can't work, for want of a model say, is asked again."""
WISH: Final = "skillgaugeScores"
"""The experimental capability of clients that want to be told of scores."""
IDLE: Final = "600"
"""Seconds without a question after which the scorer ends; it comes back with the next."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A text with its profile, and the profile that the document had when it was first scored."""

    text: Text
    profile: Profile
    first: Profile


class Scores:
    """The profiles of open documents. All access is on the event loop."""

    def __init__(self, server: SkillgaugeServer) -> None:
        """Start nothing: most sessions are over before anything is scored."""
        self.server = server
        self.quiet = QUIET
        self.off = False
        """Whether the server was started without a scorer."""
        self.command: list[str] | None = None
        """How the scorer is started, None for the usual way."""
        self.scorer: Scorer | None = None
        """What the scorer says of itself, once it has been asked."""
        self.reason = ""
        """Why there are no scores."""
        self._child: AsyncChild | None = None
        self._ask_from = 0.0
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._known: dict[str, Scored] = {}
        self._model: str | None = None

    @property
    def wanted(self) -> bool:
        """Whether there are to be scores at all."""
        return not self.off and self.server.session.around.options.scores is not False

    @property
    def idle(self) -> bool:
        """Whether nothing is being scored, nor about to be."""
        return not self._timers and not self._tasks

    def of(self, snapshot: Snapshot) -> Scored | None:
        """Return the scores of exactly this text."""
        known = self._known.get(snapshot.uri)
        return known if known is not None and known.text == snapshot.text else None

    def is_pending(self, uri: str) -> bool:
        """Return whether a document's scores are on their way."""
        return uri in self._timers or uri in self._tasks

    def soon(self, uri: str) -> None:
        """Have a document scored once its changes pause; what is out of date is not finished."""
        self._stop(uri)
        if self.wanted:
            self._timers[uri] = asyncio.get_running_loop().call_later(self.quiet, self._begin, uri)

    async def wait(self, uri: str) -> None:
        """Wait until nothing is on its way for a document."""
        while self.is_pending(uri):
            task = self._tasks.get(uri)
            await (asyncio.wait({task}) if task else asyncio.sleep(self.quiet / 4))

    def closed(self, uri: str) -> None:
        """Forget a document."""
        self._stop(uri)
        self._known.pop(uri, None)

    async def renew(self) -> None:
        """Follow a change of the settings."""
        if self._model != (model := self.server.session.around.options.model):
            self._model, self.scorer, self._ask_from = model, None, 0.0
            self._known.clear()
        if self.wanted:
            for snapshot in self.server.session.open_snapshots():
                if self.of(snapshot) is None:
                    self.soon(snapshot.uri)
            return
        for uri in [*self._timers, *self._tasks]:
            self._stop(uri)
        shown, self._known = list(self._known), {}
        for uri in shown:
            self.server.publisher.rescored(uri)
        await self.close()

    def tell(self, uri: str) -> None:
        """Send a document's scores to a client that wants to be told."""
        from skillgauge.lsp.features._scores import as_json
        from skillgauge.lsp.features.scores import REQUEST

        wishes = cast("Any", self.server.client_capabilities.experimental)
        named = cast("dict[str, Any]", wishes if isinstance(wishes, dict) else {})
        if named.get(WISH) or getattr(cast("object", wishes), WISH, False):
            self.server.protocol.notify(REQUEST, as_json(self.server, uri))

    async def close(self) -> None:
        """End the scorer."""
        for uri in [*self._timers, *self._tasks]:
            self._stop(uri)
        child, self._child = self._child, None
        if child is not None:
            await child.close()

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Ask the scorer, which is started for that; UserError if it can't answer."""
        from skillgauge.async_child import AsyncChild
        from skillgauge.child import command_of

        if self._child is None:
            command = self.command or [*command_of(), "--idle", IDLE]
            self._child = AsyncChild(command)
        model = self.server.session.around.options.model
        return await self._child.ask(method, {**params, "model": model})

    async def ready(self) -> Scorer | None:
        """Return what the scorer says of itself, None while it can't work."""
        from skillgauge.scores import read_scorer

        now = asyncio.get_running_loop().time()
        if self.scorer is None and self.wanted and now >= self._ask_from:
            try:
                self.scorer = read_scorer(await self.ask("describe", {}))
                self.reason = ""
            except (UserError, OSError) as error:
                self._ask_from = now + AGAIN
                if self.reason != str(error):
                    self.reason = str(error)
                    log.info("There are no scores: %s", error)
        return self.scorer

    def _stop(self, uri: str) -> None:
        if (timer := self._timers.pop(uri, None)) is not None:
            timer.cancel()
        if (task := self._tasks.pop(uri, None)) is not None:
            task.cancel()

    def _begin(self, uri: str) -> None:
        self._timers.pop(uri, None)
        snapshot = self.server.session.snapshot(uri)
        if snapshot is None or snapshot.kind is not Kind.SKILL or snapshot.problem:
            return
        if self.of(snapshot) is not None or not self.server.session.is_open(snapshot.uri):
            return
        task = self._tasks[uri] = asyncio.create_task(self._score(snapshot))
        task.add_done_callback(lambda done: self._done(uri, done))

    def _done(self, uri: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(uri) is task:
            del self._tasks[uri]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("Scoring %s failed", uri, exc_info=error)

    async def _score(self, snapshot: Snapshot) -> None:
        from skillgauge.async_child import Overtaken
        from skillgauge.cache import default_folder
        from skillgauge.scores import read_profile

        if await self.ready() is None:
            return
        self.server.publisher.refresh()  # the lens says that it is being scored
        self.server.collisions.soon()
        params = {
            "document": snapshot.uri,
            "text": snapshot.text.content,
            "name": snapshot.path.name if snapshot.path else "SKILL.md",
            "cache": str(default_folder() / "scores"),
        }
        try:
            profile = read_profile(await self.ask("score", params))
        except Overtaken:
            return
        except (UserError, OSError) as error:
            log.warning("%s is not scored: %s", snapshot.uri, error)
            self.scorer = None  # it may be another one when it is back
            return
        newest = self.server.session.snapshot(snapshot.uri)
        if newest is None or newest.text != snapshot.text:
            return
        before = self._known.get(snapshot.uri)
        self._known[snapshot.uri] = Scored(
            snapshot.text, profile, before.first if before else profile
        )
        self.server.publisher.rescored(snapshot.uri)
