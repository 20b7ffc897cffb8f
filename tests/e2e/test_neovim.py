"""A real Neovim with the real server, set up as `docs/editors/neovim.md` says."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .snippets import snippet
from .workspace import MENTION, OTHER, add_cases, drive, make_workspace, staged

pytestmark = pytest.mark.e2e
DRIVER = Path(__file__).parent / "driver.lua"
MODERN = "Neovim 0.11 and newer"

Nvim = Callable[..., Any]


@pytest.fixture(scope="module")
def binary() -> str:
    """The Neovim to drive; the tests are skipped without one."""
    named = os.environ.get("SKILLGAUGE_NVIM")
    if not named:
        pytest.skip("SKILLGAUGE_NVIM does not name a Neovim; `make nvim` installs one")
    found = shutil.which(named)
    if found is None:
        pytest.skip(f"SKILLGAUGE_NVIM names {named}, which can't be run")
    return found


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return make_workspace(tmp_path)


@pytest.fixture
def nvim(binary: str, workspace: Path, tmp_path: Path) -> Nvim:
    """Run one check of the driver with snippets as init.lua; what it started must have ended."""

    def run(check: str, *headings: str, first: tuple[Path, ...] = ()) -> Any:
        files: list[Path] = []
        for number, heading in enumerate(headings):
            file = tmp_path / f"{number}.lua"
            file.write_text(snippet("neovim.md", heading, "lua"), encoding="utf-8")
            files.append(file)
        command = [binary, "--headless", "--clean", "-n", "-l", DRIVER, workspace, check, *files]
        try:
            return drive(command, workspace, tmp_path, *first)
        except AssertionError as error:
            raise AssertionError(f"{error}{log(tmp_path)}") from None

    return run


def log(folder: Path) -> str:
    """Return what Neovim has logged."""
    found = [path.read_text(errors="replace") for path in (folder / "state").rglob("lsp.log")]
    return "\n" + "\n".join(found)[-4000:]


def test_diagnostics_are_asked_for_and_stand_at_the_right_bytes(
    nvim: Nvim, workspace: Path
) -> None:
    report = nvim("diagnostics", MODERN)
    colon = "description: 😀é Sends".encode()
    assert report["range"] == [2, len(colon), 2, len(colon) + 1]
    assert (report["source"], report["severity"]) == ("skillgauge", 1)
    assert report["pulled"] == report["total"] > 0
    assert report["root"] == str(workspace)
    assert report["encoding"] == "utf-8"


def test_a_quick_fix_is_applied(nvim: Nvim) -> None:
    report = nvim("quick_fix", MODERN)
    assert report["lines"][2] == 'description: "😀é Sends: mail."'


def test_fixes_are_applied_on_save(nvim: Nvim, workspace: Path) -> None:
    report = nvim("fix_on_save", MODERN, "Fix on save")
    saved = (workspace / "demo" / "SKILL.md").read_text(encoding="utf-8")
    assert saved.splitlines() == report["lines"]
    assert report["modified"] is False
    assert report["lines"][2:4] == [
        'description: "😀é Sends: mail."',
        'argument-hint: "[a] [b]"',
    ]


def test_hover_completion_and_definition(nvim: Nvim, workspace: Path) -> None:
    report = nvim("reading", MODERN)
    assert "What the skill does" in report["hover"]
    assert "Claude Code" in report["hover"]
    assert "compatibility" in report["labels"]
    assert "description" not in report["labels"], "a key that is there already"
    assert report["file"] == str(workspace / "other" / "references" / "guide.md")
    assert report["line"] == "## Setup"


def test_rename_moves_the_folder_and_changes_mentions(nvim: Nvim, workspace: Path) -> None:
    report = nvim("rename", MODERN)
    assert report["buffer"] == str(workspace / "another" / "SKILL.md")
    assert not (workspace / "other").exists()
    renamed = (workspace / "another" / "SKILL.md").read_text(encoding="utf-8")
    assert renamed == OTHER.replace("name: other", "name: another")
    guide = (workspace / "another" / "references" / "guide.md").read_text(encoding="utf-8")
    assert guide == MENTION.replace("`other`", "`another`").replace("../other/", "../another/")


def test_a_hundred_thousand_lines_are_survived(nvim: Nvim, workspace: Path) -> None:
    path = workspace / "large" / "SKILL.md"
    path.parent.mkdir()
    head = "---\nname: large\ndescription: Holds lines. Use when many are wanted.\n---\n"
    path.write_text(head + "A line.\n" * 100_000, encoding="utf-8")
    report = nvim("large", MODERN)
    assert report == {"lines": 100_004, "stopped": False, "line": 2}


def test_the_lens_and_the_hints_of_the_page(nvim: Nvim) -> None:
    report = nvim("lens_and_hints", MODERN, "What is there")
    assert report["lens"].startswith("structure ")
    assert report["hint"].startswith("≈ ")


def test_other_markdown_is_left_alone(nvim: Nvim) -> None:
    assert nvim("elsewhere", MODERN) == {"clients": 0}


def test_the_set_up_for_older_versions(nvim: Nvim, workspace: Path) -> None:
    report = nvim("diagnostics", "Older versions, from 0.8 on")
    assert report["range"][:2] == [2, len("description: 😀é Sends".encode())]
    assert report["root"] == str(workspace)


def test_the_options_of_the_page_are_taken(nvim: Nvim) -> None:
    """A profile that has a rule which is off by default."""
    report = nvim("diagnostics", MODERN, "Options")
    plain = nvim("diagnostics", MODERN)
    assert report["total"] > plain["total"]


def test_a_lift_run_from_the_code_action_to_its_results(
    nvim: Nvim, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAGE_SECONDS", "0.1")
    text = add_cases(workspace).read_text()
    lines = {number for number, line in enumerate(text.splitlines(), 1) if '"id"' in line}
    report = nvim("lift", MODERN, "Lift runs", first=(staged(tmp_path),))
    assert report["question"].startswith("Run 4 trials of “other” (2 cases; with-skill, baseline;")
    assert report["progress"][0] == "begin"
    assert report["progress"][-1] == "end"
    assert {item["lnum"] for item in report["results"]} == lines
    assert report["hover"].startswith("| run of | harness |")
