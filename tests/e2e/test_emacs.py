"""A real Emacs with Eglot and the real server, set up as `docs/editors/emacs.md` says."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .snippets import snippet
from .workspace import DEMO, MENTION, OTHER, add_cases, drive, make_workspace, staged

pytestmark = pytest.mark.e2e
DRIVER = Path(__file__).parent / "driver.el"
ELPA = "/usr/share/emacs/site-lisp/elpa"
NEEDED = f"""(progn (setq package-directory-list '("{ELPA}")) (package-initialize)
  (unless (and (require 'eglot nil t) (require 'markdown-mode nil t)) (kill-emacs 3)))"""

Emacs = Callable[..., Any]


@pytest.fixture(scope="module")
def binary() -> str:
    """The Emacs to drive; the tests are skipped without one, or without its packages."""
    found = shutil.which("emacs")
    if found is None:
        pytest.skip("emacs is not installed")
    asked = subprocess.run([found, "--batch", "-Q", "--eval", NEEDED], check=False, timeout=60)
    if asked.returncode != 0:
        pytest.skip("Emacs lacks eglot or markdown-mode")
    return found


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return make_workspace(tmp_path)


@pytest.fixture
def emacs(binary: str, workspace: Path, tmp_path: Path) -> Emacs:
    """Run one check of the driver with snippets as init.el."""

    def run(check: str, *headings: str, first: tuple[Path, ...] = ()) -> Any:
        files: list[Path] = []
        for number, heading in enumerate(headings):
            file = tmp_path / f"{number}.el"
            file.write_text(snippet("emacs.md", heading, "elisp"), encoding="utf-8")
            files.append(file)
        command = [binary, "--batch", "-Q", "-l", DRIVER, workspace, check, *files]
        return drive(command, workspace, tmp_path, *first)

    return run


def test_diagnostics_stand_at_the_right_characters(emacs: Emacs) -> None:
    report = emacs("diagnostics", "Eglot")
    assert (report["line"], report["before"], report["text"]) == (3, "description: 😀é Sends", ":")


def test_a_quick_fix_is_applied(emacs: Emacs) -> None:
    report = emacs("quick-fix", "Eglot")
    assert report["text"] == DEMO.replace("😀é Sends: mail.", '"😀é Sends: mail."')


def test_fixes_are_applied_on_save(emacs: Emacs, workspace: Path) -> None:
    report = emacs("fix-on-save", "Eglot", "Fix on save")
    assert 'description: "😀é Sends: mail."\nargument-hint: "[a] [b]"\n' in report["text"]
    assert (workspace / "demo" / "SKILL.md").read_text(encoding="utf-8") == report["text"]


def test_rename_changes_every_mention(emacs: Emacs, workspace: Path) -> None:
    """Emacs renames no folder: the server says so, and the rest is done."""
    emacs("rename", "Eglot")
    renamed = (workspace / "other" / "SKILL.md").read_text(encoding="utf-8")
    assert renamed == OTHER.replace("name: other", "name: another")
    guide = (workspace / "other" / "references" / "guide.md").read_text(encoding="utf-8")
    assert guide == MENTION.replace("`other`", "`another`").replace("../other/", "../another/")


def test_the_options_of_the_page_are_taken(emacs: Emacs) -> None:
    """A profile that has a rule which is off by default."""
    plain = emacs("diagnostics", "Eglot")
    assert emacs("diagnostics", "Eglot", "Options")["total"] > plain["total"]


def test_a_lift_run_from_the_code_action_to_its_end(
    emacs: Emacs, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAGE_SECONDS", "0.1")
    add_cases(workspace)
    report = emacs("lift", "Eglot", "Lift runs", first=(staged(tmp_path),))
    assert "Run 4 trials of “other” (2 cases; with-skill, baseline;" in report["question"]
    assert "Report: lift " in report["titles"]
