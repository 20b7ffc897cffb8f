"""Lets the garbage collector rest while a document is read.

Reading makes many thousands of small objects in a row, none in a cycle. The collector would look
through all of them again and again, which takes as long as making them.
"""

from __future__ import annotations

import gc
from types import TracebackType


class CollectorAtRest:
    """Keeps the collector from running inside a `with`; nothing changes if it is off anyway."""

    __slots__ = ("_was_on",)

    def __enter__(self) -> None:
        """Switch it off."""
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Switch it on again if it was."""
        if self._was_on:
            gc.enable()
