"""Keeps results between runs, so that files which have not changed are not checked again.

One JSON file for each project in the user's cache folder. A result is used again only if nothing
that could change it has changed: the file's bytes, the names, sizes, modes and times of the files
around it, the other skills as far as rules see them, the settings, and this program's own files.
A cache that can't be read, or written, is as good as none.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

from skillgauge.document.folder import MAX_DEPTH, MAX_FILES, SKIPPED

FORMAT: Final = 1
FOLDER: Final = "/"
MAX_ENTRIES: Final = 20_000
"""Entries kept for a project; those used longest ago go first."""
MAX_PROJECTS: Final = 100
"""Files kept in the cache folder."""
MAX_BYTES: Final = 256 * 1024 * 1024

_PACKAGE: Final = os.path.dirname(os.path.abspath(__file__))
_IRRELEVANT: Final = frozenset({"cli", "lsp", "report", "__pycache__"})
_PARSERS: Final = ("yaml", "pyromark")


def default_folder() -> Path:
    """Return the folder for caches: XDG_CACHE_HOME's, or the system's own."""
    given = os.environ.get("XDG_CACHE_HOME")
    if given and os.path.isabs(given):
        return Path(given, "skillgauge")
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home(), "skillgauge", "Cache")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "skillgauge"
    return Path.home() / ".cache" / "skillgauge"


def digest(*parts: bytes | str) -> str:
    """Return a hash of parts, none of which can run into the next."""
    made = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8, "little"))
        made.update(data)
    return made.hexdigest()


def folder_signature(folder: str) -> str:
    """Return a hash of what rules can see of the files around a document, without reading them."""
    seen: list[str] = []
    files = 0
    queue = [("", folder)]
    for prefix, path in queue:
        try:
            with os.scandir(path) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in listed:
            if entry.name in SKIPPED:
                continue
            if files > MAX_FILES:
                return digest(*seen)
            signature = _entry_signature(entry)
            seen.append(f"{prefix}{entry.name}\0{signature}")
            if signature != FOLDER:
                files += 1
            elif prefix.count("/") <= MAX_DEPTH:
                queue.append((f"{prefix}{entry.name}/", entry.path))
    return digest(*seen)


def _entry_signature(entry: os.DirEntry[str]) -> str:
    try:
        if entry.is_dir(follow_symlinks=False):
            return FOLDER
        stat = entry.stat(follow_symlinks=False)
        link = ""
        if entry.is_symlink():
            link = os.readlink(entry.path)
            stat = entry.stat()
    except OSError as error:
        return f"{error.errno}"
    return f"{stat.st_size} {stat.st_mtime_ns} {stat.st_mode} {link}"


@cache
def program_signature() -> str:
    """Return a hash that changes with this program, its rules, its parsers and with Python."""
    from importlib.util import find_spec

    seen = [repr(sys.version_info[:3])]
    for parser in _PARSERS:
        spec = find_spec(parser)
        seen.append(_file_signature(spec.origin) if spec and spec.origin else parser)
    seen.extend(_sources(_PACKAGE))
    return digest(*seen)


def _sources(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.is_dir():
                if entry.name not in _IRRELEVANT:
                    yield from _sources(entry.path)
            elif not entry.name.endswith(".pyc"):
                yield _file_signature(entry.path)


def _file_signature(path: str) -> str:
    stat = os.stat(path)
    return f"{path} {stat.st_size} {stat.st_mtime_ns}"


class Cache:
    """What is known of one project. Sections map keys to any JSON values."""

    def __init__(self, folder: Path, root: str) -> None:
        """Read the project's file, if there is one that this program wrote."""
        self.path = folder / f"{digest(root)}.json"
        self._sections = self._read()
        self._used: dict[str, set[str]] = {}
        self._changed = False

    def get(self, section: str, key: str, condition: str) -> Any:
        """Return a value that was put under the same condition, else None."""
        found = self._sections.get(section, {}).get(key)
        if not isinstance(found, list) or found[:1] != [condition]:  # pyright: ignore[reportUnknownVariableType]
            return None
        self._used.setdefault(section, set()).add(key)
        return cast("list[Any]", found)[1] if len(cast("list[Any]", found)) == 2 else None

    def put(self, section: str, key: str, condition: str, value: Any) -> None:
        """Keep a value as long as the condition is the same."""
        self._used.setdefault(section, set()).add(key)
        self._sections.setdefault(section, {})[key] = [condition, value]
        self._changed = True

    def save(self) -> None:
        """Write the file if anything is new. Failing to is no fault."""
        if not self._changed:
            return
        document = {"format": FORMAT, "program": program_signature()}
        sections = {name: self._kept(name) for name in self._sections}
        data = json.dumps({**document, "sections": sections}, separators=(",", ":")).encode()
        if len(data) > MAX_BYTES:
            return
        try:
            _write(self.path, data)
            _prune(self.path.parent)
        except OSError:
            return
        self._changed = False

    def _kept(self, section: str) -> dict[str, Any]:
        entries = self._sections[section]
        used = self._used.get(section, set())
        old = {key: value for key, value in entries.items() if key not in used}
        new = {key: value for key, value in entries.items() if key in used}
        return dict([*old.items(), *new.items()][-MAX_ENTRIES:])

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            document = json.loads(self.path.read_bytes())
            if document["format"] == FORMAT and document["program"] == program_signature():
                return {name: dict(entries) for name, entries in document["sections"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            pass
        return {}


def _write(path: Path, data: bytes) -> None:
    import tempfile

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".new-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except OSError:
        os.unlink(name)
        raise


def _prune(folder: Path) -> None:
    """Remove the files used longest ago when there are many."""
    files = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in files[MAX_PROJECTS:]:
        path.unlink(missing_ok=True)
