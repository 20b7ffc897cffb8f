"""Opens Codex's `exec` calls: which tools the JavaScript in them called, and what these did.

Events in the log tell which commands ran, with output and exit code: they are the truth. The
source tells the rest, and what stood in it without an event that it ran is marked so.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from skillgauge.lift.trajectory._draft import Draft, Transcript
from skillgauge.lift.trajectory._javascript import InnerCall, calls
from skillgauge.lift.trajectory._raw import Json, arguments, array, integer, obj, text, word

COMMANDS: Final = ("exec_command", "shell", "shell_command", "local_shell")
_SHELLS: Final = ("sh", "bash", "zsh", "dash")


@dataclass(frozen=True, slots=True)
class Happening:
    """A call that an event tells of."""

    name: str
    arguments: Json
    content: str
    extra: Json


@dataclass(slots=True)
class _Wrapper:
    draft: Draft
    call_id: str
    left: list[InnerCall]
    """What stands in the source and was not seen to happen yet."""
    unclear: list[InnerCall] = field(default_factory=list[InnerCall])
    """What was seen to happen, with arguments that the source doesn't tell."""
    inner: list[str] = field(default_factory=list[str])

    @property
    def next(self) -> str:
        return f"{self.call_id}/{len(self.inner) + 1}"


class Wrappers:
    """The `exec` calls of a log, and the details that events tell of plain calls."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.details: dict[str, Json] = {}
        """What events told of calls which are in the log themselves, by their ids."""
        self._outputs: dict[str, str] = {}
        self._wrappers: list[_Wrapper] = []
        self._seen: set[str] = set()
        """The kinds of calls of which this log has events."""

    def add(self, draft: Draft, call_id: str, source: str) -> None:
        """Take note of an `exec` call, which is in its step already."""
        self._wrappers.append(_Wrapper(draft, call_id, calls(source)))

    def happened(self, item: Json, turn: Callable[[], Draft]) -> None:
        """Take note of an event; `turn` returns the turn in which it fell."""
        read = _KINDS.get(text(item.get("type")))
        if read is None:
            return
        told = read(item)
        name = word(item.get("call_id")) or word(item.get("id"))
        if name and self.transcript.owner(name):
            self.details[name] = told.extra
            self._outputs[name] = told.content
            return
        self._seen.add(_kind(told.name))
        draft = turn()
        wrapper = self._of(told, draft)
        if wrapper is None:
            self._put(draft, name or "event", told)
            return
        wrapper.inner.append(self._put(wrapper.draft, wrapper.next, told))

    def _of(self, told: Happening, draft: Draft) -> _Wrapper | None:
        """Return the wrapper that an event is of: the newest whose source has the call."""
        near = [one for one in self._wrappers if one.draft is draft] or self._wrappers[-1:]
        for wrapper in near:
            for index, call in enumerate(wrapper.left):
                if _kind(call.name) == _kind(told.name) and _same(call, told):
                    del wrapper.left[index]
                    return wrapper
        for wrapper in near:
            for index, call in enumerate(wrapper.left):
                if _kind(call.name) == _kind(told.name) and not call.literal:
                    wrapper.unclear.append(wrapper.left.pop(index))
                    return wrapper
        for wrapper in near:
            if any(_kind(call.name) == _kind(told.name) for call in wrapper.unclear):
                return wrapper  # one that stands in a loop
        return near[-1] if near else None

    def _put(self, draft: Draft, call_id: str, told: Happening) -> str:
        extra: Json = {"decoded": "event"}
        unique = self.transcript.call(draft, call_id, told.name, told.arguments, extra)
        self.transcript.answer(call_id, told.content, told.extra)
        return unique

    def finish(self) -> None:
        """Add what only the sources tell, mark the wrappers, and answer calls cut off."""
        for wrapper in self._wrappers:
            for call in wrapper.left:
                extra: Json = {"decoded": "source", "literal": call.literal}
                if _kind(call.name) in self._seen:
                    extra["seen_to_run"] = False
                given = (wrapper.next, call.name, call.arguments, extra)
                wrapper.inner.append(self.transcript.call(wrapper.draft, *given))
            if wrapper.inner:
                found = wrapper.draft.calls[wrapper.call_id]
                marked = replace(found, extra={"wraps": list(wrapper.inner)})
                wrapper.draft.calls[wrapper.call_id] = marked
        for name, content in self._outputs.items():
            if not self.transcript.answered(name):
                self.transcript.answer(name, content, self.details[name])


def _details(item: Json) -> Json:
    """Return what an event tells of how a command ended."""
    told: Json = {}
    if (code := integer(item.get("exit_code"))) is not None:
        told["exit_code"] = code
    for key in ("status", "cwd"):
        if value := word(item.get(key)):
            told[key] = value
    if parsed := array(item.get("parsed_cmd")):
        told["parsed_cmd"] = parsed
    return told


def _command(item: Json) -> Happening:
    words = [text(one) for one in array(item.get("command"))]
    line = shlex.join(words) if words else text(item.get("command"))
    shell = words[0].rpartition("/")[2] if words else ""
    if len(words) == 3 and shell in _SHELLS and words[1] in ("-c", "-lc"):
        line = words[2]
    output = text(item.get("aggregated_output"))
    return Happening("exec_command", {"cmd": line}, output, _details(item))


def _change(item: Json) -> Happening:
    return Happening("apply_patch", {"changes": item.get("changes")}, "", _details(item))


def _mcp(item: Json) -> Happening:
    name = f"mcp__{text(item.get('server'))}__{text(item.get('tool'))}"
    failed = item.get("error") is not None
    content = text(item.get("error") if failed else item.get("result"))
    return Happening(name, arguments(item.get("arguments")), content, {"is_error": failed})


_KINDS: Final[dict[str, Callable[[Json], Happening]]] = {
    "CommandExecution": _command,
    "FileChange": _change,
    "McpToolCall": _mcp,
}


def _kind(name: str) -> str:
    return "exec_command" if name.rpartition(".")[2] in COMMANDS else name


def _same(call: InnerCall, told: Happening) -> bool:
    if _kind(call.name) != "exec_command":
        return True
    given = call.arguments.get("cmd", call.arguments.get("command", call.arguments.get("input")))
    words = [text(one) for one in array(given)]
    line = shlex.join(words) if words else text(given)
    return line.strip() == text(obj(told.arguments).get("cmd")).strip()
