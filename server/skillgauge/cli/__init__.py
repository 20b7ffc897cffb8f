"""The command line: finds the command, and turns what goes wrong into one line and a status.

A command is a module of this folder with a docstring, `add_arguments(parser)` and `run(options)`.
Only the module of the command in question is imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from errno import EIO, ENOSPC
from importlib import import_module
from typing import Final, Protocol, cast

from skillgauge import __version__
from skillgauge.cli._parser import Namespace, Parser
from skillgauge.errors import UserError

OK: Final = 0
FINDINGS: Final = 1
WRONG: Final = 2
BROKEN_PIPE: Final = 141
INTERRUPTED: Final = 130

_INTRODUCTION: Final = "Checks agent skills: SKILL.md, the files around it, and evaluation cases."
_ENDING: Final = """\
skillgauge COMMAND --help describes a command.
The exit status is 0 when all is well, 1 when there are findings, 2 when something is wrong."""


class Command(Protocol):
    """What a module of a command has."""

    __doc__: str | None

    def add_arguments(self, parser: Parser) -> None:
        """Declare the command's arguments."""
        ...

    def run(self, options: Namespace) -> int:
        """Do it, and return the exit status."""
        ...


def commands() -> tuple[str, ...]:
    """Return the names of all commands."""
    names = (name.removesuffix(".py") for name in os.listdir(os.path.dirname(__file__)))
    return tuple(sorted(name for name in names if name.isalpha()))


def command(name: str) -> Command:
    """Return the module of a command."""
    return cast("Command", import_module(f"{__name__}.{name}"))


def summary(name: str) -> str:
    """Return what a command does: the first line of its module, which isn't imported for that."""
    path = os.path.join(os.path.dirname(__file__), f"{name}.py")
    with open(path, encoding="utf-8") as source:
        return source.readline().strip().strip('"')


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return the exit status. Never raises, except to debug."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    debug = bool(os.environ.get("SKILLGAUGE_DEBUG"))
    try:
        _prepare_streams()
        status = _dispatch(words)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _close_stdout()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except UserError as error:
        if debug:
            raise
        _complain(str(error))
    except Exception as error:
        if debug:
            raise
        if isinstance(error, OSError) and error.errno in (ENOSPC, EIO) and not error.filename:
            _close_stdout()
            _complain(f"Standard output can't be written: {(error.strerror or '').lower()}")
            return WRONG
        what = f"{type(error).__name__}: {error}".split("\n", 1)[0]
        _complain(
            f"A fault of skillgauge itself ({what}). Run it again with SKILLGAUGE_DEBUG=1 for the"
            " trace, and please report it"
        )
    return WRONG


def _dispatch(words: list[str]) -> int:
    name = words[0] if words else "--help"
    if name in ("-h", "--help", "help"):
        print(_help())
        return OK
    if name in ("-V", "--version"):
        print(f"skillgauge {__version__}")
        return OK
    if name not in commands():
        from skillgauge.selectors import did_you_mean

        what = f"There is no option “{name}”" if name[0] == "-" else f"There is no command “{name}”"
        hint = did_you_mean(name, ["--help", "--version", *commands()])
        raise UserError(what, how=hint or "`skillgauge --help` lists the commands")
    module = command(name)
    parser = Parser(name, module.__doc__ or "")
    module.add_arguments(parser)
    options = parser.read(words[1:])
    return OK if options is None else module.run(options)


def _help() -> str:
    names = commands()
    wide = max(len(name) for name in names)
    listed = "\n".join(f"  {name:<{wide}}  {summary(name)}" for name in names)
    return f"Usage: skillgauge COMMAND …\n\n{_INTRODUCTION}\n\nCommands:\n{listed}\n\n{_ENDING}"


def _prepare_streams() -> None:
    """Let no character that the terminal's encoding lacks end the program."""
    for stream in (sys.stdout, sys.stderr):
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(errors="backslashreplace")


def _complain(message: str) -> None:
    from skillgauge.cli._output import plain
    from skillgauge.report._terminal import safe
    from skillgauge.text import split_lines

    line = safe(" ".join(split_lines(message)))
    stop = "" if line.endswith(("?", ".")) else "."
    print(plain(f"skillgauge: {line}{stop}", sys.stderr), file=sys.stderr)


def _close_stdout() -> None:
    """Keep Python from flushing what nobody reads when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
