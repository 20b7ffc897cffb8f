"""Plots as SVG that follow the reader's light or dark scheme: bars, lines, scatters, a heat map."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from skillgauge_scorer.train.solve import Matrix

_STYLE: Final = """\
text {{ font: 12px system-ui, sans-serif; fill: {ink} }}
text.title {{ font-size: 15px; font-weight: 600 }} text.soft {{ fill: {soft} }}
.end {{ text-anchor: end }} .middle {{ text-anchor: middle }}
.paper {{ fill: {paper} }} .grid {{ stroke: {grid} }} .axis {{ stroke: {soft} }}
.bound {{ stroke: {ink}; stroke-width: 1.5 }} .line {{ fill: none; stroke-width: 2 }}
"""
_SCHEMES: Final = (
    {"paper": "#ffffff", "ink": "#1f2328", "soft": "#59636e", "grid": "#d8dee4"},
    {"paper": "#0d1117", "ink": "#e6edf3", "soft": "#9198a1", "grid": "#30363d"},
)
"""Light and dark. Written out twice, for not every reader of SVG knows variables."""
_COLOURS: Final = (
    ("#0969da", "#4493f8"),
    ("#bc4c00", "#f0883e"),
    ("#1a7f37", "#3fb950"),
    ("#8250df", "#ab7df8"),
    ("#bf3989", "#db61a2"),
    ("#7d6608", "#d4a72c"),
)
_LEFT: Final = 62
_TOP: Final = 44
_BOTTOM: Final = 48


class Bar(NamedTuple):
    """A value with its interval."""

    value: float
    low: float
    high: float


@dataclass(slots=True)
class Frame:
    """Axes, and what is drawn in them; x and y are (lowest, highest)."""

    title: str
    x: tuple[float, float]
    y: tuple[float, float]
    labels: tuple[str, str] = ("", "")
    size: tuple[int, int] = (560, 320)
    legend: Sequence[str] = ()
    drawn: list[str] = field(default_factory=list[str])

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point is drawn; one outside is drawn on the edge."""
        across = (min(max(x, self.x[0]), self.x[1]) - self.x[0]) / (self.x[1] - self.x[0])
        up = (min(max(y, self.y[0]), self.y[1]) - self.y[0]) / (self.y[1] - self.y[0])
        return _LEFT + across * self.size[0], _TOP + (1 - up) * self.size[1]

    def line(self, points: Sequence[tuple[float, float]], style: str) -> None:
        """Draw a line through points."""
        places = " ".join("{:.1f},{:.1f}".format(*self.at(*point)) for point in points)
        self.drawn.append(f'<polyline points="{places}" class="line {style}"/>')

    def dot(self, x: float, y: float, style: str, radius: float = 3) -> None:
        """Draw a point."""
        left, top = self.at(x, y)
        circle = f'<circle cx="{left:.1f}" cy="{top:.1f}" r="{radius}" fill-opacity="0.6"'
        self.drawn.append(f'{circle} class="{style}"/>')

    def svg(self, x_ticks: Sequence[tuple[float, str]] = ()) -> str:
        """Return the picture."""
        width, height = self.size
        found = [_text(_LEFT, 22, self.title, "title")]
        for value in _ticks(*self.y):
            left, top = self.at(self.x[0], value)
            found.append(_segment(left, top, left + width, top, "grid"))
            found.append(_text(left - 8, top + 4, f"{value:g}", "soft end"))
        for value, name in x_ticks or [(value, f"{value:g}") for value in _ticks(*self.x)]:
            left, top = self.at(value, self.y[0])
            found.append(_text(left, top + 18, name, "soft middle"))
        bottom = _TOP + height
        found.append(_segment(_LEFT, bottom, _LEFT + width, bottom, "axis"))
        found.append(_text(_LEFT + width / 2, bottom + 38, self.labels[0], "soft middle"))
        found.append(_text(_LEFT, _TOP - 8, self.labels[1], "soft"))
        found += self.drawn
        for number, name in enumerate(self.legend):
            top = _TOP + 8 + 20 * number
            mark = f'<rect x="{_LEFT + width + 18}" y="{top}" width="11" height="11" rx="2"'
            found.append(f'{mark} class="{_fill(number)}"/>')
            found.append(_text(_LEFT + width + 35, top + 10, name, ""))
        side = 40 + max((7 * len(name) for name in self.legend), default=0)
        return _page(_LEFT + width + side, bottom + _BOTTOM, found)


def bars(
    title: str, label: str, groups: Mapping[str, Mapping[str, Bar]], y: tuple[float, float]
) -> str:
    """Return groups of bars with intervals: for each group, by series, a value."""
    series = list(dict.fromkeys(name for group in groups.values() for name in group))
    wide = max(420, 30 * len(groups) * (len(series) + 1))
    frame = Frame(title, (0, max(1, len(groups))), y, ("", label), (wide, 260), series)
    for at, group in enumerate(groups.values()):
        step = 0.8 / len(series)
        for number, name in enumerate(series):
            if (bar := group.get(name)) is None:
                continue
            start = at + 0.1 + number * step
            (left, top), (right, foot) = frame.at(start, bar.value), frame.at(start + step, y[0])
            box = f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left - 3:.1f}"'
            style = f'height="{foot - top:.1f}" rx="2" class="{_fill(number)}"'
            frame.drawn.append(f"{box} {style}/>")
            middle = (left + right - 3) / 2
            low, high = frame.at(0, bar.low)[1], frame.at(0, bar.high)[1]
            frame.drawn.append(_segment(middle, high, middle, low, "bound"))
    return frame.svg([(at + 0.5, name) for at, name in enumerate(groups)])


def lines(
    title: str,
    labels: tuple[str, str],
    series: Mapping[str, Sequence[tuple[float, float]]],
    y: tuple[float, float],
) -> str:
    """Return a line with its points for each series."""
    places = sorted({point[0] for points in series.values() for point in points} or {0.0, 1.0})
    last = places[-1] if places[-1] > places[0] else places[0] + 1
    frame = Frame(title, (places[0], last), y, labels, legend=list(series))
    for number, points in enumerate(series.values()):
        frame.line(points, f"s{number % len(_COLOURS)}")
        for point in points:
            frame.dot(*point, _fill(number))
    return frame.svg([(place, f"{place:g}") for place in places])


def scatter(
    title: str, labels: tuple[str, str], series: Mapping[str, tuple[Matrix, Matrix]]
) -> str:
    """Return the points of each series with the line that fits them best."""
    every_x = [float(value) for x, _ in series.values() for value in x]
    every_y = [float(value) for _, y in series.values() for value in y]
    frame = Frame(title, _range(every_x), _range(every_y), labels, legend=list(series))
    for number, (x, y) in enumerate(series.values()):
        for left, top in zip(x.tolist(), y.tolist(), strict=True):
            frame.dot(left, top, _fill(number), 2.5)
    for number, (x, y) in enumerate(series.values()):
        spread = float(((x - x.mean()) ** 2).sum()) if len(x) else 0.0
        if spread > 0:
            slope = float((x - x.mean()) @ (y - y.mean())) / spread
            ends = (float(x.min()), float(x.max()))
            points = [(end, float(y.mean()) + slope * (end - float(x.mean()))) for end in ends]
            frame.line(points, f"s{number % len(_COLOURS)}")
    return frame.svg()


def heat_map(title: str, names: Sequence[str], values: Sequence[Sequence[float]]) -> str:
    """Return a square of correlations, the stronger the fuller."""
    cell, left = 78, 24 + 7 * max(map(len, names), default=0)
    found = [_text(16, 22, title, "title")]
    for row, name in enumerate(names):
        found.append(_text(left - 8, _TOP + cell * (row + 0.5) + 4, name, "end"))
        below = _TOP + cell * len(names) + 18
        found.append(_text(left + cell * (row + 0.5), below, str(row + 1), "soft middle"))
        for column, value in enumerate(values[row]):
            x, y = left + cell * column, _TOP + cell * row
            box = f'<rect x="{x}" y="{y}" width="{cell - 3}" height="{cell - 3}" rx="4"'
            colour = _fill(0 if value >= 0 else 1)
            found.append(f'{box} class="{colour}" fill-opacity="{0.75 * abs(value):.2f}"/>')
            middle = x + (cell - 3) / 2
            found.append(_text(middle, y + cell / 2 + 3, f"{value:.2f}", "middle"))
    width = max(left + cell * len(names) + 20, 32 + 9 * len(title))
    return _page(width, _TOP + cell * len(names) + 34, found)


def _page(width: float, height: float, found: Sequence[str]) -> str:
    light, dark = (_sheet(scheme) for scheme in (0, 1))
    style = f"{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n"
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>\n{style}</style>'
    paper = '<rect width="100%" height="100%" class="paper"/>'
    return "\n".join([head, paper, *found, "</svg>"]) + "\n"


def _sheet(scheme: int) -> str:
    colours = "".join(
        f".f{number} {{ fill: {pair[scheme]} }} .s{number} {{ stroke: {pair[scheme]} }}\n"
        for number, pair in enumerate(_COLOURS)
    )
    return _STYLE.format(**_SCHEMES[scheme]) + colours


def _fill(number: int) -> str:
    return f"f{number % len(_COLOURS)}"


def _text(x: float, y: float, text: str, style: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}">{escape(text)}</text>'


def _segment(x: float, y: float, to_x: float, to_y: float, style: str) -> str:
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line {ends} class="{style}"/>'


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return limits with a margin around values."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    margin = 0.04 * (high - low) or 1.0
    return low - margin, high + margin


def _ticks(low: float, high: float) -> list[float]:
    """Return about five round numbers between two."""
    rough = (high - low) / 5
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * one for one in (1, 2, 2.5, 5, 10) if size * one >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(step * at, 12) for at in range(first, math.floor(high / step + 1e-9) + 1)]
