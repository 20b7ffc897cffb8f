"""Cancelled, killed, without an engine: nothing is left, and what failed is said."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from skillgauge.errors import UserError
from skillgauge.lift.engines import Engine, EngineFault, Job, Mount
from skillgauge.lift.engines.docker import connect

from .conftest import Jobs, imported
from .private import PrivateEngine, why_not

FOR_EVER = "trap '' TERM; echo on; while :; do sleep 0.1; done"
WORKER = """
import asyncio, sys
from skillgauge.lift.engines import Job
from skillgauge.lift.engines.docker import connect

async def work(host, data, run, image):
    engine = connect({"DOCKER_HOST": host, "SKILLGAUGE_DATA": data})
    line = "trap '' TERM; while :; do sleep 0.1; done"
    await engine.run(Job(run, "t", image, ("/bin/sh", "-c", line), "/tmp"))

asyncio.run(work(*sys.argv[1:]))
"""


async def running(left: Any) -> None:
    """Wait until this test's container runs."""
    for _ in range(600):
        if any(one["State"] == "running" for one in await asyncio.to_thread(left)):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("No container came up")


async def test_nothing_is_left_of_one_that_ended(engine: Engine, job: Jobs, left: Any) -> None:
    await engine.run(job("true"))
    assert left() == []


async def test_cancelling_takes_at_most_five_seconds(engine: Engine, job: Jobs, left: Any) -> None:
    task = asyncio.create_task(engine.run(job(FOR_EVER)))
    await running(left)
    begun = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - begun < 5
    assert left() == []


@pytest.mark.parametrize("after", [0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5])
async def test_cancelling_at_any_moment(engine: Engine, job: Jobs, left: Any, after: float) -> None:
    task = asyncio.create_task(engine.run(job(FOR_EVER)))
    await asyncio.sleep(after)
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()  # a second one, while the first is being done
    with pytest.raises(asyncio.CancelledError):
        await task
    assert left() == []


async def test_many_at_once(engine: Engine, job: Jobs, left: Any) -> None:
    """More than there are threads; one that waits for its container holds none of them."""
    ended = await asyncio.gather(*(engine.run(job(f"sleep 1; echo {n}")) for n in range(8)))
    assert [one.stdout for one in ended] == [b"%d\n" % n for n in range(8)]
    assert left() == []


def killed_worker(host: str, data: Path, run: str, image: str, left: Any) -> None:
    """Start a worker, and end it as `kill -9` does when its container runs."""
    words = [sys.executable, "-c", WORKER, host, str(data), run, image]
    with subprocess.Popen(words) as worker:
        end = time.monotonic() + 60
        while not left() and time.monotonic() < end:
            time.sleep(0.05)
        worker.send_signal(signal.SIGKILL)


async def test_what_a_killed_worker_left_is_swept(
    docker_host: str, tmp_path: Path, run_id: str, busybox: str, left: Any
) -> None:
    data = tmp_path / "data"
    await asyncio.to_thread(killed_worker, docker_host, data, run_id, busybox, left)
    assert len(left()) == 1
    environ = {"DOCKER_HOST": docker_host, "SKILLGAUGE_DATA": str(data)}
    assert await connect(environ).sweep(lambda run: run == run_id) == 0
    other = connect({**environ, "SKILLGAUGE_DATA": str(tmp_path / "other")})
    assert await other.sweep(lambda _: False) == 0
    assert len(left()) == 1
    assert await connect(environ).sweep(lambda _: False) == 1
    assert left() == []
    assert await connect(environ).sweep(lambda _: False) == 0


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_an_engine_that_is_stopped(
    tmp_path: Path, run_id: str, number: signal.Signals
) -> None:
    """A fault of the engine, no failure of the agent; the next start finds and sweeps the rest.

    The SDK forgets to close sockets that nobody listens to.
    """
    if why := why_not():
        pytest.skip(why)
    import docker

    with PrivateEngine() as private:
        client = docker.APIClient(private.host)
        image = imported(client, tmp_path, "skillgauge-test/busybox:1")
        client.close()
        environ = {"DOCKER_HOST": private.host, "SKILLGAUGE_DATA": str(tmp_path / "data")}
        engine = connect(environ)
        job = Jobs(run_id, image)(f"{FOR_EVER.replace('sleep 0.1', 'sleep 0.2')}")
        task = asyncio.create_task(engine.run(job))

        def containers() -> list[Any]:
            with_docker = docker.APIClient(private.host)
            try:
                return with_docker.containers(all=True)
            finally:
                with_docker.close()

        await running(containers)
        begun = time.monotonic()
        stopping = asyncio.create_task(asyncio.to_thread(private.stop, number))
        with pytest.raises(EngineFault):
            await task
        await stopping
        assert time.monotonic() - begun < 60
        with pytest.raises(UserError, match=r"does not answer|No Docker engine"):
            await connect(environ).describe()
        await asyncio.to_thread(private.start)
        assert await connect(environ).sweep(lambda _: False) == 1
        assert await asyncio.to_thread(containers) == []
    del task, stopping
    gc.collect()


async def test_an_image_that_is_not_there(engine: Engine, job: Jobs, left: Any) -> None:
    given = job("true")
    with pytest.raises(EngineFault, match="No such image"):
        await engine.run(Job(given.run, "t", "no/such:image", ("true",), "/"))
    with pytest.raises(UserError, match=r"There is no image “no/such:image”.*image build"):
        await engine.find_image("no/such:image")
    assert left() == []


async def test_a_program_that_is_not_there(engine: Engine, job: Jobs, left: Any) -> None:
    """Without a forwarder in front it is the init process that says so, and 127."""
    given = job("true")
    ended = await engine.run(Job(given.run, "t", given.image, ("no-such",), "/"))
    assert ended.exit_code == 127
    assert b"no-such" in ended.stderr
    assert left() == []


async def test_which_engine_it_is(engine: Engine, busybox: str) -> None:
    assert (await engine.describe()).startswith("Docker ")
    assert await engine.find_image(busybox) == {}


@pytest.mark.parametrize(
    "path", ["/", "/etc", "/etc/passwd", "/proc/1", "/dev", "/var/run", "/run", str(Path.home())]
)
async def test_what_is_never_mounted(engine: Engine, job: Jobs, left: Any, path: str) -> None:
    with pytest.raises(EngineFault, match="is not mounted into a container"):
        await engine.run(job("true", Mount(Path(path), "/host")))
    assert left() == []


async def test_the_engines_own_socket_is_never_mounted(
    engine: Engine, job: Jobs, docker_host: str, tmp_path: Path
) -> None:
    real = Path(docker_host.removeprefix("unix://"))
    (tmp_path / "link").symlink_to(real)
    for place in (real, real.parent, tmp_path / "link"):
        with pytest.raises(EngineFault, match="the socket of an engine"):
            await engine.run(job("true", Mount(place, "/run/d.sock")))


async def test_a_mount_that_is_not_there(engine: Engine, job: Jobs, tmp_path: Path) -> None:
    with pytest.raises(EngineFault, match="it is not there"):
        await engine.run(job("true", Mount(tmp_path / "no", "/workspace")))
    assert not (tmp_path / "no").exists()


def test_proxies_of_the_user_stay_outside(
    docker_host: str, tmp_path: Path, run_id: str, busybox: str
) -> None:
    """The SDK hands those of the user's configuration to containers unless it is told not to."""
    proxy = '{"proxies": {"default": {"httpProxy": "http://me:secret@proxy:1"}}}'
    (tmp_path / "config.json").write_text(proxy)
    program = textwrap.dedent("""
        import asyncio, sys
        from skillgauge.lift.engines import Job
        from skillgauge.lift.engines.docker import connect
        engine = connect({"DOCKER_HOST": sys.argv[1]})
        job = Job(sys.argv[2], "t", sys.argv[3], ("/bin/sh", "-c", "env"), "/tmp")
        print(asyncio.run(engine.run(job)).stdout.decode())
    """)
    done = subprocess.run(
        [sys.executable, "-c", program, docker_host, run_id, busybox],
        env={**os.environ, "DOCKER_CONFIG": str(tmp_path), "SKILLGAUGE_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "PATH=" in done.stdout
    assert "proxy" not in done.stdout.lower()
