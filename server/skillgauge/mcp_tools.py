"""What an agent can ask about the skills it writes: the tools of the server in `mcp`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from skillgauge.errors import UserError
from skillgauge.text import encodable

if TYPE_CHECKING:
    from skillgauge.project import Project, Target

Arguments = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool; `properties` are its arguments by name, as JSON Schema."""

    name: str
    title: str
    description: str
    properties: dict[str, dict[str, str]]
    required: tuple[str, ...]
    run: Callable[[Arguments], str]

    @property
    def schema(self) -> dict[str, Any]:
        """The arguments as JSON Schema."""
        return {
            "type": "object",
            "properties": self.properties,
            "required": list(self.required),
            "additionalProperties": False,
        }

    def call(self, arguments: Arguments) -> str:
        """Check the arguments and run. Raises a UserError for what the caller can mend."""
        from skillgauge.selectors import did_you_mean

        for name, value in arguments.items():
            if name not in self.properties:
                hint = did_you_mean(name, self.properties)
                raise UserError(f"`{self.name}` has no argument “{name}”", how=hint)
            kind = self.properties[name]["type"]
            if not isinstance(value, bool if kind == "boolean" else str):
                raise UserError(f"“{name}” is a {kind}")
        for name in self.required:
            if name not in arguments:
                raise UserError(f"`{self.name}` needs “{name}”")
        return self.run(arguments)


def _project() -> Project:
    from skillgauge.config import load_config
    from skillgauge.project import Project

    return Project(load_config)


def _chosen(project: Project, arguments: Arguments) -> tuple[list[Target], dict[str, bytes]]:
    """Return the files that are meant, and the text to take instead of what is on disk."""
    from skillgauge.project import named_kind

    path = str(arguments.get("path") or ".")
    text = arguments.get("text")
    if text is None:
        targets = project.targets([path])
        if not targets:
            raise UserError(f"There is no skill in “{path}”")
        return targets, {}
    if os.path.isdir(path) or "path" not in arguments:
        path = os.path.join(path, "SKILL.md")
    whole = os.path.abspath(path)
    return [project.target(whole, named_kind(whole))], {whole: text.encode("utf-8", "replace")}


def _check(arguments: Arguments) -> str:
    from skillgauge.checker import Checker, Options
    from skillgauge.records import Run
    from skillgauge.report import render

    project = _project()
    targets, given = _chosen(project, arguments)
    files = Checker(project, Options()).check(targets, given)
    return render("json", Run(files, lambda file, item: item.severity == "error"))


def _fix(arguments: Arguments) -> str:
    project = _project()
    targets, given = _chosen(project, arguments)
    unsafe = bool(arguments.get("unsafe"))
    files = list(_mended(project, targets, given, unsafe))
    return json.dumps({"files": files}, ensure_ascii=False, indent=1)


def _mended(
    project: Project, targets: list[Target], given: dict[str, bytes], unsafe: bool
) -> Iterator[dict[str, Any]]:
    from skillgauge.checker import Checker, Options
    from skillgauge.fix import fix
    from skillgauge.project import shown

    for target, document, _ in Checker(project, Options()).documents(targets, given):
        done = fix(document, target.config.settings(Path(target.path)), unsafe=unsafe)
        if not done.applied:
            continue
        before, after = encodable(document.text.content), encodable(done.text)
        lines = unified_diff(_lines(before), _lines(after), "before", "after")
        made: dict[str, Any] = {
            "path": encodable(shown(target.path)),
            "applied": [
                {"code": item.code, "rule": item.rule, "fix": item.fix.title if item.fix else ""}
                for item in done.applied
            ],
            "diff": "".join(lines),
        }
        if done.rename:
            made["rename"] = done.rename
        if done.stopped:
            made["stopped"] = "It took too long; fix the result again for the rest."
        if given:
            made["text"] = after
        yield made


def _lines(text: str) -> list[str]:
    return [line for line in re.split(r"(?<=\n)", text) if line]


def _explain(arguments: Arguments) -> str:
    from skillgauge import pages
    from skillgauge.rules import by_key
    from skillgauge.selectors import did_you_mean

    name = str(arguments["rule"])
    rule = by_key().get(name) or by_key().get(name.upper())
    if rule is None:
        raise UserError(f"No rule is called “{name}”", how=did_you_mean(name, by_key()))
    return pages.document(rule)


def _preview(arguments: Arguments) -> str:
    from skillgauge.checker import Checker, Options
    from skillgauge.document.skill import Skill
    from skillgauge.preview import Invocation, client_of, render

    project = _project()
    targets, given = _chosen(project, arguments)
    skills = [target for target in targets if target.kind == "skill"]
    if len(skills) != 1:
        raise UserError(f"There are {len(skills)} skills", how="Name one SKILL.md")
    ((_, document, _),) = Checker(project, Options()).documents(skills, given)
    assert isinstance(document, Skill)
    if document.problem:
        raise UserError(f"{document.file_name} can't be read", document.problem)
    folder = os.path.dirname(skills[0].path)
    call = Invocation(arguments.get("arguments", ""), folder, project.root_of(folder))
    return render(document, client_of(document, arguments.get("client", "")), call)


_PATH: Final = {
    "type": "string",
    "description": "A SKILL.md, an evaluation file, or a folder; by default the working folder.",
}
_TEXT: Final = {
    "type": "string",
    "description": "The text to look at in place of what stands in the file, which need not exist.",
}
TOOLS: Final = {
    tool.name: tool
    for tool in (
        Tool(
            "check",
            "Check skills",
            "Report what is wrong with skills and their evaluation files, each finding with its"
            " range, its rule and whether it can be fixed, and the structural score.",
            {"path": _PATH, "text": _TEXT},
            (),
            _check,
        ),
        Tool(
            "fix",
            "Propose fixes",
            "Return what the mechanical fixes change, as a diff; with `text` also the mended text."
            " Nothing is written.",
            {
                "path": _PATH,
                "text": _TEXT,
                "unsafe": {
                    "type": "boolean",
                    "description": "Also fixes that may change what the text means.",
                },
            },
            (),
            _fix,
        ),
        Tool(
            "explain",
            "Explain a rule",
            "Return a rule's page: why it matters, a bad and a good example.",
            {"rule": {"type": "string", "description": "A code such as F011, or a name."}},
            ("rule",),
            _explain,
        ),
        Tool(
            "preview",
            "Preview a skill",
            "Return what a client's model receives of a skill: its list entry, and the body with"
            " placeholders put in.",
            {
                "path": _PATH,
                "text": _TEXT,
                "client": {"type": "string", "description": "Such as claude-code or codex."},
                "arguments": {"type": "string", "description": "What the user types behind it."},
            },
            (),
            _preview,
        ),
    )
}
