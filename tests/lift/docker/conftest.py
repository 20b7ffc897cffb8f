"""An engine and images for the tests that run containers."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from skillgauge.lift.engines import Engine, Job, Limits, Mount
from skillgauge.lift.engines.docker import connect

from .private import PrivateEngine, why_not
from .rootfs import BUSYBOX, write_busybox, write_slice

BUSYBOX_IMAGE = "skillgauge-test/busybox:1"
SLICE_IMAGE = "skillgauge-test/slice:1"
PATH = "/usr/local/bin:/usr/bin:/bin"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests of this folder, and give them the time that a slow machine may take."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("docker")
            item.add_marker(pytest.mark.timeout(300))


@pytest.fixture(scope="session")
def docker_host() -> Iterator[str]:
    """Where the engine is: the one that is named, else one of our own for these tests."""
    pytest.importorskip("docker")
    if named := os.environ.get("SKILLGAUGE_TEST_DOCKER_HOST"):
        yield named
    elif why := why_not():
        pytest.skip(why)
    else:
        with PrivateEngine() as engine:
            yield engine.host


@pytest.fixture(scope="session")
def sdk(docker_host: str) -> Iterator[Any]:
    """The SDK's own client, to look at what our engine left."""
    import docker

    client = docker.APIClient(docker_host)
    yield client
    client.close()


def imported(sdk: Any, folder: Path, tag: str) -> str:
    """Make an image if it isn't there."""
    if not sdk.images(tag):
        write = write_slice if tag == SLICE_IMAGE else write_busybox
        write(folder / "root.tar")
        name, version = tag.split(":")
        changes = [f"ENV PATH={PATH}", 'CMD ["/bin/sh"]']
        sdk.import_image_from_file(str(folder / "root.tar"), name, version, changes=changes)
        (folder / "root.tar").unlink()
    return tag


@pytest.fixture(scope="session")
def busybox(sdk: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The small image."""
    if not os.path.exists(BUSYBOX):
        pytest.skip(f"There is no {BUSYBOX}")
    return imported(sdk, tmp_path_factory.mktemp("busybox"), BUSYBOX_IMAGE)


@pytest.fixture(scope="session")
def real_programs(sdk: Any, busybox: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The image with bash, git, node, perl and python3, as far as this machine has them."""
    return imported(sdk, tmp_path_factory.mktemp("slice"), SLICE_IMAGE)


@pytest.fixture
def engine(docker_host: str, tmp_path: Path) -> Engine:
    """Our engine, for a data folder that no other test has."""
    return connect({"DOCKER_HOST": docker_host, "SKILLGAUGE_DATA": str(tmp_path / "data")})


@pytest.fixture
def run_id() -> str:
    """A run that no other test has."""
    return f"test-{uuid.uuid4().hex[:12]}"


class Jobs:
    """Makes jobs of shell lines."""

    def __init__(self, run: str, image: str) -> None:
        self.run, self.image = run, image

    def __call__(self, line: str, *mounts: Mount, **limits: Any) -> Job:
        return Job(
            self.run,
            "trial",
            self.image,
            ("/bin/sh", "-c", line),
            "/tmp",
            {"HOME": "/tmp"},
            mounts,
            Limits(**{"seconds": 60.0, "memory_mb": 256, **limits}),
        )


@pytest.fixture
def job(run_id: str, busybox: str) -> Jobs:
    """Jobs of this test."""
    return Jobs(run_id, busybox)


@pytest.fixture
def left(sdk: Any, run_id: str) -> Any:
    """What is in the engine of this test's run."""
    return lambda: sdk.containers(all=True, filters={"label": f"skillgauge.run={run_id}"})
