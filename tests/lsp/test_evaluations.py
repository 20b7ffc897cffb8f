"""Evaluation files in the editor: lens, outline, folds, and the way to the skill's files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skillgauge.text import Encoding, Text

from .documents import make_skill
from .inprocess import editing

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
CASES = {
    "skill_name": "csv-tools",
    "evals": [
        {"id": "a", "prompt": "Convert 😀", "files": ["references/guide.md"]},
        {"id": "b", "prompt": "Mail", "should_trigger": False},
    ],
}


def place(text: str, needle: str, into: int = 0, encoding: Encoding = "utf-16") -> dict[str, int]:
    line, character = Text(text).units(text.index(needle) + into, encoding)
    return {"line": line, "character": character}


def cut(text: str, where: dict[str, Any], encoding: Encoding) -> str:
    """Return what stands in a range, as an editor that counts in these units finds it."""
    source = Text(text)
    start, end = (
        source.offset_of_units(at["line"], at["character"], encoding)
        for at in (where["start"], where["end"])
    )
    return text[start:end]


@pytest.fixture
def skills(tmp_path: Path) -> Path:
    return tmp_path / ".claude" / "skills"


@pytest.fixture
def evals(skills: Path) -> Path:
    path = make_skill(skills).parent / "evals" / "evals.json"
    path.parent.mkdir()
    path.write_text(json.dumps(CASES, indent=1, ensure_ascii=False), encoding="utf-8")
    return path


async def test_evaluations_have_a_lens_an_outline_and_folds(evals: Path) -> None:
    text = evals.read_text(encoding="utf-8")
    async with editing(evals.parents[2]) as editor:
        (lens,) = await editor.about("codeLens", evals.as_uri())
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
