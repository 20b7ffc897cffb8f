"""Offsets, lines and columns, in all three encodings and over every kind of line break."""

from __future__ import annotations

import pytest

from skillgauge.text import ByteMap, Encoding, Position, Span, Text, encodable, split_lines


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a", ""]),
        ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("\n\r", ["", "", ""]),
        ("\r\n\r\n", ["", "", ""]),
        ("a\u2028b\x85c\x0bd\x0ce\x1cf", ["a\u2028b\x85c\x0bd\x0ce\x1cf"]),
    ],
)
def test_lines(content: str, lines: list[str]) -> None:
    """Lines break at CR LF, LF and CR, and at nothing else."""
    text = Text(content)
    assert [text.line(number) for number in range(text.line_count)] == lines


def test_lines_outside_are_clamped() -> None:
    text = Text("a\nbc")
    assert text.line(-1) == "a"
    assert text.line(9) == "bc"
    assert text.line_of(-1) == 0
    assert text.line_of(99) == 1
    assert text.position(99) == Position(1, 2)
    assert text.offset(9, 0) == 4
    assert text.offset(0, -3) == 0
    assert text.offset(0, 99) == 1


def test_positions_count_code_points() -> None:
    text = Text("é😀x\r\n\ty")
    assert [text.position(offset) for offset in range(len(text))] == [
        Position(0, 0),
        Position(0, 1),
        Position(0, 2),
        Position(0, 3),
        Position(0, 4),
        Position(1, 0),
        Position(1, 1),
    ]


@pytest.mark.parametrize(
    ("encoding", "columns"),
    [
        ("utf-8", [0, 1, 3, 6, 10, 11]),
        ("utf-16", [0, 1, 2, 3, 5, 6]),
        ("utf-32", [0, 1, 2, 3, 4, 5]),
    ],
)
def test_units(encoding: Encoding, columns: list[int]) -> None:
    """Columns in code units go there and back, on a later line too."""
    text = Text("a\naé漢😀z")
    starts = range(2, 8)
    assert [text.units(offset, encoding).column for offset in starts] == columns
    assert [text.offset_of_units(1, column, encoding) for column in columns] == list(starts)


def test_units_within_a_character_mean_its_start() -> None:
    text = Text("a😀b")
    assert text.offset_of_units(0, 2, "utf-16") == 1
    assert [text.offset_of_units(0, unit, "utf-8") for unit in (1, 2, 3, 4, 5)] == [1, 1, 1, 1, 2]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_units_outside_are_clamped(encoding: Encoding) -> None:
    text = Text("é😀\nx")
    assert text.offset_of_units(0, 99, encoding) == 2
    assert text.offset_of_units(0, -1, encoding) == 0
    assert text.offset_of_units(9, 0, encoding) == 4
    assert text.units(99, encoding) == Position(1, 1)


def test_lone_surrogates_have_a_width_and_can_be_replaced() -> None:
    text = Text("a\udce9b")
    assert text.units(3, "utf-8").column == 5
    assert text.units(3, "utf-16").column == 3
    assert encodable(text.content) == "a\ufffdb"
    assert encodable("a😀b") == "a😀b"


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [
        ((0, 2), (1, 3), True),
        ((0, 2), (2, 3), False),
        ((1, 1), (1, 2), True),
        ((2, 2), (0, 2), True),
        ((1, 1), (1, 1), True),
        ((3, 3), (0, 2), False),
    ],
)
def test_overlap(one: tuple[int, int], other: tuple[int, int], overlap: bool) -> None:
    assert Span(*one).overlaps(Span(*other)) is overlap
    assert Span(*other).overlaps(Span(*one)) is overlap


def test_byte_map() -> None:
    content = "aé漢😀z😀😀"
    at = ByteMap(content)
    assert [at(len(content[:offset].encode())) for offset in range(len(content) + 1)] == list(
        range(len(content) + 1)
    )


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\r\n\r\nb\rc", ["a", "", "b", "c"]),
        ("a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g\n", ["a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g"]),
    ],
)
def test_lines_break_at_line_ends_alone(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines
    assert "".join(split_lines(text, keep=True)) == text
