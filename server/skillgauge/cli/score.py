"""Score skills with the small model: how clear, specific and complete they are, and where not.

A score says how much a text reads like texts that have the quality. It needs the model that
`skillgauge model install` fetches. “-” reads a skill from standard input.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skillgauge.cli._common import (
    add_choice_of_files,
    add_configuration,
    cache_folder,
    project_of,
    targets_of,
)
from skillgauge.cli._output import say, use_color, width_of, write
from skillgauge.cli._parser import Namespace, Parser, flat, one_of, words
from skillgauge.cli._progress import Bar
from skillgauge.errors import InputError, UserError
from skillgauge.project import Target, shown
from skillgauge.score_report import Scored, ScoreRun, formats, render

if TYPE_CHECKING:
    from skillgauge.child import Child
    from skillgauge.scores import Scorer
    from skillgauge.text import Text


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    add_choice_of_files(parser)
    known = formats()
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format",
        type=one_of("--format", known),
        default="text",
        metavar="NAME",
        help=f"one of {', '.join(known)}",
    )
    group.add_argument("--output", metavar="FILE", help="write the report there")
    group.add_argument(
        "--explain",
        type=words,
        action="append",
        metavar="METRIC",
        help="show which sections and lines make the score of a metric such as C2",
    )
    group.add_argument(
        "--color",
        type=one_of("--color", ("auto", "always", "never")),
        default="auto",
        metavar="WHEN",
        help="auto, always or never",
    )
    group = parser.add_argument_group("model")
    group.add_argument("--model", metavar="NAME", help="by default the small one")
    group.add_argument("--no-cache", action="store_true", help="keep nothing, take nothing kept")
    group.add_argument("--cache-dir", metavar="FOLDER", help="where scores are kept")
    add_configuration(parser)
    chosen = dict.fromkeys(("select", "extend_select", "ignore", "profile", "clients"))
    parser.set_defaults(**chosen)


def run(options: Namespace) -> int:
    """Score, report, and return the exit status: 2 if something could not be scored."""
    from skillgauge.child import Child

    project = project_of(options)
    targets, given = targets_of(options, project)
    skills = [target for target in targets if target.kind == "skill"]
    explain = tuple(word.upper() for word in flat(options.explain) or ())
    with Child() as child:
        scorer = _describe(child, options, explain)
        if not skills:
            raise InputError(f"No skill in {', '.join(options.paths or ['.'])}")
        found, failed = _score(child, options, explain, skills, given)
    made = ScoreRun(
        scorer,
        tuple(found),
        explain,
        color=options.output is None and use_color(options.color, sys.stdout),
        width=width_of(sys.stdout),
    )
    write(render(options.format, made), options.output, machine=options.format != "text")
    return 2 if failed else 0


def _describe(child: Child, options: Namespace, explain: tuple[str, ...]) -> Scorer:
    """Return what the scorer says of itself; UserError if it can't work, or can't explain that."""
    from skillgauge.scores import FORMAT, read_scorer
    from skillgauge.selectors import did_you_mean

    scorer = read_scorer(child.ask("describe", {"model": options.model}, _quiet))
    known = [code for code in scorer.metrics if code != FORMAT]
    for code in explain:
        if code not in known:
            how = did_you_mean(code, known) or f"There are {', '.join(known)}"
            raise UserError(f"There is no metric “{code}” to explain", how=how)
    return scorer


def _quiet(step: str, done: int, total: int) -> None:
    """Tell nobody of progress."""


def _score(
    child: Child,
    options: Namespace,
    explain: tuple[str, ...],
    skills: list[Target],
    given: dict[str, bytes],
) -> tuple[list[Scored], int]:
    """Score one skill after another; return what was found, and how many failed."""
    from skillgauge.scores import read_profile

    found: list[Scored] = []
    failed, bar = 0, Bar({})
    kept = cache_folder(options)
    for number, target in enumerate(skills):
        text, problem = _read(target, given)
        name = shown(target.path) if target.path else "-"
        params: dict[str, Any] = {
            "text": text.content,
            "name": Path(target.path).name if target.path else "SKILL.md",
            "explain": list(explain),
            "model": options.model,
            "cache": str(kept / "scores") if kept else None,
        }
        label = f"Scoring {number + 1} of {len(skills)}"
        try:
            if problem:
                raise InputError(f"“{name}” can't be read", problem)
            plain = child.ask(
                "score",
                params,
                lambda step, done, total, label=label: bar.show(label, done, total),
            )
            found.append(Scored(name, text, read_profile(plain), plain))
        except UserError as error:
            bar.clear()
            say(f"{name}: {error}" if name not in str(error) else str(error))
            failed += 1
    bar.clear()
    return found, failed


def _read(target: Target, given: dict[str, bytes]) -> tuple[Text, str]:
    from skillgauge.document.files import check_size, read_file

    if target.path in given:
        return check_size(given[target.path])
    return read_file(Path(target.path))
