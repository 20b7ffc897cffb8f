"""Checks many files: what the cache knows is taken from there, the rest is worked out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from skillgauge.cache import Cache, digest, folder_signature
from skillgauge.neighbours import Neighbourhood, read_bytes
from skillgauge.project import shown
from skillgauge.records import FileReport, Item, Plain, items_of

if TYPE_CHECKING:
    from skillgauge.config import Config
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
    key: str
    condition: str


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

    def check(
        self, targets: Sequence[Target], given: Mapping[str, bytes] | None = None
    ) -> list[FileReport]:
        """Check files and return what was found, in the order of `targets`.

        `given` has bytes to take instead of those on disk, by path.
        """
        reports: list[FileReport] = []
        todo: list[_Open] = []
        for index, target in enumerate(targets):
            report, task = self._look_up(index, target, given or {})
            reports.append(report)
            if task:
                todo.append(task)
        if todo:
            self._work(todo, reports, targets)
        for cache in self._caches.values():
            cache.save()
        return reports

    def _look_up(
        self, index: int, target: Target, given: Mapping[str, bytes]
    ) -> tuple[FileReport, _Open | None]:
        """Return the report from the cache, or an empty one with the task that fills it."""
        from skillgauge.worker import Job

        path = target.path
        data, problem = (given[path], "") if path in given else read_bytes(path)
        report = FileReport(path, shown(path) if path else "-", target.kind, [], None, data)
        cache = self._cache(target.root, target.config) if path else None
        number = self._neighbourhood(target, given, cache) if path else None
        clients = self._clients_of(target.config)
        layers = target.config.layers(Path(path) if path else None)
        key = condition = ""
        if cache and number is not None:
            key = f"{path} {digest(repr((layers, clients, self.options.structure)))}"
            around = self._folder(target)
            condition = digest(data, problem, around, self._all[number].signature)
            known = cache.get(SECTION, key, condition)
            if known is not None and _fill(report, known):
                return report, None
        structure = self.options.structure
        job = Job(path, target.kind, data, problem, layers, clients, number, structure)
        return report, _Open(index, job, key, condition)

    def _work(
        self, todo: list[_Open], reports: list[FileReport], targets: Sequence[Target]
    ) -> None:
        from skillgauge.worker import run

        workspaces = [item.workspace for item in self._all]
        outcomes = run([task.job for task in todo], workspaces, self.options.jobs)
        for task, outcome in zip(todo, outcomes, strict=True):
            _fill(reports[task.index], outcome.plain)
            self.failures += outcome.failures
            target = targets[task.index]
            cache = self._cache(target.root, target.config)
            if task.key and cache and not outcome.failures:
                cache.put(SECTION, task.key, task.condition, outcome.plain)

    def _cache(self, root: str, config: Config) -> Cache | None:
        folder = self.options.cache_folder
        if folder is None or not config.cache:
            return None
        if root not in self._caches:
            self._caches[root] = Cache(folder, root)
        return self._caches[root]

    def _neighbourhood(
        self, target: Target, given: Mapping[str, bytes], cache: Cache | None
    ) -> int:
        """Return the index of a file's neighbours. A skill passed over joins only its own."""
        usual = self._add(target.root, "", given, cache)
        if target.kind != "skill" or target.path in self._all[usual].summaries:
            return usual
        return self._add(target.root, target.path, given, cache)

    def _add(self, root: str, extra: str, given: Mapping[str, bytes], cache: Cache | None) -> int:
        if (root, extra) not in self._neighbourhoods:
            paths = self.project.neighbours(root)
            paths = sorted([*paths, extra]) if extra else paths
            self._neighbourhoods[root, extra] = len(self._all)
            self._all.append(Neighbourhood(root, paths, cache, dict(given)))
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
