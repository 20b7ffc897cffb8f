"""Where an agent runs: an engine takes a job and returns how it ended, whatever happened to it.

An engine is a module with `connect()`. The docker SDK is imported by docker.py alone.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Protocol

from skillgauge.errors import SkillgaugeError

AGENT: Final = 1000
"""The user and group of the agent where the host's own user is root."""

Reason = Literal["exit", "timeout", "memory", "output", "disk"]
"""Why a job ended: by itself, or by the limit that it ran into."""


class EngineFault(SkillgaugeError):
    """The engine failed, not the job: it was stopped, or could not start the container."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a job may use."""

    cpus: float = 2.0
    memory_mb: int = 4096
    pids: int = 512
    seconds: float = 900.0
    output_bytes: int = 16 * 2**20
    """Of standard output and error together."""
    tmp_mb: int = 512
    open_files: int = 4096
    file_mb: int = 1024
    """The largest file that may be written."""
    disk_mb: int = 4096
    """What a trial's folders may hold; looked at every few seconds."""


class Mount(NamedTuple):
    """A folder or file of the host inside a container."""

    host: Path
    inside: str
    writable: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """What is to run, as the host's user without any privilege and without a network."""

    run: str
    trial: str
    image: str
    command: tuple[str, ...]
    workdir: str
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    mounts: tuple[Mount, ...] = ()
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True)
class Ended:
    """How a job ended."""

    exit_code: int | None
    """None if it was stopped from outside."""
    reason: Reason
    seconds: float
    """From its start to its end, without what the engine took before and after."""
    stdout: bytes = b""
    stderr: bytes = b""
    out_of_memory: bool = False
    """Whether any process of it was ended for want of memory, even if the job itself went on."""


class Engine(Protocol):
    """What an engine does. Its calls block nothing: they are awaited."""

    async def describe(self) -> str:
        """Return the engine's name and version; UserError if it is not there."""
        ...

    async def find_image(self, image: str) -> Mapping[str, str]:
        """Return the labels of an image; UserError if it is not there."""
        ...

    def run(self, job: Job) -> Coroutine[Any, Any, Ended]:
        """Run a job to its end; EngineFault if it could not.

        When the call is cancelled the container is stopped and removed before it returns.
        """
        ...

    async def sweep(self, is_alive: Callable[[str], bool]) -> int:
        """Remove containers of runs that nobody works on any more; return how many there were."""
        ...
