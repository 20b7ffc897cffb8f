"""What can go wrong, as one tree.

SkillgaugeError
└── UserError       something that the user can mend: what, why and how, in one line
    ├── ConfigError     a configuration file that can't be taken, with its place
    └── InputError      a path or text that can't be read
Everything else is a bug: it is logged with its trace, and the other parts go on.
"""

from __future__ import annotations

from pathlib import Path


class SkillgaugeError(Exception):
    """The root of the exceptions that Skillgauge raises on purpose."""


class UserError(SkillgaugeError):
    """A fault that the user can mend."""

    def __init__(self, what: str, why: str = "", how: str = "") -> None:
        """Say what failed, why (it follows a colon), and how to mend it; no final full stops."""
        self.what, self.why, self.how = what, why, how
        told = f"{what}: {why}" if why else what
        super().__init__(f"{told}. {how}" if how else told)


class InputError(UserError):
    """A path or a text that can't be read."""


class ConfigError(UserError):
    """A configuration file that can't be taken; line and column count from 1, 0 if unknown."""

    def __init__(
        self, path: Path, line: int, column: int, what: str, why: str = "", how: str = ""
    ) -> None:
        """Say in which file and where."""
        super().__init__(what, why, how)
        self.path, self.line, self.column = path, line, column

    def __str__(self) -> str:
        place = f":{self.line}:{self.column}" if self.line else ""
        return f"{self.path}{place}: {super().__str__()}"
