"""A line of standard error that tells how far a step is, where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

_BAR: Final = 30
_LARGE: Final = 1 << 20


class Bar:
    """The line; `labels` has what steps are called."""

    def __init__(self, labels: Mapping[str, str]) -> None:
        """Draw nothing yet."""
        self._labels = labels
        self._drawn = 0

    def show(self, step: str, done: int, total: int) -> None:
        """Draw how far a step is."""
        if not sys.stderr.isatty():
            return
        share = done / total if total else 0.0
        filled = round(_BAR * min(share, 1.0))
        label = self._labels.get(step, step[:1].upper() + step[1:])
        text = f"{label:<22} [{'#' * filled}{'.' * (_BAR - filled)}] {share:4.0%}"
        if total > _LARGE:
            text += f"  {done >> 20} of {total >> 20} MiB"
        print(f"\r{text:<{self._drawn}}", end="", file=sys.stderr, flush=True)
        self._drawn = len(text)

    def clear(self) -> None:
        """Take the line away."""
        if self._drawn:
            print(f"\r{'':<{self._drawn}}\r", end="", file=sys.stderr, flush=True)
            self._drawn = 0


def asked(method: str, params: dict[str, Any], labels: Mapping[str, str]) -> Any:
    """Ask the scorer one thing, with the line below while it works."""
    from skillgauge.child import ask

    bar = Bar(labels)
    try:
        return ask(method, params, bar.show)
    finally:
        bar.clear()
