"""A command destroys the home folder, the root, a disk or a database.

## Why is this bad?
An agent runs what the skill shows, with the user's rights and often without asking. A slip of a
variable or a skill that was tampered with then costs the user all files, and nothing brings them
back. Delete the one folder that is meant, by its full name, and ask first; give a device as a
placeholder (`of=/dev/<device>`) that the user must fill in.

Deleting build folders, caches and temporary files is fine, and so is text that warns of such
commands or lists them as blocked.

## Bad
````skill
---
name: clean-up
description: Frees disk space. Use when the disk is full.
---
Free some space:

```bash
rm -rf ~/*
```
````

## Good
````skill
---
name: clean-up
description: Frees disk space. Use when the disk is full.
---
Never run `rm -rf ~/*`. Free some space:

```bash
rm -rf ./build node_modules "$TMPDIR/cache"
```
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.security._context import cautioned
from skillgauge.rules.security._find import occurrences
from skillgauge.rules.security._shell import Line, find_lines
from skillgauge.rules.security._words import Command
from skillgauge.text import Span

_NEEDLES: Final = (
    "rm -",
    "rm --",
    "mkfs",
    "dd if=",
    "dd of=",
    "chmod -R",
    "chmod 777",
    "chown -R",
    "git push",
    "wipefs",
    "Remove-Item",
    "dropdb",
    ":(){",
    "format C:",
    "format c:",
)
_BROAD: Final = lazy_pattern(
    r"(?:/|~|\$\{?HOME\}?|\$env:USERPROFILE|%USERPROFILE%|[A-Za-z]:[\\/]?"
    r"|/(?:\*|usr|etc|var|home|Users|bin|sbin|lib|lib64|boot|opt|root|System|Library"
    r"|Applications|dev|srv)"
    r"|/home/\*|/Users/\*)/?\*?/?\Z"
)
_HERE: Final = frozenset(("*", "./*", ".", "./", "..", "../*", "../"))
_DEVICE: Final = lazy_pattern(
    r"/dev/(?:sd[a-z]\d*|hd[a-z]\d*|vd[a-z]\d*|nvme\d+n\d+(?:p\d+)?|disk\d+\w*|rdisk\d+\w*"
    r"|mmcblk\d+)\Z"
)
_TRUNK: Final = frozenset(("main", "master", "HEAD:main", "HEAD:master", "+main", "+master"))
_FORK_BOMB: Final = lazy_pattern(r":\(\)\s*\{\s*:\s*\|\s*:\s*&\s*\}\s*;\s*:")
_DROP: Final = lazy_pattern(
    r"\b(?:DROP|drop)\s+(?:DATABASE|database)\s+(?:(?:IF|if)\s+(?:EXISTS"
    r"|exists)\s+)?[`\"\[]?(?P<name>[\w$-]+)"
)
_SPARE: Final = lazy_pattern(
    r"test|tmp|temp|demo|example|sample|dev|sandbox|scratch|staging|old|backup|bak|copy|my_?db"
    r"|mydatabase|your|name|foo|bar|shadow|preview|ci\b",
    re.IGNORECASE,
)
_SQL: Final = frozenset(
    ("", "sql", "mysql", "postgresql", "postgres", "psql", "bash", "sh", "shell")
)


@rule("S012", Severity.WARNING)
def destructive_command(skill: Skill) -> Iterator[Finding]:
    """Report each command that destroys more than anyone wants to lose."""
    for line in find_lines(skill, _NEEDLES):
        for span, what in _in_line(skill, line):
            if not cautioned(skill, span):
                yield Finding(span, f"{what} Name exactly what is meant, and have it confirmed.")
                break
    yield from _dropped(skill)


def _in_line(skill: Skill, line: Line) -> Iterator[tuple[Span, str]]:
    moved = False
    for pipeline in line.pipelines:
        for command in pipeline.commands:
            moved = moved or command.program in ("cd", "pushd", "set-location")
            if what := _destroys(command, moved):
                yield command.span, what
    if bomb := _FORK_BOMB.search(skill.source, line.span.start, line.span.end):
        yield Span(*bomb.span()), "This is a fork bomb: it starts processes until nothing responds."


def _destroys(command: Command, moved: bool) -> str:
    """Return what a command destroys, as a sentence; "" for a harmless one."""
    program = command.program
    words = [word.text for word in command.arguments]
    options = "".join(text for text in words if text.startswith("-"))
    targets = [text for text in words if not text.startswith("-")]
    broad = next((text for text in targets if _BROAD.match(text)), None)
    if program == "rm" and re.search(r"-\w*[rR]|--recursive", options):
        if "--no-preserve-root" in words:
            return "This deletes the root folder on purpose."
        if broad is None and not moved and re.search(r"-\w*f|--force", options):
            broad = next((text for text in targets if text in _HERE), None)
        return f"This deletes everything under “{broad}”." if broad else ""
    if program == "remove-item" and re.search(r"-rec", options, re.IGNORECASE):
        return f"This deletes everything under “{broad}”." if broad else ""
    if program in ("chmod", "chown") and "R" in options and broad:
        return f"This changes who may use every file under “{broad}”."
    device = next((_device(text) for text in words if _device(text)), "")
    if device and (program in ("dd", "wipefs", "shred") or program.startswith("mkfs")):
        return f"This erases the disk “{device}”."
    if program == "format" and broad:
        return f"This erases the disk “{broad}”."
    if program == "git" and words[:1] == ["push"]:
        trunk = next((text for text in targets[1:] if text in _TRUNK), None)
        forced = "--force" in words or "-f" in words or (trunk or "").startswith("+")
        return f"This overwrites the history of “{trunk}” for everyone." if trunk and forced else ""
    if program == "dropdb" and targets and not _SPARE.search(targets[-1]):
        named = re.fullmatch(r"[\w-]+", targets[-1])
        return f"This deletes the database “{targets[-1]}”." if named else ""
    return ""


def _device(text: str) -> str:
    target = text.removeprefix("of=")
    if text.startswith("if="):
        return ""
    return target if _DEVICE.match(target) else ""


def _dropped(skill: Skill) -> Iterator[Finding]:
    """Find `DROP DATABASE` in code, with the name of a database that is not a spare one."""
    for word in ("DROP DATABASE", "drop database"):
        for at in occurrences(skill.source, word, skill.body.start):
            match = _DROP.match(skill.source, at)
            if match is None or _SPARE.search(match["name"]) or not skill.markdown.in_code(at):
                continue
            block = next(
                (code for code in skill.markdown.code_blocks if code.span.contains(at)), None
            )
            span = Span(*match.span())
            if (block is None or block.language in _SQL) and not cautioned(skill, span):
                yield Finding(
                    span,
                    f"This deletes the database “{match['name']}”. Name exactly what is meant, and"
                    " have it confirmed.",
                )
