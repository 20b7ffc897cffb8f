"""What users of other tools reported about evaluation files, with the outcome they asked for.

Each test names the public report that it goes back to. Only the situation is taken from there.
"""

from __future__ import annotations

import json

import pytest

from skillgauge.document.evals import EvalFile
from skillgauge.engine import check, profile_settings
from skillgauge.text import Text

from ..helpers import skill

FRONT = "---\nname: set-up-sdk\ndescription: Sets up the SDK. Use when a project needs it.\n---\n"
CASES = {
    "skill_name": "set-up-sdk",
    "evals": [
        {
            "id": 1,
            "prompt": "add the sdk to this app",
            "expected_output": "The package is installed and its provider wraps the app.",
            "files": ["evals/files/app/index.html"],
        }
    ],
}
FILES = {
    "evals/evals.json": json.dumps(CASES),
    "evals/files/app/index.html": "<html></html>\n",
    "evals/grader.py": "print(1)\n",
    "evals/results/latest/report.json": "{}\n",
}


def rules(body: str, files: dict[str, str] = FILES, profile: str = "default") -> set[str]:
    document = skill(FRONT + body, files)
    found = check(document, profile_settings(profile)).findings
    return {finding.rule for finding in found if "evals" in finding.message + finding.rule}


@pytest.mark.parametrize("profile", ["default", "spec", "aces", "strict"])
def test_nothing_asks_to_name_the_evaluation_files(profile: str) -> None:
    """CopilotKit/CopilotKit#5393: the whole folder is copied to users, evaluation files included.

    They stay dead weight only if SKILL.md does not lead to them, so no rule may ask for that.
    """
    assert rules("# Set up\n\nInstall the package.\n", profile=profile) == set()


@pytest.mark.parametrize(
    "body",
    [
        "See [the cases](evals/evals.json).\n",
        "Run `python evals/grader.py` when you are done.\n",
        "Examples are in `evals/files/app/index.html`.\n",
    ],
)
def test_leading_the_agent_to_them_is_reported(body: str) -> None:
    """CopilotKit/CopilotKit#5393, PrimeIntellect-ai/verifiers#2102: nobody should read them."""
    assert rules(body) == {"evals-linked"}


def test_forbidding_to_read_them_is_not() -> None:
    """The same: a skill that comes with its cases may say that they are none of its resources."""
    assert rules("Do not read `evals/evals.json`; it is for maintainers only.\n") == set()


def test_an_answer_that_travels_in_the_skill_itself_is_reported() -> None:
    """The same from the other side: moving the file helps little if the text has the answer."""
    answer = "The package is installed with npm and its provider wraps the root of the app once."
    owner = skill(f"{FRONT}# Set up\n\nIn the end: {answer}\n", FILES)
    cases = json.dumps([{"id": 1, "prompt": "add the sdk", "expected_output": answer}])
    found = check(EvalFile(Text(cases), None, owner)).findings
    assert "answer-in-skill" in {finding.rule for finding in found}
