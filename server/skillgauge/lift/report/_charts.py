"""Where the marks of the charts lie: numbers alone, the drawing is in templates/charts.html."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from skillgauge.lift.statistics import Estimate, Share

WIDTH: Final = 260
"""Of a chart, in its own units; it grows and shrinks with its column."""
MARGIN: Final = 14
_SPANS: Final = (0.25, 0.5, 1.0)
_STEPS: Final = (0.05, 0.15, 0.30, 0.50)
"""From these differences on, a shade of the heat map is darker."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis with its text."""

    x: float
    text: str


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale from `-span` to `span`, or from 0 to `span`."""

    span: float
    both: bool = True

    def x(self, value: float) -> float:
        """Return where a value lies; what is out of the scale is at its end."""
        part = min(max(value / self.span, -1.0 if self.both else 0.0), 1.0)
        inner = WIDTH - 2 * MARGIN
        return round(MARGIN + inner * ((part + 1) / 2 if self.both else part), 1)

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """The ends, the middle and what lies between."""
        steps = (-1.0, -0.5, 0.0, 0.5, 1.0) if self.both else (0.0, 0.5, 1.0)
        return tuple(Tick(self.x(step * self.span), f"{step * self.span:+g}" if step and self.both
                          else f"{step * self.span:g}") for step in steps)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mark:
    """A point with its interval, and how it is drawn: up, down or open."""

    at: float
    low: float | None
    high: float | None
    kind: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar from 0 on, with the interval of its end if there is one."""

    start: float
    width: float
    low: float | None = None
    high: float | None = None


def lift_axis(found: Iterable[Estimate | None]) -> Axis:
    """Return a scale on which all of these and their intervals fit."""
    values = [0.0]
    for one in found:
        if one:
            values += [abs(v) for v in (one.estimate, *_bounds(one)) if v is not None]
    top = max(values)
    return Axis(next((span for span in _SPANS if top <= span), _SPANS[-1]))


def mark(found: Estimate | None, axis: Axis) -> Mark | None:
    """Return the point of an estimate; full where zero is out of its interval."""
    if found is None or not math.isfinite(found.estimate):
        return None
    low, high = (None if bound is None else axis.x(bound) for bound in _bounds(found))
    kind = "open"
    if found.excludes_zero:
        kind = "up" if found.estimate > 0 else "down"
    return Mark(axis.x(found.estimate), low, high, kind)


def _bounds(found: Estimate) -> tuple[float | None, float | None]:
    """Return the bounds that are worth drawing."""
    return (None, None) if found.precision == "insufficient" else (found.low, found.high)


SHARES: Final = Axis(1.0, both=False)


def share_bar(found: Share) -> Bar | None:
    """Return the bar of a share."""
    if found.share is None:
        return None
    start = SHARES.x(0)
    low, high = (None if one is None else SHARES.x(one) for one in (found.low, found.high))
    return Bar(start, round(SHARES.x(found.share) - start, 1), low, high)


def bars(values: Sequence[float | None]) -> list[Bar | None]:
    """Return bars on one scale, the longest as long as there is room."""
    top = max((value for value in values if value is not None), default=0.0)
    axis = Axis(top or 1.0, both=False)
    start = axis.x(0)
    return [
        None if value is None else Bar(start, round(axis.x(value) - start, 1)) for value in values
    ]


def shade(difference: float | None) -> str:
    """Return the class of a cell of the heat map; its number stands in it, too."""
    if difference is None:
        return "none"
    step = sum(abs(difference) >= one for one in _STEPS)
    return f"{'up' if difference > 0 else 'down'}{step}" if step else "zero"
