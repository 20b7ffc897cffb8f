"""Works out revisions of open skills in the background, and keeps them for exactly their text.

It begins when somebody asks for code actions on a text that is scored, and ends as soon as the
text moves on. Every step is short, or another process's: typing never waits.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from skillgauge.errors import UserError
from skillgauge.lsp.uris import Kind

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot
    from skillgauge.revise import Candidate, Offer
    from skillgauge.scores import Profile
    from skillgauge.text import Text

log = logging.getLogger(__name__)

REST: Final = 2.0
"""Seconds that a text has to rest for what nobody asked for: scoring it takes power."""
GLANCE: Final = 0.1
"""Seconds between two looks at whether the text has moved on, while a candidate is scored."""


@dataclass(frozen=True, slots=True)
class Revised:
    """The offers for a text, the largest rise first."""

    text: Text
    folder: object
    offers: tuple[Offer, ...]


@dataclass(slots=True)
class _Work:
    """What is being worked out for a document; `resting` until it has begun."""

    task: asyncio.Task[None]
    text: Text
    resting: bool


class Moved(Exception):
    """The text has moved on: what is being worked out is for nobody."""


class Revisions:
    """The offers for open documents. All access is on the event loop."""

    def __init__(self, server: SkillgaugeServer) -> None:
        """Start nothing."""
        self.server = server
        self._known: dict[str, Revised] = {}
        self._works: dict[str, _Work] = {}

    def of(self, snapshot: Snapshot) -> tuple[Offer, ...] | None:
        """Return the offers for exactly this text; None while they are not known."""
        known = self._known.get(snapshot.uri)
        if known is None or known.text != snapshot.text or known.folder is not snapshot.folder:
            return None
        return known.offers

    def look(self, snapshot: Snapshot, rest: float = 0.0) -> None:
        """Begin to work out the offers for a text that is scored, unless that is done.

        With `rest`, it begins only if the text stays as it is for as many seconds.
        """
        self._forget_closed()
        scored = self.server.scores.of(snapshot)
        if scored is None or self.of(snapshot) is not None:
            return
        if snapshot.kind is not Kind.SKILL or snapshot.problem:
            return
        if (work := self._works.get(snapshot.uri)) is not None:
            if work.text == snapshot.text and not (work.resting and not rest):
                return
            work.task.cancel()
        task = asyncio.create_task(self._work(snapshot, scored.profile, rest))
        self._works[snapshot.uri] = _Work(task, snapshot.text, rest > 0)
        task.add_done_callback(lambda done: self._done(snapshot.uri, done))

    async def wait(self, uri: str) -> None:
        """Wait until nothing is being worked out for a document."""
        while (work := self._works.get(uri)) is not None:
            await asyncio.wait({work.task})
            await asyncio.sleep(0)  # so that the work is taken off the list

    async def close(self) -> None:
        """End all work."""
        tasks = [work.task for work in self._works.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _forget_closed(self) -> None:
        for uri in [uri for uri in self._known if not self.server.session.is_open(uri)]:
            del self._known[uri]

    def _done(self, uri: str, task: asyncio.Task[None]) -> None:
        if (work := self._works.get(uri)) is not None and work.task is task:
            del self._works[uri]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("Revising %s failed", uri, exc_info=error)

    async def _work(self, snapshot: Snapshot, before: Profile, rest: float) -> None:
        from skillgauge.async_child import Overtaken
        from skillgauge.revise import ranked, stepwise, weigh

        found: list[Offer] = []
        settings = snapshot.config.settings(snapshot.path)
        try:
            await asyncio.sleep(rest)
            if (work := self._works.get(snapshot.uri)) is not None:
                work.resting = False
            for candidate in stepwise(snapshot.skill, settings):
                await asyncio.sleep(0)
                self._check(snapshot)
                if candidate is not None:
                    after = await self._score(snapshot, candidate)
                    if (offer := weigh(candidate, before, after)) is not None:
                        found.append(offer)
        except (Moved, Overtaken):
            return
        except (UserError, OSError) as error:
            log.warning("%s is not revised: %s", snapshot.uri, error)
            return
        self._known[snapshot.uri] = Revised(snapshot.text, snapshot.folder, tuple(ranked(found)))

    def _check(self, snapshot: Snapshot) -> None:
        newest = self.server.session.snapshot(snapshot.uri)
        still = newest is not None and newest.text == snapshot.text
        if not still or not self.server.session.is_open(snapshot.uri):
            self._known.pop(snapshot.uri, None)
            raise Moved

    async def _score(self, snapshot: Snapshot, candidate: Candidate) -> Profile:
        """Return a candidate's profile; the scorer is told as soon as nobody wants it any more."""
        from skillgauge.cache import default_folder
        from skillgauge.scores import read_profile

        params: dict[str, Any] = {
            "text": candidate.apply(snapshot.text.content),
            "name": snapshot.path.name if snapshot.path else "SKILL.md",
            "cache": str(default_folder() / "scores"),
        }
        asked = asyncio.create_task(self.server.scores.ask("score", params))
        try:
            while not asked.done():
                await asyncio.wait({asked}, timeout=GLANCE)
                self._check(snapshot)
            return read_profile(asked.result())
        finally:
            if not asked.done():
                asked.cancel()
