"""Lift runs as the editor shows them: asked for once a skill is open, followed while they go on.

Nothing is imported from lift, and nothing is started before a file of a skill is open and there is
a journal. What is known comes from `skillgauge lift status`, asked again when the journal has
changed. A run goes on whatever becomes of the server; the next one finds it in the journal.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from skillgauge.lsp.lift_journal import Signature, journal, signature
from skillgauge.lsp.uris import JUDGED, Kind

if TYPE_CHECKING:
    from skillgauge.lsp.lift_command import LiftCommand
    from skillgauge.lsp.lift_follower import Follower
    from skillgauge.lsp.lift_news import News
    from skillgauge.lsp.lift_state import Run, SkillRuns
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot
    from skillgauge.text import Text

log = logging.getLogger(__name__)

QUIET: Final = 0.5
"""Seconds after a file was opened or saved: what the author waits for comes first."""
EVERY: Final = 5.0
"""Seconds between two looks at the journal's time, while a file of a skill is open."""
MAX_SKILLS: Final = 200
"""Skills whose runs are kept; those asked for longest ago go first."""
MAX_RUNS: Final = 50
"""Runs of one skill that are kept."""


class LiftRuns:
    """The runs of the skills that are open. All access is on the event loop."""

    def __init__(self, server: SkillgaugeServer) -> None:
        """Look at nothing yet."""
        self.server = server
        self.quiet, self.every = QUIET, EVERY
        self._known: dict[Path, SkillRuns] = {}
        self._followers: dict[str, Follower] = {}
        self._wanted: dict[Path, None] = {}
        """The skills to ask about, in order."""
        self._asking: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._seen: Signature = (None, None, None)
        self._command: LiftCommand | None = None
        self._news: News | None = None
        self._compared: tuple[Text, str, bool] | None = None
        """What an editor and the disk had last of a skill, and whether that differs."""
        self._tasks: set[asyncio.Task[object]] = set()
        self.offers: dict[Path, tuple[str, dict[str, Any]]] = {}
        """What users whose editor can't ask may agree to: a title, and what is run then."""

    # --- what others ask ---------------------------------------------------------------------

    @property
    def trusted(self) -> bool:
        """Whether the workspace is: without that, nothing is started or shown."""
        return self.server.session.around.options.trusted is not False

    @property
    def idle(self) -> bool:
        """Whether nothing is being asked, nor about to be."""
        asking = self._asking is not None and not self._asking.done()
        return self._timer is None and not asking and not self._tasks

    @property
    def followed(self) -> list[str]:
        """The ids of the runs that are being followed."""
        return list(self._followers)

    @property
    def command(self) -> LiftCommand:
        """What starts children."""
        if self._command is None:
            from skillgauge.lsp.lift_command import LiftCommand

            self._command = LiftCommand()
        return self._command

    @property
    def news(self) -> News:
        """What tells the client."""
        if self._news is None:
            from skillgauge.lsp.lift_news import News

            self._news = News(self.server)
        return self._news

    def has_journal(self) -> bool:
        """Return whether anything was ever run: without that there is nothing to ask."""
        return journal().is_file()

    def of(self, snapshot: Snapshot) -> SkillRuns | None:
        """Return the runs of the skill that a document belongs to, None while there are none."""
        if not self._known or not self.trusted:
            return None
        folder = skill_folder(snapshot)
        known = self._known.get(folder) if folder else None
        return known if known is not None and known.runs else None

    def is_watched(self, folder: Path) -> bool:
        """Return whether what is known of a skill's runs is kept up to date."""
        watching = self._watching is not None and not self._watching.done()
        return watching and folder in self._known and folder in self._open_folders()

    def at(self, folder: Path) -> SkillRuns | None:
        """Return the runs of a skill, None if nobody has asked for them."""
        return self._known.get(folder)

    def is_stale(self, run: Run) -> bool:
        """Return whether a skill's files have changed since, also if only the editor knows it."""
        known = self._known.get(run.folder)
        if run.stale or known is None or known.text is None:
            return run.stale
        session = self.server.session
        uri = session.uri_of(run.folder / "SKILL.md")
        held = session.snapshot(uri) if session.is_open(uri) else None
        if held is None:
            return False
        if self._compared is None or self._compared[:2] != (held.text, known.text):
            differs = normal(held.text.content) != known.text
            self._compared = (held.text, known.text, differs)
        return self._compared[2]

    # --- what others tell --------------------------------------------------------------------

    def opened(self, snapshot: Snapshot) -> None:
        """Take note of an open document: its skill's runs are asked for, and kept up to date."""
        folder = skill_folder(snapshot)
        if folder is not None and self.trusted and not self.is_watched(folder):
            self._soon(folder)

    def touched(self, path: Path) -> None:
        """Take note of a changed file: results of its skill may have become stale."""
        for folder in self._known:
            if path.is_relative_to(folder):
                self._soon(folder)

    async def renew(self) -> None:
        """Follow a change of the settings."""
        if self.trusted:
            for snapshot in self.server.session.open_snapshots():
                self.opened(snapshot)
            return
        shown = list(self._known)
        await self._stop()
        self._known.clear()
        for folder in shown:
            self.news.changed(folder, results=True)

    async def close(self) -> None:
        """End what watches; the runs go on."""
        await self._stop()
        if self._news is not None:
            self._news.close()

    async def ask(self, folder: Path) -> SkillRuns:
        """Ask for the runs of a skill and return them; UserError if that fails."""
        from skillgauge.lsp.lift_state import SkillRuns, read_runs

        self._seen = signature()
        words = ("status", "--path", str(folder), "--limit", str(MAX_RUNS), "--format", "json")
        answer = await self.command.ask(*words) if self.has_journal() else {}
        told = read_runs(answer)[:MAX_RUNS]
        runs = tuple(replace(run, folder=folder) for run in told)  # links lead to one folder
        text = await asyncio.to_thread(_text_of, folder)
        before = self._known.pop(folder, None)
        known = self._known[folder] = SkillRuns(runs, text)  # the last one now
        while len(self._known) > MAX_SKILLS:
            del self._known[next(iter(self._known))]
        for run in runs:
            if run.is_open and run.working:
                self.follow(run)
        if (before.runs if before else ()) != runs:
            self.news.changed(folder, results=True)
        return known

    def follow(self, run: Run) -> None:
        """Show a run's progress until it ends, if nobody does yet."""
        from skillgauge.lsp.lift_follower import Follower

        self.offers.pop(run.folder, None)
        if run.id not in self._followers and self.trusted:
            self._followers[run.id] = Follower(self.server, run, self._unfollow)

    def took(self, run: Run) -> None:
        """Take what a follower was told of a run."""
        from skillgauge.lsp.lift_state import SkillRuns

        before = self._known.get(run.folder) or SkillRuns()
        old = next((one for one in before.runs if one.id == run.id), None)
        if old != run:
            self._known[run.folder] = before.with_run(run)
            results = old is None or old.cases != run.cases or old.stale != run.stale
            self.news.changed(run.folder, results=results)

    def spawn(self, work: Coroutine[Any, Any, object]) -> None:
        """Do something that nobody waits for."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- within ------------------------------------------------------------------------------

    def _unfollow(self, run: Run) -> None:
        """Look once more at a run that has ended, or was lost sight of."""
        self._followers.pop(run.id, None)
        self._soon(run.folder)

    async def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._wanted.clear()
        followers, self._followers = list(self._followers.values()), {}
        for follower in followers:
            await follower.close()
        self.offers.clear()
        for task in (self._asking, self._watching, *self._tasks):
            if task is not None:
                task.cancel()
        if self._command is not None:
            await self._command.close()

    def _soon(self, folder: Path) -> None:
        self._wanted[folder] = None
        if self._timer is None and (self._asking is None or self._asking.done()):
            self._timer = asyncio.get_running_loop().call_later(self.quiet, self._begin)

    def _begin(self) -> None:
        self._timer = None
        self._asking = asyncio.create_task(self._ask_all())
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())

    async def _ask_all(self) -> None:
        """Ask about one skill after another."""
        while self._wanted:
            folder = next(iter(self._wanted))
            del self._wanted[folder]
            try:
                await self.ask(folder)
            except Exception as error:  # there is more to an editor than lift runs
                log.warning("Lift runs of %s are not known: %s", folder, error)

    async def _watch(self) -> None:
        """Ask again when the journal has changed, as long as a file of a skill is open.

        While a run is followed the journal changes all the time; then only new runs count.
        """
        while folders := self._open_folders():
            await asyncio.sleep(self.every)
            looked_at = slice(1) if self._followers else slice(None)
            now = signature()
            if self.trusted and now[looked_at] != self._seen[looked_at]:
                self._seen = now
                for folder in folders:
                    self._soon(folder)

    def _open_folders(self) -> list[Path]:
        found = map(skill_folder, self.server.session.open_snapshots())
        return list(dict.fromkeys(folder for folder in found if folder is not None))


def skill_folder(snapshot: Snapshot) -> Path | None:
    """Return the folder of the skill that a document is, or whose cases it has."""
    if snapshot.path is None or snapshot.kind not in JUDGED:
        return None
    return snapshot.path.parent.parent if snapshot.kind is Kind.EVALS else snapshot.path.parent


def normal(text: str) -> str:
    """Return a text as editors show it: they keep the mark at its start and its line ends apart."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _text_of(folder: Path) -> str | None:
    from skillgauge.document.files import read_file

    text, problem = read_file(folder / "SKILL.md")
    return None if problem else normal(text.content)
