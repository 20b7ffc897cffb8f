"""What one run is about: the files to check, each with its configuration and its project.

A file's project is the folder of its configuration, else its git repository, else what was named
on the command line. The skills of a project are each other's neighbours, so that a file gets the
same findings alone, in another order, or from another working folder.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from skillgauge.config import Config, config_in
from skillgauge.discover import (
    EVAL_SUFFIXES,
    MAX_FOLDERS,
    SKILL,
    Found,
    Kind,
    Walker,
    find_skill,
    kind_of,
    within,
)
from skillgauge.errors import InputError

_WILD: Final = frozenset("*?[")


class Target(NamedTuple):
    """A file to check. `path` and `root` are absolute."""

    path: str
    kind: Kind
    root: str
    config: Config


class _Around(NamedTuple):
    """The nearest configuration file and the git repository of a folder."""

    config: Path | None
    git_root: str | None


@dataclass(frozen=True, slots=True)
class _Base:
    """A folder of the command line; `depth` limits the search for neighbours below it."""

    path: str
    depth: int | None = None


class Project:
    """Resolves paths, and knows the configuration and the neighbours of each file."""

    def __init__(
        self,
        read: Callable[[Path], Config],
        *,
        config: Path | None = None,
        isolated: bool = False,
        adjust: Callable[[Config], Config] = lambda config: config,
    ) -> None:
        """Take `read` for configuration files, one file for all paths (`config`) or none."""
        self._read, self._adjust, self._isolated = read, adjust, isolated
        self._fixed = adjust(read(config)) if config else None
        self._known: dict[str, _Around] = {}
        self._configs: dict[Path | str, Config] = {}
        self._bases: list[_Base] = []
        self._walked: dict[str, list[Found]] = {}
        self.unreadable: dict[str, str] = {}
        """The folders that could not be looked into, and why."""

    def config_of(self, folder: str) -> Config:
        """Return the configuration in force in a folder."""
        if self._fixed:
            return self._fixed
        path = self._config_path(folder)
        key = path or self._bare_root(folder)
        if key not in self._configs:
            config = self._read(path) if path else Config.default(Path(key))
            self._configs[key] = self._adjust(config)
        return self._configs[key]

    def root_of(self, folder: str) -> str:
        """Return the root of the project that a folder belongs to."""
        config = self.config_of(folder)
        root = str(config.root)
        return root if config.path and within(folder, root) else self._bare_root(folder)

    def targets(self, paths: Sequence[str], *, force_exclude: bool = False) -> list[Target]:
        """Return the files that paths, folders and globs stand for, sorted. InputError if none."""
        named = [os.path.abspath(path) for given in paths for path in expand(given)]
        self._bases = [_base(path) for path in named]
        found: dict[str, Kind] = {}
        walker = Walker(self.config_of)
        for path in named:
            if not os.path.isdir(path):
                if not (force_exclude and walker.passes_over(path, False)):
                    found[path] = named_kind(path)
            elif not (force_exclude and walker.passes_over(path, True)):
                found.update(self._walk(path))
        targets = [self._target(path, kind) for path, kind in found.items()]
        return sorted(targets, key=lambda target: target.path.split(os.sep))

    def target(self, path: str, kind: Kind) -> Target:
        """Return one file, which need not exist; an empty path for a text without a file."""
        if not path:
            here = os.getcwd()
            return Target("", kind, self.root_of(here), self.config_of(here))
        self._bases = [_base(path)]
        return self._target(path, kind)

    def neighbours(self, root: str) -> list[str]:
        """Return the paths of all skills of a project, sorted."""
        walked = next((found for path, found in self._walked.items() if within(root, path)), None)
        if walked is None:
            walker = Walker(self.config_of, MAX_FOLDERS, self._depth(root))
            walked = [found for found in walker.walk(root, root) if found]
        return sorted(
            found.path for found in walked if found.kind == "skill" and within(found.path, root)
        )

    def _depth(self, root: str) -> int | None:
        """Return how deep neighbours lie below a root: one level if only a skill's place says it.

        A repository, or the folder of a configuration, is looked through whatever was named in it.
        """
        around = self._around(root)
        if root == around.git_root or (around.config and str(around.config.parent) == root):
            return None
        depths = [base.depth for base in self._bases if base.path == root]
        return min((depth for depth in depths if depth is not None), default=None)

    def _walk(self, path: str) -> list[Found]:
        if path not in self._walked:
            walker = Walker(self.config_of)
            found = [found for found in walker.walk(path, self.root_of(path)) if found]
            if path in walker.unreadable:
                raise InputError(f"“{shown(path)}” can't be read", walker.unreadable[path])
            self.unreadable |= walker.unreadable
            if not found and os.path.basename(path) == SKILL:  # a folder where a file belongs
                found = [Found(path, "skill")]
            self._walked[path] = found
        return self._walked[path]

    def _target(self, path: str, kind: Kind) -> Target:
        folder = os.path.dirname(path)
        return Target(path, kind, self.root_of(folder), self.config_of(folder))

    def _config_path(self, folder: str) -> Path | None:
        return None if self._isolated else self._around(folder).config

    def _bare_root(self, folder: str) -> str:
        """Return the project's root where no configuration says it."""
        root = self._around(folder).git_root
        if root:
            return root
        holding = (base.path for base in self._bases if within(folder, base.path))
        return min(holding, key=len, default=folder)

    def _around(self, folder: str) -> _Around:
        """Return what is found in a folder or above; each folder is looked into once."""
        known = self._known.get(folder)
        if known is None:
            own = None if self._isolated else config_in(folder)
            above = os.path.dirname(folder)
            if os.path.exists(os.path.join(folder, ".git")):
                known = _Around(own, folder)
            elif above == folder:
                known = _Around(own, None)
            else:
                upper = self._around(above)
                known = _Around(own or upper.config, upper.git_root)
            self._known[folder] = known
        return known


def _base(path: str) -> _Base:
    """Return the folder that holds what a path of the command line names, with its neighbours."""
    folder = os.path.dirname(path)
    if os.path.isdir(path):
        return _Base(folder, 1) if find_skill(path) else _Base(path)
    if os.path.basename(folder) == "evals" and find_skill(os.path.dirname(folder)):
        folder = os.path.dirname(folder)
    return _Base(os.path.dirname(folder), 1)


def expand(path: str) -> list[str]:
    """Return the paths that an argument stands for: itself, or what matches it as a pattern."""
    try:
        os.lstat(path)
        return [path]
    except PermissionError as error:
        raise InputError(f"“{path}” can't be reached", "permission denied") from error
    except (OSError, ValueError):
        pass  # perhaps a pattern
    if not _WILD & set(path):
        raise InputError(f"“{path}” does not exist", how="Name a skill's folder or a SKILL.md")
    found = sorted(glob.glob(path, recursive=True, include_hidden=True))
    folders = [name for name in found if os.path.isdir(name)]
    files = [name for name in found if name not in folders and kind_of(os.path.abspath(name))]
    outer = [name for name in folders if not _inside_other(name, folders)]
    files = files or [name for name in found if not outer and named_kind_or_none(name)]
    if not outer and not files:
        raise InputError(f"No skill matches “{path}”")
    return outer + files


def _inside_other(path: str, folders: Iterable[str]) -> bool:
    whole = os.path.abspath(path)
    return any(
        whole != os.path.abspath(other) and within(whole, os.path.abspath(other))
        for other in folders
    )


def named_kind_or_none(path: str) -> Kind | None:
    """Return what a file named by the user is taken for, by its suffix."""
    suffix = os.path.splitext(path)[1].lower()
    return "skill" if suffix == ".md" else "evals" if suffix in EVAL_SUFFIXES else None


def named_kind(path: str) -> Kind:
    """Return what a file named by the user is taken for; InputError if it can't be any."""
    kind = named_kind_or_none(path)
    if kind is None:
        raise InputError(
            f"“{shown(path)}” is neither a skill nor an evaluation file",
            how=f"Name a folder, a Markdown file, or one of *{', *'.join(EVAL_SUFFIXES)}",
        )
    return kind


def shown(path: str, start: str | None = None) -> str:
    """Return a path as reports show it: relative to the working folder, with forward slashes."""
    try:
        relative = os.path.relpath(path, start)
    except ValueError:  # another drive
        relative = path
    return relative.replace(os.sep, "/")
