"""A command installs or fetches a package without a version.

## Why is this bad?
The package that is newest on the day of use is run: its options may have changed, and whoever takes
over the package decides what runs on the user's machine. Pin the version that you tried.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
```bash
pip install pypdf
```
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
```bash
pip install pypdf==5.1.0
```
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.mentions import SHELLS
from skillgauge.document.shell import Command, Word, read_commands
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule

_MAY: Final = re.compile(r"\b(?:pip3?|pipx|npm|npx|uvx|bunx|pnpm)\b")
_NAME: Final = re.compile(r"@?[A-Za-z][\w./-]*(?:\[[\w,-]+\])?(?:@latest)?\Z")
_TAKES_VALUE: Final = frozenset(
    {"-i", "--index-url", "--extra-index-url", "-t", "--target", "-c", "--constraint", "-f"}
    | {"--prefix", "--python", "--root", "--registry", "--cache-dir", "--with", "--from"}
)
_FROM_FILE: Final = frozenset({"-r", "--requirement", "-e", "--editable", "--requirements"})


@rule("T008", None, strict=Severity.HINT)
def install_unpinned(skill: Skill) -> Iterator[Finding]:
    """Report each command of a shell fence that names packages without a version, at the first."""
    seen: set[str] = set()
    for block in skill.markdown.code_blocks:
        if block.language not in SHELLS:
            continue
        if not _MAY.search(skill.source, block.content.start, block.content.end):
            continue
        for command in read_commands(skill.source, block.content):
            words = [
                word
                for word in _packages(command)
                if _NAME.match(word.text) and word.text not in seen
            ]
            if words:
                seen.update(word.text for word in words)
                yield _finding(words)


def _finding(words: list[Word]) -> Finding:
    names = ", ".join(f"“{word.text}”" for word in words[:3])
    more = f" and {len(words) - 3} more" if len(words) > 3 else ""
    verb, object_ = ("is", "the version") if len(words) == 1 else ("are", "the versions")
    return Finding(
        words[0].span,
        f"{names}{more} {verb} taken in whatever version is newest; name {object_} that you tried.",
    )


def _packages(command: Command) -> Iterator[Word]:
    """Yield the words of a command that name packages to fetch, flags and their values left out."""
    words = [word for word in command.words if word.text not in ("$", "sudo", "!")]
    texts = [word.text.lstrip("!") for word in words]
    if texts[1:3] == ["-m", "pip"] or texts[:2] == ["uv", "pip"]:
        skip = 2 if texts[0].startswith("py") else 1
        words, texts = words[skip:], texts[skip:]
    if len(texts) < 2:
        return
    tool, verb = texts[0], texts[1]
    if tool in ("pip", "pip3", "pipx") and verb == "install":
        if not _FROM_FILE & set(texts):
            yield from _operands(words[2:])
    elif tool in ("npm", "pnpm") and verb in ("install", "i", "add"):
        if {"-g", "--global"} & set(texts):
            yield from _operands(words[2:])
    elif tool in ("npx", "bunx"):
        first = next(_operands(words[1:]), None)
        fetched = {"-y", "--yes"} & set(texts)
        if first and (fetched or first.text.startswith(("@", "create-"))):
            yield first
    elif tool == "uvx" or texts[:2] == ["pipx", "run"]:
        first = next(_operands(words[1 if tool == "uvx" else 2 :]), None)
        if first and "--from" not in texts:
            yield first


def _operands(words: list[Word]) -> Iterator[Word]:
    value = False
    for word in words:
        if not value and not word.text.startswith("-"):
            yield word
        value = word.text in _TAKES_VALUE
