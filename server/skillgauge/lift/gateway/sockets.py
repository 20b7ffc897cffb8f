"""Unix sockets at any path, though the system takes only short ones."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from pathlib import Path
from typing import Final

from skillgauge.errors import UserError

LONGEST: Final = 100
"""Bytes; the limit of macOS is 104, of Linux 108, with a zero at the end."""
_OPEN_FOLDERS: Final = Path("/proc/self/fd")
BACKLOG: Final = 128


def listen(path: Path) -> socket.socket:
    """Return a socket that listens at a path, for every user of this machine or a container.

    What keeps others away is the folder that it lies in. UserError if there can be none.
    """
    if not hasattr(socket, "AF_UNIX"):
        raise UserError(
            "This system has no Unix sockets",
            "a container reaches its model by one",
            "Use Linux, macOS, or the Linux subsystem of Windows",
        )
    _clear(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _bind(listener, path)
        path.chmod(0o666)
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except BaseException:
        listener.close()
        raise
    return listener


def remove(path: Path) -> None:
    """Remove a socket's file if it is there."""
    with contextlib.suppress(OSError):
        path.unlink()


def _clear(path: Path) -> None:
    """Remove what a worker left that was killed; anything but a socket stays, and is in the way."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise UserError(f"“{path}” is in the way", "a socket has to be there", "Move it away")
    path.unlink()


def _bind(listener: socket.socket, path: Path) -> None:
    if len(os.fsencode(path)) <= LONGEST:
        listener.bind(str(path))
        return
    if not _OPEN_FOLDERS.is_dir() or len(os.fsencode(path.name)) > LONGEST // 2:
        raise UserError(
            f"The path “{path}” is too long for a socket",
            f"{LONGEST} bytes are the limit",
            "Let SKILLGAUGE_DATA name a folder with a shorter path",
        )
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        listener.bind(f"{_OPEN_FOLDERS}/{folder}/{path.name}")
    finally:
        os.close(folder)
