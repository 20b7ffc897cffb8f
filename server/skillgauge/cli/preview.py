"""Show what a client's model receives of a skill: its entry in the list, and the body.

Placeholders and arguments are put in as the client does; commands that it would run first are
named, not run. “-” reads the skill from standard input.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from skillgauge.cli._common import add_configuration, project_of, targets_of
from skillgauge.cli._output import write
from skillgauge.cli._parser import Namespace, Parser
from skillgauge.errors import InputError
from skillgauge.report._terminal import safe
from skillgauge.text import split_lines

if TYPE_CHECKING:
    from skillgauge.document.skill import Skill
    from skillgauge.project import Project


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="a skill's folder or SKILL.md; by default “.”"
    )
    parser.add_argument(
        "--client",
        metavar="NAME",
        help="by default the one that the skill is for, else Claude Code",
    )
    parser.add_argument(
        "--arguments", default="", metavar="TEXT", help="what the user types behind the command"
    )
    parser.add_argument(
        "--stdin-filename", metavar="FILE", help="the name of the text that “-” stands for"
    )
    add_configuration(parser)
    chosen = dict.fromkeys(("select", "extend_select", "ignore", "profile", "clients"))
    parser.set_defaults(force_exclude=False, **chosen)


def run(options: Namespace) -> int:
    """Print the preview."""
    from skillgauge.preview import Invocation, client_of, render

    project = project_of(options)
    skill = _skill(options, project)
    folder = str(skill.path.parent) if skill.path else os.getcwd()
    client = client_of(skill, options.client or "")
    call = Invocation(options.arguments, folder, project.root_of(folder))
    text = render(skill, client, call)
    if sys.stdout.isatty():
        text = "".join(f"{safe(line)}\n" for line in split_lines(text))
    write(text)
    return 0


def _skill(options: Namespace, project: Project) -> Skill:
    """Return the one skill that the path stands for; InputError for none, many, or unreadable."""
    from skillgauge.checker import Checker, Options
    from skillgauge.document.skill import Skill

    targets, given = targets_of(options, project)
    skills = [target for target in targets if target.kind == "skill"]
    if len(skills) != 1:
        paths = ", ".join(options.paths or ["."])
        found = f"There are {len(skills)} skills" if skills else "There is no skill"
        raise InputError(f"{found} in {paths}", how="Name one SKILL.md")
    ((_, document, _),) = Checker(project, Options()).documents(skills, given)
    assert isinstance(document, Skill)
    if document.problem:
        raise InputError(f"{document.file_name} can't be read", document.problem)
    return document
