"""The live stage: containers of an engine, whose only way out is the gateway to the models."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args
from urllib.parse import urlsplit

from skillgauge.errors import UserError
from skillgauge.lift import folders
from skillgauge.lift.cases import Case
from skillgauge.lift.disk import bounded
from skillgauge.lift.engines import Engine, Job, Mount, forwarder
from skillgauge.lift.harnesses import HOME, LABEL, WORKSPACE, Dialect, harness
from skillgauge.lift.judge.endpoint import judge_of
from skillgauge.lift.kept_verdicts import kept_verdicts
from skillgauge.lift.plan import Cell, Trial
from skillgauge.lift.results import Judged, Ran
from skillgauge.lift.settings import RunSettings
from skillgauge.lift.socket_folder import SocketFolder
from skillgauge.lift.spent import EXCHANGES
from skillgauge.lift.stage import Part, Played
from skillgauge.lift.trajectory import find_logs
from skillgauge.lift.trajectory._types import Trajectory

if TYPE_CHECKING:
    from skillgauge.lift.gateway import Budget, Endpoint, Gateway, Meter
    from skillgauge.lift.judge import Judge

PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def make_stage(
    settings: RunSettings,
    folder: Path,
    cells: tuple[Cell, ...],
    environ: Mapping[str, str] = os.environ,
) -> LiveStage:
    """Return the stage of a run."""
    return LiveStage(settings, folder, cells, environ)


async def missing(
    settings: RunSettings, cells: tuple[Cell, ...], environ: Mapping[str, str] = os.environ
) -> list[UserError]:
    """Return what a run lacks, each with how to mend it; empty if it can begin."""
    from skillgauge.lift.gateway.endpoints import endpoints_from

    stage = LiveStage(settings, Path(), cells, environ)
    found: list[UserError] = []
    for dialect in () if settings.replay_of else stage.dialects():
        try:
            endpoints_from(environ, [dialect])
        except UserError as error:
            found.append(error)
    checks = [stage.open_engine, stage.open_judge]
    for check in checks if found else [*checks, stage.open_gateway]:
        try:
            await check()
        except UserError as error:
            found.append(error)
    await stage.close()
    # One variable may be missing for two dialects of a vendor.
    return list({str(error): error for error in found}.values())


def _check_image(image: str, labels: Mapping[str, str], cells: tuple[Cell, ...]) -> None:
    """Refuse an image of ours that lacks a harness; of another one nothing is known."""
    there = sorted(name.removeprefix(LABEL) for name in labels if name.startswith(LABEL))
    for name in dict.fromkeys(cell.harness for cell in cells):
        if there and harness(name).PACKAGE and name not in there:
            raise UserError(
                f"The image “{image}” has no {harness(name).TITLE}",
                f"it has {', '.join(there)}",
                f"`skillgauge image build --harness {name}` makes one",
            )


def _notes(meter: Meter) -> tuple[str, ...]:
    """Return what a trial asked of its models that was not let through as it was."""
    told = [f"refused: {what}" for what in dict.fromkeys(meter.refused)]
    if meter.removed:
        told.append(f"taken out of requests: {', '.join(sorted(meter.removed))}")
    if meter.strayed:
        told.append(f"{meter.strayed} requests differ in words from the recorded ones")
    return tuple(told)


def hidden_of(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the credentials in an environment, which must reach no journal and no log."""
    from skillgauge.lift.gateway.endpoints import secrets_of
    from skillgauge.lift.judge.endpoint import KEY

    found = secrets_of(_reachable(environ))
    return tuple(filter(None, (*found, environ.get(KEY, "").strip(), _password(environ))))


def _password(environ: Mapping[str, str]) -> str:
    """Return the password in the judge's address, "" if it has none."""
    from skillgauge.lift.judge.endpoint import BASE_URL

    with contextlib.suppress(ValueError):
        return urlsplit(environ.get(BASE_URL, "")).password or ""
    return ""


def _reachable(environ: Mapping[str, str]) -> dict[Dialect, Endpoint]:
    """Return the endpoints that an environment is enough for."""
    from skillgauge.lift.gateway.endpoints import endpoints_from

    found: dict[Dialect, Endpoint] = {}
    for dialect in get_args(Dialect):
        with contextlib.suppress(UserError):
            found |= endpoints_from(environ, [dialect])
    return found


class LiveStage:
    """Plays trials in containers."""

    def __init__(
        self,
        settings: RunSettings,
        folder: Path,
        cells: tuple[Cell, ...],
        environ: Mapping[str, str],
    ) -> None:
        """Start nothing yet."""
        self.settings, self.folder, self.cells, self.environ = settings, folder, cells, environ
        self._engine: Engine | None = None
        self._gateway: Gateway | None = None
        self._judge: Judge | None = None
        self._labels: Mapping[str, str] = {}
        self._budget: Budget | None = None
        self._spent = 0.0
        self._sockets = SocketFolder(folder.parent)

    async def prepare(self, is_alive: Callable[[str], bool]) -> None:
        """Reach the engine, find the image and the keys, and remove what dead runs left."""
        await self.open_engine()
        await self.open_gateway()
        await self.open_judge()
        assert self._engine
        await self._engine.sweep(is_alive)
        self._sockets.prepare(is_alive)

    async def open_engine(self) -> None:
        """Reach the engine and find the image; UserError if it lacks a harness of the run."""
        from skillgauge.lift.engines.docker import connect

        self._engine = connect(self.environ)
        await self._engine.describe()
        self._labels = await self._engine.find_image(self.settings.image)
        _check_image(self.settings.image, self._labels, self.cells)

    async def open_gateway(self) -> None:
        """Find the endpoints with their keys; UserError for one that is missing."""
        from skillgauge.lift.gateway import Budget, Gateway, check_prices, endpoints_from
        from skillgauge.lift.prices import own_prices

        budget = Budget(self.settings.max_cost, own_prices(self.settings.prices), self._spent)
        if self.settings.replay_of:
            endpoints = {}
        else:
            endpoints = endpoints_from(self.environ, self.dialects())
            if any(harness(cell.harness).DIALECT is None for cell in self.cells):
                endpoints = _reachable(self.environ) | endpoints
            check_prices((cell.model for cell in self.cells), budget, endpoints)
        self._budget = budget
        self._gateway = Gateway(endpoints, budget, hidden_of(self.environ))

    async def open_judge(self) -> None:
        """Find the judge, if there is to be one; UserError if it can't be asked."""
        if not self.settings.replay_of and judge_of(self.settings.judge, self.environ):
            from skillgauge.lift.judge import Judge
            from skillgauge.lift.prices import own_prices

            self._judge = Judge(
                self.settings.judge,
                self.environ,
                hidden=hidden_of(self.environ),
                prices=own_prices(self.settings.prices),
            )
            self._judge.check_price(self.settings.max_cost)

    def dialects(self) -> list[Dialect]:
        """Return the APIs that the harnesses can't do without."""
        found: list[Dialect] = []
        for cell in self.cells:
            dialect = harness(cell.harness).DIALECT
            if dialect and dialect not in found:
                found.append(dialect)
        return found

    def book(self, amount: float) -> None:
        """Count what was spent before, or elsewhere, towards the run's budget."""
        self._spent += amount
        if self._budget:
            self._budget.book(amount)

    @property
    def is_spent(self) -> bool:
        """Whether no more may be begun."""
        return self._budget is not None and self._budget.is_spent

    async def play(self, part: Part) -> Played:
        """Run a trial in a container, with a socket of its own to the models."""
        from skillgauge.lift.gateway import requests

        assert self._engine
        assert self._gateway
        own = self._sockets.path / self.folder.name / part.trial.id
        sockets = own / "socket"
        sockets.mkdir(mode=0o755, parents=True, exist_ok=True)
        record = part.room.folder / EXCHANGES
        try:
            async with self._gateway.open(
                part.trial.id,
                sockets / forwarder.SOCKET_NAME,
                record,
                [part.harness.DIALECT] if part.harness.DIALECT else self._gateway.endpoints,
                self._recording(part.trial),
            ) as meter:
                job = self._job(part, own, sockets)
                ended = await bounded(
                    self._engine.run(job), part.room.folder, job.limits.disk_mb * 2**20
                )
                waiting = meter.waiting
            return Played(
                ended,
                meter.usage(),
                self._labels.get(f"{LABEL}{part.trial.cell.harness}", ""),
                tuple(meter.faults),
                _notes(meter),
                waiting,
                meter.over_budget,
                meter.diverged,
                partial(requests, record),
            )
        finally:
            shutil.rmtree(own, ignore_errors=True)

    def _job(self, part: Part, own: Path, sockets: Path) -> Job:
        room, trial = part.room, part.trial
        return Job(
            run=self.folder.name,
            trial=trial.id,
            image=self.settings.image,
            command=forwarder.wrap(part.harness.command(part.setup)),
            workdir=WORKSPACE,
            environment={"HOME": HOME, "PATH": PATH, **part.harness.environment(part.setup)},
            mounts=(
                Mount(room.home, HOME, writable=True),
                Mount(room.workspace, WORKSPACE, writable=True),
                *forwarder.mounts(own / "forwarder", sockets, HOME),
            ),
            limits=self.settings.limits,
        )

    def _recording(self, trial: Trial) -> Path | None:
        """Return where the exchanges are that answer in the models' place."""
        if not self.settings.replay_of:
            return None
        return self.folder.parent / self.settings.replay_of / trial.id / EXCHANGES

    async def judge(
        self, trial: Trial, case: Case, trajectory: Trajectory | None, ran: Ran
    ) -> Mapping[str, Judged]:
        """Ask the judge, and count what it costs; a replay has the verdicts of before."""
        if before := self.settings.replay_of:
            journal = folders.journal_path(self.folder.parents[2])
            return kept_verdicts(journal, before, trial.id, ran)
        if self._judge is None:
            return {}
        judged = await self._judge.judge(case, trajectory, ran)
        self.book(sum(one.cost_usd or 0.0 for one in judged.values()))
        return judged

    def logs(self, part: Part) -> list[Path]:
        """Return what the harness left in its home."""
        return find_logs(part.trial.cell.harness, part.room.home)

    async def close(self) -> None:
        """Close the judge's connections."""
        if self._judge:
            await self._judge.close()
        shutil.rmtree(self._sockets.path / self.folder.name, ignore_errors=True)
