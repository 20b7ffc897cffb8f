"""Checks many files: what the cache knows is taken from there, the rest is worked out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from skillgauge.cache import Cache, digest, folder_signature
from skillgauge.document.files import MAX_BYTES, not_a_file, read_at_most
from skillgauge.neighbours import Neighbourhood
from skillgauge.project import shown
from skillgauge.records import FileReport, Item, Plain, items_of

if TYPE_CHECKING:
    from skillgauge.config import Config
    from skillgauge.engine import Document
    from skillgauge.project import Project, Target
    from skillgauge.worker import Job

SECTION: Final = "results"


@dataclass(frozen=True, slots=True)
class Options:
    """How to check. Without `cache_folder` nothing is kept, nor taken from earlier runs."""

    structure: bool = True
    jobs: int | None = None
    cache_folder: Path | None = None


@dataclass(slots=True)
class _Open:
    """A file that has to be checked: where its report goes, and under what it is kept."""

    index: int
    job: Job
    cache: Cache | None
    key: str
    condition: str
    around: str
    """The signature of its neighbours."""


class Checker:
    """Checks the targets of one project after another."""

    def __init__(self, project: Project, options: Options) -> None:
        """Check nothing yet."""
        self.project, self.options = project, options
        self.failures: list[str] = []
        """What is known of rules that raised."""
        self._caches: dict[str, Cache] = {}
        self._neighbourhoods: dict[tuple[str, str], int] = {}
        self._all: list[Neighbourhood] = []
        self._clients: dict[int, tuple[Config, tuple[str, ...]]] = {}
        self._signatures: dict[str, str] = {}
        self._bytes: dict[str, tuple[bytes, str]] = {}

    def check(
        self, targets: Sequence[Target], given: Mapping[str, bytes] | None = None
    ) -> list[FileReport]:
        """Check files and return what was found, in the order of `targets`.

        `given` has bytes to take instead of those on disk, by path.
        """
        for path, data in (given or {}).items():
            self._bytes[path] = (data, "")
        reports: list[FileReport] = []
        todo: list[_Open] = []
        for index, target in enumerate(targets):
            report, task = self._look_up(index, target)
            reports.append(report)
            if task:
                todo.append(task)
        if todo:
            self._work(todo, reports)
        for cache in self._caches.values():
            cache.save()
        return reports

    def documents(
        self, targets: Sequence[Target], given: Mapping[str, bytes] | None = None
    ) -> Iterator[tuple[Target, Document, bytes]]:
        """Yield each file as rules see it, with its bytes."""
        from skillgauge.worker import document_of

        for path, data in (given or {}).items():
            self._bytes[path] = (data, "")
        for target in targets:
            number = self._neighbourhood(target, None) if target.path else None
            job = self._job(target, number)
            around = None if number is None else self._all[number].workspace
            yield target, document_of(job, around), job.data

    def _look_up(self, index: int, target: Target) -> tuple[FileReport, _Open | None]:
        """Return the report from the cache, or an empty one with the task that fills it."""
        path = target.path
        data, problem = self._read(path)
        report = FileReport(path, shown(path) if path else "-", target.kind, [], None, data)
        cache = self._cache(target.root, target.config) if path else None
        number = self._neighbourhood(target, cache) if path else None
        clients = self._clients_of(target.config)
        layers = target.config.layers(Path(path) if path else None)
        key = condition = around = ""
        before = None
        if cache and number is not None:
            key = f"{path} {digest(repr((layers, clients, self.options.structure)))}"
            condition = digest(data, problem, self._folder(target))
            around = self._all[number].signature
            signature, plain = _pair(cache.get(SECTION, key, condition))
            if plain is not None and _fill(report, plain):
                if signature == around:
                    return report, None
                before = cast("Plain", plain)
        job = self._job(target, number, before)
        return report, _Open(index, job, cache, key, condition, around)

    def _job(self, target: Target, number: int | None, before: Plain | None = None) -> Job:
        from skillgauge.worker import Job  # not needed when the cache knows everything

        path = target.path
        layers = target.config.layers(Path(path) if path else None)
        clients = self._clients_of(target.config)
        structure = self.options.structure
        return Job(path, target.kind, *self._read(path), layers, clients, number, structure, before)

    def _work(self, todo: list[_Open], reports: list[FileReport]) -> None:
        from skillgauge.worker import run

        workspaces = [item.workspace for item in self._all]
        outcomes = run([task.job for task in todo], workspaces, self.options.jobs)
        for task, outcome in zip(todo, outcomes, strict=True):
            _fill(reports[task.index], outcome.plain)
            self.failures += outcome.failures
            if task.cache and not outcome.failures:
                value = [task.around, outcome.plain]
                task.cache.put(SECTION, task.key, task.condition, value)

    def _read(self, path: str) -> tuple[bytes, str]:
        if path not in self._bytes:
            self._bytes[path] = read_bytes(path)
        return self._bytes[path]

    def _cache(self, root: str, config: Config) -> Cache | None:
        folder = self.options.cache_folder
        if folder is None or not config.cache:
            return None
        if root not in self._caches:
            self._caches[root] = Cache(folder, root)
        return self._caches[root]

    def _neighbourhood(self, target: Target, cache: Cache | None) -> int:
        """Return the index of a file's neighbours. A skill passed over joins only its own."""
        usual = self._add(target.root, "", cache)
        if target.kind != "skill" or target.path in self._all[usual].summaries:
            return usual
        return self._add(target.root, target.path, cache)

    def _add(self, root: str, extra: str, cache: Cache | None) -> int:
        if (root, extra) not in self._neighbourhoods:
            paths = self.project.neighbours(root)
            paths = sorted([*paths, extra]) if extra else paths
            self._neighbourhoods[root, extra] = len(self._all)
            self._all.append(Neighbourhood(root, paths, lambda path: self._read(path)[0], cache))
        return self._neighbourhoods[root, extra]

    def _clients_of(self, config: Config) -> tuple[str, ...]:
        if id(config) not in self._clients:
            self._clients[id(config)] = (config, config.client_ids())
        return self._clients[id(config)][1]

    def _folder(self, target: Target) -> str:
        folder = os.path.dirname(target.path)
        if target.kind == "evals":
            folder = os.path.dirname(folder)
        if folder not in self._signatures:
            self._signatures[folder] = folder_signature(folder)
        return self._signatures[folder]


def read_bytes(path: str) -> tuple[bytes, str]:
    """Return a file's bytes, at most one more than are looked at, or why it can't be read."""
    try:
        if not os.path.isfile(path):
            return b"", not_a_file(path)
        with open(path, "rb") as file:
            return read_at_most(file, MAX_BYTES + 1), ""
    except OSError as error:
        return b"", (error.strerror or str(error)).lower()


def _pair(value: object) -> tuple[str, object]:
    """Return a kept result and the signature of the neighbours that it was made beside."""
    if isinstance(value, list) and len(cast("list[object]", value)) == 2:
        signature, plain = cast("list[object]", value)
        return str(signature), plain
    return "", None


def _fill(report: FileReport, plain: object) -> bool:
    """Put a plain result into a report; False if it is damaged."""
    try:
        values = cast("Plain", plain)
        items: list[Item] = items_of(values)
        report.structure, report.suppressed = values["structure"], values["suppressed"]
    except (TypeError, ValueError, KeyError):
        return False
    report.items = items
    return True
