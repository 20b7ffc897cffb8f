"""A fault in one frontmatter entry: what its cause is, how to mend it, and what else is read."""

from __future__ import annotations

import pytest

from skillgauge.document.frontmatter import Frontmatter, find_frontmatter
from skillgauge.document.nodes import Mapping
from skillgauge.document.recovery import MAX_RECOVERED
from skillgauge.document.yaml_fault import BrokenEntry
from skillgauge.document.yaml_reader import read_yaml


def block_of(yaml: str) -> tuple[str, Frontmatter]:
    source = f"---\n{yaml}\n---\n"
    block = find_frontmatter(source)
    assert block is not None
    return source, block


def only(yaml: str) -> tuple[str, BrokenEntry]:
    source, block = block_of(yaml)
    assert len(block.broken) == 1, block.broken
    return source, block.broken[0]


@pytest.mark.parametrize(
    ("yaml", "cause", "at", "mended"),
    [
        ("d: Foo: bar.", "colon", ":", 'd: "Foo: bar."'),
        ("d: ends in:", "colon", ":", 'd: "ends in:"'),
        ('d: say "x": y', "colon", ":", "d: 'say \"x\": y'"),
        ('d: it\'s "x": y', "colon", ":", 'd: "it\'s \\"x\\": y"'),
        ("d: one: two\n  three", "colon", ":", 'd: "one: two three"'),
        ("d: one\n  Two: three", "colon", ":", 'd: "one Two: three"'),
        ("d: see: #12", "colon", ":", 'd: "see: #12"'),
        ("m:\n  a: b: c\n  d: e", "colon", ":", 'm:\n  a: "b: c"\n  d: e'),
        ("m:\n  - x: y: z", "colon", ":", 'm:\n  - x: "y: z"'),
        ("d: @main", "indicator", "@", 'd: "@main"'),
        ("d: `x` y", "indicator", "`", 'd: "`x` y"'),
        ("d: %x", "indicator", "%", 'd: "%x"'),
        ("d: , x", "indicator", ",", 'd: ", x"'),
        ("d: *Bold* x", "indicator", "*", 'd: "*Bold* x"'),
        ("d: *nowhere", "indicator", "*", 'd: "*nowhere"'),
        ("d: !always x", "indicator", "!", 'd: "!always x"'),
        ("d: - x", "indicator", "-", 'd: "- x"'),
        ("d: ] x", "indicator", "]", 'd: "] x"'),
        ("m:\n  - @x", "indicator", "@", 'm:\n  - "@x"'),
        ("d: [a] [b]", "bracket", "[", 'd: "[a] [b]"'),
        ("d: {a} b: c", "bracket", "{", 'd: "{a} b: c"'),
        ("d: [a, b", "bracket", "[", None),
        ("d: [a: b: c]", "bracket", "[", None),
        ('d: "x', "quote", '"', 'd: "x"'),
        ('d: "x" y', "quote", '"', "d: '\"x\" y'"),
        ('d: "a "b" c"', "quote", '"', "d: 'a \"b\" c'"),
        ('d: "a" and "b"', "quote", '"', 'd: \'"a" and "b"\''),
        ("d: 'don't'", "quote", "'", 'd: "don\'t"'),
        ('d: "a\\d"', "escape", "\\d", 'd: "a\\\\d"'),
        ("m:\n\ta: b", "tab", "\t", "m:\n  a: b"),
        ("\ta: b", "tab", "\t", "a: b"),
        ("name:x", "blank", ":", "name: x"),
        ("description：x", "blank", "：", "description: x"),
        ("name: x\n description: y", "indent", " ", "name: x\ndescription: y"),
        ("  name: x\nb: c", "indent", "  ", "name: x\nb: c"),
        ("m:\n   a: b\n  c: d", "indent", "  c: d", None),
        ("m:\n  - - a\n- b", "indent", "- b", None),
        ("d: a\x80b", "control", "\x80", None),
        ("d: a\x85b", "separator", "\x85", None),
        ("d: a #b\n  c", "comment", "#b", 'd: "a #b c"'),
        ("http://x.y", "stray", "http://x.y", None),
        ("d: " + "[" * 100, "depth", "[", None),
    ],
)
def test_cause_place_and_repair(yaml: str, cause: str, at: str, mended: str | None) -> None:
    """Together with a whole entry, which a line without a colon needs to be a fault."""
    source, block = block_of(f"{yaml}\nz: y")
    assert [broken.cause for broken in block.broken] == [cause]
    broken = block.broken[0]
    assert source[broken.at.start : broken.at.end] == at
    if mended is None:
        assert broken.repair is None
    else:
        assert broken.repair is not None
        start, end = broken.repair.span
        after = source[:start] + broken.repair.text + source[end:]
        assert after == f"---\n{mended}\nz: y\n---\n"
        assert read_yaml(after[4:-4]).fault is None


@pytest.mark.parametrize(
    "yaml",
    [
        "d: a: b # or a comment",
        "d: > text on the line of the marker",
        "d: 'tis x",
        'd: "C:\\new\\Users"',
    ],
)
def test_a_repair_that_may_not_be_meant_says_so(yaml: str) -> None:
    _, broken = only(yaml)
    assert broken.repair is not None
    assert not broken.repair.certain


def test_what_is_named() -> None:
    source, broken = only("m:\n  a: b: c")
    assert broken.name == "m.a"
    assert broken.key == "m"
    assert source[broken.span.start : broken.span.end] == "m:\n  a: b: c"
    assert source[broken.value_span.start : broken.value_span.end] == "\n  a: b: c"


def test_the_other_entries_are_read() -> None:
    _, block = block_of("name: x\nd: a: b\n# note\ntags:\n- y\nc: `z`\nlast: w")
    assert [entry.key for entry in block.entries] == ["name", "tags", "last"]
    assert [broken.key for broken in block.broken] == ["d", "c"]
    assert block.is_broken("d")
    assert block.has("d")
    assert block.root is None
    assert block.fault is not None


def test_an_alias_of_another_entry_is_no_fault() -> None:
    _, block = block_of("a: &n x\nb: *n\nc: d: e")
    assert [broken.key for broken in block.broken] == ["c"]


def test_a_value_with_a_forbidden_character_is_read_all_the_same() -> None:
    _, block = block_of("name: a\x01b\nc: d")
    assert block.string("name") == "a\ufffdb"
    assert block.is_broken("name")


def test_a_merge_conflict() -> None:
    """Its markers are the only fault; of its two sides the first is read."""
    _, block = block_of(
        "name: x\nm:\n<<<<<<< ours\n  a: 1\n||||||| base\n  a: 0\n"
        "=======\n  a: 2\n>>>>>>> theirs\nz: y"
    )
    assert [entry.key for entry in block.entries] == ["name", "m", "z"]
    value = block.value("m")
    assert isinstance(value, Mapping)
    assert [(entry.key, value.string(entry.key)) for entry in value.entries] == [("a", "1")]
    assert [broken.cause for broken in block.broken] == ["conflict"] * 4


def test_equal_signs_alone_are_no_conflict() -> None:
    _, broken = only("a: b\n=======\nc: d")
    assert broken.cause == "stray"


def test_recovery_is_bounded() -> None:
    _, block = block_of("a: b: c\n" * 3000)
    assert len(block.broken) == MAX_RECOVERED
