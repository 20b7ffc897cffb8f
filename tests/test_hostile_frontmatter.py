"""Frontmatter that repeats a fault thousands of times: judging and fixing it end soon.

Judging grows with the length and no faster; fixing has a limit, and what it did until then stands.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

import pytest

from skillgauge import fix as fixes
from skillgauge.engine import Result, check, profile_settings
from skillgauge.fix import MAX_FAILURES, fix
from skillgauge.lsp.features._code_actions import changed_regions

from .helpers import skill

SHORT = 15_000  # a quarter of what is parsed at all
ENOUGH = 1.0
LINES: dict[str, Callable[[int], str]] = {
    "colons": lambda _: "a: b: c\n",
    "different keys": lambda number: f"k{number}: b\n",
    "different colons": lambda number: f"k{number}: b: c\n",
    "misspelt keys": lambda number: f"licen{number}: b\n",
    "tabs": lambda _: "a:\n\tb: c\n",
    "the same key": lambda _: "name: a\n",
    "quotes": lambda _: 'a: "x\n',
    "anchors": lambda _: "a: &a b\n",
    "aliases": lambda _: "a: *a\n",
    "brackets": lambda _: "a: [a] [b]\n",
    "conflicts": lambda _: "<<<<<<< a\na: b\n=======\na: c\n>>>>>>> b\n",
    "comments": lambda _: "a: b\n # x\n  c\n",
    "separators": lambda _: "a: b\u2028c\n",
    "controls": lambda _: "a: b\x01c\n",
    "no blank": lambda _: "a:b\n",
    "escapes": lambda _: 'a: "\\q"\n',
    "a long list": lambda number: f"- a{number}\n",
}


def block(kind: str, size: int) -> str:
    lines = map(LINES[kind], itertools.count())
    parts: list[str] = []
    while size > 0:
        parts.append(next(lines))
        size -= len(parts[-1])
    return f"---\n{''.join(parts)}---\n\n# Demo\n"


def seconds(text: str) -> float:
    document = skill(text, {}, folder="demo")
    start = time.process_time()
    check(document, profile_settings("strict"))
    return time.process_time() - start


@pytest.mark.parametrize("kind", LINES)
def test_time_grows_with_the_length(kind: str) -> None:
    long = seconds(block(kind, 4 * SHORT))
    if long > ENOUGH:
        short = seconds(block(kind, SHORT))
        assert long < 9 * short, f"{short:.2f} s, and {long:.2f} s for four times the text"


def test_fixing_ends_when_its_time_is_up() -> None:
    """What was done by then has been checked; another run goes on from there."""
    ticks = itertools.count()
    document = skill(block("colons", SHORT), {}, folder="demo")
    done = fix(document, seconds=4, clock=lambda: next(ticks))
    assert done.stopped
    assert 200 <= len(done.applied) <= 1_000
    left = skill(done.text, {}, folder="demo")
    assert 'a: "b: c"' in left.source
    assert fix(left, seconds=4, clock=lambda: 0).text.count("\na: ") == 1


def test_nothing_is_done_without_time() -> None:
    document = skill(block("colons", 100), {}, folder="demo")
    done = fix(document, seconds=0)
    assert (done.text, done.applied, done.stopped) == (document.source, (), True)


def count_checks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count how often a document is checked while fixes are tried."""
    checked: list[int] = []

    def counting(*words: object, **options: bool) -> Result:
        checked.append(1)
        return check(*words, **options)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(fixes, "check", counting)
    return checked


def test_fixes_of_one_rule_are_tried_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fix of another rule that does harm doesn't make each wait for its turn."""
    checked = count_checks(monkeypatch)
    entries = "".join(f"k{number}: b: c\n" for number in range(100))
    text = f"---\nname: demo\ndescription: x\n{entries}---\n# A\n"
    done = fix(skill(text, {}, folder="demo"))
    assert sum(finding.code == "F011" for finding in done.applied) == 100
    assert len(checked) <= 3


def test_fixes_that_never_help_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """To write these separators as line ends breaks the entries, each of hundreds."""
    checked = count_checks(monkeypatch)
    done = fix(skill(block("separators", 4_000), {}, folder="demo"), unsafe=True, seconds=60)
    assert not done.stopped
    assert "\u2028" in done.text
    assert len(checked) < 10 * MAX_FAILURES


def test_changes_among_equal_lines_are_found_at_once() -> None:
    old = "a\n" + "x\ny\n" * 4_000 + "b\n"
    new = "a\n" + "x\nz\n" * 4_000 + "b\n"
    (edit,) = changed_regions(old, new)
    assert (edit.span.start, edit.span.end) == (4, len(old) - 2)
    assert old[:4] + edit.text + old[edit.span.end :] == new
    assert changed_regions(old, old) == []
