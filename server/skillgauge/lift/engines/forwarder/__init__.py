"""The only way out of a container: its port 18080 leads into the model's socket on the host.

A container has no network but its own loopback. What stands in front of the harness there listens
on that loopback, passes bytes on to the socket, starts the harness, and ends as it does. It comes
in three languages, since an image has what its harness needs and not more; all do the same.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Final

from skillgauge.lift.engines import Ended, Mount
from skillgauge.lift.engines.user import account_files

PORT: Final = 18080
FOLDER: Final = "/opt/skillgauge"
SOCKET_FOLDER: Final = "/run/skillgauge"
SOCKET_NAME: Final = "model.sock"
FAILED: Final = 70
"""The exit code where nothing could be started, with a line on standard error that says why."""
FILES: Final = ("start.sh", "forward.py", "forward.pl", "forward.cjs")
_MARK: Final = b"skillgauge: "


def wrap(command: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command that opens the way out and then runs another."""
    return ("/bin/sh", f"{FOLDER}/start.sh", *command)


def mounts(folder: Path, sockets: Path, home: str = "/home/agent") -> tuple[Mount, ...]:
    """Write what a container needs for it into a folder, and return what is to be mounted.

    `sockets` is the folder that has the socket, under the name `SOCKET_NAME`; the agent's user has
    to be allowed to write to it. Nothing of this can be changed from inside.
    """
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    source = resources.files(__name__)
    for name in FILES:
        _write(folder / name, source.joinpath(name).read_text(encoding="utf-8"))
    for name, text in account_files(home).items():
        _write(folder / name, text)
    return (
        Mount(folder, FOLDER),
        Mount(folder / "passwd", "/etc/passwd"),
        Mount(folder / "group", "/etc/group"),
        Mount(sockets, SOCKET_FOLDER),
    )


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
    path.chmod(0o644)


def fault(ended: Ended) -> str:
    """Return why the harness could not be started, "" if it was."""
    if ended.exit_code != FAILED or not ended.stderr.startswith(_MARK):
        return ""
    line = ended.stderr.split(b"\n", 1)[0].removeprefix(_MARK)
    return line[:500].decode("utf-8", "replace")
