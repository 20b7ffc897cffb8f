"""How a job is said to Docker's engine, and what is never mounted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from skillgauge.lift.engines import EngineFault, Job, Mount
from skillgauge.lift.engines.user import agent_ids

MIB: Final = 2**20
ENGINES: Final = (
    "/var/run/docker.sock",
    "/run/docker.sock",
    "/run/containerd/containerd.sock",
    "/run/podman/podman.sock",
)
SYSTEM: Final = ("/proc", "/sys", "/dev", "/boot", "/etc")
"""Neither these nor what they hold is a job's."""


def container(job: Job, name: str, labels: dict[str, str], engine: Path) -> dict[str, Any]:
    """Return the SDK's words for a job's container."""
    check(job.mounts, engine)
    user, group = agent_ids()
    return {
        "image": job.image,
        "name": name,
        "hostname": "agent",
        "entrypoint": list(job.command),  # an image's own would come before the command
        "user": f"{user}:{group}",
        "working_dir": job.workdir,
        "environment": dict(job.environment),
        "labels": labels,
        "stop_timeout": 1,  # an engine that is shut down waits no longer for it
        "healthcheck": {"test": ["NONE"]},
        "use_config_proxy": False,  # it may hold a password of the user
        "host_config": host(job),
    }


def host(job: Job) -> dict[str, Any]:
    """Return what a container may do and use, in the words of the engine's API."""
    limits = job.limits
    memory = limits.memory_mb * MIB
    return {
        "NetworkMode": "none",
        "ReadonlyRootfs": True,
        "CapDrop": ["ALL"],
        "SecurityOpt": ["no-new-privileges:true"],
        "UsernsMode": "host",  # the user's number is the one that owns the files
        "IpcMode": "private",
        "Init": True,
        "NanoCpus": round(limits.cpus * 1e9),
        "Memory": memory,
        "MemorySwap": memory,  # of both together: no swap
        "PidsLimit": limits.pids,
        "Ulimits": [
            {"Name": "nofile", "Soft": limits.open_files, "Hard": limits.open_files},
            {"Name": "fsize", "Soft": limits.file_mb * MIB, "Hard": limits.file_mb * MIB},
            {"Name": "core", "Soft": 0, "Hard": 0},
        ],
        "Tmpfs": {"/tmp": f"rw,exec,nosuid,nodev,size={limits.tmp_mb}m,mode=1777"},
        "ShmSize": 64 * MIB,
        "LogConfig": {"Type": "none"},  # what it says is read as it comes
        "Mounts": [_mount(mount) for mount in job.mounts],
    }


def _mount(mount: Mount) -> dict[str, Any]:
    return {
        "Type": "bind",
        "Source": os.path.realpath(mount.host),
        "Target": mount.inside,
        "ReadOnly": not mount.writable,
        "BindOptions": {"Propagation": "rprivate"},
    }


def check(mounts: tuple[Mount, ...], engine: Path) -> None:
    """Refuse what would let a container out: an engine's socket, the root, the system's folders."""
    for mount in mounts:
        for why in _refusals(Path(os.path.realpath(mount.host)), engine):
            raise EngineFault(f"“{mount.host}” is not mounted into a container: {why}")


def _refusals(real: Path, engine: Path) -> Iterator[str]:
    if not real.exists():
        yield "it is not there"
    if real == Path(real.anchor):
        yield "it is the root of the file system"
    for name in (str(engine), *ENGINES):
        if Path(os.path.realpath(name)).is_relative_to(real):
            yield "it is, or has in it, the socket of an engine"
    if Path.home().is_relative_to(real):
        yield "it has the user's whole home folder in it"
    if any(real.is_relative_to(system) for system in SYSTEM):
        yield "it belongs to the system"
