"""Texts that completion offers and hover explains."""

from __future__ import annotations

from typing import Final

SECTIONS: Final = {
    "When to use": "## When to use\n\n- ${1:A request that this skill is for}\n- ${2:Another}\n\n"
    "Not for: ${3:what looks alike but is not}\n",
    "Inputs and outputs": "## Inputs and outputs\n\n| | What | Default |\n| --- | --- | --- |\n"
    "| Input | ${1:file or value} | ${2:none} |\n| Output | ${3:file or reply} | |\n",
    "Workflow": "## Workflow\n\n1. ${1:First step, with its command}\n"
    "2. ${2:Check: how to see that the step worked}\n3. ${3:Last step}\n",
    "Example": "## Example\n\nRequest: ${1:what a user says}\n\n"
    "```text\n${2:what comes out}\n```\n",
    "Troubleshooting": "## Troubleshooting\n\n| What happens | What to do |\n| --- | --- |\n"
    "| ${1:message or symptom} | ${2:what to do, or when to stop and ask} |\n",
    "Limitations": "## Limitations\n\n- ${1:What the skill does not do}\n",
}
EVAL_KEYS: Final = {
    "skill_name": "The name of the skill that the cases are for.",
    "evals": "The list of cases.",
    "id": "A short name of the case, used once in the file.",
    "prompt": "What the user says.",
    "expected_output": "What a good result is, in words.",
    "assertions": "Statements about the result, each true or false by looking at it.",
    "files": "Files that the case needs, relative to the skill's folder.",
    "should_trigger": "false for a case in which the skill should not be used.",
    "expected_skill": "The skill that should be chosen, null for a case that is for none.",
    "expected_script": "The script that should be run.",
    "acceptable_skills": "Other skills that may be chosen as well.",
}
