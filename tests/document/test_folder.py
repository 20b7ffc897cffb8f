"""The files around a document: nothing outside is followed, nothing is read without bound."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skillgauge.document import folder as module
from skillgauge.document.files import MAX_BYTES, check_size, decode, encode, read_file
from skillgauge.document.folder import DiskFolder, MemoryFolder, normalise
from skillgauge.document.skill import load_skill

needs_links = pytest.mark.skipif(os.name == "nt", reason="needs symbolic links and pipes")


def write(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    return root


def test_listing(tmp_path: Path) -> None:
    write(
        tmp_path, "SKILL.md", "scripts/a.py", "scripts/lib/b.py", ".git/config", "x/node_modules/y"
    )
    (tmp_path / "empty").mkdir()
    folder = DiskFolder(tmp_path)
    assert list(folder.files) == ["SKILL.md", "scripts/a.py", "scripts/lib/b.py"]
    assert folder.directories == {"scripts", "scripts/lib", "empty", "x"}
    assert folder.files["scripts/a.py"].size == len("scripts/a.py")
    assert folder.complete
    assert folder.read("scripts/a.py") == "scripts/a.py"
    assert folder.read("scripts/../SKILL.md") is None
    assert folder.read("no.md") is None


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    folder = DiskFolder(tmp_path / "no")
    assert folder.files == {}
    assert not folder.complete


@needs_links
def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "outside.md", "shared/c.md", "skill/SKILL.md", "skill/in.md")
    skill = tmp_path / "skill"
    (skill / "out.md").symlink_to(tmp_path / "outside.md")
    (skill / "up").symlink_to(tmp_path / "shared")
    (skill / "same.md").symlink_to("in.md")
    (skill / "gone.md").symlink_to("nothing.md")
    folder = DiskFolder(skill)
    assert folder.files["out.md"].outside
    assert folder.files["gone.md"].outside
    assert folder.files["up"].outside
    assert not folder.files["same.md"].outside
    assert folder.read("out.md") is None
    assert folder.read("same.md") == "skill/in.md"
    assert "up/c.md" not in folder.files
    assert not folder.complete  # something lies behind `up` that isn't listed


@needs_links
def test_loops_end(tmp_path: Path) -> None:
    write(tmp_path, "a/b/c.md")
    (tmp_path / "a" / "b" / "loop").symlink_to(tmp_path / "a")
    (tmp_path / "me").symlink_to("me")
    folder = DiskFolder(tmp_path)
    assert set(folder.files) == {"a/b/c.md", "me"}
    assert "a/b/loop" in folder.directories
    assert folder.files["me"].outside
    assert folder.read("me") is None


@needs_links
def test_pipes_are_no_files(tmp_path: Path) -> None:
    """Reading one would wait for ever."""
    write(tmp_path, "SKILL.md")
    os.mkfifo(tmp_path / "pipe")
    folder = DiskFolder(tmp_path)
    assert list(folder.files) == ["SKILL.md"]
    assert folder.read("pipe") is None
    assert read_file(tmp_path / "pipe")[1] == "it is no regular file"


def test_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FILES", 5)
    write(tmp_path, *(f"{number}.md" for number in range(9)))
    folder = DiskFolder(tmp_path)
    assert len(folder.files) == 5
    assert not folder.complete


def test_deep_folders(tmp_path: Path) -> None:
    deep = "/".join("d" * (module.MAX_DEPTH + 2))
    write(tmp_path, f"{deep}/x.md", "y.md")
    folder = DiskFolder(tmp_path)
    assert list(folder.files) == ["y.md"]
    assert not folder.complete
    shallow = DiskFolder(write(tmp_path / "e", "/".join("d" * module.MAX_DEPTH) + "/x.md"))
    assert len(shallow.files) == 1
    assert shallow.complete


def test_large_files_are_read_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_READ", 3)
    assert DiskFolder(write(tmp_path, "a.md")).read("a.md") == "a.m"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/b.md", "a/b.md"),
        ("./a//b/../c.md", "a/c.md"),
        ("a/..", ""),
        ("../a", None),
        ("a/../../b", None),
        ("/a", None),
    ],
)
def test_normalise(path: str, expected: str | None) -> None:
    assert normalise(path) == expected


def test_a_folder_in_memory() -> None:
    folder = MemoryFolder("x", {"SKILL.md": "é", "a/b/c.md": None})
    assert folder.name == "x"
    assert folder.directories == {"a", "a/b"}
    assert folder.files["SKILL.md"].size == 2
    assert folder.read("SKILL.md") == "é"
    assert folder.read("a/b/c.md") is None
    assert folder.complete


def test_bytes_come_back() -> None:
    data = b"\xef\xbb\xbfa\xe9\x00\r\n\xff\xc3\xa9"
    text = decode(data)
    assert text.content == "\ufeffa\udce9\x00\r\n\udcffé"
    assert encode(text.content) == data


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"text \xff", ""),
        ("\ufeff# A".encode("utf-16-le"), "it is encoded as UTF-16, not UTF-8"),
        ("\ufeff# A".encode("utf-16-be"), "it is encoded as UTF-16, not UTF-8"),
        (bytes(range(32)) * 9, "it is a binary file"),
        (b"a" * (MAX_BYTES + 1), "it is larger than 1 MiB"),
    ],
)
def test_what_is_no_text(data: bytes, problem: str) -> None:
    text, found = check_size(data)
    assert found == problem
    assert bool(text.content) is (problem == "")


def test_problems_of_a_skill(tmp_path: Path) -> None:
    assert load_skill(tmp_path / "SKILL.md").problem == "it does not exist"
    (tmp_path / "SKILL.md").mkdir()
    assert load_skill(tmp_path / "SKILL.md").problem == "it is a folder"


@needs_links
def test_a_skill_that_links_to_itself(tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").symlink_to("SKILL.md")
    assert load_skill(tmp_path / "SKILL.md").problem == "too many levels of symbolic links"
