"""Docker's engine without one: where it is, what is asked of it, what its answers mean."""

from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("docker")

from skillgauge.cli import main
from skillgauge.errors import UserError
from skillgauge.lift.doctor import observations
from skillgauge.lift.engines import EngineFault, Job, Limits, Mount
from skillgauge.lift.engines._docker_api import call, settled, socket_of
from skillgauge.lift.engines._docker_spec import container
from skillgauge.lift.engines.docker import Docker, _seconds, connect
from skillgauge.lift.engines.docker_images import Images
from skillgauge.lift.engines.user import agent_ids

ENGINE = Path("/somewhere/docker.sock")


def test_the_environment_names_the_engine() -> None:
    assert socket_of({"DOCKER_HOST": "unix:///a/b.sock"}) == Path("/a/b.sock")


@pytest.mark.parametrize(
    "host", ["tcp://1.2.3.4:2375", "ssh://me@there", "npipe:////./pipe/d", "x"]
)
def test_an_engine_elsewhere_is_refused(host: str) -> None:
    with pytest.raises(UserError, match="are on this machine"):
        socket_of({"DOCKER_HOST": host})


def test_a_context_names_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    (tmp_path / "config.json").write_text('{"currentContext": "mine"}')
    place = tmp_path / "contexts/meta" / hashlib.sha256(b"mine").hexdigest()
    place.mkdir(parents=True)
    meta = {"Name": "mine", "Metadata": {}, "Endpoints": {"docker": {"Host": "unix:///mine.sock"}}}
    (place / "meta.json").write_text(json.dumps(meta))
    assert socket_of({}) == Path("/mine.sock")
    assert socket_of({"DOCKER_CONTEXT": "default"}) == Path("/var/run/docker.sock")
    assert socket_of({"DOCKER_HOST": "unix:///other.sock"}) == Path("/other.sock")
    (place / "meta.json").write_text("{")
    assert socket_of({}) == Path("/var/run/docker.sock")


async def test_no_engine_is_said_with_what_to_do(tmp_path: Path) -> None:
    engine = connect({"DOCKER_HOST": f"unix://{tmp_path}/none"})
    with pytest.raises(UserError, match=r"No Docker engine runs here.*docker\.io.*Podman"):
        await engine.describe()


async def test_a_socket_that_nobody_listens_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    engine = connect({"DOCKER_HOST": f"unix://{tmp_path}/file"})
    with pytest.raises(UserError, match=r"does not answer at .*systemctl start docker"):
        await engine.describe()


class Client:
    """What an engine says of itself."""

    def __init__(self, **info: Any) -> None:
        self._info = info

    def info(self) -> dict[str, Any]:
        return self._info

    def version(self) -> dict[str, str]:
        return {"Version": "26.1", "ApiVersion": "1.45", "Os": "linux", "Arch": "arm64"}


@pytest.mark.parametrize(
    ("info", "said"),
    [
        ({"OSType": "windows"}, "Windows containers"),
        ({"SecurityOptions": ["name=seccomp", "name=rootless"]}, "rootless"),
        ({"MemoryLimit": False, "PidsLimit": False}, "can't limit memory and processes"),
        ({"CpuCfsQuota": False}, "can't limit CPUs"),
    ],
)
async def test_an_engine_that_will_not_do(info: dict[str, Any], said: str) -> None:
    engine = Docker({})
    engine._connected = (Client(**info), ENGINE)
    with pytest.raises(UserError, match=said):
        await engine.describe()


async def test_an_engine_that_will_do() -> None:
    engine = Docker({})
    engine._connected = (Client(OSType="linux", MemoryLimit=True, SecurityOptions=None), ENGINE)
    assert await engine.describe() == "Docker 26.1 (API 1.45, linux/arm64)"


def test_every_limit_is_asked_for(tmp_path: Path) -> None:
    limits = Limits(1.5, 100, 7, 1.0, 1, 9, 20, 3)
    mounts = (Mount(tmp_path, "/in"), Mount(tmp_path, "/out", writable=True))
    job = Job("r", "t", "i", ("a", "b"), "/w", {"K": "v"}, mounts, limits)
    words = container(job, "name", {"l": "1"}, ENGINE)
    host = words["host_config"]
    assert words["user"] == ":".join(map(str, agent_ids()))
    assert (words["entrypoint"], words["use_config_proxy"]) == (["a", "b"], False)
    wanted = {
        "NetworkMode": "none",
        "ReadonlyRootfs": True,
        "CapDrop": ["ALL"],
        "SecurityOpt": ["no-new-privileges:true"],
        "Init": True,
        "NanoCpus": 1_500_000_000,
        "Memory": 100 << 20,
        "MemorySwap": 100 << 20,
        "PidsLimit": 7,
        "Tmpfs": {"/tmp": "rw,exec,nosuid,nodev,size=9m,mode=1777"},
        "LogConfig": {"Type": "none"},
    }
    assert {key: host[key] for key in wanted} == wanted
    assert {one["Name"]: one["Hard"] for one in host["Ulimits"]} == {
        "nofile": 20,
        "fsize": 3 << 20,
        "core": 0,
    }
    assert [one["ReadOnly"] for one in host["Mounts"]] == [True, False]
    assert not {"Privileged", "CapAdd", "Binds", "Devices", "PidMode", "PortBindings"} & host.keys()


def test_links_don_t_hide_what_is_mounted(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/")
    job = Job("r", "t", "i", ("a",), "/", mounts=(Mount(tmp_path / "link", "/host"),))
    with pytest.raises(EngineFault, match="root of the file system"):
        container(job, "n", {}, ENGINE)


async def test_a_call_that_was_begun_is_waited_for() -> None:
    """What it makes has to be known, or nobody removes it."""
    done: list[str] = []

    async def slow() -> None:
        await asyncio.sleep(0.05)
        done.append("made")

    task = asyncio.create_task(settled(slow()))
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done == ["made"]


async def test_what_is_no_fault_of_the_engine_is_a_bug() -> None:
    def wrong() -> None:
        raise KeyError("x")

    def gone() -> None:
        raise ConnectionResetError("reset")

    with pytest.raises(KeyError):
        await call(wrong)
    with pytest.raises(EngineFault, match="does not answer: reset"):
        await call(gone)


@pytest.mark.parametrize(
    ("begun", "ended", "took"),
    [
        ("2026-01-01T00:00:00.123456789Z", "2026-01-01T00:00:02.623456789Z", 2.5),
        ("2026-01-01T00:00:00Z", "2026-01-01T00:00:01.5Z", 1.5),
        ("2026-01-01T00:00:09Z", "2026-01-01T00:00:00Z", 4.0),
        ("0001-01-01T00:00:00Z", "2026-01-01T00:00:00Z", 4.0),
        ("", "2026-01-01T00:00:00Z", 4.0),
    ],
)
def test_how_long_it_ran(begun: str, ended: str, took: float) -> None:
    assert _seconds({"StartedAt": begun, "FinishedAt": ended}, 4.0) == took


class Builder:
    """An engine that answers a build or a pull with some lines."""

    def __init__(self, *events: dict[str, Any]) -> None:
        self.events, self.pulled = events, ""

    def build(self, **_: Any) -> Any:
        return iter(self.events)

    def pull(self, name: str, **_: Any) -> Any:
        self.pulled = name
        return iter(self.events)


def images_of(builder: Builder) -> Images:
    images = Images.__new__(Images)
    images._client = builder
    return images


def test_a_full_disk_of_the_engine(tmp_path: Path) -> None:
    (tmp_path / "tar").write_bytes(b"")
    full = Builder({"stream": "Step 1/2 : FROM x"}, {"error": "write /a: no space left on device"})
    with pytest.raises(UserError, match=r"The engine's disk is full. .*docker system df"):
        images_of(full).build(tmp_path / "tar", 2, lambda *_: None, network=False)
    with pytest.raises(EngineFault, match="COPY failed"):
        images_of(Builder({"error": "COPY failed"})).build(
            tmp_path / "tar", 2, lambda *_: None, network=False
        )


def test_what_a_build_tells(tmp_path: Path) -> None:
    (tmp_path / "tar").write_bytes(b"")
    shown: list[tuple[str, int, int]] = []
    told = Builder(
        {"stream": "Step 1/2 : FROM x"}, {"stream": "Step 2/2 : COPY"}, {"aux": {"ID": "sha256:1"}}
    )
    made = images_of(told).build(
        tmp_path / "tar", 2, lambda *step: shown.append(step), network=False
    )
    assert (made, shown) == ("sha256:1", [("build", 0, 2), ("build", 1, 2)])


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("node", "node:latest"),
        ("here:5000/node", "here:5000/node:latest"),
        ("node:22", "node:22"),
        ("node@sha256:ab", "node@sha256:ab"),
    ],
)
def test_what_a_pull_tells(name: str, wanted: str) -> None:
    def layer(identity: str, done: int) -> dict[str, Any]:
        detail = {"current": done, "total": 10}
        return {"id": identity, "status": "Downloading", "progressDetail": detail}

    shown: list[tuple[str, int, int]] = []
    told = Builder(layer("a", 3), layer("b", 5), layer("a", 10), {"status": "Pull complete"})
    images_of(told).pull(name, lambda *step: shown.append(step))
    assert told.pulled == wanted
    assert shown == [("pull", 3, 10), ("pull", 8, 20), ("pull", 15, 20)]


@pytest.mark.parametrize("words", [["build"], ["list"], ["remove", "x"]])
def test_the_command_line_without_an_engine(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///no/such")
    assert main(["image", *words]) == 2
    said = capsys.readouterr().err
    assert said.startswith("skillgauge: No Docker engine runs here: there is no /no/such. Install")
    assert len(said.splitlines()) == 1


def test_doctor_without_an_engine_or_a_key() -> None:
    engine, keys = observations({"DOCKER_HOST": "unix:///no/such"})
    assert (engine.state, engine.value) == (
        "note",
        "No Docker engine runs here: there is no /no/such",
    )
    assert "docker.io" in engine.mend
    assert keys.state == "note"
    assert keys.mend.endswith(
        "ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, OPENAI_API_KEY, GEMINI_API_KEY, GOOGLE_API_KEY,"
        " SKILLGAUGE_JUDGE_API_KEY"
    )


def test_doctor_names_keys_and_never_shows_them() -> None:
    environ = {"DOCKER_HOST": "unix:///no", "OPENAI_API_KEY": "sk-1", "GEMINI_API_KEY": " "}
    found = observations(environ)
    assert found[-1].value == "OPENAI_API_KEY set"
    assert "sk-1" not in str(found)
