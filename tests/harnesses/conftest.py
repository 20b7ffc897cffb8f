"""What the agents' runs need: an engine, an image with all of them, and a place for what they took.

They are collected by `make test-harnesses` alone: the packages are 1.3 GB, and a run of all takes
minutes.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from skillgauge.lift.harnesses import harness, names
from skillgauge.lift.image import build
from tests.harnesses.page import Row, write
from tests.lift.docker.conftest import (  # noqa: F401 - fixtures
    SLICE_IMAGE,
    busybox,
    docker_host,
    real_programs,
    sdk,
)

collect_ignore_glob = [] if os.environ.get("SKILLGAUGE_TEST_HARNESSES") else ["test_*.py"]

AGENTS = tuple(name for name in names() if harness(name).PACKAGE)
IMAGE = "skillgauge-test/agents:1"
PAGE = Path(__file__).parents[2] / "docs" / "harnesses.md"
ROWS = pytest.StashKey[dict[str, Row]]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests, and give them the time that real agents take on a slow machine."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("docker")
            item.add_marker(pytest.mark.timeout(1200))


@pytest.fixture(scope="session")
def agents(sdk: Any, docker_host: str, real_programs: str) -> str:  # noqa: F811
    """The image with all agents; one that is named is taken as it is."""
    if named := os.environ.get("SKILLGAUGE_TEST_AGENTS"):
        return named
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    environ = {**os.environ, "DOCKER_HOST": docker_host}
    build(environ, SLICE_IMAGE, AGENTS, IMAGE, lambda *_: None)
    return IMAGE


@pytest.fixture(scope="session")
def rows(request: pytest.FixtureRequest) -> dict[str, Row]:
    """What was measured, by harness."""
    return request.config.stash.setdefault(ROWS, {})


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Write the table into the page, if that is asked for and every agent is in it."""
    rows = session.config.stash.get(ROWS, {})
    if os.environ.get("SKILLGAUGE_WRITE_PAGE") and exitstatus == 0 and set(rows) == set(AGENTS):
        write(PAGE, [rows[name] for name in AGENTS])
