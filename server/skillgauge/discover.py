"""Finds skills and evaluation files below a folder, as git and the configuration let them be seen.

A skill is a file called SKILL.md, in any case: a wrongly written name is a finding of its own.
Hidden folders such as `.claude` are looked into. Links to folders are followed once, and never out
of the project unless they lead to a skill folder itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from skillgauge.config import DEFAULT_EXCLUDE
from skillgauge.globs import Patterns

if TYPE_CHECKING:
    from skillgauge.config import Config
    from skillgauge.document.workspace import Workspace

Kind = Literal["skill", "evals"]

SKILL: Final = "SKILL.md"
EVAL_NAMES: Final = frozenset(
    {"evals.json", "evals.jsonl", "evals.yaml", "evals.yml", "config.yml", "config.yaml"}
)
"""Files of a folder `evals` that are looked at: the cases, and how they are run."""
EVAL_SUFFIXES: Final = (".json", ".jsonl", ".yaml", ".yml")
MAX_FOLDERS: Final = 20_000
"""Folders looked into for a skill's neighbours; what was asked for by name has no limit."""

_SPECIAL: Final = frozenset("*?[!/\\#")


class Found(NamedTuple):
    """A file to check, by its absolute path."""

    path: str
    kind: Kind


def kind_of(path: str) -> Kind | None:
    """Return what a file is by its name and place, None for anything else."""
    folder, name = os.path.split(path)
    if name.lower() == "skill.md":
        return "skill"
    if name in EVAL_NAMES and os.path.basename(folder) == "evals":
        return "evals"
    return None


def git_root(folder: str) -> str | None:
    """Return the innermost folder upwards that has a `.git`, None outside of repositories."""
    while True:
        if os.path.exists(os.path.join(folder, ".git")):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def within(path: str, folder: str) -> bool:
    """Return whether a path is a folder or lies in it; both absolute and normalised."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


class _Ignores(NamedTuple):
    """Patterns of one .gitignore or of one configuration, for what lies in a folder."""

    folder: str
    patterns: Patterns
    names: frozenset[str] = frozenset()
    """Patterns without any special character: the common case, and cheap."""

    def says(self, path: str, is_folder: bool) -> bool | None:
        """Return True to pass over, False for an exception to that, None if nothing matches."""
        if os.path.basename(path) in self.names:
            return True
        if not self.patterns:
            return None
        relative = path[len(self.folder.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
        return self.patterns.says(relative, is_folder=is_folder)


def _read_ignore_file(folder: str, file: str) -> _Ignores | None:
    try:
        with open(os.path.join(folder, file), encoding="utf-8-sig", errors="replace") as lines:
            text = lines.read(1024 * 1024)
    except OSError:
        return None
    patterns = Patterns(text.split("\n"))
    return _Ignores(folder, patterns) if patterns else None


def _of_config(config: Config) -> _Ignores:
    plain = frozenset(word for word in config.excluded if not _SPECIAL & set(word))
    if any(word.startswith("!") for word in config.excluded):  # then their order counts
        return _Ignores(str(config.root), Patterns(config.excluded))
    special = Patterns(word for word in config.excluded if word not in plain)
    return _Ignores(str(config.root), special, plain)


class _Folder(NamedTuple):
    """A folder that the walk has yet to look into."""

    path: str
    real: str
    """The same without links."""
    ignores: tuple[_Ignores, ...]
    depth: int
    link: bool = False


@dataclass(slots=True)
class Walker:
    """Walks folders. `config_of` returns the configuration in force in a folder."""

    config_of: Callable[[str], Config]
    limit: int | None = None
    depth: int | None = None
    """How many levels below the start are looked into; None for all."""
    unreadable: dict[str, str] = field(default_factory=dict[str, str])
    """The folders that could not be looked into, and why."""
    _asked: bool = False
    """Whether the start was asked for by name although it would be passed over."""
    _configs: dict[int, tuple[Config, _Ignores]] = field(
        default_factory=dict[int, tuple["Config", _Ignores]]
    )

    def walk(self, start: str, project: str) -> Iterator[Found | None]:
        """Yield the files below `start` in no particular order, and None for each folder entered.

        `start` is looked into even if it would be passed over, and then only the patterns in it
        count. Links are followed within `project`.
        """
        project = os.path.realpath(project)
        self._asked = self.passes_over(start, True)
        stack = [_Folder(start, os.path.realpath(start), self._above(start), 0)]
        links: list[_Folder] = []
        seen = {stack[0].real}
        entered = 0
        while stack or links:
            folder = stack.pop() if stack else links.pop(0)
            inside = within(folder.real, project)
            if folder.link:
                if folder.real in seen or not (inside or find_skill(folder.real)):
                    continue
                seen.add(folder.real)
            entered += 1
            if self.limit is not None and entered > self.limit:
                return
            yield None
            found, below = self._look(folder)
            yield from found
            if folder.depth == self.depth or (folder.link and not inside):
                continue
            fresh = [item for item in below if not item.link and item.real not in seen]
            seen.update(item.real for item in fresh)
            stack.extend(reversed(fresh))
            links.extend(item for item in below if item.link)

    def passes_over(self, path: str, is_folder: bool) -> bool:
        """Return whether git or the configuration pass over a path or a folder that it lies in."""
        root = git_root(os.path.dirname(path)) or os.path.dirname(path)
        ignores = self._stack(os.path.dirname(path), root)
        for folder in _between(path, root):
            config = self._config(os.path.dirname(folder))
            last = folder == path
            if config.says(folder, is_folder or not last) or _decide(
                folder, is_folder or not last, ignores
            ):
                return True
        return False

    def _above(self, start: str) -> tuple[_Ignores, ...]:
        """Return the patterns of git for a start, only its own if it was asked for in spite."""
        root = git_root(start)
        if root is None or self._asked:
            own = _read_ignore_file(start, ".gitignore")
            return (own,) if own else ()
        return self._stack(start, root)

    def _stack(self, folder: str, root: str) -> tuple[_Ignores, ...]:
        found = [_read_ignore_file(root, os.path.join(".git", "info", "exclude"))]
        found += [_read_ignore_file(item, ".gitignore") for item in (root, *_between(folder, root))]
        return tuple(item for item in found if item)

    def _config(self, folder: str) -> _Ignores:
        if self._asked:
            return _Ignores(folder, Patterns(()), frozenset(DEFAULT_EXCLUDE))
        config = self.config_of(folder)
        known = self._configs.get(id(config))
        if known is None:
            known = self._configs[id(config)] = (config, _of_config(config))
        return known[1]

    def _look(self, folder: _Folder) -> tuple[list[Found], list[_Folder]]:
        """Return a folder's files to check and the folders in it."""
        try:
            with os.scandir(folder.path) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.unreadable[folder.path] = (error.strerror or str(error)).lower()
            return [], []
        ignores = folder.ignores
        if folder.depth and any(entry.name == ".gitignore" for entry in listed):
            own = _read_ignore_file(folder.path, ".gitignore")
            ignores = (*ignores, own) if own else ignores
        excluded = self._config(folder.path)
        found: list[Found] = []
        below: list[_Folder] = []
        for entry in listed:
            kind = kind_of(entry.path)
            is_folder = _is_folder(entry)
            if not is_folder and kind is None:
                continue
            if excluded.says(entry.path, is_folder) or _decide(entry.path, is_folder, ignores):
                continue
            if is_folder:
                link = entry.is_symlink()
                real = (
                    os.path.realpath(entry.path) if link else os.path.join(folder.real, entry.name)
                )
                below.append(_Folder(entry.path, real, ignores, folder.depth + 1, link))
                kind = kind if entry.name == SKILL else None  # a folder in the place of the file
            if kind == "skill" or (kind and find_skill(os.path.dirname(folder.path))):
                found.append(Found(entry.path, kind))  # also pipes and broken links: a finding
        return found, below


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def find_skill(folder: str) -> str | None:
    """Return the SKILL.md of a folder, the one with the right name first."""
    try:
        names = sorted(os.listdir(folder), key=lambda name: (name != "SKILL.md", name))
    except OSError:
        return None
    return next((os.path.join(folder, name) for name in names if name.lower() == "skill.md"), None)


def _decide(path: str, is_folder: bool, ignores: tuple[_Ignores, ...]) -> bool:
    """Return what the innermost .gitignore with an opinion says."""
    for patterns in reversed(ignores):
        if within(path, patterns.folder):
            said = patterns.says(path, is_folder)
            if said is not None:
                return said
    return False


def _between(path: str, root: str) -> list[str]:
    """Return the folders below `root` down to `path` itself, outermost first."""
    found: list[str] = []
    while path != root and within(path, root):
        found.append(path)
        path = os.path.dirname(path)
    return found[::-1]


def walk_workspace(root: Path, config: Config) -> Iterator[Workspace | None]:
    """Read the skills below a root, step by step: yields None between, at last the workspace."""
    from skillgauge.document.skill import load_skill
    from skillgauge.document.workspace import SkillSummary, Workspace, summarise

    paths: list[str] = []
    for found in Walker(lambda folder: config, MAX_FOLDERS).walk(str(root), str(root)):
        if found is None:
            yield None
        elif found.kind == "skill":
            paths.append(found.path)
    summaries: list[SkillSummary] = []
    for path in sorted(paths):
        summaries.append(summarise(load_skill(Path(path))))
        yield None
    yield Workspace(root, tuple(summaries))
