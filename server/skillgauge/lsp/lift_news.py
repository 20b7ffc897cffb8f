"""Tells the client what has changed in lift runs: not more often than anybody can look."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from skillgauge.lsp.lift import skill_folder
from skillgauge.lsp.uris import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from skillgauge.lsp.lift_state import Run
    from skillgauge.lsp.server import SkillgaugeServer

PAUSE: Final = 0.5
"""Seconds between two messages about a skill."""
NOTIFICATION: Final = "skillgauge/lift"
WISH: Final = "skillgaugeLift"
"""The experimental capability of clients with an interface of their own."""
MAX_RUNS: Final = 20
MAX_EVENTS: Final = 1_000
"""Runs and events in one notification."""


class News:
    """Gathers changes, and tells of them after a pause."""

    def __init__(self, server: SkillgaugeServer) -> None:
        """Tell nothing yet."""
        self.server = server
        self.pause = PAUSE
        self._timers: dict[Path, asyncio.TimerHandle] = {}
        self._last: dict[Path, float] = {}
        self._results: set[Path] = set()
        self._events: dict[Path, list[Mapping[str, Any]]] = {}

    @property
    def idle(self) -> bool:
        """Whether nothing is about to be told."""
        return not self._timers

    def happened(self, run: Run, event: Mapping[str, Any]) -> None:
        """Take note of an event in a run."""
        if has_own_interface(self.server):
            events = self._events.setdefault(run.folder, [])
            if len(events) < MAX_EVENTS:
                events.append({**event, "run": run.id})
            self._soon(run.folder)

    def changed(self, folder: Path, *, results: bool) -> None:
        """Take note of a change in a skill's runs, and whether results are among it."""
        if results:
            self._results.add(folder)
        self._soon(folder)

    def close(self) -> None:
        """Tell nothing more."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _soon(self, folder: Path) -> None:
        if folder not in self._timers:
            loop = asyncio.get_running_loop()
            due = self._last.get(folder, float("-inf")) + self.pause
            self._timers[folder] = loop.call_at(max(due, loop.time()), self._tell, folder)

    def _tell(self, folder: Path) -> None:
        self._timers.pop(folder, None)
        self._last[folder] = asyncio.get_running_loop().time()
        publisher = self.server.publisher
        if folder in self._results:
            self._results.discard(folder)
            for snapshot in self.server.session.open_snapshots():
                if snapshot.kind is Kind.EVALS and skill_folder(snapshot) == folder:
                    publisher.soon(snapshot.uri)
            publisher.refresh()
        else:
            publisher.refresh_lenses()
        if has_own_interface(self.server):
            self.server.protocol.notify(NOTIFICATION, self.state(folder))

    def state(self, folder: Path) -> dict[str, Any]:
        """Return what a notification has of a skill; the events are told only once."""
        lift = self.server.lift
        known = lift.at(folder) if lift.trusted else None
        uri = self.server.session.uri_of(folder / "SKILL.md")
        return {
            "uri": uri,
            "path": str(folder),
            "trusted": lift.trusted,
            "runs": [self.plain(run) for run in known.runs[:MAX_RUNS]] if known else [],
            "events": self._events.pop(folder, []),
        }

    def plain(self, run: Run) -> dict[str, Any]:
        """Return a run as it was told, as the editor sees it."""
        uri = self.server.session.uri_of(run.folder / "SKILL.md")
        told = {name: item for name, item in run.plain.items() if name != "kind"}
        return {**told, "uri": uri, "stale": self.server.lift.is_stale(run)}


def has_own_interface(server: SkillgaugeServer) -> bool:
    """Return whether the client shows lift runs by itself."""
    wishes = cast("Any", server.client_capabilities.experimental)
    named = cast("dict[str, Any]", wishes if isinstance(wishes, dict) else {})
    return bool(named.get(WISH) or getattr(cast("object", wishes), WISH, False))
