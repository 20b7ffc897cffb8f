"""Known findings, kept in a file: only what is new is reported, so that a rule can be adopted late.

A finding is recognised by its rule, its file, the text of its line and how many like it stand above
in the file, and so stays known when lines move. The file holds hashes of lines, never the lines.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from skillgauge.cache import digest
from skillgauge.errors import InputError
from skillgauge.records import FileReport, Item

SCHEMA_VERSION: Final = 1


class Entry(NamedTuple):
    """A known finding; `path` is relative to the baseline's folder, with forward slashes."""

    path: str
    code: str
    rule: str
    fingerprint: str

    def __str__(self) -> str:
        return f"{self.path}: {self.code} {self.rule}"


def fingerprints(path: str, file: FileReport) -> list[str]:
    """Return the fingerprint of each finding of a file that goes by `path`."""
    seen: Counter[str] = Counter()
    found: list[str] = []
    for item in file.items:
        line = " ".join(file.text.line(item.line - 1).split())
        base = digest(item.rule, path, line)
        found.append(digest(base, str(seen[base])))
        seen[base] += 1
    return found


@dataclass(slots=True)
class Baseline:
    """The known findings of one file."""

    path: Path
    entries: list[Entry] = field(default_factory=list[Entry])

    @classmethod
    def read(cls, path: Path, *, must_exist: bool = True) -> Baseline:
        """Read a baseline. InputError if it is missing or no baseline."""
        try:
            document = json.loads(path.read_bytes())
            if document["schema_version"] != SCHEMA_VERSION:
                raise ValueError(f"its schema version is {document['schema_version']!r}")
            return cls(path, [_entry(item) for item in document["findings"]])
        except FileNotFoundError as error:
            if not must_exist:
                return cls(path)
            how = "Write it with --update-baseline"
            raise InputError(f"The baseline “{path}” does not exist", how=how) from error
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise InputError(f"The baseline “{path}” can't be read", why) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            what = f"“{path}” is no baseline of this version of skillgauge"
            raise InputError(what, how="Write it anew with --update-baseline") from error

    def apply(self, files: Iterable[FileReport]) -> list[Entry]:
        """Take what is known out of the reports; return the entries that nothing matched.

        Entries of files that were not checked are left alone.
        """
        unmatched = Counter(self.entries)
        checked: set[str] = set()
        for file in files:
            path = self.relative(file.path)
            checked.add(path)
            kept: list[Item] = []
            for item, entry in self._pairs(file):
                if unmatched[entry] > 0:
                    unmatched[entry] -= 1
                else:
                    kept.append(item)
            file.known += len(file.items) - len(kept)
            file.items = kept
        left = [entry for entry, count in unmatched.items() for _ in range(count)]
        return sorted(entry for entry in left if entry.path in checked or self._missing(entry))

    def updated(self, files: Sequence[FileReport]) -> Baseline:
        """Return a baseline with all findings of the files; others keep theirs while they exist."""
        checked = {self.relative(file.path) for file in files}
        entries = [
            entry
            for entry in self.entries
            if entry.path not in checked and not self._missing(entry)
        ]
        for file in files:
            entries += [entry for _, entry in self._pairs(file)]
        return Baseline(self.path, sorted(entries))

    def to_bytes(self) -> bytes:
        """Return the file's content, one finding a line so that changes are easy to read."""
        lines = [json.dumps(entry._asdict(), ensure_ascii=False) for entry in self.entries]
        findings = ",\n    ".join(lines)
        inner = f"\n    {findings}\n  " if lines else ""
        text = f'{{\n  "schema_version": {SCHEMA_VERSION},\n  "findings": [{inner}]\n}}\n'
        return text.encode("utf-8", "backslashreplace")

    def relative(self, path: str) -> str:
        """Return a path as entries have it."""
        try:
            return os.path.relpath(path, self.path.parent).replace(os.sep, "/")
        except ValueError:  # another drive
            return path.replace(os.sep, "/")

    def _pairs(self, file: FileReport) -> list[tuple[Item, Entry]]:
        path = self.relative(file.path)
        marks = fingerprints(path, file)
        return [
            (item, Entry(path, item.code, item.rule, mark))
            for item, mark in zip(file.items, marks, strict=True)
        ]

    def _missing(self, entry: Entry) -> bool:
        return not os.path.lexists(self.path.parent / entry.path)


def _entry(item: Any) -> Entry:
    values = [cast("dict[str, Any]", item)[name] for name in Entry._fields]
    if not all(isinstance(value, str) for value in values):
        raise ValueError("an entry is no text")
    return Entry._make(values)
