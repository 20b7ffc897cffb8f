"""Plots: what is drawn where, in both schemes, and nothing of a name that could break out."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

pytest.importorskip("numpy", reason="needs the extra “cpu”")

from skillgauge_scorer.train.plots import Bar, bars, heat_map, lines, scatter

SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: str) -> Any:
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert "prefers-color-scheme: dark" in picture
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for text in root.iter(f"{SVG}text"):
        assert 0 <= float(text.get("x", -1)) <= width
        assert 0 <= float(text.get("y", -1)) <= height
    return root


def texts(root: Any) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def test_bars_stand_for_values() -> None:
    groups = {
        "A2": {"pairs": Bar(1.0, 0.9, 1.0), "matched": Bar(0.5, 0.4, 0.6)},
        "B1": {"pairs": Bar(0.25, 0.2, 0.3)},
    }
    root = parsed(bars("One & <two>", "AUROC", groups, (0.0, 1.0)))
    assert "One & <two>" in texts(root)
    assert {"A2", "B1", "AUROC", "pairs", "matched"} <= set(texts(root))
    boxes = [box for box in root.iter(f"{SVG}rect") if box.get("class") in ("f0", "f1")]
    heights = [float(box.get("height")) for box in boxes if float(box.get("height")) > 11]
    assert heights == pytest.approx([260, 130, 65])
    bounds = [one for one in root.iter(f"{SVG}line") if one.get("class") == "bound"]
    sizes = [float(one.get("y2")) - float(one.get("y1")) for one in bounds]
    assert sizes == pytest.approx([26, 52, 26])


def test_lines_go_through_their_points() -> None:
    root = parsed(lines("t", ("layer", "AUROC"), {"A2": [(8, 0.5), (16, 1.0)]}, (0.0, 1.0)))
    (line,) = root.iter(f"{SVG}polyline")
    places = [tuple(map(float, place.split(","))) for place in line.get("points").split()]
    assert places == [(62.0, 204.0), (622.0, 44.0)]
    assert {"8", "16"} <= set(texts(root))
    assert len(list(root.iter(f"{SVG}circle"))) == 2


def test_a_scatter_has_the_line_that_fits() -> None:
    x = np.array([0.0, 1.0, 2.0, 3.0])
    root = parsed(scatter("t", ("x", "y"), {"a": (x, 2 * x + 1), "b": (np.ones(3), np.ones(3))}))
    assert len(list(root.iter(f"{SVG}circle"))) == 7
    (line,) = root.iter(f"{SVG}polyline")  # none for points that are all at one place
    ends = [tuple(map(float, place.split(","))) for place in line.get("points").split()]
    dots = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in root.iter(f"{SVG}circle")]
    assert ends[0] == pytest.approx(dots[0], abs=0.1)
    assert ends[1] == pytest.approx(dots[3], abs=0.1)


def test_a_heat_map_is_fuller_where_the_correlation_is_stronger() -> None:
    root = parsed(heat_map("t", ["one", "two"], [[1.0, -0.5], [-0.5, 1.0]]))
    cells = [box for box in root.iter(f"{SVG}rect") if box.get("fill-opacity")]
    assert [cell.get("fill-opacity") for cell in cells] == ["0.75", "0.38", "0.38", "0.75"]
    assert [cell.get("class") for cell in cells] == ["f0", "f1", "f1", "f0"]
    assert texts(root).count("-0.50") == 2


def test_nothing_to_draw() -> None:
    parsed(bars("t", "l", {}, (0.0, 1.0)))
    parsed(lines("t", ("x", "y"), {}, (0.0, 1.0)))
    parsed(scatter("t", ("x", "y"), {}))
    parsed(heat_map("t", [], []))
