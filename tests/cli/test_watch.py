"""`skillgauge check --watch`: one whole turn in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest

from skillgauge.cli import _watch
from skillgauge.cli._parser import Parser
from skillgauge.cli.check import add_arguments

from .conftest import BAD, GOOD, skill

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sends SIGINT")


@pytest.fixture
def watching(repo: Path) -> Iterator[tuple[subprocess.Popen[str], Queue[str]]]:
    skill(repo / "a", GOOD)
    command = [sys.executable, "-u", "-m", "skillgauge", "check", "--watch", "--select", "F011"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        # Whoever started the tests in the background may have them ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    lines: Queue[str] = Queue()
    assert process.stdout is not None
    reader = threading.Thread(target=lambda: [lines.put(line) for line in process.stdout or ()])
    reader.start()
    yield process, lines
    process.kill()
    process.wait()
    reader.join()
    process.stdout.close()


def turn(lines: Queue[str]) -> str:
    """Return what one check prints."""
    found: list[str] = []
    while not found or "Watching; Ctrl-C ends it" not in found[-1]:
        found.append(lines.get(timeout=30))
    return "".join(found[:-1])


def test_it_checks_again_and_ends_quietly(
    repo: Path, watching: tuple[subprocess.Popen[str], Queue[str]]
) -> None:
    process, lines = watching
    assert "No findings in 1 file." in turn(lines)
    skill(repo / "a", BAD)
    assert "a/SKILL.md:3:24: error F011" in turn(lines)
    (repo / "skillgauge.toml").write_text('profile = "x"')
    assert "skillgauge.toml:1:11: “profile” is one of" in turn(lines)
    (repo / "skillgauge.toml").write_text("")
    skill(repo / "b", GOOD)
    seen = turn(lines)
    if "2 files" not in seen:  # the two writes fell into two turns
        seen = turn(lines)
    assert "1 finding in 1 of 2 files" in seen
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0


def test_the_last_report_is_taken_back_only_while_it_is_in_sight(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((10, 5)))
    assert _watch._show("", "one\n") == "one\n"
    _watch._show("\x1b[1mone\x1b[0m\ntwelve chars\n", "two\n")
    _watch._show("1\n2\n3\n4\n5\n", "three\n")
    assert capsys.readouterr().out == "one\n\x1b[3F\x1b[Jtwo\n\nthree\n"


def test_what_changes_the_signature(repo: Path) -> None:
    parser = Parser("check", "")
    add_arguments(parser)
    options = parser.read(["a"])
    assert options is not None
    skill(repo / "a", GOOD)
    seen = [_watch.signature(options)]

    def changed() -> bool:
        seen.append(_watch.signature(options))
        return seen[-1] != seen[-2]

    assert not changed()
    skill(repo / "a", BAD)
    assert changed()
    (repo / "a" / "x.py").write_text("")
    assert changed()
    skill(repo / "neighbour", GOOD)
    assert changed()
    (repo / "skillgauge.toml").write_text("")
    assert changed()
    (repo / "unrelated.txt").write_text("")
    assert not changed()
