"""A case names an input file that does not travel with the skill.

## Why is this bad?
The files of a case are copied into the agent's workspace before it starts. One that is not in the
skill's folder makes the run fail, or the agent is judged on a task that it could not do. Paths are
relative to the skill's folder (`evals/files/form.pdf`); SkillEvaluator takes those relative to
`evals/` as well, and none that is absolute or goes up.

## Bad
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Fill in form.pdf", "expected_output": "A form", "files": ["form.pdf"]}
  ]
}
````
````file evals/files/form.pdf
%PDF
````

## Good
````evals
{
  "skill_name": "demo",
  "evals": [
    {"id": 1, "prompt": "Fill in form.pdf", "expected_output": "A form",
     "files": ["evals/files/form.pdf"]}
  ]
}
````
````file evals/files/form.pdf
%PDF
````

## Fix safety
Where the same path leads to a file once it is written plainly (forward slashes, letter case, no
`..`, or below `evals/files`) the fix is safe; a file of the same name elsewhere is a guess.

## References
- https://agentskills.io/skill-creation/evaluating-skills
- https://github.com/NVIDIA/SkillEvaluator
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.evals import EvalFile
from skillgauge.document.folder import SKIPPED, Folder, normalise
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.evals._shared import literal

_URL: Final = re.compile(r"[A-Za-z][\w+.-]+://|data:")
_ABSOLUTE: Final = re.compile(r"[/~]|[A-Za-z]:[\\/]")
_OPEN: Final = re.compile(r"[*?<>{}$]")
"""Patterns and placeholders: what they stand for is not known."""


@rule("V010", Severity.WARNING, target="evals", fix="mixed", needs={"folder"})
def case_file_missing(file: EvalFile) -> Iterator[Finding]:
    """Report each path that leads to no file in the folder of the skill."""
    folder = file.skill.folder if file.skill else None
    if folder is None or not folder.complete:
        return
    for case in file.cases:
        for item in case.files:
            path = item.text.strip()
            if not path or SKIPPED & set(path.split("/")):
                continue
            fault = _fault(folder, path)
            if fault is None:
                continue
            meant, safe = _meant(folder, path)
            fix = None
            if meant:
                fix = Fix(f"Write “{meant}”", (Edit(item.span, literal(file, meant)),), safe=safe)
            yield Finding(item.span, fault, fix)


def _fault(folder: Folder, path: str) -> str | None:
    """Say what is wrong with a path, None if it leads to a file or folder of the skill."""
    if _URL.match(path):
        return f"“{path}” is an address; tools copy files only. Save it below “evals/files”."
    if _ABSOLUTE.match(path):
        return (
            f"“{path}” is an absolute path, which is there on no other machine; put the file below"
            " “evals/files”."
        )
    if _OPEN.search(path):
        return None
    if "\\" in path:
        return f"“{path}” is written with backslashes; write the path with forward slashes."
    if ".." in path.split("/"):
        return f"“{path}” goes up with “..”; name the file from the skill's folder on."
    return None if _there(folder, path) else f"There is no file “{path}” in the skill's folder."


def _there(folder: Folder, path: str) -> bool:
    below = [normalise(path), normalise(f"evals/{path}")]
    return any(found in folder.files or found in folder.directories for found in below if found)


def _meant(folder: Folder, path: str) -> tuple[str | None, bool]:
    """Return the path that was meant, and whether it is hardly another."""
    plain = path.replace("\\", "/")
    for tried in (plain, f"evals/{plain}", f"evals/files/{plain}"):
        found = normalise(tried)
        if found and (found in folder.files or found in folder.directories):
            return found, True
        alike = [name for name in folder.files if found and name.casefold() == found.casefold()]
        if len(alike) == 1:
            return alike[0], True
    name = plain.rpartition("/")[2].casefold()
    same = [other for other in folder.files if other.rpartition("/")[2].casefold() == name]
    return (same[0], False) if len(same) == 1 else (None, False)
