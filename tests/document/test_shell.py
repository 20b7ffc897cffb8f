"""Shell text: words with their ranges, what is no command, and which script a command runs."""

from __future__ import annotations

import time

import pytest

from skillgauge.document.shell import Command, Invocation, invocation, read_commands
from skillgauge.text import Span


def words(text: str) -> list[list[str]]:
    return [[word.text for word in command.words] for command in commands(text)]


def commands(text: str) -> tuple[Command, ...]:
    return read_commands(text, Span(0, len(text)))


def run_of(text: str) -> Invocation | None:
    found = commands(text)
    return invocation(found[0]) if found else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b  c\nd", [["a", "b", "c"], ["d"]]),
        ("a && b; c | d || e &", [["a"], ["b"], ["c"], ["d"], ["e"]]),
        ("a \\\n  b\\\r\n c", [["a", "b", "c"]]),
        ("a 'b c' \"d e\"f g\\ h", [["a", "b c", "d ef", "g h"]]),
        ("a # b\n# c\nd#e", [["a"], ["d#e"]]),
        ("$ a b\r\n$ c", [["$", "a", "b"], ["$", "c"]]),
        ("a $(b c) `d`", [["a", "$"], ["b", "c"], ["d"]]),
        ("a <file name> <in.csv>", [["a", "<file name>", "<in.csv>"]]),
        ("cat <<'EOF' > x\na b\nEOF\nc", [["cat"], ["c"]]),
        ("cat <<-A <<B\nA\nx\nB\nc", [["cat"], ["c"]]),
        ("cat <<EOF\nnever closed", [["cat"]]),
        ("it's a\nb", [["its", "a"], ["b"]]),
        ("", []),
    ],
)
def test_words(text: str, expected: list[list[str]]) -> None:
    assert words(text) == expected


def test_ranges_hold_what_is_written() -> None:
    text = 'x: python "a b.py" --o=1 > out/log.txt 2>&1'
    (command,) = read_commands(text, Span(3, len(text)))
    assert [text[slice(*word.span)] for word in command.words] == [
        "python",
        '"a b.py"',
        "--o=1",
    ]
    assert command.written == ("out/log.txt",)


@pytest.mark.parametrize(
    ("text", "interpreter", "script", "arguments"),
    [
        ("python3.12 -u scripts/a.py --x 1", "python3.12", "scripts/a.py", ["--x", "1"]),
        ("$ A=1 sudo env B=2 bash -x scripts/a.sh", "bash", "scripts/a.sh", []),
        ("uv run --with pandas scripts/a.py", "uv", "scripts/a.py", []),
        ("uv run python scripts/a.py -h", "python", "scripts/a.py", ["-h"]),
        ("npx tsx scripts/a.ts", "tsx", "scripts/a.ts", []),
        ("/usr/bin/python3 a.py", "python3", "a.py", []),
        ("source ./scripts/a.sh", "source", "./scripts/a.sh", []),
        ("./scripts/a x", "", "./scripts/a", ["x"]),
        ("scripts/a.py", "", "scripts/a.py", []),
    ],
)
def test_invocation(text: str, interpreter: str, script: str, arguments: list[str]) -> None:
    run = run_of(text)
    assert run is not None
    assert (run.interpreter, run.script.text) == (interpreter, script)
    assert [word.text for word in run.arguments] == arguments
    assert text[slice(*run.script.span)] == script


@pytest.mark.parametrize(
    "text",
    [
        "git status",
        "python -m pytest scripts/a.py",
        "python -c 'print(1)'",
        "uvx ruff check scripts/a.py",
        "bash -c scripts/a.sh",
        "python",
        "A=1",
        "cat scripts/a.py",
    ],
)
def test_no_invocation(text: str) -> None:
    assert run_of(text) is None


@pytest.mark.parametrize("piece", ['"', "'\"", "a\\", "<a ", "<<A\n", "(", "`a", "x "])
def test_long_texts_take_linear_time(piece: str) -> None:
    text = piece * 40_000
    start = time.process_time()
    commands(text)
    assert time.process_time() - start < 2
