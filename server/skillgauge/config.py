"""What the user asks for: configuration found, read, and turned into settings for each file.

`find_config` looks upwards from a file, `load_config` reads what it found, `Config.settings` says
which rules a file gets and how severe they are. Only a configuration file costs pydantic.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skillgauge.errors import ConfigError, UserError
from skillgauge.globs import Patterns
from skillgauge.selectors import EXACT, NO_MATCH, best, did_you_mean, is_known, known, specificity

if TYPE_CHECKING:
    from skillgauge.engine import Settings
    from skillgauge.rule import Rule, Severity

FILE_NAME: Final = "skillgauge.toml"
PYPROJECT: Final = "pyproject.toml"
PROFILE_NAMES: Final = ("default", "spec", "aces", "strict")
LEVELS: Final = ("error", "warning", "info", "hint")
FAIL_ON: Final = (*LEVELS, "never")

DEFAULT_EXCLUDE: Final = (
    *(".git", ".hg", ".svn", ".jj", "node_modules", "bower_components", "site-packages"),
    *("__pycache__", ".venv", "venv", ".tox", ".nox", ".eggs", ".direnv"),
    *(".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".terraform"),
)
"""Folders of tools and of installed packages, which nobody wrote here."""

_TABLE: Final = re.compile(rb"^\s*\[+\s*tool\s*\.\s*[\"']?skillgauge\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Layer:
    """Choices of rules from one place: the file's top, one of its overrides, the command line."""

    profile: str | None = None
    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, str], ...] = ()
    paths: tuple[str, ...] = ()
    """Patterns that a file must match for the layer to count; empty for all files."""


@dataclass(frozen=True, slots=True)
class Config:
    """The configuration of one file or of none, with what the command line adds."""

    path: Path | None
    """The file that it comes from; None for the defaults."""
    root: Path
    """The folder that patterns and the baseline are relative to."""
    base: Layer = Layer()
    overrides: tuple[Layer, ...] = ()
    cli: Layer = Layer()
    clients: tuple[str, ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    fail_on: str = "error"
    baseline: str | None = None
    jobs: int | None = None
    cache: bool = True

    @classmethod
    def default(cls, root: Path) -> Config:
        """Return the configuration of a folder without a configuration file."""
        return cls(None, Path(os.path.abspath(root)))

    @property
    def profile(self) -> str:
        """The profile where no override says otherwise."""
        return self.cli.profile or self.base.profile or "default"

    @property
    def excluded(self) -> tuple[str, ...]:
        """All patterns of what is passed over."""
        return self.exclude + self.extend_exclude

    def with_cli(
        self,
        *,
        select: Iterable[str] | None = None,
        extend_select: Iterable[str] = (),
        ignore: Iterable[str] = (),
        profile: str | None = None,
        clients: Iterable[str] = (),
    ) -> Config:
        """Return the same with choices that win over those of the file; UserError if unknown."""
        chosen = None if select is None else tuple(select)
        layer = Layer(profile, chosen, tuple(extend_select), tuple(ignore))
        for selector in (*(chosen or ()), *layer.extend_select, *layer.ignore):
            check_selector(selector)
        if profile is not None and profile not in PROFILE_NAMES:
            hint = did_you_mean(profile, PROFILE_NAMES)
            raise UserError(f"There is no profile “{profile}”", how=hint)
        given = tuple(clients)
        for client in given:
            check_client(client)
        return replace(self, cli=layer, clients=given or self.clients)

    def layers(self, path: Path | None) -> tuple[Layer, ...]:
        """Return what counts for a file, the weakest first."""
        chosen = tuple(layer for layer in self.overrides if path and self._covers(layer, path))
        return (self.base, *chosen, self.cli)

    def settings(self, path: Path | None = None) -> Settings:
        """Return the rules and severities of a file (of a text without a file for None)."""
        return settings_of(self.layers(path))

    def client_ids(self) -> tuple[str, ...]:
        """Return the ids of the configured clients, or else of those guessed from the root."""
        if self.clients:
            return self.clients
        from skillgauge.clients import guess

        return tuple(client.id for client in guess(self.root))

    def _covers(self, layer: Layer, path: Path) -> bool:
        relative = os.path.relpath(os.path.abspath(path), self.root)
        inside = not relative.startswith("..") and not os.path.isabs(relative)
        return inside and _patterns(layer.paths).covers(relative.replace(os.sep, "/"))


def find_config(start: Path) -> Path | None:
    """Return the nearest configuration file in `start` (a file or folder) and the folders above.

    The search ends with the folder that has a `.git`, or at the top of the file system.
    """
    folder = os.path.abspath(start)
    if not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    while True:
        found = config_in(folder)
        above = os.path.dirname(folder)
        if found or above == folder or os.path.exists(os.path.join(folder, ".git")):
            return found
        folder = above


def config_in(folder: str) -> Path | None:
    """Return the configuration file of a folder."""
    for name in (FILE_NAME, PYPROJECT):
        path = os.path.join(folder, name)
        if os.path.isfile(path) and (name == FILE_NAME or _has_table(path)):
            return Path(path)
    return None


def load_config(path: Path) -> Config:
    """Read a configuration file. Raises the first ConfigError; `config_faults` has them all."""
    from skillgauge.config_reader import read_config

    config, faults = read_config(path)
    if faults:
        raise faults[0]
    return config


def config_faults(path: Path) -> tuple[ConfigError, ...]:
    """Return everything that is wrong with a configuration file, in the order of its lines."""
    from skillgauge.config_reader import read_config

    return tuple(read_config(path)[1])


def check_selector(selector: str) -> None:
    """Raise a UserError for a selector that names no rule."""
    if not is_known(selector):
        raise UserError(f"No rule is called “{selector}”", how=did_you_mean(selector, known()))


def check_client(client: str) -> None:
    """Raise a UserError for an id that no client has."""
    from skillgauge.clients import by_id, load

    if by_id(client) is None:
        hint = did_you_mean(client, [known.id for known in load()])
        raise UserError(f"No client is called “{client}”", how=hint)


@lru_cache(maxsize=256)
def settings_of(layers: tuple[Layer, ...]) -> Settings:
    """Return what layers of choices come to; the last layer counts most."""
    from skillgauge.engine import Settings
    from skillgauge.rules import all_rules

    profile = next((layer.profile for layer in reversed(layers) if layer.profile), "default")
    severities: dict[str, Severity] = {}
    for rule in all_rules():
        severity = rule.severity(profile)
        for layer in layers:
            severity = _apply(layer, rule, severity)
        if severity:
            severities[rule.code] = severity
    return Settings(profile, severities)


def _apply(layer: Layer, rule: Rule, severity: Severity | None) -> Severity | None:
    """Return the severity of a rule after a layer; the more specific selector wins within it."""
    from skillgauge.rule import Severity

    selected = best((*(layer.select or ()), *layer.extend_select), rule.code, rule.name)
    if layer.select is not None and selected == NO_MATCH:
        return None
    leveled, level = _level(layer, rule)
    named = leveled if leveled == EXACT and level != "off" else NO_MATCH
    on = max(selected, named)
    off = max(best(layer.ignore, rule.code, rule.name), leveled if level == "off" else NO_MATCH)
    if off > NO_MATCH and off >= on:
        return None
    if on > NO_MATCH:
        severity = severity or rule.severity("strict")
    return Severity[level.upper()] if severity and level not in ("", "off") else severity


def _level(layer: Layer, rule: Rule) -> tuple[int, str]:
    """Return the most specific entry of the severity table and how specific it is."""
    found = (
        (specificity(selector, rule.code, rule.name), level) for selector, level in layer.severity
    )
    leveled, level = max(found, default=(NO_MATCH, ""))
    return (leveled, level) if leveled > NO_MATCH else (NO_MATCH, "")


@lru_cache(maxsize=256)
def _patterns(lines: tuple[str, ...]) -> Patterns:
    return Patterns(lines)


def _has_table(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return False
    return has_table(data)


def has_table(data: bytes) -> bool:
    """Return whether the text of a pyproject.toml has our table, or seems to if it is no TOML."""
    if b"skillgauge" not in data:
        return False
    import tomllib

    try:
        document = tomllib.loads(data.decode())
    except ValueError:
        return _TABLE.search(data) is not None
    tool = document.get("tool")
    return isinstance(tool, dict) and "skillgauge" in tool
