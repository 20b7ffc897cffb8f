"""What the metrics see of a trajectory: the calls by kind, with their commands and paths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, cast

from skillgauge.lift.shell import Command, parse, script_of

if TYPE_CHECKING:
    from skillgauge.lift.trajectory.atif import Trajectory

Kind = Literal["skill", "exec", "read", "write", "plan", "other"]

_KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("skill", "activate_skill", "use_skill", "load_skill"), "skill"),
    **dict.fromkeys(
        (
            *("bash", "shell", "exec", "exec_command", "execute", "execute_command", "run"),
            *("run_shell_command", "run_command", "run_code", "command", "local_shell"),
            *("local_shell_call", "bash_command", "terminal", "powershell", "write_stdin"),
        ),
        "exec",
    ),
    **dict.fromkeys(
        (
            *("read", "read_file", "read_many_files", "view", "view_image", "cat", "open"),
            *("grep", "glob", "ls", "list", "list_directory", "list_dir", "search_file_content"),
            *("grep_search", "find", "search", "notebookread"),
        ),
        "read",
    ),
    **dict.fromkeys(
        (
            *("write", "write_file", "edit", "edit_file", "multiedit", "notebookedit", "replace"),
            *("apply_patch", "patch", "create_file", "str_replace", "create"),
        ),
        "write",
    ),
    **dict.fromkeys(
        ("todowrite", "todoread", "update_plan", "write_todos", "todo_write", "plan"), "plan"
    ),
}
_COMMAND_KEYS: Final = ("command", "cmd", "script", "code", "chars", "input")
_PATH_KEYS: Final = (
    *("file_path", "path", "absolute_path", "filePath", "notebook_path", "filename", "file"),
    *("paths", "dir_path"),
)
_TEXT_KEYS: Final = (
    *("content", "contents", "new_string", "newString", "new_str", "file_text", "text", "patch"),
    *("input", "patchText", "new_source"),
)
_SKILL_KEYS: Final = ("skill", "name", "command", "skill_name", "id")
_PATCHED: Final = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_SKILL_FILE: Final = re.compile(r"(?:^|/)([^/\s]+)/SKILL\.md$", re.IGNORECASE)
_READERS: Final = frozenset(
    {"cat", "sed", "head", "tail", "awk", "less", "more", "nl", "bat", "batcat"}
)


@dataclass(frozen=True)
class Call:
    """One call of a tool with what came back."""

    step: int
    name: str
    kind: Kind
    arguments: dict[str, object]
    output: str = ""
    failed: bool | None = None
    """By the exit code or the harness's own flag; None if neither was told."""

    @cached_property
    def script(self) -> str:
        """The shell script that it ran, "" for other calls."""
        if self.kind != "exec":
            return ""
        for key in _COMMAND_KEYS:
            value = self.arguments.get(key)
            if isinstance(value, str):
                return value
            if isinstance(value, list | tuple):
                words = [str(word) for word in cast("Sequence[object]", value)]
                return script_of(words) or " ".join(_quoted(word) for word in words)
        return ""

    @cached_property
    def commands(self) -> tuple[Command, ...]:
        """The commands of its script."""
        return parse(self.script) if self.script else ()

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The files that a reading or writing call names."""
        found = [text for key in _PATH_KEYS for text in _texts(self.arguments.get(key))]
        if self.kind == "write":
            found += [path for text in self.written for path in _PATCHED.findall(text)]
        return tuple(found)

    @cached_property
    def written(self) -> tuple[str, ...]:
        """The texts that a writing call puts into files."""
        if self.kind != "write":
            return ()
        return tuple(text for key in _TEXT_KEYS for text in _texts(self.arguments.get(key)))

    def skills(self) -> Iterator[tuple[str, bool]]:
        """Yield the skills that it loads, each with whether by a tool made for that or by reading.

        Reading by a shell is told apart, for a harness with a tool for skills is meant to use it.
        """
        if self.kind == "skill":
            for key in _SKILL_KEYS:
                for name in _texts(self.arguments.get(key)):
                    yield name.strip().removeprefix("/").rpartition(":")[2], True
                    return
        elif self.kind == "read":
            for path in self.paths:
                if found := _SKILL_FILE.search(path.replace("\\", "/")):
                    yield found[1], True
        for command in self.commands:
            if command.name in _READERS:
                for word in command.operands():
                    if found := _SKILL_FILE.search(word):
                        yield found[1], False


@dataclass(frozen=True)
class Trace:
    """A trajectory as the metrics see it; what sub-agents did counts as done by the agent."""

    harness: str
    calls: tuple[Call, ...] = ()
    said: tuple[tuple[int, str], ...] = ()
    """The agent's messages by step."""
    prompt: str = ""

    @property
    def final(self) -> str:
        """The agent's last message."""
        return next((text for _, text in reversed(self.said) if text.strip()), "")

    def first_use(self, skill: str) -> int | None:
        """Return the index of the first call that loads a skill."""
        for index, call in enumerate(self.calls):
            if any(name == skill for name, _ in call.skills()):
                return index
        return None


def trace_of(trajectory: Trajectory) -> Trace:
    """Return what the metrics see; context that was copied from another run is left out."""
    calls: list[Call] = []
    said: list[tuple[int, str]] = []
    prompt = ""
    for number, step in enumerate(trajectory.walk(), 1):  # the own steps keep their numbers
        if step.is_copied_context:
            continue
        if step.source == "user" and not prompt:
            prompt = step.text
        if step.source != "agent":
            continue
        if step.text:
            said.append((number, step.text))
        for call in step.acts:
            result = step.result(call)
            name = call.function_name
            calls.append(
                Call(
                    number,
                    name,
                    kind_of(name, call.arguments),
                    dict(call.arguments),
                    result.text if result else "",
                    result.failed if result else None,
                )
            )
    return Trace(trajectory.agent.name, tuple(calls), tuple(said), prompt)


def kind_of(name: str, arguments: dict[str, object]) -> Kind:
    """Return what a tool does, by its name; an editor that only views is a reader."""
    plain = name.lower().rpartition(".")[2].removeprefix("functions_")
    if plain in ("str_replace_editor", "str_replace_based_edit_tool"):
        return "read" if arguments.get("command") == "view" else "write"
    return _KINDS.get(plain, "other")


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list | tuple):
        return [item for item in cast("Sequence[object]", value) if isinstance(item, str)]
    return []


def _quoted(word: str) -> str:
    from shlex import quote

    return quote(word)
