"""The calls that stand in a piece of JavaScript."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge.lift.trajectory._javascript import calls


@pytest.mark.parametrize(
    ("source", "name", "arguments", "literal"),
    [
        ('await tools.exec_command({"cmd": "ls\\n"})', "exec_command", {"cmd": "ls\n"}, True),
        (
            "tools.x({a: 'it\\'s', b: 1_000, c: [0x10, 1.5, null], })",
            "x",
            {"a": "it's", "b": 1000, "c": [16, 1.5, None]},
            True,
        ),
        ('tools["x"](`a\\u{62}c`)', "x", {"input": "abc"}, True),
        (
            'const d = "/tmp"; const cmd = `rm ${d}` + " -r"; tools.x({cmd})',
            "x",
            {"cmd": "rm /tmp -r"},
            True,
        ),
        ("const base = {a: 1}\ntools.x({...base, b: true})", "x", {"a": 1, "b": True}, True),
        ("const {x: run} = tools; run({a: 1})", "x", {"a": 1}, True),
        ("const run = tools.x; run(1, 2)", "x", {"input": [1, 2]}, True),
        ("const t = tools; t.x()", "x", {}, True),
        ("tools?.x({a: 1})", "x", {"a": 1}, True),
        ("text(`${await tools.x({a: 1})}`)", "x", {"a": 1}, True),
        ("tools.x({cmd: `cat ${file}`})", "x", {"cmd": "cat ${file}"}, False),
        ("tools.x({cmd: big ? 'a' : 'b', n: 1})", "x", {"cmd": "big ? 'a' : 'b'", "n": 1}, False),
        ("let a = '1'; a = '2'; tools.x({a})", "x", {"a": "a"}, False),
        ("tools.x({a: 1", "x", {"input": "{a: 1"}, False),
        ('const re = /tools.y("/; tools.x({a: 4 / 2})', "x", {"a": "4 / 2"}, False),
    ],
)
def test_a_call_is_found(source: str, name: str, arguments: dict, literal: bool) -> None:
    (found,) = calls(source)
    assert (found.name, found.arguments, found.literal) == (name, arguments, literal)


@pytest.mark.parametrize(
    "source",
    [
        "// tools.x({})",
        "/* tools.x({}) */",
        '"tools.x({})"',
        "`tools.x({})`",
        "my.tools.x({})",
        "tools.x",
        "",
    ],
)
def test_what_is_no_call_is_not_found(source: str) -> None:
    assert calls(source) == []


def test_calls_come_in_the_order_of_the_source() -> None:
    source = "tools.a(`${tools.b()}`); Promise.all([tools.c(), tools.d(tools.e())])"
    assert [call.name for call in calls(source)] == ["a", "b", "c", "d", "e"]


@given(st.text(alphabet="tools.x({[`$}]),'\"\\/*+:=\n a1", max_size=200))
@settings(max_examples=150, deadline=None)
def test_no_text_raises(source: str) -> None:
    calls(source)
    calls(f"const a = 1; tools.x({source})")


@pytest.mark.parametrize("piece", ["tools.x(", "[", "`${", "tools.x({a:", "/", "'", "(`"])
def test_a_hostile_source_takes_no_time(piece: str) -> None:
    began = time.process_time()
    calls(piece * (200_000 // len(piece)))
    assert time.process_time() - began < 10
