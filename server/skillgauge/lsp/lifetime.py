"""What ends a server that nobody needs: the client's death, a signal, a loop that is stuck."""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import logging
import os
import signal
import sys
from collections.abc import Callable, Generator

log = logging.getLogger(__name__)


def is_alive(pid: int) -> bool | None:
    """Whether a process exists; None where that can't be asked without touching it."""
    if sys.platform == "win32" or pid <= 0:
        return None
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


async def watch_process(pid: int, every: float, gone: Callable[[], None]) -> None:
    """Call `gone` once the client's process has ended.

    A process that isn't there at first lives in another PID namespace (a container, a remote
    host), so its absence says nothing.
    """
    if not is_alive(pid):
        log.info("The client's process %d is not visible from here, and is not watched", pid)
        return
    while is_alive(pid):
        await asyncio.sleep(every)
    log.warning("The client's process %d has ended", pid)
    gone()


class Watchdog:
    """Ends the process when nothing moves for a while although the end has come.

    The timer is faulthandler's: its thread needs no interpreter, and it says on standard error
    where the process was stuck.
    """

    def __init__(self, grace: float) -> None:
        """`grace` is how long, in seconds, nothing may move."""
        self._grace = grace
        self._armed = False

    def arm(self) -> None:
        """Start the timer. Any thread may call this."""
        # Without a standard error to write to there is no timer either.
        with contextlib.suppress(ValueError, RuntimeError, AttributeError, OSError):
            faulthandler.dump_traceback_later(self._grace, exit=True)
            self._armed = True

    def feed(self) -> None:
        """Start the timer anew if it runs: something has moved."""
        if self._armed:
            self.arm()

    def disarm(self) -> None:
        """Stop the timer."""
        if self._armed:
            faulthandler.cancel_dump_traceback_later()
            self._armed = False


@contextlib.contextmanager
def ended_by_signals(
    stop: Callable[[int], None], watchdog: Watchdog
) -> Generator[None, None, None]:
    """End in order on SIGTERM and SIGINT, so that tasks and children can clean up.

    The loop's own handlers would wait for its turn, which a handler that is stuck never gives.
    """
    loop = asyncio.get_running_loop()

    def handle(number: int, frame: object) -> None:
        watchdog.arm()
        loop.call_soon_threadsafe(stop, 128 + number)

    with contextlib.ExitStack() as stack:
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(ValueError):  # Only the main thread may have handlers.
                stack.callback(signal.signal, number, signal.signal(number, handle))
        yield
