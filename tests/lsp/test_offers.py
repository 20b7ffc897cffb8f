"""What code actions offer without asking a server: fixes are tried first, each text once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from skillgauge import fix as fixes
from skillgauge.config import Config
from skillgauge.engine import Result
from skillgauge.lsp.features import code_action
from skillgauge.lsp.snapshot import Around, Snapshot
from skillgauge.lsp.uris import Kind
from skillgauge.rule import Edit, Finding, Fix
from skillgauge.text import Span, Text

TEXT = "---\nname: demo\ndescription: Sends: mail.\n---\n# Demo\n\nText.\n"
COLON = Span(33, 34)


def snapshot_of(*edited: str) -> Snapshot:
    """Return a snapshot whose findings are its own F011 with the given values as fixes."""
    around = Around(Config.default(Path("/x")), (), None, None)
    made = Snapshot("file:///x/demo/SKILL.md", 1, Text(TEXT), Kind.SKILL, None, around)
    (found,) = (item for item in made.result.findings if item.code == "F011")
    assert found.span == COLON
    value = Span(TEXT.index("Sends"), TEXT.index("\n---\n#"))
    findings = tuple(
        replace(found, message=text, fix=Fix(text, (Edit(value, text),))) for text in edited
    )
    vars(made)["result"] = Result(findings, None)
    return made


def titles(snapshot: Snapshot) -> list[str]:
    server: Any = SimpleNamespace(session=SimpleNamespace(encoding="utf-16"))
    actions = code_action._quick_fixes(server, snapshot, COLON)
    return [action.title for action in actions if action.data and action.data["do"] == "fix"]


def test_a_fix_that_does_not_help_is_not_offered() -> None:
    assert titles(snapshot_of("Sends: more: mail.")) == []
    assert titles(snapshot_of("'Sends: mail.'")) == ["'Sends: mail.'"]


def test_a_fix_is_tried_once_for_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Editors ask for actions at every move of the cursor."""
    tried: list[str] = []

    def mends(document: Any, finding: Finding, before: Any, settings: Any) -> bool:
        tried.append(finding.message)
        return True

    monkeypatch.setattr(fixes, "mends", mends)
    snapshot = snapshot_of("a", "b")
    assert titles(snapshot) == titles(snapshot) == ["a", "b"]
    assert tried == ["a", "b"]


def test_of_many_fixes_each_is_tried_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who selects the whole document waits for none of them."""
    monkeypatch.setattr(fixes, "mends", lambda *_: pytest.fail("tried"))
    many = [str(number) for number in range(code_action.MAX_TRIED + 1)]
    assert titles(snapshot_of(*many)) == many
