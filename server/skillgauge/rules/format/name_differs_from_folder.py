"""The `name` is not the name of the folder.

## Why is this bad?
The specification asks for the same name. Cline and Roo Code don't load a skill whose names differ,
and VS Code warns. Claude Code, Codex, Gemini CLI and OpenClaw don't mind, so the rule is silent
where these are the only targets, and at the root of a repository, a plugin or a workspace, where
the folder has the name of the clone.

## Bad
````skill folder=pdf
---
name: pdf-tools
description: Splits and merges PDF files. Use when the user asks for single pages of a PDF.
---
````

## Good
````skill folder=pdf-tools
---
name: pdf-tools
description: Splits and merges PDF files. Use when the user asks for single pages of a PDF.
---
````

## Fix safety
Whether the name or the folder is right is for the author to say; the fix changes the name and is
unsafe.

## References
- https://agentskills.io/specification#name-field
- https://github.com/microsoft/vscode-docs/issues/9454
"""

from __future__ import annotations

from collections.abc import Iterator

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.format._clients import names, specification, where
from skillgauge.rules.format._names import is_legal_anywhere, must_match, name_of, rename_fix, same


@rule("F036", Severity.WARNING, spec=Severity.ERROR, fix="unsafe", needs={"clients", "folder"})
def name_differs_from_folder(skill: Skill) -> Iterator[Finding]:
    """Report a name of the right form in a folder of another name."""
    value = name_of(skill)
    folder = skill.folder_name
    if value is None or not folder or same(value.text, folder) or not must_match(skill):
        return
    if not is_legal_anywhere(value.text):
        return  # its form is the first thing to mend, and that takes the folder's name
    skipping = where(skill, lambda client: client.name_must_match_folder == "skipped")
    warning = where(skill, lambda client: client.name_must_match_folder == "warning")
    tail = "; the specification wants one name"
    if skipping and skipping != (specification(),):
        tail = f", so that {names(skipping)} {_verb(skipping, 'skip')} the skill"
    elif warning:
        tail = f"; {names(warning)} {_verb(warning, 'warn')} about it"
    yield Finding(
        value.span,
        f"The name is “{value.text}”, but the folder is called “{folder}”{tail}.",
        rename_fix(skill, value, folder),
        level=Severity.ERROR if skipping else None,
    )


def _verb(found: tuple[object, ...], verb: str) -> str:
    return verb if len(found) > 1 else f"{verb}s"
