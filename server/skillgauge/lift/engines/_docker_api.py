"""The connection to Docker's engine: where it is, what its errors mean, and calls that don't block.

The engine has to be on this machine, for what is mounted is here. The SDK has no types, so it is
`Any` from here on.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from skillgauge.errors import UserError
from skillgauge.lift.engines import EngineFault

T = TypeVar("T")

DEFAULT: Final = "/var/run/docker.sock"
SECONDS: Final = 60
"""For one answer of the engine."""
POOL: Final = 64
"""Connections kept open; each container that runs holds one."""
INSTALL: Final = (
    "Install Docker (`sudo apt-get install docker.io`, or docs.docker.com/engine/install) and start"
    " it, or name the socket of an engine with DOCKER_HOST; Podman has one too, after"
    " `systemctl --user start podman.socket`"
)


def socket_of(environ: Mapping[str, str]) -> Path:
    """Return the engine's socket; UserError if it is said to be on another machine."""
    named = environ.get("DOCKER_HOST") or _of_context(environ)
    if named:
        scheme, found, path = named.partition("://")
        if scheme != "unix" or not found:
            raise UserError(
                f"Lift runs can't use the engine at {named}",
                "an agent's files and the way to its model are on this machine",
                "Set DOCKER_HOST to unix:// and the socket of an engine here; on Windows use WSL 2",
            )
        return Path(path)
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    places = [DEFAULT, *([f"{runtime}/docker.sock"] if runtime else [])]
    return Path(next((place for place in places if os.path.exists(place)), DEFAULT))


def _of_context(environ: Mapping[str, str]) -> str:
    """Return the host of the context that `docker context use` chose, "" for none."""
    from docker.context import ContextAPI  # pyright: ignore[reportMissingTypeStubs]

    api: Any = ContextAPI
    try:
        found = api.get_context(environ.get("DOCKER_CONTEXT"))
        return str(found.Host) if found and found.name != "default" else ""
    except Exception:  # a broken file of another program; the default engine may do
        return ""


def connected(environ: Mapping[str, str]) -> tuple[Any, Path]:
    """Return the SDK's client and the engine's socket; UserError where none answers."""
    try:
        import docker  # pyright: ignore[reportMissingTypeStubs]
    except ImportError as error:
        raise UserError(
            "Lift runs need the docker library", str(error), "pip install 'skillgauge[lift]'"
        ) from error
    path = socket_of(environ)
    _knock(path)
    sdk: Any = docker
    try:
        return sdk.APIClient(f"unix://{path}", timeout=SECONDS, max_pool_size=POOL), path
    except sdk.errors.DockerException as error:
        why = str(error).removeprefix("Error while fetching server API version: ")
        raise _silent(path, why.rstrip(".")) from error


def _knock(path: Path) -> None:
    """Raise UserError if nobody listens, which the SDK says in worse words."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(SECONDS)
            connection.connect(str(path))
    except FileNotFoundError as error:
        raise UserError(f"No Docker engine runs here: there is no {path}", how=INSTALL) from error
    except PermissionError as error:
        why = f"{path} is not yours to use"
        how = "`sudo usermod -aG docker $USER`, and log in again"
        raise UserError("Docker's engine can't be asked", why, how) from error
    except (OSError, AttributeError) as error:  # Windows may have no such sockets
        raise _silent(path, str(error)) from error


def _silent(path: Path, why: str) -> UserError:
    what = f"Docker's engine does not answer at {path}"
    return UserError(what, why, "Start it: `sudo systemctl start docker`")


async def call(function: Callable[..., T], *words: Any, **named: Any) -> T:
    """Call the SDK, whose calls block; EngineFault for what the engine did wrong.

    A call that was begun is waited for even when the caller is cancelled, so that nothing comes to
    be in the engine behind its back.
    """

    def called() -> T:
        try:
            return function(*words, **named)
        except Exception as error:
            if (fault := fault_of(error)) is None:
                raise
            raise fault from error

    return await settled(asyncio.to_thread(called))


async def settled(work: Awaitable[T]) -> T:
    """Wait until something is done, and only then pass on that it was cancelled."""
    task = asyncio.ensure_future(work)
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        task.exception()  # was looked at; nobody is left to be told
        raise asyncio.CancelledError
    return task.result()


def fault_of(error: Exception) -> EngineFault | None:
    """Return what an exception of the SDK means, None for one that isn't the engine's doing."""
    import requests
    from docker import errors  # pyright: ignore[reportMissingTypeStubs]

    kinds: Any = errors
    if isinstance(error, kinds.APIError):
        return Refused(_told(error), int(getattr(error, "status_code", 0) or 0))
    if isinstance(error, (kinds.DockerException, requests.RequestException, OSError)):
        return EngineFault(f"The engine does not answer: {error}")
    return None


def _told(error: Any) -> str:
    return f"The engine refused: {str(error.explanation or error)[:1000]}"


class Refused(EngineFault):
    """The engine's answer was an error, with the status of HTTP."""

    def __init__(self, message: str, status: int) -> None:
        """Take what the engine said."""
        super().__init__(message)
        self.status = status
