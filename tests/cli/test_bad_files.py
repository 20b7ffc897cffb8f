"""Files and folders that can't be read or written: one finding or one line each, never silence."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import GOOD, Run, skill

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs pipes and links of POSIX")


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


def _dangling(path: Path) -> None:
    path.symlink_to("nowhere.md")


def _folder(path: Path) -> None:
    path.mkdir()


@posix
@pytest.mark.parametrize("by", ["a", "a/SKILL.md", "."])
@pytest.mark.parametrize(
    ("make", "why"),
    [
        (_pipe, "it is no regular file"),
        (_loop, "too many levels of symbolic links"),
        (_dangling, "it is a link to nothing"),
        (_folder, "it is a folder"),
    ],
)
def test_what_is_no_file_is_one_finding(repo: Path, run: Run, make: Any, why: str, by: str) -> None:
    """However it is named, and without waiting for a pipe's other end."""
    (repo / "a").mkdir()
    make(repo / "a" / "SKILL.md")
    skill(repo / "b", GOOD)
    done = run("check", "--quiet", by)
    assert done.status == 1
    assert done.out.startswith(
        f"a/SKILL.md:1:1: error F000 unreadable-file: SKILL.md can’t be read: {why}.\n"
    )
    assert done.out.count("error") == 1
    assert done.err == ""


@posix
def test_evaluations_that_are_no_file(repo: Path, run: Run) -> None:
    skill(repo / "a", GOOD)
    (repo / "a" / "evals").mkdir()
    os.mkfifo(repo / "a" / "evals" / "evals.json")
    done = run("check", "--format", "json", ".")
    assert {
        file["path"]: [item["code"] for item in file["findings"] if item["severity"] == "error"]
        for file in done.json["files"]
    } == {"a/SKILL.md": [], "a/evals/evals.json": ["V001"]}


def test_a_folder_without_permission_is_said(
    repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found on the way it is passed over with a line; named itself it is wrong use."""
    skill(repo / "a", GOOD)
    (repo / "b").mkdir()
    scan = os.scandir

    def refuse(path: Any) -> Any:
        if str(path) == str(repo / "b"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    done = run("check", "--quiet", ".")
    assert done.status == 0
    assert done.err == "skillgauge: b is passed over, for it can't be read: permission denied\n"
    named = run("check", "b")
    assert (named.status, named.err) == (2, "skillgauge: “b” can't be read: permission denied.\n")


def test_a_path_that_can_not_be_reached(
    repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not said to be missing."""

    def refuse(path: Any) -> Any:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "lstat", refuse)
    done = run("check", "a/SKILL.md")
    monkeypatch.undo()
    assert done.status == 2
    assert done.err == "skillgauge: “a/SKILL.md” can't be reached: permission denied.\n"


def test_a_read_only_file_is_not_fixed_and_the_others_are(
    repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replacing a file needs no right to write it: that must not be a way around."""
    held, free = skill(repo / "a"), skill(repo / "b")
    before = held.read_bytes()
    access = os.access

    def refuse(path: Any, mode: int, **options: Any) -> bool:
        return access(path, mode, **options) and not (mode == os.W_OK and Path(path) == held)

    monkeypatch.setattr(os, "access", refuse)
    done = run("fix", "--select", "F011")
    assert done.status == 2
    assert done.err == f"skillgauge: “{held}” can't be written: it is read-only.\n"
    assert done.out.endswith("Fixed 1 finding in 1 of 2 files.\n")
    assert held.read_bytes() == before
    assert '"Cuts files' in free.read_text(encoding="utf-8")


@posix
def test_a_pipe_as_output_stays_a_pipe(repo: Path, run: Run) -> None:
    """A report is written into what is no file, not put in its place."""
    skill(repo / "a", GOOD)
    os.mkfifo(repo / "pipe")
    reader = os.open(repo / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run("check", "--format", "json", "--output", "pipe").status == 0
        assert os.read(reader, 1_000_000).startswith(b"{")
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(os.stat(repo / "pipe").st_mode)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_no_fault_of_ours(repo: Path) -> None:
    import subprocess

    skill(repo / "a")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "skillgauge", "check"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "skillgauge: Standard output can't be written: no space left on device.\n"
    )


@posix
def test_no_name_can_drive_the_terminal(repo: Path, run: Run) -> None:
    """Neither in the report nor in what is said beside it."""
    name = "a\x1b[31m\nb"
    (repo / name).mkdir()
    said = run("check", name)
    assert said.err == "skillgauge: No skill in a␛[31m b\n"
    skill(repo / name, GOOD.replace("{name}", "a"))
    assert "\x1b" not in run("check", name, "--select", "F036").out
