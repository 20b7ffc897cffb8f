"""What the rules about YAML that does not parse have in common."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from skillgauge import clients
from skillgauge.clients import Client
from skillgauge.document.skill import Skill
from skillgauge.document.yaml_fault import BrokenEntry, Cause
from skillgauge.rule import Edit, Fix
from skillgauge.rules.format._clients import names, specification, targets


def broken(skill: Skill, *causes: Cause) -> Iterator[BrokenEntry]:
    """Yield the frontmatter's entries that can't be read for one of some causes."""
    if skill.frontmatter:
        yield from (entry for entry in skill.frontmatter.broken if entry.cause in causes)


def mend(entry: BrokenEntry, title: str) -> Fix | None:
    """Return the fix that makes an entry readable, if it can be told what was meant."""
    if entry.repair is None:
        return None
    edit = Edit(entry.repair.span, entry.repair.text)
    return Fix(title, (edit,), safe=entry.repair.certain)


def consequence(skill: Skill) -> str:
    """Return a sentence on what clients do with frontmatter that does not parse, "" if unknown."""
    return _consequence(tuple(client.id for client in targets(skill)))


@lru_cache(maxsize=64)
def _consequence(ids: tuple[str, ...]) -> str:
    known = {client.id: client for client in (*clients.load(), specification())}
    aimed = [known[name] for name in ids] or clients.load()
    parts: list[str] = []
    for kind, one, many in (
        ("skipped", "skips the skill", "skip the skill"),
        (
            "loaded without metadata",
            "loads it without its metadata",
            "load it without its metadata",
        ),
    ):
        found = tuple(client for client in aimed if client.bad_yaml == kind)
        if found:
            parts.append(f"{names(_known_first(found))} {many if len(found) > 1 else one}")
    return " " + ", ".join(parts) + "." if parts else ""


def _known_first(found: tuple[Client, ...]) -> tuple[Client, ...]:
    return tuple(sorted(found, key=lambda client: client.id != "codex"))
