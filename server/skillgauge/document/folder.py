"""The files around a document: lazy, bounded, never following a link out of the folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Final, Protocol

from skillgauge.document.files import read_at_most

MAX_FILES: Final = 2_000
"""More files than this in one skill folder are not listed."""
MAX_DEPTH: Final = 8
MAX_READ: Final = 1024 * 1024
"""Bytes read of a sibling file; the rest is not looked at."""
MAX_KEPT: Final = 4 * 1024 * 1024
"""Characters of sibling files kept in memory for one folder."""
SKIPPED: Final = frozenset(
    {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache"}
)
"""Folders that are never looked into."""


@dataclass(frozen=True, slots=True)
class FileInfo:
    """A file of the folder; `path` is relative, with forward slashes. Size in bytes."""

    path: str
    size: int
    executable: bool = False
    symlink: bool = False
    outside: bool = False
    """A symbolic link whose target lies outside the folder (or is missing)."""


class Folder(Protocol):
    """What a rule may ask about the files beside a document."""

    @property
    def name(self) -> str:
        """The folder's own name."""
        ...

    @property
    def files(self) -> Mapping[str, FileInfo]:
        """All files by relative path, at most MAX_FILES."""
        ...

    @property
    def directories(self) -> frozenset[str]:
        """The relative paths of all directories."""
        ...

    @property
    def complete(self) -> bool:
        """False when the listing was cut, so that "not there" can't be said."""
        ...

    def read(self, path: str) -> str | None:
        """Return the text of a file, at most MAX_READ bytes; None if it can't be had."""
        ...

    def hidden_text(self, path: str) -> str:
        """Return the text of a Word document that Word doesn't show, "" if there is none."""
        ...


def normalise(path: str) -> str | None:
    """Return a relative path without `.` and `..`; None if it leaves the folder or is absolute."""
    parts: list[str] = []
    if path.startswith("/"):
        return None
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


class DiskFolder:
    """A folder on disk."""

    def __init__(self, root: Path) -> None:
        """Look at nothing yet."""
        self.root = root
        self._texts: dict[str, str | None] = {}
        self._room = MAX_KEPT
        self._hidden: dict[str, str] = {}

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self.root.name or self.root.absolute().name

    @cached_property
    def _listing(self) -> tuple[dict[str, FileInfo], frozenset[str], bool]:
        files: dict[str, FileInfo] = {}
        directories: set[str] = set()
        complete = True
        for path, entry in _scan(self.root):
            if entry is None or len(files) + len(directories) >= MAX_FILES:
                complete = False
                if entry is None:
                    continue
                break
            try:
                symlink = entry.is_symlink()
                outside = symlink and not self._inside(entry.path)
                if entry.is_dir(follow_symlinks=False) or (symlink and os.path.isdir(entry.path)):
                    directories.add(path)
                    complete = complete and not symlink  # what lies behind a link is not listed
                    if not outside:
                        continue
                found = entry.stat(follow_symlinks=not outside)
            except OSError:
                complete = False
                continue
            if outside or stat.S_ISREG(found.st_mode):
                executable = os.name == "nt" or bool(found.st_mode & 0o111)
                files[path] = FileInfo(path, found.st_size, executable, symlink, outside)
            if outside and path.lower() == "skill.md":
                complete = False  # the files beside it are those of the place that it leads to
        return files, frozenset(directories), complete

    def _inside(self, path: str) -> bool:
        try:
            target = os.path.realpath(path, strict=True)
        except OSError:
            return False
        return Path(target).is_relative_to(os.path.realpath(self.root))

    @property
    def files(self) -> Mapping[str, FileInfo]:
        """All files by relative path, at most MAX_FILES."""
        return self._listing[0]

    @property
    def directories(self) -> frozenset[str]:
        """The relative paths of all directories."""
        return self._listing[1]

    @property
    def complete(self) -> bool:
        """False when the listing was cut, or SKILL.md is a link to another folder's."""
        return self._listing[2]

    def read(self, path: str) -> str | None:
        """Return the text of a listed file; None for others, links out and unreadable files."""
        if path in self._texts:
            return self._texts[path]
        info = self.files.get(path)
        if info is None or info.outside:
            return None
        try:
            with open(f"{self.root}/{path}", "rb") as file:
                text = read_at_most(file, MAX_READ).decode("utf-8", "replace")
        except OSError:
            text = None
        size = len(text or "")
        if size <= self._room:  # a dozen rules read the same few files
            self._room -= size
            self._texts[path] = text
        return text

    def hidden_text(self, path: str) -> str:
        """Return the text of a Word document that Word doesn't show, "" if there is none."""
        from skillgauge.document.word_file import MAX_PACKED, hidden_text

        if path not in self._hidden:
            info = self.files.get(path)
            data = b""
            if info is not None and not info.outside and info.size <= MAX_PACKED:
                try:
                    with open(f"{self.root}/{path}", "rb") as file:
                        data = read_at_most(file, MAX_PACKED)
                except OSError:
                    pass
            self._hidden[path] = hidden_text(data)
        return self._hidden[path]


def _scan(root: Path) -> Iterator[tuple[str, os.DirEntry[str] | None]]:
    """Yield (relative path, entry) breadth first, in name order, without entering links.

    An entry None says that something there was not looked at.
    """
    queue = [("", str(root), 0)]
    for prefix, path, depth in queue:
        try:
            with os.scandir(path) as entries:
                found = sorted(islice(entries, MAX_FILES + 1), key=lambda entry: entry.name)
        except OSError:
            yield prefix, None
            continue
        for entry in found:
            if entry.name in SKIPPED:
                continue
            yield prefix + entry.name, entry
            if entry.is_dir(follow_symlinks=False):
                if depth == MAX_DEPTH:
                    yield prefix + entry.name, None
                else:
                    queue.append((f"{prefix}{entry.name}/", entry.path, depth + 1))


class MemoryFolder:
    """A folder given by its files' contents; None for a file whose content isn't known."""

    def __init__(
        self,
        name: str,
        contents: Mapping[str, str | None],
        executable: frozenset[str] | None = None,
        *,
        complete: bool = True,
        infos: Iterable[FileInfo] = (),
    ) -> None:
        """Take relative paths with forward slashes; all scripts count as executable by default.

        `infos` say what is not as the contents have it: another size, a symbolic link.
        """
        self._name, self._contents, self._complete = name, contents, complete
        self._files = {
            path: FileInfo(
                path,
                len((text or "").encode("utf-8", "replace")),
                executable is None or path in executable,
            )
            for path, text in contents.items()
        }
        self._files.update((info.path, info) for info in infos)

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self._name

    @property
    def files(self) -> Mapping[str, FileInfo]:
        """All files by relative path."""
        return self._files

    @cached_property
    def directories(self) -> frozenset[str]:
        """The relative paths of all directories."""
        found: set[str] = set()
        for path in self._files:
            found.update(str(parent) for parent in PurePosixPath(path).parents)
        return frozenset(found - {"."})

    @property
    def complete(self) -> bool:
        """Whether what isn't given isn't there."""
        return self._complete

    def read(self, path: str) -> str | None:
        """Return the content of a file, None if unknown."""
        return self._contents.get(path)

    def hidden_text(self, path: str) -> str:
        """Return "": contents that are given as text are no Word documents."""
        return ""
