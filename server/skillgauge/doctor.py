"""Looks at what Skillgauge needs and finds: Python, libraries, configuration, cache, scorer."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from skillgauge import __version__

if TYPE_CHECKING:
    from skillgauge.config import Config

State = Literal["ok", "note", "fault"]
MAX_LONGEST: Final = 5
_REQUIREMENT: Final = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*([^;]*?)\s*(?:;(.*))?$")


@dataclass(frozen=True, slots=True)
class Observation:
    """One thing looked at; `mend` is a command or an advice where something is wrong."""

    state: State
    label: str
    value: str
    mend: str = ""


def examine(folder: Path) -> list[Observation]:
    """Return what was found, for the project of a folder."""
    parts: tuple[Callable[[], Iterator[Observation]], ...] = (
        _program,
        _libraries,
        _yaml,
        lambda: _configuration(folder),
        _cache,
        _scorer,
        _terminal,
    )
    return [item for part in parts for item in part()]


def _program() -> Iterator[Observation]:
    yield Observation("ok", "skillgauge", f"{__version__} in {Path(__file__).parent}")
    version = platform.python_version()
    name = f"{platform.python_implementation()} {version} in {sys.executable}"
    if sys.version_info < (3, 11):  # noqa: UP036  # a broken installation is what this looks for
        yield Observation("fault", "Python", name, "Install Python 3.11 or newer")
    else:
        yield Observation("ok", "Python", name)


def _libraries() -> Iterator[Observation]:
    for name, wanted in required():
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield Observation("fault", name, "not installed", _install(name, wanted))
            continue
        yield Observation("ok", name, f"{version} (wanted: {wanted or 'any'})")


def required() -> Iterator[tuple[str, str]]:
    """Yield the libraries that the installed package asks for, with the versions."""
    try:
        lines = metadata.requires("skillgauge") or []
    except metadata.PackageNotFoundError:
        lines = []
    for line in lines:
        match = _REQUIREMENT.match(line)
        if match and "extra" not in (match[3] or ""):
            yield match[1], match[2]


def _install(name: str, wanted: str) -> str:
    return f'{sys.executable} -m pip install "{name}{wanted}"'


def _yaml() -> Iterator[Observation]:
    try:
        import yaml
    except ImportError:
        return  # said above
    if getattr(yaml, "__with_libyaml__", False):
        yield Observation("ok", "YAML loader", "C (libyaml)")
        return
    mend = f"{sys.executable} -m pip install --force-reinstall --only-binary :all: PyYAML"
    yield Observation("note", "YAML loader", "pure Python, several times slower", mend)


def _configuration(folder: Path) -> Iterator[Observation]:
    from skillgauge.config import Config, config_faults, find_config, load_config

    path = find_config(folder)
    if path is None:
        yield Observation("ok", "configuration", "none found: the defaults count")
        config = Config.default(folder)
    else:
        faults = config_faults(path)
        for fault in faults:
            yield Observation("fault", "configuration", str(fault), "Mend that line")
        if faults:
            return
        yield Observation("ok", "configuration", str(path))
        config = load_config(path)
    origin = "configured" if config.clients else f"guessed in {config.root}"
    listed = ", ".join(config.client_ids()) or "none"
    yield Observation("ok", "clients", f"{listed} ({origin})")
    yield from _lists(config)


def _lists(config: Config) -> Iterator[Observation]:
    """Look at how full the clients' lists of skills are, in the folder of the configuration."""
    from skillgauge.discover import walk_workspace
    from skillgauge.listing import entry_length, fullness, listings, overflow

    workspace = next((step for step in walk_workspace(config.root, config) if step), None)
    if workspace is None:
        return
    wanted = config.client_ids()
    for found in listings(workspace).values():
        client = found.client
        if wanted and client.id not in wanted:
            continue
        longest = sorted(found.skills, key=lambda item: -entry_length(item, client))[:MAX_LONGEST]
        names = ", ".join(f"{item.name} ({entry_length(item, client):,})" for item in longest)
        mend = f"All fit with at most {found.share:,} characters each. The longest: {names}"
        advice = f"{overflow(client)} {mend}".lstrip() if found.full else ""
        state: State = "note" if found.full else "ok"
        yield Observation(state, f"{client.title}'s list", fullness(found), advice)


def _cache() -> Iterator[Observation]:
    from skillgauge.cache import default_folder

    folder = default_folder()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.access(existing, os.W_OK):
        mend = "Set XDG_CACHE_HOME to a folder that you can write to"
        yield Observation("note", "cache", f"{folder} can't be written", mend)
        return
    size = sum(path.stat().st_size for path in folder.glob("*.json"))
    yield Observation("ok", "cache", f"{folder} ({size / 1024:.0f} KiB)")


def _scorer() -> Iterator[Observation]:
    from skillgauge.scorer_state import lines

    for line in lines():
        yield Observation(line.state, line.label, line.value, line.mend)


def _terminal() -> Iterator[Observation]:
    encoding = sys.stdout.encoding or "unknown"
    kind = "a terminal" if sys.stdout.isatty() else "no terminal"
    value = f"standard output is {kind}, in {encoding}"
    if encoding.lower().replace("-", "").startswith("utf"):
        yield Observation("ok", "output", value)
    else:
        mend = "Set PYTHONUTF8=1 to see every character"
        yield Observation("note", "output", value, mend)
