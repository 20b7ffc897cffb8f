"""Lift runs as code actions: the way to them in editors that show no lenses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from skillgauge.document.evals import EvalFile
from skillgauge.lsp.features._lift import lenses
from skillgauge.lsp.features.lift import KIND, RUN
from skillgauge.lsp.lift import skill_folder
from skillgauge.lsp.lift_hints import id_of, place_of
from skillgauge.lsp.lift_news import has_own_interface
from skillgauge.lsp.uris import Kind

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot
    from skillgauge.text import Span

TITLES = {"Run lift…": "Run lift of this skill…", "Run all": "Run lift of all cases…"}


def actions(server: SkillgaugeServer, snapshot: Snapshot, where: Span) -> Iterator[lsp.CodeAction]:
    """Yield what the lenses offer: all of a skill's in its frontmatter, a case's own within it."""
    if has_own_interface(server):
        return
    document = snapshot.document
    if snapshot.kind is Kind.SKILL and where.start >= snapshot.skill.body.start:
        return
    cases = document.cases if isinstance(document, EvalFile) else ()
    others = {
        place_of(case): case
        for case in cases
        if not (case.span.overlaps(where) or case.span.contains(where.start))
    }
    names = {place_of(case): id_of(case) for case in cases}
    folder = skill_folder(snapshot)
    if folder is not None and folder in server.lift.offers:
        title, given = server.lift.offers[folder]
        yield _action(title, lsp.Command(title, RUN, arguments=[given]))
    for offer in lenses(server, snapshot):
        if offer.span in others:
            continue
        title = TITLES.get(offer.title, offer.title)
        if offer.span in names:
            own = offer.command == RUN
            name = names[offer.span]
            title = f"Run lift of case “{name}”…" if own else f"Report: {name}, {title}"
        elif title.startswith("lift "):
            title = f"Report: {title}"
        command = lsp.Command(offer.title, offer.command, arguments=[offer.argument])
        yield _action(title, command)


def _action(title: str, command: lsp.Command) -> lsp.CodeAction:
    return lsp.CodeAction(title, kind=KIND, command=command, data={"do": "command"})
