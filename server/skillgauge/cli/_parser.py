"""Reads a command's arguments, with argparse, whose faults become one line with a way out."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from skillgauge.errors import UserError
from skillgauge.selectors import did_you_mean

Namespace = argparse.Namespace


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, max_help_position=30, **options)


class Parser(argparse.ArgumentParser):
    """The parser of one command."""

    def __init__(self, command: str, page: str) -> None:
        """Take the command's name and its docstring."""
        super().__init__(
            prog=f"skillgauge {command}",
            description=page.strip(),
            formatter_class=_Formatter,
            allow_abbrev=False,
        )

    def read(self, words: Sequence[str]) -> Namespace | None:
        """Return the options of a command line; None if it asked for help, which is then shown."""
        try:
            options, unknown = self.parse_known_intermixed_args(words)
        except SystemExit:  # --help
            return None
        if unknown:
            word = unknown[0].split("=", 1)[0]
            hint = did_you_mean(word, self.options())
            how = hint or f"`{self.prog} --help` lists the options"
            raise UserError(f"`{self.prog}` has no option “{word}”", how=how)
        return options

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print together with the usage."""
        raise UserError(f"{message[:1].upper()}{message[1:]}", how=f"See `{self.prog} --help`")

    def options(self) -> list[str]:
        """Return all option strings."""
        return [word for action in self._actions for word in action.option_strings]


def one_of(name: str, values: Iterable[str]) -> Callable[[str], str]:
    """Return a type for an option that takes one word of a list."""
    known = tuple(values)

    def check(value: str) -> str:
        if value not in known:
            hint = did_you_mean(value, known)
            what = f"{name} is one of {', '.join(known)}, not “{value}”"
            raise UserError(what, how=hint)
        return value

    return check


def at_least(name: str, least: int) -> Callable[[str], int]:
    """Return a type for an option that takes a whole number."""

    def check(value: str) -> int:
        if not value.isdecimal() or int(value) < least:
            raise UserError(f"{name} takes a whole number from {least}, not “{value}”")
        return int(value)

    return check


def words(value: str) -> list[str]:
    """Split a list that is separated by commas."""
    return [word for word in (part.strip() for part in value.split(",")) if word]


def flat(values: Sequence[list[str]] | None) -> list[str] | None:
    """Join the lists of an option that was given more than once."""
    return None if values is None else [word for value in values for word in value]
