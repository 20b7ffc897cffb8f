"""A hostile job gets at nothing outside but its model; and the way to that, in real containers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from skillgauge.lift.engines import Ended, Engine, Job, Limits, Mount, forwarder

from .conftest import SLICE_IMAGE, Jobs

KEY = "sk-ant-REAL-" + "k3y" * 10
OTHER = "the answer of another trial"
HERE = "what can be found in a container"
HOSTILE = Path(__file__).with_name("hostile.py")
ASK = "exec 3<>/dev/tcp/127.0.0.1/18080; printf hello >&3; head -c 10 <&3"


@pytest.fixture
async def model(tmp_path: Path) -> AsyncIterator[Path]:
    """A folder with the model's socket; the model says how much it was sent."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got = await reader.read(5)
        writer.write(b"got " + got + b"\n")
        await writer.drain()
        writer.close()

    folder = tmp_path / "sockets"
    folder.mkdir()
    server = await asyncio.start_unix_server(answer, folder / forwarder.SOCKET_NAME)
    (folder / forwarder.SOCKET_NAME).chmod(0o666)
    folder.chmod(0o755)
    tmp_path.chmod(0o755)
    yield folder
    server.close()
    await server.wait_closed()


def wrapped(given: Job, image: str, words: tuple[str, ...], *mounts: Mount) -> Job:
    """Return a job behind the forwarder."""
    limits = Limits(seconds=90, memory_mb=512)
    command = forwarder.wrap(words)
    return Job(given.run, "t", image, command, "/tmp", {"HOME": "/tmp"}, mounts, limits)


def host_addresses() -> list[str]:
    """Return this machine's own addresses, 127.0.0.1 not among them."""
    found: set[str] = set()
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as it:
        it.connect(("192.0.2.1", 9))  # sends nothing; the system chooses an address
        found.add(it.getsockname()[0])
    return sorted(found) or ["10.0.0.1"]


async def test_a_hostile_job(
    engine: Engine,
    job: Jobs,
    real_programs: str,
    model: Path,
    docker_host: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    (tmp_path / "other").mkdir()
    (tmp_path / "other/answer.txt").write_text(OTHER)
    (tmp_path / "shown").mkdir()
    (tmp_path / "shown").chmod(0o777)
    (tmp_path / "shown/here.txt").write_text(f"..{HERE}..")
    shutil.copy(HOSTILE, tmp_path / "shown/hostile.py")
    shadow = Path("/etc/shadow").read_text().splitlines()[0] if os.geteuid() == 0 else "root:"
    server = socket.create_server(("0.0.0.0", 0))
    nameless = socket.socket(socket.AF_UNIX)
    nameless.bind(f"\0skillgauge-{job.run}")
    nameless.listen()
    facts = {
        "port": server.getsockname()[1],
        "addresses": host_addresses(),
        "abstract": f"skillgauge-{job.run}",
        "engine": docker_host.removeprefix("unix://"),
        "shadow": shadow,
        "other": str(tmp_path / "other/answer.txt"),
        "other_text": OTHER,
        "key": KEY,
        "to_be_found": HERE,
    }
    words = ("python3", "/shown/hostile.py", json.dumps(facts))
    mounts = (*forwarder.mounts(tmp_path / "way", model), Mount(tmp_path / "shown", "/shown"))
    with server, nameless:
        ended = await engine.run(wrapped(job("true"), real_programs, words, *mounts))
    assert (ended.exit_code, ended.stderr) == (0, b""), ended
    came = json.loads(ended.stdout)
    assert came.pop("ask the model") == "got hello\n"
    assert came.pop("found what is there") == "/shown/here.txt"
    assert len(came) == 24
    assert {name: said for name, said in came.items() if said.startswith("DONE")} == {}
    assert came["look up a name"].startswith("gaierror")
    assert came["connect to the internet"] == "OSError: Network is unreachable"
    assert came["connect to the host's loopback"] == "ConnectionRefusedError: Connection refused"
    assert came["find the key"].startswith("FileNotFoundError")
    assert {path.name for path in (tmp_path / "shown").iterdir()} == {"hostile.py", "here.txt"}
    assert (model / forwarder.SOCKET_NAME).exists()


@pytest.mark.parametrize("language", ["python3", "perl", "node"])
async def test_the_way_out_in_each_language(
    engine: Engine, job: Jobs, real_programs: str, model: Path, tmp_path: Path, language: str
) -> None:
    mounts = forwarder.mounts(tmp_path / "way", model)
    ending = {"python3": "py", "perl": "pl", "node": "cjs"}[language]
    start = f'#!/bin/sh\nexec {language} /opt/skillgauge/forward.{ending} "$@"\n'
    (tmp_path / "way/start.sh").write_text(start)
    words = ("bash", "-c", f"{ASK}; id -un; exit 6")
    ended = await engine.run(wrapped(job("true"), real_programs, words, *mounts))
    if b"not found" in ended.stderr:
        pytest.skip(f"This machine has no {language} to make an image of")
    assert (ended.exit_code, ended.stdout) == (6, b"got hello\nagent\n"), ended


async def test_an_image_that_can_have_no_way_out(
    engine: Engine, job: Jobs, busybox: str, model: Path, tmp_path: Path
) -> None:
    mounts = forwarder.mounts(tmp_path / "way", model)
    ended = await engine.run(wrapped(job("true"), busybox, ("true",), *mounts))
    assert forwarder.fault(ended).startswith("The image has none of python3")


async def test_time_that_is_up_reaches_the_agent(
    engine: Engine, job: Jobs, real_programs: str, model: Path, tmp_path: Path
) -> None:
    """Its last words are kept: the signal goes through init and forwarder."""
    mounts = forwarder.mounts(tmp_path / "way", model)
    words = ("bash", "-c", "trap 'echo noted; exit 1' TERM; while :; do sleep 0.1; done")
    given = wrapped(job("true"), real_programs, words, *mounts)
    limits = Limits(seconds=4, memory_mb=256)
    made = Job(given.run, "t", SLICE_IMAGE, given.command, "/tmp", {}, mounts, limits)
    ended: Ended = await engine.run(made)
    assert (ended.reason, ended.exit_code, ended.stdout) == ("timeout", None, b"noted\n")
