"""What is wrong with a text that is no JSON or YAML: the cause, its place, and the mended text."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from skillgauge.document.json_faults import diagnose_json
from skillgauge.document.json_reader import read_json, read_json_lines
from skillgauge.document.nodes import SyntaxFault
from skillgauge.document.tolerant import MAX_FAULTS, Found, read_on
from skillgauge.document.yaml_lines import diagnose_yaml
from skillgauge.document.yaml_reader import read_yaml
from skillgauge.fix import apply_edits
from skillgauge.rule import Edit

Diagnose = Callable[[str, SyntaxFault], Found]


@pytest.mark.parametrize(
    ("source", "faults", "mended"),
    [
        (
            '{"a": [1, 2,], "b": 3,}',
            [("comma-extra", ","), ("comma-extra", ",")],
            {"a": [1, 2], "b": 3},
        ),
        ('["a",,"b"]', [("comma-extra", ",")], ["a", "b"]),
        (
            '// x\n{"a": 1 /* y\n */, # z\n "b": 2}',
            [("comment", "// x"), ("comment", "/* y\n */"), ("comment", "# z")],
            {"a": 1, "b": 2},
        ),
        (
            "{'a': 'say \"hi\"', “b”: ‘c’}",
            [("quotes", "'a'"), ("quotes", "'say \"hi\"'"), ("quotes", "“b”"), ("quotes", "‘c’")],
            {"a": 'say "hi"', "b": "c"},
        ),
        ("{'a': 'don't'}", [("quotes", "'a'"), ("quotes", "'")], None),
        (
            '{"a": True, "b": None}',
            [("literal", "True"), ("literal", "None")],
            {"a": True, "b": None},
        ),
        ('{a: 1, "b": "c: d", e_f: 2}', [("key", "a")], {"a": 1, "b": "c: d", "e_f": 2}),
        ('{"a": 1\n "b": 2}', [("comma-missing", "1")], {"a": 1, "b": 2}),
        (
            '[{"x": 1}\n{"y": 2} "z"]',
            [("comma-missing", "}"), ("comma-missing", "}")],
            [{"x": 1}, {"y": 2}, "z"],
        ),
        (
            '{\n"a": "He said "hi" to me",\n"b": 1\n}',
            [("inner-quote", '"')],
            {"a": 'He said "hi" to me', "b": 1},
        ),
        ('{"a": "x\ny\nz", "b": 1}', [("line-break", "\n")], {"a": "x\ny\nz", "b": 1}),
        ('{"a": "x,\n"b": 1}', [("string-open", '"')], None),
        ('{"a": "x', [("string-open", '"')], None),
        ('{"a": "b\tc"}', [("control", "\t")], {"a": "b\tc"}),
        ('{"a": "C:\\path"}', [("escape", "\\p")], {"a": "C:\\path"}),
        ('{"a": "it\\\'s"}', [("escape", "\\'")], {"a": "it's"}),
        ('{"a": [1, 2}', [("bracket", "}")], None),
        ('{"a": {"b": [1]', [("unclosed", "{")], None),
        ('{"a": 1}}', [("bracket-extra", "}")], {"a": 1}),
        ('{"a": 1}\n{"b": 2}', [("second-value", "{")], None),
        ('{"a": , "b": 1}', [("value", ",")], None),
        ('{"a" 1}', [("colon", "1")], None),
        ('{"a": foo}', [("word", "foo")], None),
        ('\ufeff{"a": 1}', [("bom", "\ufeff")], {"a": 1}),
        ('{\n<<<<<<< HEAD\n"a": 1}', [("conflict", "<<<<<<<")], None),
        ("[" * 70 + "]" * 70, [("depth", "[")], None),
        (" \n", [("empty", "")], None),
        ("- id: 1\n", [("other", "-")], None),
    ],
)
def test_json(source: str, faults: list[tuple[str, str]], mended: object) -> None:
    found = read_on(source, read_json, diagnose_json)
    assert [
        (fault.cause, source[fault.at.start : fault.at.end]) for fault in found.faults
    ] == faults
    repairs = [repair for fault in found.faults for repair in fault.repairs]
    text = apply_edits(source, [Edit(repair.span, repair.text) for repair in repairs])
    if mended is not None:
        assert json.loads(text) == mended
    else:
        assert read_json(text).fault is not None


def test_the_bracket_that_a_fault_is_about() -> None:
    found = read_on('{"a": [1, 2}', read_json, diagnose_json)
    assert [fault.opened for fault in found.faults] == [6]


def test_only_what_is_plain_is_certain() -> None:
    source = '{"a": [1 2,], "b": "C:\\p" // c\n}'
    found = read_on(source, read_json, diagnose_json)
    assert [
        (fault.cause, [repair.certain for repair in fault.repairs]) for fault in found.faults
    ] == [
        ("comma-missing", [False]),
        ("comma-extra", [True]),
        ("escape", [False]),
        ("comment", [False]),
    ]


def test_faults_are_counted_out() -> None:
    found = read_on("[" + "1,,\n" * 300 + "1]", read_json, diagnose_json)
    assert len(found.faults) == MAX_FAULTS
    assert not found.complete


def test_json_lines() -> None:
    source = '{"a": 1}\n\n{"b": 2,}\n{"c": [1,\n2]}\n{"d": 4}\n'
    found = read_on(source, read_json_lines, diagnose_json)
    assert [(fault.cause, fault.at.start) for fault in found.faults] == [
        ("comma-extra", 17),
        ("across-lines", 20),
    ]


@pytest.mark.parametrize(
    ("source", "faults", "mended"),
    [
        (
            "e:\n  - id: 1\n    p: Do this: that\n    o: Say: no\n",
            [("colon", ":"), ("colon", ":")],
            {"e": [{"id": 1, "p": "Do this: that", "o": "Say: no"}]},
        ),
        ("e:\n\t- id: 1\n", [("tab", "\t")], {"e": [{"id": 1}]}),
        (
            "e:\n  - p: `x` does: y\n  - p: *foo* bar\n",
            [("indicator", "`"), ("indicator", "*")],
            {"e": [{"p": "`x` does: y"}, {"p": "*foo* bar"}]},
        ),
        ('e:\n  - p: "a\n', [("quote", '"')], {"e": [{"p": "a"}]}),
        ('e:\n  - p: "\\d"\n', [("escape", "\\d")], {"e": [{"p": "\\d"}]}),
        ("e:\n  - id: 1\n   p: a\n", [("indent", "p: a")], None),
        ("a: 1\n---\nb: 2\n", [("second-document", "---")], None),
        ("a: *x\n", [("anchor", "*x")], None),
        ("a: 1\n<<<<<<< HEAD\nb: 2\n", [("conflict", "<<<<<<<")], None),
    ],
)
def test_yaml(source: str, faults: list[tuple[str, str]], mended: object) -> None:
    found = read_on(source, read_yaml, diagnose_yaml)
    assert [
        (fault.cause, source[fault.at.start : fault.at.end]) for fault in found.faults
    ] == faults
    repairs = [repair for fault in found.faults for repair in fault.repairs]
    text = apply_edits(source, [Edit(repair.span, repair.text) for repair in repairs])
    if mended is not None:
        assert yaml.safe_load(text) == mended
    else:
        assert read_yaml(text).fault is not None


@given(
    st.text(alphabet=st.sampled_from("{}[],:\"'\\ \n\r\tab1-/*#“”\ufeff\x00🙂<="), max_size=60),
    st.sampled_from([diagnose_json, diagnose_yaml]),
)
def test_what_stands_in_has_the_same_length(text: str, diagnose: Diagnose) -> None:
    read = read_json if diagnose is diagnose_json else read_yaml
    fault = read(text).fault
    if fault is not None:
        found = diagnose(text, fault)
        assert found.stand_in is None or len(found.stand_in) == len(text)
        assert found.stand_in != text
