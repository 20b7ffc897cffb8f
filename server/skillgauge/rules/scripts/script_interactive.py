"""A bundled script asks for input while it runs.

## Why is this bad?
An agent's shell has nobody at the keyboard: the script waits until it is killed, or fails on the
end of its input. Take the value as an option, an environment variable or standard input, or offer a
switch such as `--yes`. Scripts that have such a switch, or ask only at a terminal, are left alone.

## Bad
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Run `python scripts/fill.py form.pdf`.
````
````file scripts/fill.py
name = input("Your name: ")
print(name)
````

## Good
````skill
---
name: fill-forms
description: Fills PDF forms. Use when the user has a form to fill.
---
Run `python scripts/fill.py form.pdf --name NAME`.
````
````file scripts/fill.py
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("form")
parser.add_argument("--name", required=True)
print(parser.parse_args().name)
````

## References
- [Using scripts in skills](https://agentskills.io/skill-creation/using-scripts)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from skillgauge.document.shell import read_commands
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.scripts._python import Place, read_python
from skillgauge.rules.scripts._scripts import Script, at_line, bundled
from skillgauge.text import Span, Text

_SWITCH: Final = re.compile(
    r"isatty|\[\[? -t 0|NONINTERACTIVE"
    r"|--(?:yes|assume-yes|force|no-?input|no-?prompt|non-?interactive|interactive|batch|auto\w*"
    r"|skip-\w*confirm\w*|no-?confirm\w*|confirm|headless|unattended|dry-run)\b",
    re.IGNORECASE,
)
_JS_ASKS: Final = re.compile(
    r"\binquirer\.prompt\(|\b(?:rl|readline|reader|\w*[iI]nterface)\.question\(|\bawait prompts?\("
)
_JS_LIBRARY: Final = re.compile(
    r"""["'](?:inquirer|prompts|enquirer|@inquirer/prompts|@clack/prompts|(?:node:)?readline(?:/promises)?)["']"""
)


@rule("T005", Severity.WARNING, needs={"folder"})
def script_interactive(skill: Skill) -> Iterator[Finding]:
    """Report each script that prompts, where SKILL.md first names it."""
    for script in bundled(skill, ".py", ".sh", ".bash", ".js", ".mjs", ".cjs", ".ts"):
        if _SWITCH.search(script.text):
            continue
        place = _asks(script)
        if place is not None:
            yield Finding(
                script.place,
                f"“{script.path}” waits for input in line {place.line} ({place.what}), which no"
                " agent can give; take it as an option.",
                related=at_line(skill, script.path, place.line, place.column, "It waits here"),
            )


def _asks(script: Script) -> Place | None:
    if script.path.endswith(".py"):
        return next(iter(read_python(script.text).prompts), None)
    if script.path.endswith((".sh", ".bash")):
        return None if _is_library(script) else _shell_asks(script.text)
    if not _JS_LIBRARY.search(script.text):
        return None
    match = _JS_ASKS.search(script.text)
    return _place(script.text, match.start(), match[0] + ")") if match else None


def _is_library(script: Script) -> bool:
    """Return whether a shell script says of itself that it is sourced: a person then calls it."""
    name = re.escape(script.path.rpartition("/")[2])
    return re.search(rf"\bsource[ \t]+\S*{name}", script.text) is not None


@lru_cache(maxsize=128)
def _shell_asks(text: str) -> Place | None:
    if "read" not in text and "select" not in text:
        return None
    for command in read_commands(text, Span(0, len(text))):
        words = [word.text for word in command.words]
        while words and words[0] in ("while", "if", "then", "do", "else", "!", "{", "IFS="):
            words = words[1:]
            if not words:
                break
        if not words:
            continue
        asks = words[0] == "read" and any(re.match(r"-[a-zA-Z]*p\Z", word) for word in words[1:4])
        menu = words[0] == "select" and words[2:3] == ["in"]
        if asks or menu:
            first = command.words[len(command.words) - len(words)]
            return _place(text, first.span.start, "read -p" if asks else "select")
    return None


def _place(text: str, offset: int, what: str) -> Place:
    line, column = Text(text).position(offset)
    return Place(line + 1, column, what)
