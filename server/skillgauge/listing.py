"""Which client reads a skill from where it lies, and what its list of skills costs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from skillgauge.clients import Client, load
from skillgauge.document.once import once
from skillgauge.document.workspace import SkillSummary, Workspace

OVERHEAD: Final = 5
"""Characters of an entry beside name and description: the bullet, the colon, the line break."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a client finds a skill: the project it belongs to, and the folder of skills in it."""

    project: str
    place: str


@dataclass(frozen=True, slots=True)
class Listing:
    """The skills that a client lists together."""

    client: Client
    skills: tuple[SkillSummary, ...]
    total: int
    """Characters of all entries."""
    budget: int
    """Characters that the client has for it."""
    share: int
    """The longest entry that would let all of them fit."""
    by_path: Mapping[Path, SkillSummary]
    """The skills by their files."""

    @property
    def percent(self) -> int:
        """How much of the budget is taken; over 100 only if it is exceeded, and then always."""
        exact = 100 * self.total / self.budget if self.budget else 0
        return -int(-exact // 1) if exact > 100 else int(exact)

    @property
    def full(self) -> bool:
        """Whether not everything fits."""
        return self.total > self.budget


def spot(path: Path, client: Client) -> Spot | None:
    """Return where a client finds the skill at `path`; None where it does not look."""
    return _spots(str(path.parent.parent)).get(client.id)


def read_by(path: Path) -> frozenset[str]:
    """Return the ids of the clients that look for skills where `path` lies."""
    return frozenset(_spots(str(path.parent.parent)))


@cache
def _places() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (client.id, tuple(place.path.split("/")))
        for client in load()
        for place in client.places
        if place.scope == "project" and "<" not in place.path
    )


@cache
def _spots(folder: str) -> dict[str, Spot]:
    """Return where each client finds what lies in a folder, the innermost place first."""
    parts = Path(folder).parts
    found: dict[str, tuple[int, Spot]] = {}
    for client, run in _places():
        for start in range(len(parts) - len(run), -1, -1):
            if parts[start : start + len(run)] == run:
                end = start + len(run)
                if end > found.get(client, (0, None))[0]:
                    found[client] = (end, Spot("/".join(parts[:start]), "/".join(run)))
                break
    return {client: where for client, (_, where) in found.items()}


def entry_length(skill: SkillSummary, client: Client) -> int:
    """Return how many characters a skill's entry takes in a client's list."""
    text = len(skill.description) + (len(skill.when_to_use) + 1 if skill.when_to_use else 0)
    cut = client.budget.description_cut
    return len(skill.name) + OVERHEAD + (min(text, cut.value) if cut else text)


@once
def listings(workspace: Workspace) -> dict[tuple[str, str], Listing]:
    """Return the lists of the clients that have a budget, by client and project."""
    clients = [client for client in load() if client.budget.catalogue_chars]
    groups: defaultdict[tuple[str, str], list[SkillSummary]] = defaultdict(list)
    for skill in workspace.listed:
        if skill.model_invocable:
            for client in clients:
                where = spot(skill.path, client)
                if where:
                    groups[client.id, where.project].append(skill)
    by_id = {client.id: client for client in clients}
    return {key: _listing(by_id[key[0]], skills) for key, skills in groups.items()}


def listing(workspace: Workspace, path: Path, client: Client) -> Listing | None:
    """Return the list in which a client has the skill at `path`; None where it does not look."""
    where = spot(path, client)
    return listings(workspace).get((client.id, where.project)) if where else None


def listings_of(
    workspace: Workspace, path: Path, clients: Iterable[str] = ()
) -> Iterator[tuple[Listing, SkillSummary]]:
    """Yield each list that has the skill at `path`, with its entry; of some clients or of all."""
    wanted = frozenset(clients)
    for client in load():
        if not wanted or client.id in wanted:
            found = listing(workspace, path, client)
            if found and (entry := found.by_path.get(path)):
                yield found, entry


def fullness(found: Listing) -> str:
    """Return how full a list is: “5 skills take 1,208 of 8,000 characters (15 %)”."""
    number = len(found.skills)
    taken = "1 skill takes" if number == 1 else f"{number} skills take"
    return f"{taken} {found.total:,} of {found.budget:,} characters ({found.percent} %)"


def overflow(client: Client) -> str:
    """Return what a client does when its list outgrows the budget, as its table says."""
    return next((text for text in client.quirks if "outgrows its budget" in text), "")


def _listing(client: Client, skills: list[SkillSummary]) -> Listing:
    lengths = [entry_length(skill, client) for skill in skills]
    budget = client.budget.catalogue_chars.value if client.budget.catalogue_chars else 0
    share = fair_share(lengths, budget)
    by_path = {skill.path: skill for skill in reversed(skills)}
    return Listing(client, tuple(skills), sum(lengths), budget, share, by_path)


def fair_share(lengths: Iterable[int], budget: int) -> int:
    """Return the longest length that lets all fit into `budget` when longer ones are cut to it."""
    ordered = sorted(lengths)
    left = budget
    for index, length in enumerate(ordered):
        share = left // (len(ordered) - index)
        if length > share:
            return max(share, 0)
        left -= length
    return ordered[-1] if ordered else budget
