"""Whom a skill is written for: the clients that the workspace targets, or that its path tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from skillgauge import clients
from skillgauge.clients import Budget, Client, Figure
from skillgauge.clients.sources import SPEC
from skillgauge.document.skill import Skill

ALL_READ: Final = ("name", "description")
"""The keys that every client reads."""


@lru_cache(maxsize=1)
def specification() -> Client:
    """The specification as if it were a client: what the `spec` profile judges by."""
    return Client(
        id="spec",
        title="The specification",
        behaviour=SPEC,
        folders=(),
        places=(),
        reads_spec_keys=tuple(key.name for key in clients.spec_keys()),
        unknown_keys="error",
        needs_frontmatter=True,
        needs_name=True,
        needs_description=True,
        name_must_match_folder="skipped",
        allowed_tools_forms=("blanks",),
        budget=Budget(name_max=Figure(64, SPEC), description_max=Figure(1_024, SPEC)),
    )


def targets(skill: Skill) -> tuple[Client, ...]:
    """Return the clients that the workspace targets, else those that the path tells.

    Empty when neither says anything: then nothing may be called wrong for one client alone.
    """
    return _targets(skill.clients, skill.path.parent if skill.path else None)


@lru_cache(maxsize=512)
def _targets(ids: tuple[str, ...], folder: Path | None) -> tuple[Client, ...]:
    if ids:
        found = (specification() if name == "spec" else clients.by_id(name) for name in ids)
        return tuple(client for client in found if client)
    if folder is None or _marks().isdisjoint(folder.parts):
        return ()  # by far the most frequent case, and the search is slow
    return clients.guess_from_path(folder)


@lru_cache(maxsize=1)
def _marks() -> frozenset[str]:
    """Return the first folder of each path that tells a client."""
    return frozenset(mark.split("/")[0] for client in clients.load() for mark in client.folders)


def is_target(skill: Skill, client_id: str) -> bool:
    """Return whether one client is among the targets."""
    return any(client.id == client_id for client in targets(skill))


def where(skill: Skill, test: Callable[[Client], bool]) -> tuple[Client, ...]:
    """Return the targets for which something holds."""
    return tuple(client for client in targets(skill) if test(client))


def every(skill: Skill, test: Callable[[Client], bool]) -> bool:
    """Return whether there are targets and something holds for all of them."""
    found = targets(skill)
    return bool(found) and all(test(client) for client in found)


def names(found: Iterable[Client]) -> str:
    """Return the clients as words in a sentence: “Codex, VS Code and 3 others”."""
    return listed([_IN_SENTENCE.get(client.id, client.title) for client in found])


def listed(words: list[str], most: int = 3) -> str:
    """Join words with commas and “and”; beyond `most`, the rest is counted."""
    if len(words) > most:
        words = [*words[: most - 1], f"{len(words) - most + 1} others"]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


_IN_SENTENCE: Final = {"spec": "the specification", "claude-ai": "an upload to claude.ai"}


def refusal(found: tuple[Client, ...], key: str) -> str:
    """Return a sentence that says who refuses a skill because of a key."""
    if found == (specification(),):
        return f"The specification doesn’t have the key “{key}”."
    who = names(found)
    verb = "refuse" if len(found) > 1 else "refuses"
    return f"{who[0].upper()}{who[1:]} {verb} a skill with the key “{key}”."
