"""Cases of a run, from each dialect."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skillgauge.document.evals import EvalFile
from skillgauge.document.folder import MemoryFolder
from skillgauge.document.skill import Skill
from skillgauge.lift.cases import CaseList, load_cases
from skillgauge.text import Text

SKILL = "---\nname: demo\ndescription: Use when demonstrating.\n---\n"
FILES = {"evals/files/a.txt": "a", "evals/files/b.txt": "b", "assets/c.txt": "c"}


def load(content: object, name: str = "evals.json") -> CaseList:
    text = content if isinstance(content, str) else json.dumps(content, indent=1)
    skill = Skill(Text(SKILL), folder=MemoryFolder("demo", {"SKILL.md": SKILL, **FILES}))
    return load_cases(EvalFile(Text(text), Path(name), skill))


@pytest.mark.parametrize(
    "content",
    [
        {"evals": [{"id": "x", "prompt": "P", "expected_output": "O", "assertions": ["A"]}]},
        {"evals": [{"id": "x", "prompt": "P", "expected_output": "O", "expectations": ["A"]}]},
        [{"id": "x", "question": "P", "ground_truth": "O", "expected_behavior": ["A"]}],
        {"cases": [{"id": "x", "question": "P", "ground_truth": "O", "expected_behavior": ["A"]}]},
        {"id": "x", "prompt": "P", "expected_output": "O", "assertions": ["A"]},
    ],
)
def test_dialects_say_the_same(content: object) -> None:
    found = load(content)
    assert found.problems == ()
    (case,) = found.cases
    assert (case.id, case.prompt, case.expected_output) == ("x", "P", "O")
    assert case.assertions == ("A",)
    assert (case.expected_skill, case.negative) == ("demo", False)


def test_triggers_and_negatives() -> None:
    found = load(
        [{"query": "yes", "should_trigger": True}, {"query": "no", "should_trigger": False}]
    )
    assert [(case.id, case.negative) for case in found.cases] == [
        ("case-1", False),
        ("case-2", True),
    ]
    assert found.cases[1].expected_skill == ""


def test_files() -> None:
    """Named ones from either base; none if the list is empty; all of evals/files if absent."""
    found = load(
        [
            {"prompt": "1", "files": ["evals/files/a.txt", "assets/c.txt"]},
            {"prompt": "2", "files": ["files/b.txt"]},
            {"prompt": "3", "files": []},
            {"prompt": "4"},
        ]
    )
    assert [case.files for case in found.cases] == [
        ("evals/files/a.txt", "assets/c.txt"),
        ("evals/files/b.txt",),
        (),
        ("evals/files/a.txt", "evals/files/b.txt"),
    ]


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "evals/files/none.txt", "~/x"])
def test_file_that_is_not_there(path: str) -> None:
    found = load([{"prompt": "1", "files": [path]}])
    assert found.cases == ()
    assert [problem.message for problem in found.problems] == [
        f"The file “{path}” is not in the skill's folder."
    ]


@pytest.mark.parametrize("path", ["evals/evals.json", "./evals/evals.json", "SKILL.md"])
def test_what_no_agent_may_be_given(path: str) -> None:
    found = load([{"prompt": "1", "files": [path]}])
    assert found.cases == ()
    assert [problem.message for problem in found.problems] == [
        f"No agent may be given “{path}”: it would know the answers."
    ]


def test_a_folder_is_given_without_the_answers() -> None:
    text = json.dumps([{"prompt": "1", "files": ["evals"]}])
    files = {"SKILL.md": SKILL, "evals/evals.json": text, "evals/EVAL.md": "why", **FILES}
    skill = Skill(Text(SKILL), folder=MemoryFolder("demo", files))
    (case,) = load_cases(EvalFile(Text(text), Path("evals.json"), skill)).cases
    assert case.files == ("evals/files/a.txt", "evals/files/b.txt")


def test_problems_have_lines() -> None:
    found = load('[\n{"id": "a", "prompt": "P"},\n{"id": "A", "prompt": "Q"},\n{"id": "../x"}]')
    assert [case.id for case in found.cases] == ["a"]
    assert [(problem.line, problem.message.split(",")[0]) for problem in found.problems] == [
        (3, "The id “A” is there twice"),
        (4, "The id “../x” can't name a folder: letters"),
        (4, "Case “../x” has no prompt."),
    ]


def test_broken_file() -> None:
    found = load('[{"prompt": "P",\n "id" 3}]')
    assert found.cases == ()
    assert found.problems[0].line == 2


def test_no_case() -> None:
    assert load("[]").problems[0].message == "There is no case in this file."
