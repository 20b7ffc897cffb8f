"""JSON values with their exact ranges, and what is kept of a text that breaks off."""

from __future__ import annotations

import pytest

from skillgauge.document.json_reader import read_json
from skillgauge.document.nodes import MAX_DEPTH, Mapping, Node, Scalar, Sequence


def shown(source: str, node: Node | None) -> object:
    """Return a node as plain Python values, each leaf as it stands in the source."""
    if isinstance(node, Mapping):
        return {
            source[entry.key_span.start : entry.key_span.end]: shown(source, entry.value)
            for entry in node.entries
        }
    if isinstance(node, Sequence):
        return [shown(source, item) for item in node.items]
    return None if node is None else source[node.span.start : node.span.end]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('{"a": 1, "b": [true, null, -2.5e3], "c": {}}', None),
        (' { "a" : "x\\"\\u00e9" ,\r\n"b":[ ] } ', None),
        ('"é😀"', None),
    ],
)
def test_ranges(source: str, expected: object) -> None:
    reading = read_json(source)
    assert reading.fault is None
    found = shown(source, reading.root)
    assert (
        found
        == {
            '{"a": 1, "b": [true, null, -2.5e3], "c": {}}': {
                '"a"': "1",
                '"b"': ["true", "null", "-2.5e3"],
                '"c"': {},
            },
            ' { "a" : "x\\"\\u00e9" ,\r\n"b":[ ] } ': {'"a"': '"x\\"\\u00e9"', '"b"': []},
            '"é😀"': '"é😀"',
        }[source]
    )


def test_collections_have_ranges_too() -> None:
    source = ' {"a": [1, 2] , "b": 3} '
    root = read_json(source).root
    assert isinstance(root, Mapping)
    assert source[root.span.start : root.span.end] == source.strip()
    assert [source[entry.span.start : entry.span.end] for entry in root.entries] == [
        '"a": [1, 2]',
        '"b": 3',
    ]


@pytest.mark.parametrize(
    ("source", "text", "kind"),
    [
        ('"a\\n\\u00e9"', "a\né", "str"),
        ("12", "12", "int"),
        ("1.5", "1.5", "float"),
        ("1e3", "1e3", "float"),
        ("true", "true", "bool"),
        ("null", "null", "null"),
    ],
)
def test_scalars(source: str, text: str, kind: str) -> None:
    root = read_json(source).root
    assert isinstance(root, Scalar)
    assert (root.text, root.type) == (text, kind)


@pytest.mark.parametrize(
    ("source", "offset", "problem", "kept"),
    [
        ("", 0, "a value is missing", None),
        ("{'a': 1}", 1, "a key in double quotes", {}),
        ('{"a" 1}', 5, "a colon is missing", {}),
        ('{"a": }', 6, "a value is missing", {}),
        ('{"a": 1 "b": 2}', 8, "a comma or “}”", {'"a"': "1"}),
        ('{"a": 1,}', 7, "a comma before “}”", {'"a"': "1"}),
        ("[1, 2,]", 5, "a comma before “]”", ["1", "2"]),
        ("[1, x]", 4, "not JSON", ["1"]),
        ('{"a": [1, {"b": "c"', 19, "a comma or “}”", {'"a"': ["1", {'"b"': '"c"'}]}),
        ('{"a": "b', 6, "Unterminated string", {}),
        ("{} x", 3, "more text after the end", None),
        ("// c\n{}", 0, "not JSON", None),
        ("NaN", 0, "not JSON", None),
    ],
)
def test_faults(source: str, offset: int, problem: str, kept: object) -> None:
    reading = read_json(source)
    assert reading.fault is not None
    assert (reading.fault.offset, problem in reading.fault.problem) == (offset, True), reading.fault
    assert shown(source, reading.root) == kept


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_depth_is_bounded(opening: str) -> None:
    reading = read_json(opening * 10_000)
    assert reading.fault is not None
    assert f"more than {MAX_DEPTH} deep" in reading.fault.problem
    whole = opening * MAX_DEPTH + "1" + {"[": "]"}.get(opening, "}") * MAX_DEPTH
    assert read_json(whole).fault is None
