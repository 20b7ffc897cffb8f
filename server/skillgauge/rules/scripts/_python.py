"""What the text of a Python script says of it, read from its syntax tree; nothing is run."""

from __future__ import annotations

import ast
import re
import symtable
import sys
import warnings
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, cast

from skillgauge.text import split_lines


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a script, line from 1 and column from 0, with the words for it."""

    line: int
    column: int
    what: str


@dataclass(frozen=True, slots=True)
class Options:
    """The options that an argparse script defines; `required` are those it can't do without."""

    names: frozenset[str]
    required: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a syntax tree says."""

    fault: Place | None
    prompts: tuple[Place, ...]
    options: Options | None


class Python:
    """A script, of which no more is read than is asked for: a syntax tree is dear."""

    def __init__(self, text: str) -> None:
        """Read nothing yet."""
        self.text = text

    @property
    def fault(self) -> Place | None:
        """Where the script does not parse."""
        return None if "_reading" not in vars(self) and _parses(self.text) else self._reading.fault

    @property
    def prompts(self) -> tuple[Place, ...]:
        """The calls that ask somebody."""
        return self._reading.prompts if _MAY_ASK.search(self.text) else ()

    @property
    def options(self) -> Options | None:
        """What it takes; None without an argparse parser that could be read whole."""
        return self._reading.options if "ArgumentParser" in self.text else None

    @cached_property
    def _reading(self) -> _Reading:
        try:
            return _read(self.text)
        except (ValueError, RecursionError, MemoryError):
            return _NOTHING


_LEAVES: Final = frozenset(
    {str, int, type(None), ast.Name, ast.Constant, ast.Load, ast.Store, ast.Del, ast.alias}
    | {kind for group in (ast.operator, ast.cmpop, ast.boolop) for kind in group.__subclasses__()}
)
"""What has nothing below it that is looked for: more than half of all that a tree holds."""
_NOTHING: Final = _Reading(None, (), None)
_NEWER: Final = re.compile(r"f-string|^type |t-string|expected '\('|parenthesized")
"""Faults that may be syntax of a newer Python than the one that reads here."""
_WORTH_A_WALK: Final = re.compile(
    r"\b(?:raw_)?input\(|getpass|prompt|\.ask\(|argparse|ArgumentParser|confirm"
)
_MAY_ASK: Final = re.compile(
    r"\b(?:raw_)?input[\s\\]*\(|getpass|prompt|\bask\b|confirm|questionary", re.IGNORECASE
)
_ABOUT_OPTIONS: Final = re.compile(r"\b(?:args?|opts?|options|argv|environ|getenv|interactive)\b")
_BY_HAND: Final = re.compile(r"interactive|wizard|by_hand|repl|login", re.IGNORECASE)
_END: Final = re.compile(r"\b(?:EOFError|Exception|BaseException|OSError)\b")
_PROMPTS: Final = frozenset(
    {"input", "raw_input", "getpass", "getpass.getpass", "click.prompt", "click.confirm"}
    | {"typer.prompt", "typer.confirm", "Prompt.ask", "Confirm.ask", "IntPrompt.ask"}
    | {"inquirer.prompt", "questionary.text", "questionary.select", "questionary.confirm"}
)


@lru_cache(maxsize=128)
def read_python(text: str) -> Python:
    """Return what a script's text says. Never raises, whatever the text."""
    return Python(text)


def _parses(text: str) -> bool:
    """Return whether a text is certainly free of faults, without a tree of Python's objects."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            symtable.symtable(text, "script", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _read(text: str) -> _Reading:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError as error:
        return _Reading(_fault(text, error), (), None)
    if not _WORTH_A_WALK.search(text):
        return _NOTHING
    nodes = _nodes(tree)
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    calls.sort(key=lambda call: (call.lineno, call.col_offset))
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return _Reading(None, tuple(_prompts(tree, calls, own)), _options(calls, own))


def _nodes(tree: ast.AST) -> list[ast.AST]:
    """Return all nodes but the leaves, in any order: less than half the time of `ast.walk`."""
    found: list[ast.AST] = [tree]
    for node in found:
        for name in node._fields:
            value: object = getattr(node, name, None)
            if type(value) in _LEAVES:
                continue
            for item in cast("list[object]", value) if isinstance(value, list) else (value,):
                if type(item) not in _LEAVES and isinstance(item, ast.AST):
                    found.append(item)
    return found


def _fault(text: str, error: SyntaxError) -> Place | None:
    lines = split_lines(text)
    number = error.lineno or 1
    line = lines[number - 1] if number <= len(lines) else ""
    if sys.version_info < (3, 14) and (_NEWER.search(error.msg) or _NEWER.search(line.strip())):
        return None
    return Place(number, (error.offset or 1) - 1, error.msg)


def _name(node: ast.expr) -> str:
    """Return a callee's dotted name, its last two parts at most; empty if it is none."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = node.value
        return f"{owner.id}.{node.attr}" if isinstance(owner, ast.Name) else f".{node.attr}"
    return ""


def _prompts(tree: ast.Module, calls: list[ast.Call], own: set[str]) -> list[Place]:
    """Return the calls that ask and that no option, variable or handler makes needless."""
    asking = [call for call in calls if _name(call.func) in _PROMPTS - own]
    if not asking:
        return []
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    has_parser = any(_name(call.func).endswith("ArgumentParser") for call in calls)
    return [
        Place(call.lineno, call.col_offset, f"{_name(call.func)}()")
        for call in asking
        if not _can_be_avoided(call, above, has_parser)
    ]


def _can_be_avoided(call: ast.AST, above: dict[ast.AST, ast.AST], has_parser: bool) -> bool:
    """Return whether the text around a prompt shows another way than to answer it.

    That is a value before an `or`, a handler for the end of input, a function for interactive use,
    or a condition on the options of a script that has some.
    """
    node = call
    while (parent := above.get(node)) is not None:
        if _avoids(parent, node, has_parser):
            return True
        node = parent
    return False


def _avoids(parent: ast.AST, node: ast.AST, has_parser: bool) -> bool:
    """Return whether `parent`, which holds the prompt somewhere in `node`, makes it needless."""
    match parent:
        case ast.BoolOp(op=ast.Or(), values=values):
            return values[0] is not node
        case ast.IfExp(test=test):
            return node is not test
        case ast.Try(body=body, handlers=handlers):
            return node in body and any(_catches_end(handler) for handler in handlers)
        case ast.If(test=test):
            conditional = has_parser or _ABOUT_OPTIONS.search(ast.unparse(test)) is not None
            return conditional and node is not test
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return (has_parser and name != "main") or _BY_HAND.search(name) is not None
        case _:
            return False


def _catches_end(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or bool(_END.search(ast.unparse(handler.type)))


def _options(calls: list[ast.Call], own: set[str]) -> Options | None:
    """Return the options of all parsers of a file together; None if some can't be known."""
    names: set[str] = set()
    required: list[tuple[str, ...]] = []
    parsers = 0
    subcommands = False
    for call in calls:
        name = _name(call.func)
        last = name.rpartition(".")[2]
        keywords = {keyword.arg for keyword in call.keywords}
        if last == "ArgumentParser":
            parsers += 1
            if keywords & {"parents", "prefix_chars", "fromfile_prefix_chars", None}:
                return None
        elif last in ("parse_known_args", "parse_known_intermixed_args"):
            return None
        elif last in ("add_subparsers", "add_parser"):
            subcommands = True
        elif last == "add_argument":
            flags = _flags(call)
            if flags is None:
                return None
            names.update(flags)
            if _needs_value(call, flags):
                required.append(flags)
        elif name and name not in own and _takes_parser(call):
            return None  # another module adds options of its own
    if not parsers:
        return None
    return Options(frozenset(names), () if subcommands else tuple(required))


def _flags(call: ast.Call) -> tuple[str, ...] | None:
    """Return the option strings of an `add_argument`; None if they are not written out."""
    found: list[str] = []
    for argument in call.args:
        if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
            return None
        found.append(argument.value)
    flags = [flag for flag in found if flag.startswith("-")]
    action = next((word.value for word in call.keywords if word.arg == "action"), None)
    if action is not None and not isinstance(action, ast.Constant):
        flags += [f"--no-{flag[2:]}" for flag in flags if flag.startswith("--")]
    return tuple(flags)


def _needs_value(call: ast.Call, flags: tuple[str, ...]) -> bool:
    return bool(flags) and any(
        word.arg == "required" and isinstance(word.value, ast.Constant) and word.value.value is True
        for word in call.keywords
    )


def _takes_parser(call: ast.Call) -> bool:
    return any(isinstance(word, ast.Name) and "parser" in word.id.lower() for word in call.args)
