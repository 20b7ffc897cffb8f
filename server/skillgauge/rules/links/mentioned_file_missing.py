"""The text names a script, reference or asset that is not in the skill's folder.

## Why is this bad?
The agent is told to run or to read the file, and it is not there. It then searches, writes a file
of its own, or leaves the step out. Paths are read in prose, in code spans and in commands; what the
text says is to be created, is an example, or belongs to another project, is left alone.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
# Fill forms

Run `python scripts/fill.py form.pdf` and read references/fields.md for the field types.
````
````file scripts/check.py
print("ok")
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
# Fill forms

Run `python scripts/check.py form.pdf`. Save the result as `assets/result.pdf`.
````
````file scripts/check.py
print("ok")
````

## Fix safety
The fix is safe where one single file of the folder has the same name elsewhere. A file with a
similar name is offered as an unsafe fix.

## References
- [Specification: optional directories](https://agentskills.io/specification#optional-directories)
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.references import Reference
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Related, Severity, rule
from skillgauge.rules.links._context import (
    is_about_skills,
    is_listed,
    is_project_command,
    is_somebody_elses,
)
from skillgauge.rules.links._near import lead_to, nearest, same_but_case


@rule("L003", Severity.WARNING, fix="mixed", needs={"folder"})
def mentioned_file_missing(skill: Skill) -> Iterator[Finding]:
    """Report the first mention of each missing file, with the others as related places."""
    places: dict[str, list[Reference]] = {}
    for reference in skill.references:
        if reference.exists is False and reference.target and reference.link is None:
            places.setdefault(reference.target, []).append(reference)
    for target, found in places.items():
        if _is_expected(skill, target, found):
            yield _finding(skill, target, found)


def _is_expected(skill: Skill, target: str, found: list[Reference]) -> bool:
    """Return whether the text clearly means a file of this skill's own folder."""
    if any(reference.created or "\\" in reference.path for reference in found):
        return False
    near = nearest(skill, target)
    if near is not None and near.plural:
        return True
    commands = [reference for reference in found if reference.kind == "fence"]
    if is_about_skills(skill):
        return False
    if commands and all(is_project_command(skill, reference) for reference in commands):
        return False
    if not commands and any(is_somebody_elses(skill, reference) for reference in found):
        return False
    own = any(reference.kind == "variable" for reference in found)
    if not own and not _folder_is_there(skill, target):
        top = target.partition("/")[0]
        listed = any(is_listed(skill, reference) for reference in found)
        if not listed and top not in ("references", "reference"):
            return False
    return same_but_case(skill, target) is None


def _folder_is_there(skill: Skill, target: str) -> bool:
    """Return whether the skill has the folder: `scripts/…` is else the user's project as well."""
    return skill.folder is not None and target.rpartition("/")[0] in skill.folder.directories


def _finding(skill: Skill, target: str, found: list[Reference]) -> Finding:
    first, others = found[0], found[1:]
    related = tuple(
        Related(f"“{target}” is named here too", reference.path_span) for reference in others[:20]
    )
    near = nearest(skill, target)
    if near is None:
        message = f"“{target}” is not in the skill's folder; add the file or name another."
        return Finding(first.path_span, message, related=related)
    message = f"“{target}” is not in the skill's folder; did you mean “{near.path}”?"
    fix = lead_to(skill, found, near.path, safe=near.sure)
    return Finding(first.path_span, message, fix, related)
