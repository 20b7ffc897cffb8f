"""The APIs, one a file: what their requests and answers say, in the terms of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from skillgauge.lift.harnesses import Dialect
from skillgauge.lift.prices import Counts

Json = dict[str, Any]


class Refused(Exception):
    """A request that would have the endpoint reach out to somewhere else."""


class Speech(Protocol):
    """What the module of a dialect has; nothing in it raises, whatever was sent."""

    def offers_tools(self, body: Json) -> bool:
        """Return whether a request lets the model call tools."""
        ...

    def confine(self, body: Json) -> tuple[Json, list[str]]:
        """Return a request without the tools that the vendor runs, and their names."""
        ...

    def is_remote(self, part: Json) -> bool:
        """Return whether a part of a request names an address or a stored file to be read."""
        ...

    def usage(self, said: Json) -> Mapping[str, Any]:
        """Return what an event or a whole answer says of tokens, empty if nothing."""
        ...

    def counts(self, usage: Mapping[str, Any]) -> Counts | None:
        """Return the tokens of what all of an answer's events said."""
        ...

    def ends(self, said: Json) -> bool:
        """Return whether a stream has come to its end with this event."""
        ...

    def error(self, said: Json) -> str:
        """Return what an event or answer says went wrong, "" if nothing."""
        ...

    def failure(self, status: int, message: str) -> Json:
        """Return an error as the API's clients know it."""
        ...


def speech(dialect: Dialect) -> Speech:
    """Return the module of a dialect."""
    return cast("Speech", import_module(f"{__name__}.{dialect}"))
