"""What a client's model receives of a skill: its entry in the list, and the body as it is sent.

Nothing is run: a command that the client would run first is shown as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from skillgauge.document.nodes import Scalar, Sequence

if TYPE_CHECKING:
    from skillgauge.clients import Client
    from skillgauge.document.skill import Skill

DEFAULT_CLIENT: Final = "claude-code"

_COMMAND: Final = re.compile(r"(?:(?<=\s)|^)!`(?P<command>[^`\r\n]+)`", re.MULTILINE)
_BLOCK: Final = re.compile(r"^```!\s*$\n(?P<commands>.*?)^```\s*$", re.MULTILINE | re.DOTALL)
_ARGUMENT: Final = re.compile(
    r"(?<!\\)\$(?:ARGUMENTS\[(?P<index>\d+)\]|(?P<all>ARGUMENTS)|(?P<short>\d+)\b)"
)


@dataclass(frozen=True, slots=True)
class Invocation:
    """How the skill is called: the arguments as typed, and the folders that stand for paths."""

    arguments: str = ""
    skill_dir: str = "."
    project_dir: str = "."


def client_of(skill: Skill, asked: str = "") -> Client:
    """Return the client of that id, else the first that the skill is for. UserError for no id."""
    from skillgauge.clients import by_id, load
    from skillgauge.config import check_client

    if asked:
        check_client(asked)
    found = by_id(asked or next(iter(skill.clients), DEFAULT_CLIENT))
    return found or load()[0]


def render(skill: Skill, client: Client, call: Invocation | None = None) -> str:
    """Return the preview as Markdown."""
    call = call or Invocation()
    lines = [f"# What {client.title} shows its model of “{_title(skill)}”", ""]
    lines += ["## In the list of skills", "", list_entry(skill, client), ""]
    lines += [part for text in _fullness(skill, client) for part in (text, "")]
    lines += ["## When the skill is used", "", body(skill, client, call).strip("\r\n"), ""]
    return "\n".join(lines)


def _title(skill: Skill) -> str:
    return skill.name or skill.folder_name or "this skill"


def list_entry(skill: Skill, client: Client) -> str:
    """Return the line of the list that makes the model choose the skill, cut as the client cuts."""
    description = skill.description or ""
    when = skill.value("when_to_use")
    if when is not None and client.key("when_to_use") is not None:
        description = f"{description} {when.text}".strip()
    if not description:
        return f"- {_title(skill)}: (no description: nothing tells the model when to use it)"
    description = " ".join(description.split())
    cut = client.budget.description_cut
    if cut is not None and len(description) > cut.value:
        hidden = len(description) - cut.value
        return f"- {_title(skill)}: {description[: cut.value]}… ({hidden} characters cut off)"
    return f"- {_title(skill)}: {description}"


def _fullness(skill: Skill, client: Client) -> Iterator[str]:
    """Yield how full the list is in which this client has the skill."""
    from skillgauge.listing import fullness, listings_of, overflow

    if skill.workspace is None or skill.path is None:
        return
    for found, _ in listings_of(skill.workspace, skill.path, [client.id]):
        text = f"In this list {fullness(found)}."
        yield f"{text} {overflow(client)}".rstrip() if found.full else text


def body(skill: Skill, client: Client, call: Invocation) -> str:
    """Return the body with the client's substitutions made; one that it doesn't know stays."""
    text = skill.source[skill.body.start : skill.body.end]
    known = {item.name for item in client.substitutions}
    if not known:
        return text
    words = call.arguments.split()
    used = False

    def argument(match: re.Match[str]) -> str:
        nonlocal used
        used = True
        if match["all"]:
            return call.arguments
        index = int(match["index"] or match["short"])
        return words[index] if index < len(words) else ""

    text = _BLOCK.sub(lambda match: _output(match["commands"].strip()), text)
    text = _COMMAND.sub(lambda match: _output(match["command"]), text)
    if "$ARGUMENTS" in known:
        text = _ARGUMENT.sub(argument, text)
        for index, name in enumerate(_names(skill)):
            value = words[index] if index < len(words) else ""
            text, count = re.subn(rf"(?<!\\)\${re.escape(name)}\b", lambda _, v=value: v, text)
            used = used or count > 0
        text = text.replace("\\$", "$")
        if call.arguments and not used:
            text = f"{text.rstrip()}\n\nARGUMENTS: {call.arguments}\n"
    for name, value in (
        ("${CLAUDE_SKILL_DIR}", call.skill_dir),
        ("${CLAUDE_PROJECT_DIR}", call.project_dir),
    ):
        if name in known:
            text = text.replace(name, value)
    return text


def _output(command: str) -> str:
    return f"[output of: {command}]"


def _names(skill: Skill) -> list[str]:
    """Return the names that the `arguments` key gives to the arguments."""
    value = skill.frontmatter.value("arguments") if skill.frontmatter else None
    if isinstance(value, Scalar):
        return value.text.split()
    if isinstance(value, Sequence):
        return [item.text for item in value.items if isinstance(item, Scalar)]
    return []
