"""`skillgauge evals check`: what cases say and a run would do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .conftest import GOOD, Run, skill


def evals(repo: Path, content: Any) -> Path:
    skill(repo / "cut", GOOD)
    path = repo / "cut" / "evals" / "evals.json"
    path.parent.mkdir()
    text = content if isinstance(content, str) else json.dumps(content, indent=1)
    path.write_text(text, encoding="utf-8")
    return path


def cases(count: int) -> dict[str, Any]:
    made = [
        {
            "id": f"cut-{index}",
            "prompt": f"Shorten report number {index} of the {word} quarter",
            "expected_output": f"A report of {index + 10} lines at most",
            "assertions": ["The file has fewer lines than before"],
        }
        for index, word in zip(range(count - 1), ["first", "second", "third", "fourth"] * 9)  # noqa: B905
    ]
    other = {"id": "weather", "prompt": "How is the weather?", "should_trigger": False}
    return {"skill_name": "cut", "evals": [*made, other]}


def test_text(repo: Path, run: Run) -> None:
    evals(repo, cases(3))
    done = run("evals", "check", "cut", "--attempts", "2", "--select", "V002")
    assert (done.status, done.err) == (0, "")
    assert done.out == (
        "cut/evals/evals.json: 3 cases for “cut”, format agentskills\n"
        "  line    5  cut-0    “cut” is used, expected output, 1 assertion, 0 files\n"
        "  line   13  cut-1    “cut” is used, expected output, 1 assertion, 0 files\n"
        "  line   21  weather  the skill stays out, no expected output, 0 assertions, 0 files\n"
        "A run: 3 cases × 2 arms × 2 attempts = 12 trials."
        " Fewer than 5 cases are insufficient for an interval\n"
        "Not measured: accuracy and goal_accuracy in 1 case without expected output (weather)\n"
        "Not measured: behavior_check in 1 case without assertions (weather)\n"
    )


def test_json_with_findings_and_problems(repo: Path, run: Run) -> None:
    content = cases(2)
    content["evals"].append({"id": "CUT-0", "prompt": "", "files": ["no.txt"]})
    evals(repo, content)
    done = run("evals", "check", "--format", "json", "--harness", "codex", "--harness", "gemini")
    assert done.status == 1
    (file,) = done.json["files"]
    assert file["trials"] == 2 * 2 * 2
    assert [case["id"] for case in file["cases"]] == ["cut-0", "weather"]
    assert [problem["message"] for problem in file["problems"]] == [
        "The id “CUT-0” is there twice, first in line 5.",
        "Case “CUT-0” has no prompt.",
        "The file “no.txt” is not in the skill's folder.",
    ]
    assert "case-file-missing" in {finding["rule"] for finding in file["findings"]}


def test_broken_file(repo: Path, run: Run) -> None:
    evals(repo, '[{"id": "a", "prompt": "P"},\n {"id": 3 4}]')
    done = run("evals", "check")
    assert done.status == 1
    assert "  line    2  can't be run: The file can't be parsed from here on" in done.out
    assert "evals-not-parsable" in done.out


def test_nothing_to_look_at(repo: Path, run: Run) -> None:
    skill(repo / "cut", GOOD)
    done = run("evals", "check", "cut")
    assert done.status == 2
    assert done.err == (
        "skillgauge: There are no evaluation cases in cut."
        " They belong into evals/evals.json beside a SKILL.md.\n"
    )


def test_unknown_action(repo: Path, run: Run) -> None:
    done = run("evals", "chek")
    assert done.status == 2
    assert "Did you mean “check”?" in done.err


def test_a_case_cannot_drive_the_terminal(repo: Path, run: Run) -> None:
    evals(repo, [{"id": "a", "prompt": "P", "expected_skill": "\x1b[31mred"}])
    assert "\x1b" not in run("evals", "check").out
