"""`skillgauge fix`: what it changes, what it leaves byte for byte, what it shows."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from skillgauge import engine, rules
from skillgauge.config import settings_of
from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Rule, Severity
from skillgauge.text import Span

from .conftest import BAD, GOOD, Run, skill

QUOTED = BAD.replace("Cuts files: all of them.", '"Cuts files: all of them."')


def test_safe_fixes_are_applied_and_said(repo: Path, run: Run) -> None:
    path = skill(repo / "a")
    skill(repo / "b", GOOD)
    done = run("fix", "--select", "F011")
    assert path.read_text() == QUOTED.format(name="a")
    assert (done.status, done.err) == (0, "")
    assert done.out == (
        "a/SKILL.md\n  F011 yaml-unquoted-colon: Quote the value of “description”\n"
        "Fixed 1 finding in 1 of 2 files.\n"
    )
    again = run("fix", "--select", "F011")
    assert again.out == "Fixed 0 findings in 0 of 2 files.\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\xef\xbb\xbf---\nname: a\ndescription: A: b\n---\n\xff\xfe\n",
         b'\xef\xbb\xbf---\nname: a\ndescription: "A: b"\n---\n\xff\xfe\n'),
        (b"---\r\nname: a\r\ndescription: A: b\r\n---\r\nx\ry\n\x0c\xc2\x85\xe2\x80\xa8 no end",
         b'---\r\nname: a\r\ndescription: "A: b"\r\n---\r\nx\ry\n\x0c\xc2\x85\xe2\x80\xa8 no end'),
        ("---\nname: a\ndescription: 😀 Ä: b\n---\n".encode(),
         '---\nname: a\ndescription: "😀 Ä: b"\n---\n'.encode()),
    ],
    ids=["bom and bytes that are no UTF-8", "line breaks of every kind", "wide characters"],
)  # fmt: skip
def test_bytes_outside_of_the_fix_stay(repo: Path, run: Run, before: bytes, after: bytes) -> None:
    path = skill(repo / "a")
    path.write_bytes(before)
    run("fix", "--select", "F011")
    assert path.read_bytes() == after
    assert run("fix", "-", "--select", "F011", stdin=before).out.encode(
        "utf-8", "surrogateescape"
    ) == after  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_mode_and_link_are_kept(repo: Path, run: Run) -> None:
    path = skill(repo / "a")
    path.chmod(0o640)
    (repo / "b").mkdir()
    (repo / "b" / "SKILL.md").symlink_to(path)
    run("fix", "b", "--select", "F011")
    assert path.read_text() == QUOTED.format(name="a")
    assert path.stat().st_mode & 0o777 == 0o640
    assert (repo / "b" / "SKILL.md").is_symlink()
    assert not [name for name in os.listdir(repo / "a") if name != "SKILL.md"]


def test_diff_writes_nothing_and_can_be_applied(repo: Path, run: Run) -> None:
    texts = {"a": BAD, "b": GOOD, "c": BAD.replace("# Cut\n", "x\x0c\xa0y")}
    for name, text in texts.items():
        skill(repo / name, text)
    done = run("fix", "--diff", "--select", "F011")
    assert done.status == 1
    for name, text in texts.items():
        assert (repo / name / "SKILL.md").read_text() == text.format(name=name)
    subprocess.run(["git", "init", "-q"], check=True, cwd=repo)
    subprocess.run(["git", "apply"], input=done.out.encode(), check=True, cwd=repo)
    patched = {name: (repo / name / "SKILL.md").read_bytes() for name in texts}
    for name, text in texts.items():
        skill(repo / name, text)
    run("fix", "--select", "F011")
    assert {name: (repo / name / "SKILL.md").read_bytes() for name in texts} == patched
    assert run("fix", "--diff", "--select", "F011").status == 0


def test_a_diff_looks_like_this(repo: Path, run: Run) -> None:
    skill(repo / "a")
    assert run("fix", "--diff", "--select", "F011").out == (
        "--- a/a/SKILL.md\n+++ b/a/SKILL.md\n@@ -1,6 +1,6 @@\n ---\n name: a\n"
        "-description: Cuts files: all of them.\n"
        '+description: "Cuts files: all of them."\n ---\n \n # Cut\n'
    )


def test_a_file_that_cannot_be_read_is_left(repo: Path, run: Run) -> None:
    path = skill(repo / "a")
    path.write_bytes(b"\xff\xfe-\x00")
    assert run("fix", "--unsafe").status == 0
    assert path.read_bytes() == b"\xff\xfe-\x00"


# --- renames and unsafe fixes, by rules made for it ----------------------------------------------


def _renaming(document: Skill) -> list[Finding]:
    if document.file_name == "SKILL.md":
        return []
    return [Finding(Span(0, 3), "Wrong name.", Fix("Rename it", (), rename="SKILL.md"))]


def _shouting(document: Skill) -> Iterator[Finding]:
    for at, char in enumerate(document.source):
        if char == "!":
            span = Span(at, at + 1)
            yield Finding(span, "Too loud.", Fix("Calm down", (Edit(span, "."),), safe=False))


@pytest.fixture
def two_rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    made = tuple(
        Rule(code, name, check, "Finds.", "m", {"default": Severity.ERROR,
             "strict": Severity.ERROR}, "skill", None, frozenset(), None)
        for code, name, check in (("F001", "renaming", _renaming), ("F002", "shouting", _shouting))
    )  # fmt: skip
    settings_of.cache_clear()
    keys = {key: rule for rule in made for key in (rule.code, rule.name)}
    monkeypatch.setattr("skillgauge.fix.by_key", lambda: keys)
    for module in (engine, rules):
        monkeypatch.setattr(module, "all_rules", lambda: made)
    yield
    settings_of.cache_clear()


@pytest.mark.usefixtures("two_rules")
def test_a_fix_may_rename_the_file(repo: Path, run: Run) -> None:
    skill(repo / "a", GOOD, "skill.md")
    diff = run("fix", "--diff").out
    assert diff == "rename from a/skill.md\nrename to a/SKILL.md\n"
    done = run("fix")
    assert os.listdir(repo / "a") == ["SKILL.md"]
    assert done.out == "a/skill.md\n  F001 renaming: Rename it\nFixed 1 finding in 1 of 1 file.\n"


@pytest.mark.usefixtures("two_rules")
def test_a_rename_never_overwrites(repo: Path, run: Run) -> None:
    if os.path.exists(str(skill(repo / "a", GOOD, "skill.md")).upper()):
        pytest.skip("the file system ignores case")
    skill(repo / "a", "other")
    done = run("fix")
    assert (repo / "a" / "SKILL.md").read_text() == "other"
    assert (repo / "a" / "skill.md").read_text() == GOOD.format(name="a")
    assert done.err == "skillgauge: a/skill.md is not renamed: SKILL.md exists\n"
    assert done.out == "Fixed 0 findings in 0 of 2 files.\n"


@pytest.mark.usefixtures("two_rules")
def test_unsafe_fixes_need_to_be_asked_for(repo: Path, run: Run) -> None:
    path = skill(repo / "a", "Cut! Now!\n")
    assert run("fix").out == "Fixed 0 findings in 0 of 1 file.\n"
    assert path.read_text() == "Cut! Now!\n"
    done = run("fix", "--unsafe")
    assert path.read_text() == "Cut. Now.\n"
    assert done.out == (
        "a/SKILL.md\n  F002 shouting: Calm down (×2)\nFixed 2 findings in 1 of 1 file.\n"
    )


def test_a_file_changed_meanwhile_is_left(
    repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from skillgauge import fix

    path = skill(repo / "a")
    real = fix.fix

    def slow(*words: object, **options: bool) -> fix.Fixed:
        made = real(*words, **options)  # pyright: ignore[reportArgumentType]
        path.write_text("edited by hand")
        return made

    monkeypatch.setattr(fix, "fix", slow)
    done = run("fix", "--select", "F011")
    assert path.read_text() == "edited by hand"
    assert done.err == "skillgauge: a/SKILL.md was changed meanwhile; nothing is written\n"


def test_a_file_that_takes_too_long_is_said(
    repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was done until then is kept: here nothing."""
    from skillgauge import fix

    path = skill(repo / "a")
    before, real = path.read_text(), fix.fix

    def hurried(*words: object, **options: bool) -> fix.Fixed:
        return real(*words, seconds=0, **options)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(fix, "fix", hurried)
    done = run("fix", "--select", "F011")
    assert path.read_text() == before
    assert done.err.startswith("skillgauge: a/SKILL.md took too long and is fixed in part;")
