"""Runs jobs in containers of Docker's engine on this machine, each with every limit and no network.

What a job writes is read as it comes, so that nothing of it is kept by the engine; the way out to
the model is a socket among the job's mounts. Each container carries the run and the data folder
that it belongs to: whoever works on runs of that folder next removes what was left behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
import secrets
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from skillgauge import __version__
from skillgauge.errors import UserError
from skillgauge.lift.engines import Ended, Engine, EngineFault, Job, Limits, Reason
from skillgauge.lift.engines._docker_api import Refused, call, connected, settled
from skillgauge.lift.engines._docker_output import Output
from skillgauge.lift.engines._docker_spec import container
from skillgauge.lift.folders import data_folder

RUN: Final = "skillgauge.run"
TRIAL: Final = "skillgauge.trial"
VERSION: Final = "skillgauge.version"
DATA: Final = "skillgauge.data"
GRACE: Final = 2.0
"""Seconds between SIGTERM, on which agents write their logs to the end, and SIGKILL."""
STOPPED: Final = 15.0
"""Seconds within which a killed container has to be gone."""
GONE: Final = (404, 409)
"""What the engine answers about a container that has ended or is being removed."""
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_FRACTION: Final = re.compile(r"(\.\d{6})\d*|Z$")


def connect(environ: Mapping[str, str]) -> Engine:
    """Return the engine that DOCKER_HOST, Docker's context or the usual place names.

    SKILLGAUGE_DATA says whose containers are swept: it has to be the worker's data folder.
    """
    return Docker(environ)


class Docker:
    """Docker's engine; it is asked for the first time when something is asked of it."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        """Take the environment that says where the engine and the data folder are."""
        self._environ = dict(environ)
        folder = str(data_folder(environ).absolute())
        self._data = hashlib.sha256(folder.encode()).hexdigest()[:16]
        self._connected: tuple[Any, Path] | None = None
        self._connecting = asyncio.Lock()

    async def client(self) -> tuple[Any, Path]:
        """Return the SDK's client and the engine's socket."""
        async with self._connecting:
            if self._connected is None:
                self._connected = await call(connected, self._environ)
            return self._connected

    async def describe(self) -> str:
        """Return the engine's name and version; UserError if it can't do what is needed."""
        client, _ = await self.client()
        info = await call(client.info)
        if info.get("OSType", "linux") != "linux":
            raise UserError("Docker's engine runs Windows containers", how="Switch it to Linux's")
        if any("rootless" in option for option in info.get("SecurityOptions") or ()):
            why = "the agent's user would not be the one whom its files belong to"
            raise UserError("Lift runs can't use a rootless engine", why, "Use the system's engine")
        kinds = {"MemoryLimit": "memory", "CpuCfsQuota": "CPUs", "PidsLimit": "processes"}
        if missing := [kind for key, kind in kinds.items() if not info.get(key, True)]:
            what = f"The engine can't limit {' and '.join(missing)}"
            raise UserError(what, how="Give it the cgroup controllers for that")
        version = await call(client.version)
        kind = f"{version['Os']}/{version['Arch']}"
        return f"Docker {version['Version']} (API {version['ApiVersion']}, {kind})"

    async def find_image(self, image: str) -> Mapping[str, str]:
        """Return the labels of an image; UserError if it is not there."""
        client, _ = await self.client()
        try:
            found = await call(client.inspect_image, image)
        except Refused as error:
            if error.status != 404:
                raise
            how = "Make it with `skillgauge image build`, or name another with --image"
            raise UserError(f"There is no image “{image}”", how=how) from error
        return found["Config"].get("Labels") or {}

    async def run(self, job: Job) -> Ended:
        """Run a job to its end; EngineFault if it could not."""
        client, path = await self.client()
        name = f"skillgauge-{_NOT_IN_NAMES.sub('-', job.run)}-{secrets.token_hex(6)}"
        labels = {RUN: job.run, TRIAL: job.trial, VERSION: __version__, DATA: self._data}
        words = container(job, name, labels, path)
        output = Output(job.limits.output_bytes)
        try:
            await call(client.create_container, **words)
            await call(output.attach, client, name)
            reading = asyncio.create_task(output.read())
            over = asyncio.create_task(output.over.wait())
            try:
                return await _follow(client, name, job.limits, output, reading, over)
            finally:
                reading.cancel()
                over.cancel()
        finally:
            output.close()
            await settled(_remove(client, name))

    async def sweep(self, is_alive: Callable[[str], bool]) -> int:
        """Remove containers of runs that nobody works on any more; return how many there were."""
        client, _ = await self.client()
        filters = {"label": [f"{DATA}={self._data}", RUN]}
        swept = 0
        for one in await call(client.containers, all=True, filters=filters):
            if not is_alive(one["Labels"][RUN]):
                await settled(_remove(client, one["Id"]))
                swept += 1
        return swept


async def _follow(
    client: Any,
    name: str,
    limits: Limits,
    output: Output,
    reading: asyncio.Task[None],
    over: asyncio.Task[Literal[True]],
) -> Ended:
    """Start a container and see it to its end, or to the first limit that it runs into."""
    await call(client.start, name)
    begun = time.monotonic()
    first = asyncio.FIRST_COMPLETED
    await asyncio.wait({reading, over}, timeout=limits.seconds, return_when=first)
    reason: Reason = "exit"
    if over.done():
        reason = "output"
    elif not reading.done():
        reason = "timeout"
        await _signal(client, name, "SIGTERM")
        await asyncio.wait({reading}, timeout=GRACE)
    if not reading.done():
        await _signal(client, name, "SIGKILL")
        if not (await asyncio.wait({reading}, timeout=STOPPED))[0]:
            raise EngineFault(f"The container {name} could not be stopped")
    reading.result()
    state = await _state(client, name)
    if reason == "exit" and state["OOMKilled"] and state["ExitCode"]:
        reason = "memory"
    took = _seconds(state, time.monotonic() - begun)
    code = None if reason in ("timeout", "output") else int(state["ExitCode"])
    said = bytes(output.stdout), bytes(output.stderr)
    return Ended(code, reason, took, *said, out_of_memory=bool(state["OOMKilled"]))


async def _state(client: Any, name: str) -> Mapping[str, Any]:
    """Return how a container ended, once the engine knows that itself."""
    await call(client.wait, name, timeout=STOPPED)
    state: Mapping[str, Any] = (await call(client.inspect_container, name))["State"]
    if state["Error"]:
        raise EngineFault(f"The container could not be run: {state['Error']}")
    return state


async def _signal(client: Any, name: str, signal: str) -> None:
    try:
        await call(client.kill, name, signal)
    except Refused as error:
        if error.status not in GONE:
            raise


async def _remove(client: Any, name: str) -> None:
    """Kill and remove a container; an engine that is gone has nothing to remove for now."""
    with contextlib.suppress(EngineFault):
        await call(client.remove_container, name, force=True, v=True)


def _seconds(state: Mapping[str, Any], measured: float) -> float:
    """Return how long a container ran by the engine's clock, or by ours if that makes no sense."""
    try:
        begun, ended = (
            datetime.fromisoformat(_FRACTION.sub(r"\1", state[key]))
            for key in ("StartedAt", "FinishedAt")
        )
    except ValueError:
        return measured
    took = (ended - begun).total_seconds()
    return took if 0 <= took <= measured + 1 else measured
