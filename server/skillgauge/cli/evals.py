"""Look at evaluation files: what each case says, what a run would do, and what is wrong.

`evals check` starts nothing. The status is 1 if a case can't be run, or for findings at or above
--fail-on.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from skillgauge.cli._common import (
    add_choice_of_files,
    add_choice_of_rules,
    add_configuration,
    cache_folder,
    project_of,
    targets_of,
)
from skillgauge.cli._output import write
from skillgauge.cli._parser import Namespace, Parser, at_least, one_of
from skillgauge.config import FAIL_ON
from skillgauge.errors import InputError
from skillgauge.project import Project, Target
from skillgauge.records import RANKS

if TYPE_CHECKING:
    from skillgauge.lift.overview import Overview

ACTIONS: Final = ("check",)
_NEVER: Final = max(RANKS.values()) + 1


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "action", type=one_of("The action", ACTIONS), metavar="ACTION", help="check"
    )
    add_choice_of_files(parser)
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format",
        type=one_of("--format", ("text", "json")),
        default="text",
        metavar="NAME",
        help="text or json",
    )
    group.add_argument("--output", metavar="FILE", help="write the report there")
    group = parser.add_argument_group("run", "for what a run would do")
    group.add_argument(
        "--attempts", type=at_least("--attempts", 1), default=1, metavar="N", help="at each case"
    )
    group.add_argument(
        "--harness", action="append", default=[], metavar="NAME", help="may be given repeatedly"
    )
    add_choice_of_rules(parser)
    add_configuration(parser)
    group = parser.add_argument_group("result")
    group.add_argument(
        "--fail-on",
        type=one_of("--fail-on", FAIL_ON),
        metavar="SEVERITY",
        help=f"the lowest severity for status 1: {', '.join(FAIL_ON)}; by default error",
    )


def run(options: Namespace) -> int:
    """Show what the files come to, and return the exit status."""
    from skillgauge.lift.overview import to_plain, to_text

    project = project_of(options)
    targets, given = targets_of(options, project)
    targets = [target for target in targets if target.kind == "evals"]
    found = _look(options, project, targets, given)
    if not found:
        raise InputError(
            f"There are no evaluation cases in {', '.join(options.paths or ['.'])}",
            how="They belong into evals/evals.json beside a SKILL.md",
        )
    size = (options.attempts, max(len(options.harness), 1))
    if options.format == "json":
        plain = {"schema_version": 1, "files": [to_plain(one, *size) for one, _ in found]}
        text = f"{json.dumps(plain, indent=2, ensure_ascii=False)}\n"
    else:
        text = "\n".join(to_text(one, *size) for one, _ in found)
    write(text, options.output, machine=options.format == "json")
    return int(any(_fails(options, one, target) for one, target in found))


def _look(
    options: Namespace, project: Project, targets: list[Target], given: dict[str, bytes]
) -> list[tuple[Overview, Target]]:
    """Return what each file with cases comes to; a file of settings has none."""
    from skillgauge.checker import Checker, Options
    from skillgauge.document.evals import EvalFile
    from skillgauge.lift.overview import overview

    checker = Checker(project, Options(structure=False, cache_folder=cache_folder(options)))
    reports = checker.check(targets, given)
    documents = checker.documents(targets, given)
    return [
        (overview(document, report.shown, report.items), target)
        for report, (target, document, _) in zip(reports, documents, strict=True)
        if isinstance(document, EvalFile) and document.dialect != "config"
    ]


def _fails(options: Namespace, one: Overview, target: Target) -> bool:
    least = RANKS.get(options.fail_on or target.config.fail_on, _NEVER)
    return not one.runs or any(item.rank >= least for item in one.findings)
