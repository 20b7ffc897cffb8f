"""Write a skillgauge.toml with comments, or with --skill the folder of a new skill.

Nothing that exists is overwritten.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from skillgauge.cli._output import say, write_file
from skillgauge.cli._parser import Namespace, Parser
from skillgauge.config import config_in
from skillgauge.errors import UserError
from skillgauge.project import shown

MAX_NAME: Final = 64
_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

_CONFIG: Final = """\
# Skillgauge: which rules hold for the skills in this folder and below.
# Rules are named by code (F011), by the beginning of codes (F) or by name (yaml-unquoted-colon).

# default: what helps an author. spec: the specification, no more. aces: the ACES checks.
# strict: every rule.
profile = "default"

# The agents that read these skills.{origin}
{clients}

# Rules to leave out, and rules to add to those of the profile.
ignore = []
extend-select = []

# Files and folders to pass over, as in a .gitignore.
extend-exclude = []

# The lowest severity for which `skillgauge check` ends with status 1.
fail-on = "error"

# Another severity for some rules: error, warning, info, hint or off.
[severity]
# F011 = "warning"

# Other rules for some paths.
# [[overrides]]
# paths = ["drafts/**"]
# ignore = ["D"]
"""

_SKILL: Final = """\
---
name: {name}
description: {description}
---

# {title}

## Steps

1. Say in one sentence what the result has to be. If the request leaves that open, ask.
2. List the files that the work touches, before any of them is changed.
3. Do the work on these files only.
4. Run the project's own checks. If one fails, mend the cause and run it again.
5. Report what changed, file by file, and what is left open.
"""


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="by default “.”")
    parser.add_argument("--skill", metavar="NAME", help="make a folder NAME with a SKILL.md")


def run(options: Namespace) -> int:
    """Write the file."""
    folder = Path(options.folder)
    if not folder.is_dir():
        raise UserError(f"“{folder}” is no folder")
    if options.skill is not None:
        path, text = folder / options.skill / "SKILL.md", skill_text(options.skill)
    else:
        path, text = folder / "skillgauge.toml", config_text(folder)
    if path.exists() or (options.skill is not None and path.parent.exists()):
        taken = path if path.exists() else path.parent
        raise UserError(f"“{taken}” exists and is left as it is")
    if options.skill is None and (known := config_in(str(folder.absolute()))) is not None:
        raise UserError(
            f"“{known}” configures this folder already",
            how="Take its table [tool.skillgauge] out first, or edit that",
        )
    path.parent.mkdir(exist_ok=True)
    write_file(path, text.encode())
    say(f"Wrote {shown(str(path))}")
    return 0


def config_text(folder: Path) -> str:
    """Return a configuration for a folder, with the clients that seem to be used there."""
    from skillgauge.clients import guess

    found = [client.id for client in guess(folder.absolute())]
    listed = ", ".join(f'"{name}"' for name in found)
    if found:
        return _CONFIG.format(origin=" Guessed by their folders.", clients=f"clients = [{listed}]")
    return _CONFIG.format(origin=" By default guessed by their folders.", clients="# clients = []")


def skill_text(name: str) -> str:
    """Return the SKILL.md of a new skill; UserError for a name that clients refuse."""
    if not _NAME.fullmatch(name) or len(name) > MAX_NAME:
        raise UserError(
            f"“{name}” is no name for a skill",
            how=f"Use lower-case letters, digits and single hyphens, at most {MAX_NAME}",
        )
    words = name.replace("-", " ")
    description = (
        f"Guides the agent through {words}, from the request to a checked result. Use when the"
        f" user asks for {words}."
    )
    return _SKILL.format(name=name, description=description, title=words.capitalize())
