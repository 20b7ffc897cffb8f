"""Report what is wrong with skills and their evaluation files.

Looks into folders for SKILL.md, in any case, and for evals/evals.json, .jsonl, .yaml and .yml; what
.gitignore or the configuration exclude is passed over. “-” reads a skill from standard input.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skillgauge.cli._common import (
    add_choice_of_files,
    add_choice_of_rules,
    add_configuration,
    cache_folder,
    project_of,
    targets_of,
)
from skillgauge.cli._output import say, use_color, width_of, write, write_file
from skillgauge.cli._parser import Namespace, Parser, at_least, one_of
from skillgauge.config import FAIL_ON, Config
from skillgauge.errors import UserError
from skillgauge.project import Project, Target, shown
from skillgauge.records import RANKS, FileReport, Run
from skillgauge.report import formats, render

if TYPE_CHECKING:
    from skillgauge.checker import Options

NEVER: Final = 5


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    add_choice_of_files(parser)
    group = parser.add_argument_group("output")
    known = formats()
    group.add_argument(
        "--format",
        type=one_of("--format", known),
        default="text",
        metavar="NAME",
        help=f"one of {', '.join(known)}",
    )
    group.add_argument("--output", metavar="FILE", help="write the report there")
    group.add_argument(
        "--color",
        type=one_of("--color", ("auto", "always", "never")),
        default="auto",
        metavar="WHEN",
        help="auto, always or never",
    )
    group.add_argument("--quiet", action="store_true", help="only the findings")
    group.add_argument("--statistics", action="store_true", help="only how often each rule fired")
    group.add_argument("--no-structure", action="store_true", help="no structural score")
    group.add_argument("--watch", action="store_true", help="check again when a file changes")
    add_choice_of_rules(parser)
    add_configuration(parser)
    group = parser.add_argument_group("result")
    group.add_argument(
        "--fail-on",
        type=one_of("--fail-on", FAIL_ON),
        metavar="SEVERITY",
        help=f"the lowest severity for status 1: {', '.join(FAIL_ON)}; by default error",
    )
    group.add_argument("--baseline", metavar="FILE", help="report only what is not in this file")
    group.add_argument(
        "--update-baseline", action="store_true", help="write what was found into that file"
    )
    group = parser.add_argument_group("speed")
    group.add_argument(
        "--jobs", type=at_least("--jobs", 1), metavar="N", help="the number of processes"
    )
    group.add_argument("--no-cache", action="store_true", help="keep nothing, take nothing kept")
    group.add_argument("--cache-dir", metavar="FOLDER", help="where results are kept")


def run(options: Namespace) -> int:
    """Check, report, and return the exit status."""
    if options.watch:
        if "-" in options.paths:
            raise UserError("--watch needs files, and “-” is none")
        from skillgauge.cli._watch import watch

        return watch(options, lambda: once(options))
    return once(options)


def once(options: Namespace) -> int:
    """Check everything once."""
    project = project_of(options)
    targets, given = targets_of(options, project)
    made = check(options, project, targets, given)
    text = render(options.format, made)
    write(text, options.output, machine=options.format != "text")
    return 1 if made.failed else 0


def check(
    options: Namespace, project: Project, targets: list[Target], given: dict[str, bytes]
) -> Run:
    """Return what a report may show."""
    from skillgauge.checker import Checker

    checker = Checker(project, _how(options, targets))
    files = checker.check(targets, given)
    for failure in checker.failures:
        say(f"A fault of skillgauge itself: {failure}. The other rules went on")
    if not targets:
        say(f"No skill in {', '.join(options.paths or ['.'])}")
    configs = {target.path: target.config for target in targets}
    return Run(
        files,
        lambda file, item: item.rank >= _threshold(options, configs[file.path]),
        color=options.output is None and use_color(options.color, sys.stdout),
        width=width_of(sys.stdout),
        quiet=options.quiet,
        statistics=options.statistics,
        gone=_apply_baselines(options, files, targets),
    )


def _how(options: Namespace, targets: list[Target]) -> Options:
    from skillgauge.checker import Options

    given = [target.config.jobs for target in targets if target.config.jobs]
    jobs = options.jobs or max(given, default=None)
    return Options(not options.no_structure, jobs, cache_folder(options))


def _threshold(options: Namespace, config: Config) -> int:
    return RANKS.get(options.fail_on or config.fail_on, NEVER)


def _apply_baselines(
    options: Namespace, files: list[FileReport], targets: list[Target]
) -> tuple[str, ...]:
    """Take known findings out; return the entries that are no longer needed."""
    chosen: dict[Path, list[FileReport]] = {}
    for file, target in zip(files, targets, strict=True):
        path = _baseline_path(options, target.config)
        if path and file.path:
            chosen.setdefault(path, []).append(file)
    if options.update_baseline and not chosen and files:
        raise UserError(
            "There is no baseline to update", how="Name one with --baseline or in skillgauge.toml"
        )
    from skillgauge.baseline import Baseline

    gone: list[str] = []
    for path, covered in chosen.items():
        baseline = Baseline.read(path, must_exist=not options.update_baseline)
        if options.update_baseline:
            baseline = baseline.updated(covered)
            write_file(path, baseline.to_bytes())
            say(f"Wrote {len(baseline.entries)} findings into {shown(str(path))}")
        gone += [str(entry) for entry in baseline.apply(covered)]
    return tuple(gone)


def _baseline_path(options: Namespace, config: Config) -> Path | None:
    if options.baseline:
        return Path(os.path.abspath(options.baseline))
    return Path(config.root, config.baseline) if config.baseline else None
