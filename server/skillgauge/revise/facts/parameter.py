"""A parameter of a script or function, whatever library reads it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument or option, as far as the source says it."""

    names: tuple[str, ...]
    kind: str = ""
    """`int`, `path`, `flag`, or the choices; empty for plain text."""
    required: bool = False
    default: str | None = None
    """As written; None where there is none, or it is worked out at run time."""
    help: str = ""

    @property
    def name(self) -> str:
        """The name that says most: the longest."""
        return max(self.names, key=len)

    @property
    def is_option(self) -> bool:
        """Whether it is given by its name."""
        return self.name.startswith("-")

    @property
    def placeholder(self) -> str:
        """How its value is called in a usage line."""
        return self.name.lstrip("-").replace("-", "_").upper()
