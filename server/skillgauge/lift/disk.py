"""What a job writes into its folders on the host, where the engine can't set a limit."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Final

from skillgauge.lift.engines import Ended

LOOK: Final = 2.0
"""Seconds between two looks."""
MAX_ENTRIES: Final = 200_000
"""So many files and folders count as too much, whatever they hold."""
_BLOCK: Final = 512


async def bounded(
    running: Coroutine[Any, Any, Ended], folder: Path, limit: int, *, look: float = LOOK
) -> Ended:
    """Return how a job ended; it is stopped when its folder takes more than `limit` bytes."""
    began = time.monotonic()
    task = asyncio.create_task(running)
    try:
        while not (await asyncio.wait({task}, timeout=look))[0]:
            if await asyncio.to_thread(exceeds, folder, limit):
                return Ended(None, "disk", time.monotonic() - began)
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


def exceeds(folder: Path, limit: int) -> bool:
    """Return whether the files below a folder take more than some bytes, or are too many."""
    size = entries = 0
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as found:
                for entry in found:
                    entries += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        size += _taken(entry)
                    if size > limit or entries > MAX_ENTRIES:
                        return True
        except OSError:
            continue  # it was removed, or may not be read
    return False


def _taken(entry: os.DirEntry[str]) -> int:
    """Return what a file takes on the disk, which for one with holes is less than its length."""
    try:
        found = entry.stat(follow_symlinks=False)
    except OSError:
        return 0
    return getattr(found, "st_blocks", -(-found.st_size // _BLOCK)) * _BLOCK
