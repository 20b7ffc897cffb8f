"""What a key outside the specification is: misspelt, common, another client's or unknown.

One answer a key, so that never two rules speak of the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final, Literal

from skillgauge import clients
from skillgauge.clients import Client
from skillgauge.clients.conventions import Convention, common_key
from skillgauge.document.frontmatter import SPEC_KEYS
from skillgauge.document.nodes import Entry, Scalar
from skillgauge.document.skill import Skill
from skillgauge.rules.format._clients import targets
from skillgauge.rules.format._near import distance

Kind = Literal["misspelt", "common", "client", "unknown"]

_NOT_ODD: Final = frozenset((*SPEC_KEYS, "", "<<"))
_SEPARATORS: Final = str.maketrans("", "", "-_ .")
_MAX_JUDGED: Final = 500
"""Different keys of one skill that are judged; real ones have a handful."""


@dataclass(frozen=True, slots=True)
class OddKey:
    """A top-level key that the specification does not have."""

    entry: Entry
    kind: Kind
    meant: str = ""
    """For a misspelt key: the key that was meant."""
    exact: bool = False
    """Whether the two differ only in case, hyphens and underscores."""
    beside: bool = False
    """Whether the key that was meant is there as well."""
    convention: Convention | None = None
    readers: tuple[Client, ...] = ()
    """The known clients that read it."""
    refusing: tuple[Client, ...] = ()
    """The targets that refuse a skill with it."""

    @property
    def key(self) -> str:
        """The key as written."""
        return self.entry.key


def odd_keys(skill: Skill, kind: Kind) -> Iterator[OddKey]:
    """Yield the keys of one kind, each key once."""
    block = skill.frontmatter
    if block is None:
        return
    entries = {entry.key: entry for entry in reversed(block.entries) if entry.key not in _NOT_ODD}
    aimed = targets(skill) if entries else ()
    for entry in islice(reversed(entries.values()), _MAX_JUDGED):
        odd = _judge(skill, entry, aimed)
        if odd.kind == kind:
            yield odd


def misspelt(skill: Skill, meant: str) -> bool:
    """Return whether some key is a misspelling of `meant`, so that it is not simply missing."""
    return any(odd.meant == meant for odd in odd_keys(skill, "misspelt"))


def _judge(skill: Skill, entry: Entry, aimed: tuple[Client, ...]) -> OddKey:
    refusing = tuple(client for client in aimed if clients.standing(entry.key, client) == "error")
    ids = tuple(client.id for client in aimed if client.id != "spec")
    meant, exact = _meant(entry.key, ids)
    if meant and (exact or _fits(entry, meant, aimed)):
        beside = skill.frontmatter is not None and skill.frontmatter.has(meant)
        return OddKey(entry, "misspelt", meant, exact, beside, refusing=refusing)
    convention, readers = common_key(entry.key), _readers(entry.key)
    kind: Kind = "common" if convention else "client" if readers else "unknown"
    return OddKey(entry, kind, convention=convention, readers=readers, refusing=refusing)


@lru_cache(maxsize=1024)
def _readers(key: str) -> tuple[Client, ...]:
    known = clients.known_key(key)
    return tuple(client for client in clients.load() if client.id in known)


def _folded(key: str) -> str:
    return key.casefold().translate(_SEPARATORS)


@lru_cache(maxsize=1024)
def _meant(key: str, ids: tuple[str, ...]) -> tuple[str, bool]:
    """Return the key that was probably meant and whether only case and hyphens differ."""
    if _readers(key) or len(key) > 40:
        return "", False
    folded = _folded(key)
    convention = common_key(key)
    if convention:  # written by many, so no slip, unless it is another spelling of its own advice
        other = convention.instead
        return (other, True) if other and _folded(other) == folded else ("", False)
    candidates = _candidates(ids)
    for candidate, other in candidates:
        if other == folded:
            return candidate, True
    near: list[tuple[int, int, str]] = []
    for index, (candidate, other) in enumerate(candidates):
        most = _allowed(folded, candidate)
        if abs(len(other) - len(folded)) > most:  # so many letters are missing or added
            continue
        slips = distance(folded, other)
        if slips <= most and not key.startswith((f"{candidate}-", f"{candidate}_")):
            near.append((slips, index, candidate))
    return (min(near)[2], False) if near else ("", False)


def _allowed(folded: str, candidate: str) -> int:
    """Return how many slips may lie between: none if short words differ in their first letter."""
    if len(candidate) >= 7:
        return 2 if candidate in SPEC_KEYS or len(candidate) >= 10 else 1
    return 1 if folded[:1] == candidate[:1] else 0


@lru_cache(maxsize=64)
def _candidates(ids: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the keys of the specification and of some clients (all if none are given), folded."""
    found = [client for client in clients.load() if not ids or client.id in ids]
    keys = [key.name for client in found for key in client.keys if "." not in key.name]
    return tuple((key, _folded(key)) for key in dict.fromkeys((*SPEC_KEYS, *keys)))


def _fits(entry: Entry, meant: str, aimed: tuple[Client, ...]) -> bool:
    """Return whether a value could be that of a client's short key, which words hit by chance."""
    if meant in SPEC_KEYS or len(meant) >= 10:
        return True
    text = entry.value.text if isinstance(entry.value, Scalar) else None
    found = (client.key(meant) for client in aimed)
    return any(key and text in key.values for key in found)
