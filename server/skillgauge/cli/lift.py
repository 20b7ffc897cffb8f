"""Measure what a skill does for a live agent: runs with and without it, in a sandbox, compared.

  plan PATH          what a run would do, cost and lack; starts nothing
  run PATH           run it, with progress, and report; --detach leaves it in the background
  status [RUN]       how far runs are, and what they say; without RUN, a list
  logs RUN [TRIAL]   what the worker wrote; of a trial, what it printed and its steps
  cancel RUN         stop a run and its containers
  resume RUN         go on with a run whose worker ended, or whose trials failed
  report RUN         the result in any format
  replay RUN         a run again with its recorded answers: no model, no key
  regrade RUN        grade kept trajectories again; no agent is run
  demo               a recorded run, with no key and no container

PATH is a skill's folder, its SKILL.md or its evaluation file; RUN is an id, a part of one that no
other has, or “last”. The status is 0 when done, 1 when the lift is below --fail-under, 2 when
something is wrong, and 3 when it could not be measured.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final

from skillgauge.cli._parser import Namespace, Parser, at_least, one_of
from skillgauge.errors import UserError

ACTIONS: Final = (
    *("plan", "run", "status", "logs", "cancel", "resume"),
    *("report", "replay", "regrade", "demo"),
)
REPORTS: Final = ("text", "json", "html", "markdown", "junit")
_PLANNED: Final = ("plan", "run")
_REPORTED: Final = ("run", "resume", "report", "replay", "regrade")
_ONLY: Final = {
    "harness": ("--harness", *_PLANNED),
    "model": ("--model", *_PLANNED),
    "attempts": ("--attempts", *_PLANNED),
    "only": ("--only", *_PLANNED),
    "max_trials": ("--max-trials", *_PLANNED),
    "max_cost": ("--max-cost", *_PLANNED, "resume"),
    "price": ("--price", *_PLANNED),
    "jobs": ("--jobs", *_PLANNED, "resume"),
    "seed": ("--seed", *_PLANNED),
    "retries": ("--retries", *_PLANNED),
    "judge": ("--judge", *_PLANNED, "regrade"),
    "image": ("--image", *_PLANNED),
    "script": ("--script", *_PLANNED),
    "timeout": ("--timeout", *_PLANNED),
    "cpus": ("--cpus", *_PLANNED),
    "memory": ("--memory", *_PLANNED),
    "yes": ("--yes", "run"),
    "detach": ("--detach", "run", "resume", "replay"),
    "follow": ("--follow", "status", "logs"),
    "path": ("--path", "status"),
    "limit": ("--limit", "status"),
    "html": ("--html", "demo"),
    "fail_under": ("--fail-under", *_REPORTED),
    "output": ("--output", "plan", "status", "demo", *_REPORTED),
}
"""Options that belong to some actions: how they are written, and to which."""
_FORMATS: Final = {
    **dict.fromkeys((*_REPORTED, "demo"), REPORTS),
    **dict.fromkeys(("plan", "cancel"), ("text", "json")),
    "status": ("text", "json", "jsonl"),
    "logs": ("text",),
}


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "action",
        type=one_of("The action", ACTIONS),
        metavar="ACTION",
        help=f"one of {', '.join(ACTIONS)}",
    )
    parser.add_argument("subject", nargs="?", metavar="PATH|RUN", help="by default “.” for a path")
    parser.add_argument("trial", nargs="?", metavar="TRIAL", help="for logs: its id, or a part")
    _add_plan(parser)
    _add_limits(parser)
    group = parser.add_argument_group("work")
    group.add_argument("--yes", action="store_true", help="begin without asking")
    group.add_argument("--detach", action="store_true", help="leave it in the background")
    group = parser.add_argument_group("status and logs")
    group.add_argument("--follow", action="store_true", help="until the run ends")
    group.add_argument("--path", metavar="FOLDER", help="only runs of this skill")
    group.add_argument(
        "--limit", type=at_least("--limit", 1), metavar="N", help="runs, by default the newest 20"
    )
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format",
        metavar="NAME",
        help=f"one of {', '.join(REPORTS)}, and jsonl for status --follow; by default text",
    )
    group.add_argument("--output", metavar="FILE", help="write it there")
    group.add_argument("--html", metavar="FILE", help="for demo: write the page there, too")
    group.add_argument(
        "--fail-under", type=_number("--fail-under"), metavar="LIFT", help="status 1 below that"
    )


def _add_plan(parser: Parser) -> None:
    group = parser.add_argument_group("plan")
    for name, metavar, text in (
        ("--harness", "NAME[=MODEL]", "an agent; may be given repeatedly"),
        ("--only", "CASE", "only this case; may be given repeatedly"),
        ("--price", "MODEL=IN,OUT", "dollars for a million tokens; may be given repeatedly"),
    ):
        group.add_argument(name, action="append", metavar=metavar, help=text)
    for name, metavar, text in (
        ("--model", "NAME", "for the harnesses that name none"),
        ("--script", "COMMAND", "what the harness “script” runs"),
        ("--judge", "PROVIDER:MODEL", "the model that grades answers"),
        ("--image", "NAME", "by default what `skillgauge image build` made"),
    ):
        group.add_argument(name, metavar=metavar, help=text)
    for name, least, text in (
        ("--attempts", 1, "at each case, by default 1"),
        ("--max-trials", 1, "at most, in whole pairs"),
        ("--jobs", 1, "trials at once, by default 2"),
        ("--seed", 0, "of the order, by default 0"),
        ("--retries", 0, "of a trial that failed without fault of the skill, by default 2"),
    ):
        group.add_argument(name, type=at_least(name, least), metavar="N", help=text)
    group.add_argument(
        "--max-cost", type=_above_zero("--max-cost"), metavar="DOLLARS", help="then it stops"
    )


def _add_limits(parser: Parser) -> None:
    group = parser.add_argument_group("limits of a trial")
    group.add_argument(
        "--timeout", type=at_least("--timeout", 1), metavar="SECONDS", help="by default 900"
    )
    group.add_argument("--cpus", type=_above_zero("--cpus"), metavar="N", help="by default 2")
    group.add_argument("--memory", type=_mebibytes, metavar="SIZE", help="by default 4g")


def run(options: Namespace) -> int:
    """Do it, and return the exit status."""
    _refuse(options)
    options.format = options.format or "text"
    module = import_module(f"skillgauge.cli._lift.{options.action}")
    return module.run(options)


def _refuse(options: Namespace) -> None:
    """Raise UserError for options that say nothing to the action, and for what is missing."""
    action = options.action
    for key, (option, *actions) in _ONLY.items():
        if getattr(options, key) not in (None, False) and action not in actions:
            where = " and ".join(f"`skillgauge lift {one}`" for one in actions)
            raise UserError(f"{option} is for {where}")
    if options.trial is not None and action != "logs":
        raise UserError(f"`skillgauge lift {action}` takes no “{options.trial}”")
    if action == "demo" and options.subject is not None:
        raise UserError(f"`skillgauge lift demo` takes no “{options.subject}”")
    if options.subject is None and action not in ("status", "demo", *_PLANNED):
        raise UserError(
            f"`skillgauge lift {action}` needs a run",
            how="Name one, or “last”; `skillgauge lift status` lists them",
        )
    if options.format is not None:
        detached = ("text", "json") if options.detach else _FORMATS[action]
        one_of(f"--format of `skillgauge lift {action}`", detached)(options.format)
    if options.format == "jsonl" and not options.follow:
        raise UserError("The format jsonl is for --follow")
    if action == "status" and options.follow and options.subject is None:
        raise UserError("--follow needs a run", how="Name one, or “last”")
    if options.follow and options.format == "json":
        raise UserError("What --follow tells has no end", how="Use --format jsonl")


def _number(name: str) -> Callable[[str], float]:
    def check(value: str) -> float:
        from math import isfinite

        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if not isfinite(number):
            raise UserError(f"{name} takes a number, not “{value}”")
        return number

    return check


def _above_zero(name: str) -> Callable[[str], float]:
    def check(value: str) -> float:
        if (number := _number(name)(value)) <= 0:
            raise UserError(f"{name} takes a number above 0, not “{value}”")
        return number

    return check


def _mebibytes(value: str) -> int:
    """Return a size as `docker run --memory` takes it, in MiB."""
    units = {"k": 2**10, "m": 2**20, "g": 2**30}
    text = value.lower().removesuffix("b")
    number, unit = (text[:-1], text[-1:]) if text[-1:] in units else (text, "m")
    if not (number.isascii() and number.isdecimal()) or int(number) * units[unit] < 2**24:
        raise UserError(f"--memory takes a size from 16m, such as 512m or 4g, not “{value}”")
    return int(number) * units[unit] >> 20
