"""Evaluation files in the editor: lens, outline, folds, and the way to the skill's files."""

from __future__ import annotations

import json
from pathlib import Path

from .documents import CASES, cut, place
from .inprocess import editing


async def test_evaluations_have_a_lens_an_outline_and_folds(evals: Path) -> None:
    text = evals.read_text(encoding="utf-8")
    async with editing(evals.parents[2]) as editor:
        lens, *others = await editor.about("codeLens", evals.as_uri())
        assert len(others) == 3, "to run all, and each case"
        title = "2 cases, 1 in which the skill stays out · agentskills format"
        assert lens["command"] == {"title": title, "command": ""}
        assert cut(text, lens["range"], "utf-16") == '"evals"'
        symbols = await editor.about("documentSymbol", evals.as_uri())
        assert [(item["name"], item["detail"]) for item in symbols] == [
            ("case “a”", "Convert 😀"),
            ("case “b”", "Mail"),
        ]
        folds = await editor.about("foldingRange", evals.as_uri())
        ids = [place(text, f'"id": "{name}"')["line"] for name in "ab"]
        assert [item["startLine"] for item in folds] == [line - 1 for line in ids]


async def test_files_of_a_case_lead_to_the_skill_and_back(evals: Path) -> None:
    text = evals.read_text(encoding="utf-8")
    guide = evals.parents[1] / "references" / "guide.md"
    async with editing(evals.parents[2]) as editor:
        (link,) = await editor.about("documentLink", evals.as_uri())
        assert link["target"] == guide.as_uri()
        assert cut(text, link["range"], "utf-16") == '"references/guide.md"'
        at = place(text, "guide.md")
        found = await editor.about("definition", evals.as_uri(), position=at)
        assert found["uri"] == guide.as_uri()
        top = {"line": 0, "character": 0}
        context = {"includeDeclaration": False}
        places = await editor.about("references", guide.as_uri(), position=top, context=context)
        assert {item["uri"] for item in places} == {
            evals.as_uri(),
            (evals.parents[1] / "SKILL.md").as_uri(),
        }
        hover = await editor.about("hover", evals.as_uri(), position=place(text, "prompt", 1))
        assert "What the user says." in hover["contents"]["value"]


async def test_a_selection_grows_by_the_structure_of_cases(evals: Path) -> None:
    text = evals.read_text(encoding="utf-8")
    async with editing(evals.parents[2]) as editor:
        positions = [place(text, "Mail", 1)]
        (found,) = await editor.about("selectionRange", evals.as_uri(), positions=positions)
        shown: list[str] = []
        while found:
            shown.append(cut(text, found["range"], "utf-16"))
            found = found.get("parent")
        assert shown[0] == '"Mail"'
        assert json.loads(shown[-1]) == CASES
        assert any(part.startswith("{") and json.loads(part)["id"] == "b" for part in shown[1:-2])
