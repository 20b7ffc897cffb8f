"""An engine of the tests' own: no socket, folder or network that anything else uses."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

START = (
    "--storage-driver={storage}",
    "--bridge=none",
    "--iptables=false",
    "--ip6tables=false",
    "--ip-forward=false",
    "--ip-masq=false",
)
SECONDS = 60
PREFIX = "sgd-"


class PrivateEngine:
    """Started at the beginning of a `with` block, and gone with all its data at its end."""

    def __init__(self) -> None:
        # Sockets have short names, shorter than pytest's folders.
        clear_stale()
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir="/tmp"))
        (self.folder / "owner").write_text(str(os.getpid()))
        self.host = f"unix://{self.folder}/s"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop(signal.SIGTERM)
        remove(self.folder)

    def start(self) -> None:
        """Start it, with what it had before; vfs where the file system can't be laid over."""
        for storage in ("overlay2", "vfs"):
            words = [word.format(storage=storage) for word in START]
            places = [f"--{name}={self.folder}/{name}" for name in ("data-root", "exec-root")]
            with (self.folder / "log").open("ab") as log:
                self._process = subprocess.Popen(
                    ["dockerd", "-H", self.host, f"--pidfile={self.folder}/pid", *places, *words],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            if self._comes_up(self._process):
                return
            self.stop(signal.SIGKILL)
        raise RuntimeError((self.folder / "log").read_text()[-2000:])

    def _comes_up(self, process: subprocess.Popen[bytes]) -> bool:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and process.poll() is None:
            with socket.socket(socket.AF_UNIX) as connection, suppress(OSError):
                connection.settimeout(5)
                connection.connect(self.host.removeprefix("unix://"))
                connection.sendall(b"GET /_ping HTTP/1.0\r\n\r\n")
                if b" 200 " in connection.recv(100):
                    return True
            time.sleep(0.1)
        return False

    def stop(self, number: signal.Signals) -> None:
        """Stop it as an administrator would, or as a power cut does."""
        if self._process is None:
            return
        self._process.send_signal(number)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None
        if number == signal.SIGKILL:
            self._stop_containerd()

    def _stop_containerd(self) -> None:
        """Stop what the engine started for itself; it outlives an engine that was killed."""
        for path in self.folder.rglob("containerd.pid"):
            with_id = path.read_text().strip()
            path.unlink()
            if with_id.isdigit():
                with suppress(ProcessLookupError):
                    os.kill(int(with_id), signal.SIGKILL)


def remove(folder: Path) -> None:
    """Remove an engine's folder; one that was killed leaves file systems mounted in it."""
    for line in reversed(Path("/proc/self/mountinfo").read_text().splitlines()):
        place = line.split()[4]
        if Path(place).is_relative_to(folder):
            subprocess.run(["umount", "--lazy", place], check=False)
    shutil.rmtree(folder, ignore_errors=True)


def clear_stale() -> None:
    """End and remove the engines of tests that were killed."""
    for folder in Path("/tmp").glob(f"{PREFIX}*"):
        owner, engine = (_number(folder / name) for name in ("owner", "pid"))
        if not owner or Path(f"/proc/{owner}").exists():
            continue
        command = Path(f"/proc/{engine}/cmdline")
        if engine and command.exists() and str(folder) in command.read_text():
            os.kill(engine, signal.SIGTERM)
            end = time.monotonic() + 20
            while command.exists() and time.monotonic() < end:
                time.sleep(0.1)
        remove(folder)


def _number(path: Path) -> int:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return 0


def why_not() -> str:
    """Return why there can be no private engine, "" if there can."""
    if shutil.which("dockerd") is None:
        return "dockerd is not installed"
    if os.geteuid() != 0:
        return "dockerd has to be started as root; set SKILLGAUGE_TEST_DOCKER_HOST to a running one"
    return ""
