"""The folder of the sockets: the user's alone, short, and without what dead runs left."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from skillgauge.errors import UserError
from skillgauge.lift.socket_folder import SocketFolder


@pytest.fixture
def sockets(tmp_path: Path) -> Iterator[SocketFolder]:
    found = SocketFolder(tmp_path / "runs")
    yield found
    if found.path.is_symlink():
        found.path.unlink()
    shutil.rmtree(found.path, ignore_errors=True)


def test_what_dead_runs_left_goes(sockets: SocketFolder) -> None:
    sockets.prepare(lambda run: False)
    for run in ("dead", "living"):
        (sockets.path / run / "trial").mkdir(parents=True)
    sockets.prepare(lambda run: run == "living")
    assert [path.name for path in sockets.path.iterdir()] == ["living"]
    assert sockets.path.stat().st_mode & 0o777 == 0o700


def test_each_data_folder_has_its_own(tmp_path: Path) -> None:
    first, second = SocketFolder(tmp_path / "a"), SocketFolder(tmp_path / "b")
    assert first.path != second.path
    assert len(bytes(first.path / "20261201-030000-abcdef" / ("0" * 16))) < 80


def test_a_folder_that_others_may_enter_is_refused(sockets: SocketFolder) -> None:
    sockets.path.mkdir(mode=0o777)
    sockets.path.chmod(0o777)
    with pytest.raises(UserError, match="is not this user's alone"):
        sockets.prepare(lambda run: False)


def test_a_link_in_its_place_is_refused(sockets: SocketFolder, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    sockets.path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UserError, match="is not this user's alone"):
        sockets.prepare(lambda run: False)
