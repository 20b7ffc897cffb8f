"""A child that is asked without waiting: crashes, hangs, newer questions, and its end."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from skillgauge.async_child import AsyncChild, Overtaken, Resting
from skillgauge.child import ChildEnded
from skillgauge.errors import UserError

COMMAND = [sys.executable, str(Path(__file__).parent / "lsp" / "fake_scorer.py")]


@pytest.fixture
async def child() -> AsyncIterator[AsyncChild]:
    made = AsyncChild(COMMAND, first_pause=0.0)
    yield made
    await made.close()


async def tokens(child: AsyncChild, text: str) -> int:
    return (await child.ask("score", {"text": text}))["tokens"]


async def test_answers_find_their_questions(child: AsyncChild) -> None:
    assert child.pid is None
    found = await asyncio.gather(*(tokens(child, "x" * size) for size in (3, 1, 2)))
    assert found == [3, 1, 2]


async def test_an_error_is_the_users(child: AsyncChild) -> None:
    with pytest.raises(UserError, match="no method nothing"):
        await child.ask("nothing", {})


async def test_progress(child: AsyncChild) -> None:
    told: list[tuple[str, int, int]] = []
    slow = child.ask("score", {"text": "SLOW"}, lambda *step: told.append(step))
    first = asyncio.create_task(slow)
    while not told:
        await asyncio.sleep(0.005)
    assert await tokens(child, "new") == 3
    with pytest.raises(Overtaken):
        await first
    assert told == [("score", 1, 2)]


async def test_what_is_cancelled_is_told(child: AsyncChild) -> None:
    await tokens(child, "x")
    slow = asyncio.create_task(tokens(child, "SLOW"))
    await asyncio.sleep(0.01)
    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow
    assert await tokens(child, "abc") == 3  # only reached because “cancel” has ended the slow one


async def test_a_crash_loses_only_what_was_asked(child: AsyncChild) -> None:
    assert await tokens(child, "a") == 1
    before = child.pid
    with pytest.raises(ChildEnded, match="with status 3"):
        await tokens(child, "CRASH")
    assert await tokens(child, "ab") == 2
    assert child.pid != before


async def test_one_that_speaks_another_language_is_ended(child: AsyncChild) -> None:
    with pytest.raises(ChildEnded):
        await tokens(child, "GARBAGE")
    assert await tokens(child, "ab") == 2


async def test_one_that_hangs_is_ended() -> None:
    child = AsyncChild(COMMAND, patience=1.0, first_pause=0.0)
    with pytest.raises(ChildEnded):
        await tokens(child, "HANG")
    assert child.pid is None
    await child.close()


async def test_one_that_keeps_failing_is_left_alone_longer_each_time() -> None:
    now = 100.0
    child = AsyncChild(COMMAND, first_pause=10.0, clock=lambda: now)
    for pause in (10.0, 20.0, 40.0):
        with pytest.raises(ChildEnded):
            await tokens(child, "CRASH")
        now += pause - 1
        with pytest.raises(Resting, match="in 1 s"):
            await tokens(child, "a")
        now += 1
    assert await tokens(child, "ab") == 2
    with pytest.raises(ChildEnded):
        await tokens(child, "CRASH")
    now += 10
    assert await tokens(child, "a") == 1, "a success has set the pause back"
    await child.close()


async def test_closing_ends_the_process() -> None:
    child = AsyncChild(COMMAND)
    asked = asyncio.create_task(tokens(child, "HANG"))
    while child.pid is None:
        await asyncio.sleep(0.01)
    pid = child.pid
    await child.close()
    with pytest.raises(ChildEnded):
        await asked
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_one_that_cannot_be_started() -> None:
    with pytest.raises(OSError, match="nowhere"):
        await AsyncChild(["/nowhere/python"]).ask("x", {})
