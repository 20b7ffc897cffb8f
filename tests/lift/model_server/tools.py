"""From abstract calls to the tools that a request lists: each harness has its own."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Mapping
from typing import Any

Arguments = Mapping[str, Any]
Shape = tuple[str, Callable[[Arguments], dict[str, Any]]]
_WHY = "as scripted"


def _described(call: Arguments) -> dict[str, Any]:
    return {"command": call["command"], "description": call.get("description", _WHY)}


def _javascript(call: Arguments) -> dict[str, Any]:
    """Codex's one free-text tool takes a program."""
    asked = json.dumps({"cmd": call["command"]})
    return {"input": f"const done = await tools.exec_command({asked});\ntext(done);\n"}


_SHAPES: dict[str, tuple[Shape, ...]] = {
    "shell": (
        ("Bash", _described),
        ("bash", _described),
        ("run_shell_command", lambda call: _described(call) | {"is_background": False}),
        ("exec_command", lambda call: {"cmd": call["command"]}),
        ("shell_command", lambda call: {"command": call["command"]}),
        ("exec", _javascript),
        ("shell", lambda call: {"command": ["sh", "-c", call["command"]]}),
    ),
    "skill": (
        ("Skill", lambda call: {"skill": call["name"]}),
        ("activate_skill", lambda call: {"name": call["name"]}),
        ("skill", lambda call: {call.get("key", "name"): call["name"]}),
    ),
    "write": (
        ("Write", lambda call: {"file_path": call["path"], "content": call["content"]}),
        ("write", lambda call: {"filePath": call["path"], "content": call["content"]}),
        ("write_file", lambda call: {"file_path": call["path"], "content": call["content"]}),
    ),
    "read": (
        ("Read", lambda call: {"file_path": call["path"]}),
        ("read", lambda call: {"filePath": call["path"]}),
        ("read_file", lambda call: {"file_path": call["path"]}),
    ),
}


def concrete(kind: str, call: Arguments, listed: Iterable[str]) -> tuple[str, dict[str, Any]]:
    """Return a call as a tool's name and arguments; by the shell where there is no such tool."""
    names = set(listed)
    if kind == "skill" and "run_shell_command" in names:
        call = {"key": "skill", **call}  # Qwen Code, which shares the tool's name with OpenCode
    for name, make in _SHAPES.get(kind, ()):
        if name in names:
            return name, make(call)
    if kind in ("skill", "write", "read"):
        return concrete("shell", {"command": _command(kind, call)}, names)
    return kind, dict(call)


def _command(kind: str, call: Arguments) -> str:
    path = shlex.quote(call["path"])
    if kind == "write":
        return f"printf %s {shlex.quote(call['content'])} > {path}"
    return f"cat {path}"
