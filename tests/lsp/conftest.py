"""Sessions with the server as each editor would open them, and a limit to every test of them.

`client` starts a server for one test. `shared_client` keeps one for all tests of a file, which
saves a second a test; they must leave it as they found it. A file may name another server by
overriding `server_command`.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from .documents import CASES, make_skill
from .editor_client import EDITORS, EditorClient, connected

TEST_SECONDS = 60.0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every async test of this folder its limit, and the loop of its client.

    A test on another loop than its fixture's waits for ever without a word.
    """
    for item in items:
        if not isinstance(item, pytest.Function) or Path(__file__).parent not in item.path.parents:
            continue
        if not inspect.iscoroutinefunction(item.obj):
            continue
        if "shared_client" in item.fixturenames:
            item.add_marker(pytest.mark.asyncio(loop_scope="module"), append=False)
        item.obj = _limited(item.obj)


def _limited(test: Any) -> Any:
    @functools.wraps(test)
    async def limited(*args: Any, **kwargs: Any) -> None:
        await asyncio.wait_for(test(*args, **kwargs), TEST_SECONDS)

    return limited


@pytest.fixture(scope="module", params=EDITORS)
def editor(request: pytest.FixtureRequest) -> str:
    """The editor whose capabilities the client has; a test with it runs once for each."""
    return request.param


@pytest.fixture(scope="module")
def server_command() -> list[str]:
    """How the server is started."""
    return [sys.executable, "-m", "skillgauge", "server", "--no-scorer"]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """The folder that the editor has open."""
    return tmp_path


@pytest.fixture
async def client(
    editor: str, server_command: list[str], workspace: Path
) -> AsyncIterator[EditorClient]:
    """An open session with a server of its own."""
    async with connected(server_command, editor, workspace) as session:
        yield session


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_client(
    editor: str, server_command: list[str], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[EditorClient]:
    """An open session that all tests of a file share."""
    async with connected(server_command, editor, tmp_path_factory.mktemp("workspace")) as session:
        yield session


@pytest.fixture
def skills(tmp_path: Path) -> Path:
    return tmp_path / ".claude" / "skills"


@pytest.fixture
def evals(skills: Path) -> Path:
    path = make_skill(skills).parent / "evals" / "evals.json"
    path.parent.mkdir()
    path.write_text(json.dumps(CASES, indent=1, ensure_ascii=False), encoding="utf-8")
    return path
