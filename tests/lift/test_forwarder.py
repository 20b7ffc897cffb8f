"""The way out of a container, in each language: bytes both ways, signals, and how it ends."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from skillgauge.lift.engines import Ended, forwarder
from skillgauge.lift.engines.user import agent_ids

SOURCE = Path(forwarder.__file__).parent
LANGUAGES = {
    "python3": [sys.executable, "-I", "-S", str(SOURCE / "forward.py")],
    "node": ["node", str(SOURCE / "forward.cjs")],
    "perl": ["perl", str(SOURCE / "forward.pl")],
}
ASK = """
import os, socket, sys
with socket.create_connection(("127.0.0.1", {port})) as it:
    it.sendall(sys.argv[1].encode() * {times})
    it.shutdown(socket.SHUT_WR)
    got = b"".join(iter(lambda: it.recv(65536), b""))
os.write(1, b"%d %s\\n" % (len(got), got[:20]))
"""


@pytest.fixture(params=sorted(LANGUAGES))
def language(request: pytest.FixtureRequest) -> list[str]:
    words = LANGUAGES[request.param]
    if shutil.which(words[0]) is None:
        pytest.skip(f"There is no {words[0]}")
    return words


class Model(threading.Thread):
    """Answers what it was sent, in capitals, when it has all of it."""

    def __init__(self, path: Path) -> None:
        super().__init__(daemon=True)
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(str(path))
        self.server.listen()

    def run(self) -> None:
        while True:
            try:
                client = self.server.accept()[0]
            except OSError:
                return
            with client:
                got = bytearray()
                while data := client.recv(65536):
                    got += data
                client.sendall(got.upper())


@pytest.fixture
def place(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment that puts a forwarder beside others: a port and a socket of its own."""
    model = Model(tmp_path / "m")
    model.start()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    yield {**os.environ, "SKILLGAUGE_PORT": str(port), "SKILLGAUGE_SOCKET": str(tmp_path / "m")}
    model.server.shutdown(socket.SHUT_RDWR)
    model.server.close()


def run(words: list[str], place: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*words, *command],
        env=place,
        capture_output=True,
        text=True,
        timeout=60,
        input="for nobody",
        check=False,
    )


def ask(place: dict[str, str], times: int) -> list[str]:
    return [sys.executable, "-c", ASK.format(port=place["SKILLGAUGE_PORT"], times=times)]


@pytest.mark.parametrize("times", [1, 1_000_000])
def test_bytes_go_both_ways(language: list[str], place: dict[str, str], times: int) -> None:
    done = run(language, place, *ask(place, times), "abcde")
    assert done.stderr == ""
    assert done.stdout == f"{5 * times} {('ABCDE' * times)[:20]}\n"


def test_many_connections_at_once(language: list[str], place: dict[str, str]) -> None:
    line = " & ".join(f'"$@" {letter * 3}' for letter in "abcdefgh") + " & wait"
    done = run(language, place, "sh", "-c", line, "sh", *ask(place, 20_000))
    assert sorted(done.stdout.split()) == sorted(
        [word for letter in "ABCDEFGH" for word in ("60000", letter * 20)]
    )


def test_a_model_that_is_gone_ends_the_connection(
    language: list[str], place: dict[str, str]
) -> None:
    place["SKILLGAUGE_SOCKET"] += "-not"
    done = run(language, place, *ask(place, 1), "a")
    assert done.stdout in ("0 \n", "")
    assert done.returncode == 0 or "Error" in done.stderr


@pytest.mark.parametrize(
    ("line", "code"), [("exit 0", 0), ("exit 3", 3), ("kill -9 $$", 137), ("kill -15 $$", 143)]
)
def test_it_ends_as_the_command_does(
    language: list[str], place: dict[str, str], line: str, code: int
) -> None:
    assert run(language, place, "sh", "-c", line).returncode == code


def test_output_errors_and_words_are_the_commands(
    language: list[str], place: dict[str, str]
) -> None:
    done = run(
        language, place, "sh", "-c", 'printf "%s|" "$@"; echo wrong >&2', "x", "a b", "", "*"
    )
    assert (done.stdout, done.stderr) == ("a b||*|", "wrong\n")


def test_standard_input_is_empty(language: list[str], place: dict[str, str]) -> None:
    assert run(language, place, "sh", "-c", "cat; echo end").stdout == "end\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_reach_the_command(
    language: list[str], place: dict[str, str], number: signal.Signals
) -> None:
    line = f"trap 'echo got; exit 9' {number.name[3:]}; echo ready; while :; do sleep 0.05; done"
    with subprocess.Popen(
        [*language, "sh", "-c", line], env=place, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "ready\n"
        time.sleep(0.2)
        running.send_signal(number)
        assert running.stdout.read() == "got\n"
        assert running.wait(20) == 9


def test_a_command_that_is_not_there(language: list[str], place: dict[str, str]) -> None:
    done = run(language, place, "no-such-command", "x")
    ended = Ended(done.returncode, "exit", 0.1, b"", done.stderr.encode())
    assert forwarder.fault(ended) == (
        "“no-such-command” can't be started: No such file or directory"
    )


def test_a_port_that_is_taken(language: list[str], place: dict[str, str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", int(place["SKILLGAUGE_PORT"])))
        taken.listen()
        done = run(language, place, "true")
    ended = Ended(done.returncode, "exit", 0.1, b"", done.stderr.encode())
    assert f"Port {place['SKILLGAUGE_PORT']} can't be opened" in forwarder.fault(ended)


def test_what_the_agent_itself_says_is_no_fault_of_ours() -> None:
    assert forwarder.fault(Ended(70, "exit", 1.0, b"", b"cat: no such file\n")) == ""
    assert forwarder.fault(Ended(1, "exit", 1.0, b"", b"skillgauge: no\n")) == ""


def only(tmp_path: Path, *names: str) -> dict[str, str]:
    """Return an environment whose PATH has these programs alone."""
    for name in names:
        found = sys.executable if name == "python3" else shutil.which(name)
        if found is None:
            pytest.skip(f"There is no {name}")
        (tmp_path / name).write_text(f'#!/bin/sh\necho {name} >&2; exec {found} "$@"\n')
        (tmp_path / name).chmod(0o755)
    return {"PATH": str(tmp_path)}


@pytest.mark.parametrize("name", sorted(LANGUAGES))
def test_the_image_decides_the_language(tmp_path: Path, place: dict[str, str], name: str) -> None:
    start = ["/bin/sh", str(SOURCE / "start.sh")]
    done = run(start, {**place, **only(tmp_path, name)}, "/bin/sh", "-c", "exit 4")
    assert (done.returncode, done.stderr) == (4, f"{name}\n")


def test_an_image_without_any_of_them(tmp_path: Path, place: dict[str, str]) -> None:
    done = run(["/bin/sh", str(SOURCE / "start.sh")], {**place, **only(tmp_path)}, "true")
    ended = Ended(done.returncode, "exit", 0.1, b"", done.stderr.encode())
    assert forwarder.fault(ended).startswith("The image has none of python3, perl and node")


def test_what_is_mounted(tmp_path: Path) -> None:
    mounts = forwarder.mounts(tmp_path / "way", tmp_path)
    user, group = agent_ids()
    assert [(mount.host.name, mount.inside, mount.writable) for mount in mounts] == [
        ("way", "/opt/skillgauge", False),
        ("passwd", "/etc/passwd", False),
        ("group", "/etc/group", False),
        (tmp_path.name, "/run/skillgauge", False),
    ]
    assert {path.name for path in (tmp_path / "way").iterdir()} == {
        *forwarder.FILES,
        "passwd",
        "group",
    }
    assert f"agent:x:{user}:{group}::/home/agent:/bin/sh" in (tmp_path / "way/passwd").read_text()
    assert user != 0
    assert forwarder.wrap(("codex", "exec")) == (
        "/bin/sh",
        "/opt/skillgauge/start.sh",
        "codex",
        "exec",
    )
