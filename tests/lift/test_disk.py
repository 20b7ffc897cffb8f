"""A job that fills its folders is stopped; one that doesn't is not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from skillgauge.lift.disk import bounded, exceeds
from skillgauge.lift.engines import Ended

MIB = 2**20


async def writing(folder: Path, stopped: list[bool]) -> Ended:
    try:
        for number in range(200):
            (folder / f"{number}").write_bytes(b"x" * MIB)
            await asyncio.sleep(0.01)
    except asyncio.CancelledError:
        stopped.append(True)
        raise
    return Ended(0, "exit", 1.0)


async def test_stopped_when_there_is_too_much(tmp_path: Path) -> None:
    stopped: list[bool] = []
    ended = await bounded(writing(tmp_path, stopped), tmp_path, 3 * MIB, look=0.02)
    assert (ended.exit_code, ended.reason) == (None, "disk")
    assert stopped == [True]
    assert len(list(tmp_path.iterdir())) < 200


async def test_left_alone_below_the_limit(tmp_path: Path) -> None:
    async def quick() -> Ended:
        (tmp_path / "a").write_text("a")
        await asyncio.sleep(0.1)
        return Ended(0, "exit", 0.1)

    assert (await bounded(quick(), tmp_path, MIB, look=0.02)).reason == "exit"


async def test_a_fault_comes_through(tmp_path: Path) -> None:
    async def failing() -> Ended:
        await asyncio.sleep(0.05)
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        await bounded(failing(), tmp_path, MIB, look=0.02)


async def test_cancelled_from_outside(tmp_path: Path) -> None:
    stopped: list[bool] = []
    task = asyncio.create_task(bounded(writing(tmp_path, stopped), tmp_path, 900 * MIB, look=0.02))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert stopped == [True]


def test_holes_and_links_take_nothing(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1000 * MIB)
    (tmp_path / "link").symlink_to("/usr")
    assert not exceeds(tmp_path, MIB)
    (tmp_path / "deep/er").mkdir(parents=True)
    (tmp_path / "deep/er/real").write_bytes(b"x" * 2 * MIB)
    assert exceeds(tmp_path, MIB)
