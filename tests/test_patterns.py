"""Patterns that are compiled late: they work like others, and all of them can be compiled."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from skillgauge.patterns import lazy_pattern

SERVER = Path(__file__).parent.parent / "server" / "skillgauge"


def test_a_late_pattern_is_like_any_other() -> None:
    late, other = lazy_pattern("(?P<word>b+)", re.IGNORECASE), re.compile("(?P<word>b+)", re.I)
    assert late.pattern == other.pattern
    for text in ("aBBa", "bb", ""):
        for name in ("search", "match", "fullmatch"):
            found, wanted = getattr(late, name)(text), getattr(other, name)(text)
            assert found == wanted or found.span("word") == wanted.span("word")
        assert late.findall(text) == other.findall(text)
        assert [match[0] for match in late.finditer(text)] == other.findall(text)
        assert late.sub("x", text) == other.sub("x", text)
        assert late.subn("x", text) == other.subn("x", text)
        assert late.split(text) == other.split(text)
    assert (late.groups, late.flags) == (other.groups, other.flags)


def test_nothing_is_compiled_before_it_is_used() -> None:
    late = lazy_pattern("(")
    try:
        late.search("")
    except re.error:
        return
    raise AssertionError("an impossible pattern was taken")


def test_all_late_patterns_can_be_compiled() -> None:
    kind = type(lazy_pattern(""))
    found = 0
    for path in SERVER.rglob("*.py"):
        if "import lazy_pattern" in path.read_text(encoding="utf-8"):
            name = ".".join(path.relative_to(SERVER.parent).with_suffix("").parts)
            for value in vars(importlib.import_module(name)).values():
                if isinstance(value, kind):
                    assert value.groups >= 0
                    found += 1
    assert found > 100
