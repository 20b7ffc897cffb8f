"""Which client reads which frontmatter keys, where it looks for skills, what its budgets are.

One module a client, found by looking into this folder: a module that defines `CLIENT` is one.
They are imported by the first call that needs them, not with this package.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from pathlib import Path, PurePath
from pkgutil import iter_modules

from skillgauge.clients.facts import (
    Budget,
    Client,
    Figure,
    Key,
    Place,
    Quirk,
    Source,
    Standing,
    Substitution,
)

__all__ = [
    "Budget",
    "Client",
    "Figure",
    "Key",
    "Place",
    "Quirk",
    "Source",
    "Standing",
    "Substitution",
    "by_id",
    "consequence",
    "guess",
    "guess_from_path",
    "known_key",
    "load",
    "readers",
    "spec_keys",
    "standing",
]


@cache
def load() -> tuple[Client, ...]:
    """All known clients, sorted by title."""
    modules = (import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))
    clients = (getattr(module, "CLIENT", None) for module in modules)
    found = [client for client in clients if isinstance(client, Client)]
    return tuple(sorted(found, key=lambda client: client.title.casefold()))


def by_id(client_id: str) -> Client | None:
    """The client of that id, or None."""
    return next((client for client in load() if client.id == client_id), None)


@cache
def spec_keys() -> tuple[Key, ...]:
    """The six keys of the specification."""
    from skillgauge.clients.spec import KEYS

    return KEYS


def _spec_key(name: str) -> Key | None:
    return next((key for key in spec_keys() if key.name == name), None)


def known_key(name: str) -> dict[str, Key]:
    """For each client that reads the key: what it means there."""
    return dict(_known_keys().get(name, {}))


@cache
def _known_keys() -> dict[str, dict[str, Key]]:
    """Each key that some client reads, with those clients."""
    found: dict[str, dict[str, Key]] = {}
    for client in load():
        read = [key for key in spec_keys() if key.name in client.reads_spec_keys]
        for key in (*client.keys, *client.own_meanings, *read):  # its own word comes first
            found.setdefault(key.name, {}).setdefault(client.id, key)
    return found


def standing(key: str, client: Client) -> Standing:
    """What a client does with a key, in one word."""
    if client.key(key) is not None or key in client.reads_spec_keys:
        return "read"
    if key in client.accepts_spec_keys:
        return "accepted"
    outer, dot, _ = key.partition(".")
    if dot and _spec_key(outer) is not None:
        around = standing(outer, client)
        return "accepted" if around == "read" else around
    return client.unknown_keys


def consequence(key: str, client: Client) -> str:
    """What comes of having this key in a skill for this client, in one sentence."""
    title = client.title
    match standing(key, client):
        case "read":
            verb = "accepts" if client.unknown_keys == "error" else "reads"
            return f"{title} {verb} it: {known_key(key)[client.id].meaning}"
        case "accepted":
            return f"{title} accepts it, without any effect that is known."
        case "ignored":
            return f"{title} ignores it."
        case "warning":
            return f"{title} warns about it and makes no use of it."
        case "error":
            return f"{title} refuses the skill because of it."
        case "unknown":
            return f"It is not known what {title} does with it."


def guess(root: Path) -> tuple[Client, ...]:
    """The clients that a workspace seems to be used with, by the marks they leave in its root."""
    return tuple(
        client
        for client in load()
        if any(os.path.exists(os.path.join(root, marker)) for marker in client.folders)
    )


def guess_from_path(path: PurePath) -> tuple[Client, ...]:
    """The clients for which a skill was written, by the folders above it.

    The innermost folder decides: a skill under `.claude/worktrees/a/.cursor/skills` is Cursor's.
    Folders that many clients share, such as `.agents/skills`, say nothing; see `readers`.
    """
    ends = [(_end_of_any(client.folders, path.parts), client) for client in load()]
    innermost = max((end for end, _ in ends), default=0)
    return tuple(client for end, client in ends if end == innermost > 0)


def readers(path: PurePath) -> tuple[Client, ...]:
    """The clients that look for skills in one of the folders above this path."""

    def reads(client: Client) -> bool:
        fixed = (place.path.removeprefix("~/") for place in client.places if "<" not in place.path)
        return _end_of_any(tuple(fixed), path.parts) > 0

    return tuple(client for client in load() if reads(client))


def _end_of_any(wanted: tuple[str, ...], parts: tuple[str, ...]) -> int:
    """How far into `parts` the innermost run ends that spells one of the wanted paths, else 0."""
    return max((_end_of(tuple(path.split("/")), parts) for path in wanted), default=0)


def _end_of(run: tuple[str, ...], parts: tuple[str, ...]) -> int:
    for start in range(len(parts) - len(run), -1, -1):
        if parts[start : start + len(run)] == run:
            return start + len(run)
    return 0
