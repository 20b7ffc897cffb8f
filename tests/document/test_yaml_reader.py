"""YAML values with their exact ranges: `source[span]` is what an author wrote for the value."""

from __future__ import annotations

import pytest

from skillgauge.document.nodes import MAX_DEPTH, Alias, Mapping, Node, Scalar, Sequence, walk
from skillgauge.document.yaml_reader import read_yaml
from skillgauge.text import Span


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


def root(source: str) -> Mapping:
    reading = read_yaml(source)
    assert reading.fault is None
    assert isinstance(reading.root, Mapping)
    return reading.root


def value(source: str, key: str = "a") -> Scalar:
    found = root(source).get(key)
    assert isinstance(found, Scalar)
    return found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a: 1\nb: two words\n", {"a": "1", "b": "two words"}),
        ("a:   x   \nb:\ty\n", {"a": "x", "b": "y"}),
        ("a: x # note: no value\n", {"a": "x"}),
        ("a: x#y\n", {"a": "x#y"}),
        ("a: 'it''s'\nb: \"\\u00e9 \\\"x\\\"\"\n", {"a": "'it''s'", "b": '"\\u00e9 \\"x\\""'}),
        ("a: one\n  two # c\nb: 'x\n  y'\n", {"a": "one\n  two", "b": "'x\n  y'"}),
        ("'a': x\n\"b c\": y\n", {"'a'": "x", '"b c"': "y"}),
        ("key with blanks: x\nhttp://h: y\n", {"key with blanks": "x", "http://h": "y"}),
        ("a: |\n  x\n   y\n\n\nb: >-\n  z\n", {"a": "|\n  x\n   y", "b": ">-\n  z"}),
        ("a: |+\n  x\n\n\n# end\n", {"a": "|+\n  x\n\n\n# end"[:6]}),
        ("? a\n: x\n? [b, c]\n: y\n? d\n", {"a": "x", "[b, c]": "y", "d": ""}),
        (
            "a: [x, 'y', ]\nb: {c: d, e: , f}\n",
            {"a": ["x", "'y'"], "b": {"c": "d", "e": "", "f": ""}},
        ),
        ("a:\n- x\n-\n- y: z\n  w: v\n", {"a": ["x", "", {"y": "z", "w": "v"}]}),
        ("a: &n x\nb: *n\nc: !!str 5\n", {"a": "x", "b": "*n", "c": "5"}),
        ("a: !!str &n # c\n  x\n", {"a": "x"}),
        ("a: b\r\nc: >\r\n  d\r\n  e\r\nf: g\r\n", {"a": "b", "c": ">\r\n  d\r\n  e", "f": "g"}),
        ("a: b\rc: d\r", {"a": "b", "c": "d"}),
        ("é: ü\n😀: x😀 # c\nb: y\n", {"é": "ü", "😀": "x😀", "b": "y"}),
        ("%YAML 1.2\n---\na: b\n...\n", {"a": "b"}),
        ("\ufeffa: b\n", {"a": "b"}),
    ],
)
def test_ranges(source: str, expected: object) -> None:
    assert shown(source, root(source)) == expected


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("a:\n", 2),
        ("a: \nb: x\n", 2),
        ("a: # com: ment\nb: x\n", 2),
        ("a : \nb: x\n", 3),
        ("a: &n\nb: x\n", 5),
        ("a: !!null # c\nb: x\n", 9),
        ("? a\nb: x\n", 3),
    ],
)
def test_an_empty_value_stands_behind_its_colon(source: str, place: int) -> None:
    assert value(source).span == Span(place, place)
    assert value(source).text == ""


def test_empty_items_stand_behind_their_dashes() -> None:
    items = root("a:\n  - \n  - # x: y\n  - z\n").get("a")
    assert isinstance(items, Sequence)
    assert [tuple(item.span) for item in items.items] == [(6, 6), (11, 11), (23, 24)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a:\n  b: c\n\n\n# end\nd: e\n", "b: c"),
        ("a:\n  - b\n  - c # x\nd: e\n", "- b\n  - c"),
        ("a:\n- b\n\nd: e\n", "- b"),
        ("a: [\n  b,\n]\nd: e\n", "[\n  b,\n]"),
        ("a: {b: [c]} # x\nd: e\n", "{b: [c]}"),
        ("a: &n\n  b: c\nd: e\n", "&n\n  b: c"),
    ],
)
def test_a_collection_ends_with_its_last_value(source: str, expected: str) -> None:
    found = root(source).get("a")
    assert found is not None
    assert source[found.span.start : found.span.end] == expected


@pytest.mark.parametrize(
    ("written", "core", "legacy"),
    [
        ("x", "str", "str"),
        ("1", "int", "int"),
        ("010", "int", "int"),
        ("1.0", "float", "float"),
        (".inf", "float", "float"),
        ("true", "bool", "bool"),
        ("yes", "str", "bool"),
        ("~", "null", "null"),
        ("", "null", "null"),
        ("2024-01-01", "str", "timestamp"),
        ("1_000", "str", "int"),
        ("'1'", "str", "str"),
        ("!!str 1", "str", "str"),
    ],
)
def test_types(written: str, core: str, legacy: str) -> None:
    found = value(f"a: {written}\n")
    assert (found.type, found.legacy_type) == (core, legacy)


@pytest.mark.parametrize(
    ("source", "offset", "problem"),
    [
        ("a: b: c\n", 4, "mapping values"),
        ("a: `b`\n", 3, "cannot start any token"),
        ("a: b\nc: *x\n", 8, "anchor that is not there"),
        ("a: !secret b\n", 3, "“!secret” is not known"),
        ("a: b\n--- # c\nd: e\n", 5, "second document"),
        ("a: b\x00\n", 4, "U+0000"),
        ("a: \x80\nb: c: d\n", 3, "U+0080"),
        ("a: \ufeffb\n", 3, "U+FEFF"),
    ],
)
def test_faults(source: str, offset: int, problem: str) -> None:
    fault = read_yaml(source).fault
    assert fault is not None
    assert (fault.offset, problem in fault.problem) == (offset, True), fault


def test_what_stands_before_a_fault_is_kept() -> None:
    source = "a: x\nb:\n  c: [y, z\nd: e\n"
    reading = read_yaml(source)
    assert reading.fault is not None
    found = shown(source, reading.root)
    assert isinstance(found, dict)
    assert found["a"] == "x"


def test_ranges_are_moved_by_where_the_text_stands() -> None:
    reading = read_yaml("a: b: c", 100)
    assert reading.fault is not None
    assert reading.fault.offset == 104
    assert [tuple(node.span) for node in walk(reading.root)] == [(100, 104), (103, 104)]


def test_anchors_of_the_rest_of_a_document_are_known() -> None:
    assert read_yaml("a: *n\n", 0, frozenset({"n"})).fault is None


def test_aliases_are_not_expanded() -> None:
    source = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"
    nodes = list(walk(root(source)))
    assert sum(isinstance(node, Alias) for node in nodes) == 4
    assert len(nodes) < 12


@pytest.mark.parametrize("opening", ["[", "{", "- ", "? "])
def test_depth_is_bounded(opening: str) -> None:
    reading = read_yaml(opening * 10_000)
    assert reading.fault is not None
    assert f"more than {MAX_DEPTH} deep" in reading.fault.problem
