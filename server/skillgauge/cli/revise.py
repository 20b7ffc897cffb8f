"""Offer revisions that raise a score: tables, steps and sentences made of what the skill knows.

Each is scored before it is shown, and offered only if its metric rises and no other falls by much.
It needs the model that `skillgauge model install` fetches. “-” reads a skill from standard input.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skillgauge.cli._common import (
    add_choice_of_files,
    add_choice_of_rules,
    add_configuration,
    cache_folder,
    project_of,
    targets_of,
)
from skillgauge.cli._diff import show_diff
from skillgauge.cli._output import say, write, write_file
from skillgauge.cli._parser import Namespace, Parser, flat, words
from skillgauge.cli._progress import Bar
from skillgauge.errors import InputError, UserError
from skillgauge.project import shown
from skillgauge.report._terminal import safe

if TYPE_CHECKING:
    from skillgauge.child import Child
    from skillgauge.document.skill import Skill
    from skillgauge.engine import Settings
    from skillgauge.revise import Offer
    from skillgauge.scores import Profile
    from skillgauge.text import Position

SCHEMA_VERSION = 1


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    add_choice_of_files(parser)
    parser.add_argument(
        "--metric",
        type=words,
        action="append",
        metavar="LIST",
        help="only for these metrics, such as C2; by default all, the weakest first",
    )
    group = parser.add_argument_group("output").add_mutually_exclusive_group()
    group.add_argument(
        "--apply", action="store_true", help="write the best offer for each metric into the file"
    )
    group.add_argument(
        "--diff", action="store_true", help="show what --apply would do; status 1 if it does any"
    )
    group.add_argument("--json", action="store_true", help="all offers with their edits, as JSON")
    group = parser.add_argument_group("model")
    group.add_argument("--model", metavar="NAME", help="by default the small one")
    group.add_argument("--no-cache", action="store_true", help="keep nothing, take nothing kept")
    group.add_argument("--cache-dir", metavar="FOLDER", help="where scores are kept")
    add_choice_of_rules(parser)
    add_configuration(parser)


@dataclass(frozen=True, slots=True)
class _Work:
    """A skill that is to be revised."""

    path: str
    skill: Skill
    data: bytes
    settings: Settings

    @property
    def name(self) -> str:
        """The path as it is shown."""
        return shown(self.path) if self.path else "-"


class _Scorer:
    """Scores texts with one child, and shows that it does."""

    def __init__(self, child: Child, options: Namespace) -> None:
        kept = cache_folder(options)
        self._cache = str(kept / "scores") if kept else None
        self._child, self._model, self.bar = child, options.model, Bar({})
        self._asked = 0

    def __call__(self, text: str) -> Profile:
        from skillgauge.scores import read_profile

        self._asked += 1
        label = f"Scoring text {self._asked}"
        params = {"text": text, "name": "SKILL.md", "model": self._model, "cache": self._cache}
        plain = self._child.ask(
            "score", params, lambda step, done, total: self.bar.show(label, done, total)
        )
        self.bar.clear()
        return read_profile(plain)


def run(options: Namespace) -> int:
    """Make offers or apply them, and return the exit status."""
    from skillgauge.child import Child

    wanted = _metrics(options)
    with Child() as child:
        child.ask("describe", {"model": options.model}, _quiet)  # says what is missing
        todo = list(_skills(options))
        if not todo:
            raise InputError(f"No skill in {', '.join(options.paths or ['.'])}")
        score = _Scorer(child, options)
        if options.apply or options.diff:
            return _apply(options, todo, score, wanted)
        return _offer(options, todo, score, wanted)


def _quiet(step: str, done: int, total: int) -> None:
    """Tell nobody of progress."""


def _metrics(options: Namespace) -> list[str] | None:
    from skillgauge.revise import metrics
    from skillgauge.selectors import did_you_mean

    if (asked := flat(options.metric)) is None:
        return None
    known = metrics()
    for code in (asked := [word.upper() for word in asked]):
        if code not in known:
            how = did_you_mean(code, known) or f"There are {', '.join(known)}"
            raise UserError(f"There are no revisions for a metric “{code}”", how=how)
    return asked


def _skills(options: Namespace) -> Iterator[_Work]:
    from skillgauge.checker import Checker, Options
    from skillgauge.document.skill import Skill

    project = project_of(options)
    targets, given = targets_of(options, project)
    skills = [target for target in targets if target.kind == "skill"]
    for target, document, data in Checker(project, Options()).documents(skills, given):
        if isinstance(document, Skill):
            path = Path(target.path) if target.path else None
            yield _Work(target.path, document, data, target.config.settings(path))


# --- offers ----------------------------------------------------------------------------------


def _offer(options: Namespace, todo: list[_Work], score: _Scorer, wanted: list[str] | None) -> int:
    from skillgauge.revise.rounds import offers

    made: list[dict[str, Any]] = []
    failed = False
    for work in todo:
        try:
            _check(work)
            found = offers(work.skill, score, work.settings, wanted)
        except UserError as error:
            score.bar.clear()
            say(f"{work.name}: {error}" if work.name not in str(error) else str(error))
            failed = True
            continue
        if options.json:
            made.append({"path": work.name, "offers": [_plain(work, item) for item in found]})
        else:
            write("\n".join([safe(work.name), *_listed(work, found)]) + "\n")
    if options.json:
        whole = {"schema_version": SCHEMA_VERSION, "skills": made}
        write(json.dumps(whole, ensure_ascii=False, indent=2) + "\n", machine=True)
    return 2 if failed else 0


def _check(work: _Work) -> None:
    if work.skill.problem:
        raise InputError(f"“{work.name}” can't be read", work.skill.problem)


def _listed(work: _Work, found: list[Offer]) -> Iterator[str]:
    if not found:
        yield "  No revision made of what the skill knows raises a score enough."
    for offer in found:
        line = work.skill.text.line_of(offer.candidate.edits[0].span.start) + 1
        yield f"  line {line}: {safe(offer.title)}"
        yield from _to_check(offer)


def _to_check(offer: Offer) -> Iterator[str]:
    for suggestion in offer.candidate.suggestions():
        yield f"    a suggestion, to be checked: {safe(suggestion)}"


def _plain(work: _Work, offer: Offer) -> dict[str, Any]:
    text, candidate = work.skill.text, offer.candidate
    edits = [
        {
            "start": _place(text.position(edit.span.start)),
            "end": _place(text.position(edit.span.end)),
            "text": edit.text,
        }
        for edit in candidate.edits
    ]
    return {
        "metric": candidate.metric,
        "skeleton": candidate.name.partition(".")[0],
        "title": candidate.title,
        "changes": {code: round(value, 4) for code, value in sorted(offer.changes.items())},
        "tokens": offer.tokens,
        "suggestions": list(candidate.suggestions()),
        "edits": edits,
    }


def _place(position: Position) -> dict[str, int]:
    return {"line": position.line + 1, "column": position.column + 1}


# --- applying --------------------------------------------------------------------------------


def _apply(options: Namespace, todo: list[_Work], score: _Scorer, wanted: list[str] | None) -> int:
    from skillgauge.document.files import encode
    from skillgauge.revise.rounds import revise

    failed = changed = False
    for work in todo:
        try:
            _check(work)
            revised = revise(work.skill, score, work.settings, wanted)
            after = encode(revised.text) if revised.applied else work.data
            if options.diff:
                show_diff(work.name, work.name, work.data, after)
            elif not work.path:
                sys.stdout.buffer.write(after)
            elif revised.applied:
                _write(work, after)
        except UserError as error:  # the other files go on
            score.bar.clear()
            say(f"{work.name}: {error}" if work.name not in str(error) else str(error))
            failed = True
            continue
        changed = changed or bool(revised.applied)
        if not options.diff and work.path:
            write("\n".join([safe(work.name), *_applied(revised.applied)]) + "\n")
    return 2 if failed else 1 if options.diff and changed else 0


def _write(work: _Work, after: bytes) -> None:
    path = Path(work.path)
    try:
        now = path.read_bytes()
    except OSError:
        now = None
    if now != work.data:
        raise UserError(
            f"{work.name} was changed meanwhile", how="Nothing is written; run it again"
        )
    write_file(path, after)


def _applied(offers: tuple[Offer, ...]) -> Iterator[str]:
    if not offers:
        yield "  Nothing to apply."
    for offer in offers:
        yield f"  {safe(offer.title)}"
        yield from _to_check(offer)
