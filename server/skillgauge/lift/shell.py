"""Shell scripts as an agent runs them: parsed, so that quoted text and comments are no commands.

What `sh -c`, `eval`, `sudo`, `env`, `xargs` and the like run is looked into. A script with faults
is read as far as it can be. Nothing is run, and variables are not resolved, but for `$HOME`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from skillgauge.errors import UserError

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_SCRIPT: Final = 200_000
MAX_DEPTH: Final = 6
SHELLS: Final = frozenset({"sh", "bash", "zsh", "dash", "ksh"})
_HOME: Final = re.compile(r"\$(?:HOME\b|\{HOME\})")
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=")
# Programs that run another one, with those of their options that take a value.
_WRAPPERS: Final[dict[str, frozenset[str]]] = {
    "sudo": frozenset({"-u", "-g", "-C", "-h", "-p", "-U"}),
    "doas": frozenset({"-u", "-C"}),
    "env": frozenset({"-u", "-C", "-S", "--unset", "--chdir"}),
    "nice": frozenset({"-n"}),
    "ionice": frozenset({"-c", "-n"}),
    "timeout": frozenset({"-s", "-k", "--signal", "--kill-after"}),
    "xargs": frozenset({"-I", "-n", "-P", "-L", "-d", "-s", "-a", "-E"}),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "time": frozenset({"-f", "-o"}),
    **dict.fromkeys(("nohup", "command", "builtin", "exec", "setsid"), frozenset[str]()),
}
_PROBES: Final = frozenset({"-v", "-V"})


@dataclass(frozen=True, slots=True)
class Redirect:
    """A file that output goes to."""

    operator: str
    target: str


@dataclass(frozen=True, slots=True)
class Command:
    """A program with its arguments, quotes taken off; `$HOME` is written as `~`."""

    name: str
    """Without its folder."""
    arguments: tuple[str, ...]
    redirects: tuple[Redirect, ...] = ()
    pipeline: int = 0
    """The same number for commands that are joined by pipes."""
    program: str = ""
    """The name as it was written."""
    input: str = ""
    """What a here-document or here-string gives it."""

    @property
    def words(self) -> tuple[str, ...]:
        """The name as written and the arguments."""
        return (self.program or self.name, *self.arguments)

    def options(self) -> set[str]:
        """Return the options: long ones as they are without their value, short ones one by one."""
        found: set[str] = set()
        for word in self.arguments:
            if word == "--":
                break
            if word.startswith("--"):
                found.add(word.partition("=")[0])
            elif word.startswith("-"):
                found.update(f"-{letter}" for letter in word[1:])
        return found

    def operands(self) -> list[str]:
        """Return the arguments that are no options."""
        plain = list(self.arguments)
        end = plain.index("--") if "--" in plain else len(plain)
        return [word for word in plain[:end] if not word.startswith("-")] + plain[end + 1 :]


_DEFINES: Final = re.compile(r"\(\s*\)|\bfunction\b")


def parse(script: str) -> tuple[Command, ...]:
    """Return the commands of a script in their order, inner ones behind the one that runs them."""
    return tuple(_parse(script, 0))


def is_fork_bomb(script: str) -> bool:
    """Return whether a script defines a function that pipes itself into itself."""
    if not _DEFINES.search(script):  # most define none, and are not parsed for it
        return False
    for node in _walk(_tree(script)):
        if node.type == "function_definition":
            name = _text(node.child_by_field_name("name"))
            inner = [child for child in _walk(node) if child.type == "command_name"]
            if sum(_text(child) == name for child in inner) > 1:
                return True
    return False


@cache
def _parser() -> Parser:
    try:
        import tree_sitter
        import tree_sitter_bash
    except ImportError as error:
        raise UserError(
            "Lift runs need a parser for shell commands, which is not installed",
            how="`pip install 'skillgauge[lift]'`",
        ) from error
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def _tree(script: str) -> Node:
    return _parser().parse(script[:MAX_SCRIPT].encode("utf-8", "replace")).root_node


def _walk(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(current.children))


def _text(node: Node | None) -> str:
    return (node.text or b"").decode("utf-8", "replace") if node else ""


def _parse(script: str, depth: int) -> Iterator[Command]:
    for node in _walk(_tree(script)):
        if node.type == "command":
            made = _command(node)
            if made is not None:
                yield made
                yield from _inner(made, depth)


def _command(node: Node) -> Command | None:
    name = node.child_by_field_name("name")
    if name is None:
        return None
    words = [_word(name)] + [_word(child) for child in node.children_by_field_name("argument")]
    redirects, given = _redirects(node)
    unwrapped = _unwrap(words)
    program = unwrapped[0]
    return Command(
        program.rpartition("/")[2],
        tuple(unwrapped[1:]),
        tuple(redirects),
        _pipeline(node),
        program,
        given,
    )


def _word(node: Node) -> str:
    """Return a word without its quotes; what is not known before it runs stays as written."""
    if node.type == "raw_string":
        return _text(node)[1:-1]
    if node.type == "string":
        return _HOME.sub("~", _text(node)[1:-1]).replace('\\"', '"')
    if node.type in ("concatenation", "command_name"):
        return "".join(_word(child) for child in node.children) or _text(node)
    text = _HOME.sub("~", _text(node))
    return re.sub(r"\\(.)", r"\1", text) if node.type == "word" else text


def _redirects(node: Node) -> tuple[list[Redirect], str]:
    """Return where a command's output goes, and its input from a here-document.

    The grammar hangs redirects on the statement around; they are those of its last command.
    """
    holders, child = [node], node
    while child.parent is not None:
        above = child.parent
        if above.type == "redirected_statement":
            holders.append(above)
        elif above.type not in ("list", "pipeline") or above.children[-1].id != child.id:
            break
        child = above
    found: list[Redirect] = []
    given = ""
    for holder in holders:
        for part in _redirect_nodes(holder):
            if part.type == "file_redirect":
                operator = next((_text(c) for c in part.children if ">" in _text(c)[:2]), "<")
                target = part.child_by_field_name("destination")
                if target is not None and not operator.endswith("&"):
                    found.append(Redirect(operator, _word(target)))
            else:
                given += "".join(
                    _text(c) if c.type == "heredoc_body" else _word(c)
                    for c in part.children
                    if c.type in ("heredoc_body", "raw_string", "string", "word")
                )
    return found, given


def _redirect_nodes(holder: Node) -> Iterator[Node]:
    for part in holder.children_by_field_name("redirect"):
        yield part
        yield from part.children_by_field_name("redirect")


def _pipeline(node: Node) -> int:
    child = node
    while child.parent is not None and child.parent.type in ("redirected_statement", "pipeline"):
        child = child.parent
    return child.start_byte


def _unwrap(words: Sequence[str]) -> list[str]:
    """Return the command that a wrapper such as sudo runs; a wrapper alone stays."""
    rest = list(words)
    for _ in range(MAX_DEPTH):
        takes = _WRAPPERS.get(rest[0].rpartition("/")[2])
        if takes is None:
            break
        inner = rest[1:]
        if rest[0] == "command" and inner and inner[0] in _PROBES:
            break
        while inner and (inner[0].startswith("-") or _ASSIGNMENT.match(inner[0])):
            inner = inner[2:] if inner[0] in takes else inner[1:]
        if rest[0].endswith("timeout"):
            inner = inner[1:]
        if not inner:
            break
        rest = inner
    return rest


def _inner(command: Command, depth: int) -> Iterator[Command]:
    """Yield what a command runs itself: the script of `sh -c`, of `eval`, or on its input."""
    if depth >= MAX_DEPTH:
        return
    script = ""
    if command.name in SHELLS:
        script = script_of(command.words)
        if not script and not command.operands():
            script = command.input
    elif command.name == "eval":
        script = " ".join(command.arguments)
    if script:
        yield from _parse(script, depth + 1)


def script_of(words: Sequence[str]) -> str:
    """Return the script of `sh -c SCRIPT` and the like; "" if it is none."""
    if not words or words[0].rpartition("/")[2] not in SHELLS:
        return ""
    for index, word in enumerate(words[1:-1], 1):
        if re.fullmatch(r"-[a-zA-Z]*c", word):
            return words[index + 1]
    return ""
