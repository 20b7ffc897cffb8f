"""`skillgauge preview`: what a client's model receives, and one line where there is no skill."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import GOOD, Run, skill

CALLED = (
    "---\nname: {name}\ndescription: Cuts files. Use when one is too long.\n---\n"
    "Cut $0 and not \\$1, with ${{CLAUDE_SKILL_DIR}}/cut.sh.\n!`touch stolen`\n"
)


def test_what_claude_code_receives(repo: Path, run: Run) -> None:
    """Placeholders are put in, commands are named and not run."""
    path = skill(repo / ".claude" / "skills" / "cut", CALLED)
    done = run("preview", ".claude/skills/cut", "--arguments", "a.txt b.txt")
    assert (done.status, done.err) == (0, "")
    assert done.out == (
        "# What Claude Code shows its model of “cut”\n\n## In the list of skills\n\n"
        "- cut: Cuts files. Use when one is too long.\n\n"
        "In this list 1 skill takes 45 of 8,000 characters (0 %).\n\n"
        "## When the skill is used\n\n"
        f"Cut a.txt and not $1, with {path.parent}/cut.sh.\n[output of: touch stolen]\n"
    )
    assert not list(repo.rglob("stolen"))


def test_another_client_leaves_what_it_does_not_know(repo: Path, run: Run) -> None:
    skill(repo / ".claude" / "skills" / "cut", CALLED)
    done = run("preview", ".claude/skills/cut/SKILL.md", "--client", "cursor")
    assert done.out.startswith("# What Cursor shows its model")
    assert "Cut $0 and not \\$1, with ${CLAUDE_SKILL_DIR}/cut.sh." in done.out


def test_the_client_is_that_of_the_configuration(repo: Path, run: Run) -> None:
    skill(repo / "cut", GOOD)
    assert run("preview", "cut").out.startswith("# What Claude Code shows")
    (repo / "skillgauge.toml").write_text('clients = ["codex"]\n')
    assert run("preview", "cut").out.startswith("# What Codex shows")


def test_standard_input(repo: Path, run: Run) -> None:
    done = run("preview", "-", stdin=GOOD.format(name="cut").encode())
    assert done.out.startswith("# What Claude Code shows its model of “cut”\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "There are 2 skills in .. Name one SKILL.md."),
        ("empty", "There is no skill in empty. Name one SKILL.md."),
        ("a --client claud-code", "No client is called “claud-code”. Did you mean “claude-code”?"),
        ("bad", "SKILL.md can't be read: it is a binary file."),
        ("gone", "“gone” does not exist. Name a skill's folder or a SKILL.md."),
    ],
)
def test_wrong_use_is_one_line(repo: Path, run: Run, words: str, message: str) -> None:
    skill(repo / "a", GOOD)
    skill(repo / "bad").write_bytes(bytes(99))
    (repo / "empty").mkdir()
    done = run("preview", *words.split())
    assert (done.status, done.out, done.err) == (2, "", f"skillgauge: {message}\n")
