"""The agents' command lines, one a file: how each is installed, set up, called, and what it says.

A harness is a module with the names of `Harness`; its name is the file's, with “-” for “_”, and the
converter of its logs has the same in `trajectory`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final, Literal, NamedTuple, Protocol, cast

from skillgauge.errors import UserError
from skillgauge.lift.engines import Ended

Dialect = Literal["anthropic", "responses", "chat", "gemini"]
"""The APIs that the gateway speaks: Anthropic Messages, OpenAI Responses and Chat, Gemini."""

IMAGE: Final = "skillgauge/agents"
"""The image that `skillgauge image build` makes."""
LABEL: Final = "skillgauge.harness."
"""Begins the label of an image that has the version of a harness."""
HOME: Final = "/home/agent"
WORKSPACE: Final = "/workspace"
BASE_URL: Final = "http://127.0.0.1:18080"
"""Where the forwarder listens inside the container; the gateway is at its other end."""
KEY: Final = "set-by-the-gateway"
"""What stands in a credential's place inside the container."""


class Package(NamedTuple):
    """An npm package with its pinned version, and the program that it brings."""

    name: str
    version: str
    program: str


@dataclass(frozen=True, slots=True)
class Setup:
    """One call of a harness."""

    prompt: str
    model: str
    script: str = ""
    """What the user wants run, for the harness `script` alone."""


class Harness(Protocol):
    """What the module of a harness has."""

    TITLE: str
    PACKAGE: Package | None
    DIALECT: Dialect | None
    """None if it asks no model by itself: the gateway then takes any dialect."""
    MODEL: str
    """The model if the user names none."""
    SKILLS: str
    """Where skills go, below HOME."""
    PLACES: tuple[str, ...]
    """All folders in which it looks for skills, below HOME or the workspace."""

    def files(self, setup: Setup) -> Mapping[str, str]:
        """Return its configuration: paths below HOME with their text."""
        ...

    def environment(self, setup: Setup) -> Mapping[str, str]:
        """Return its environment, beside HOME and PATH."""
        ...

    def command(self, setup: Setup) -> tuple[str, ...]:
        """Return the command line."""
        ...

    def fault(self, ended: Ended) -> str:
        """Return the error of the endpoint or the harness that ended a run, "" if there is none."""
        ...


@cache
def names() -> tuple[str, ...]:
    """Return the names of all harnesses."""
    files = (name.removesuffix(".py") for name in os.listdir(os.path.dirname(__file__)))
    return tuple(
        sorted(n.replace("_", "-") for n in files if n.isidentifier() and not n.startswith("_"))
    )


def harness(name: str) -> Harness:
    """Return a harness; UserError if there is none of that name."""
    if name not in names():
        from skillgauge.selectors import did_you_mean

        hint = did_you_mean(name, list(names())) or f"Choose one of {', '.join(names())}"
        raise UserError(f"There is no harness “{name}”", how=hint)
    return cast("Harness", import_module(f"{__name__}.{name.replace('-', '_')}"))
