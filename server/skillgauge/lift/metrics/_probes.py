"""Calls that only get ready: asking a program for its help, looking for it, installing packages."""

from __future__ import annotations

from typing import Final

from skillgauge.lift.metrics._trace import Call
from skillgauge.lift.shell import Command

_HELP: Final = frozenset({"--help", "--version"})
_FINDERS: Final = frozenset({"which", "whereis", "type"})
_INSTALLERS: Final = frozenset(
    {"pip", "pip3", "apt", "apt-get", "brew", "npm", "yarn", "pnpm", "apk", "dnf", "yum", "uv"}
)
_AROUND: Final = frozenset({"cd", "true", "echo", "set", "export"})
"""Commands that are neither work nor probe, such as before an installation."""


def is_probe(call: Call) -> bool:
    """Return whether all that a call runs are probes and installations."""
    commands = [command for command in call.commands if command.name not in _AROUND]
    return bool(commands) and all(map(_probes, commands))


def _probes(command: Command) -> bool:
    if _HELP & set(command.arguments) or command.name in _FINDERS:
        return True
    if command.name == "command":
        return bool(command.arguments) and command.arguments[0] in ("-v", "-V")
    words = command.arguments
    if command.name.startswith("python") and words[:2] == ("-m", "pip"):
        return True
    return command.name in _INSTALLERS and any(
        word in ("install", "add", "update", "i", "ci", "upgrade") for word in words
    )
