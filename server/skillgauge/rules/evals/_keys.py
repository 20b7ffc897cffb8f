"""Which keys of an evaluation file nobody reads, and which known key each may be meant for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from skillgauge.document.eval_case import EvalCase
from skillgauge.document.eval_keys import (
    CASE_KEYS,
    CONTAINERS,
    FILE_KEYS,
    ROLE_OF,
    SKILL_KEYS,
    Role,
)
from skillgauge.document.evals import EvalFile
from skillgauge.document.nodes import Entry, Node, Scalar, Sequence
from skillgauge.rules.evals._shared import entries_of, name_of
from skillgauge.rules.format._near import nearest

MAX_KEYS: Final = 200
"""So many different keys of cases are judged; real files have a dozen."""
SYNONYMS: Final[dict[str, Role]] = {
    **dict.fromkeys(("input", "user_prompt", "user_input", "user_message", "request"), "prompt"),
    **dict.fromkeys(("task", "message", "instruction"), "prompt"),
    **dict.fromkeys(("expected", "expected_result", "expected_response"), "expected_output"),
    **dict.fromkeys(("expected_answer", "expected_outcome", "answer"), "expected_output"),
    **dict.fromkeys(("checks", "asserts", "criteria", "success_criteria"), "assertions"),
    **dict.fromkeys(("acceptance_criteria", "expect"), "assertions"),
    **dict.fromkeys(("input_files", "attachments", "fixtures"), "files"),
    **dict.fromkeys(("trigger", "should_activate", "expect_trigger"), "should_trigger"),
    **dict.fromkeys(("skill", "target_skill"), "expected_skill"),
}
"""Names that no tool knows for parts that all of them have."""
_NOTE: Final = re.compile(r"(?:[_$]|x-|//|#)")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_KINDS: Final[dict[Role, tuple[str, ...]]] = {
    "assertions": ("list",),
    "files": ("list", "str"),
    "acceptable_skills": ("list", "str"),
    "should_trigger": ("bool",),
    "id": ("str", "int"),
}


@dataclass(frozen=True, slots=True)
class OddKey:
    """A key that no tool reads, with all its places."""

    key: str
    entries: tuple[Entry, ...]
    meant: str = ""
    """The key that it is meant for, "" where none is near."""
    exact: bool = False
    """Whether only case, hyphens and underscores differ."""
    inside: bool = True
    """Whether it is a key of cases, not of the object around them."""


def odd_keys(file: EvalFile) -> Iterator[OddKey]:
    """Yield the keys that nobody reads, those of the object around the cases first."""
    if file.dialect == "config":
        return
    if file.head is not None and file.dialect != "single":
        taken = {other.key for other in file.head.entries}
        for entry in file.head.entries[:MAX_KEYS]:
            if entry.key and entry.key not in FILE_KEYS and not _NOTE.match(entry.key):
                meant, exact = _near(entry.key, (*CONTAINERS, "skill_name"))
                if meant in taken or (meant in SKILL_KEYS and taken & set(SKILL_KEYS)):
                    meant, exact = "", False
                if meant in CONTAINERS and not isinstance(entry.value, Sequence):
                    meant, exact = "", False
                yield OddKey(entry.key, (entry,), meant, exact, inside=False)
    known = CASE_KEYS | FILE_KEYS if file.dialect == "single" else CASE_KEYS
    places: dict[str, list[tuple[EvalCase, Entry]]] = {}
    for case in file.cases:
        for entry in entries_of(case):
            if entry.key and entry.key not in known and not _NOTE.match(entry.key):
                places.setdefault(entry.key, []).append((case, entry))
    for key, found in islice(places.items(), MAX_KEYS):
        meant, exact = _meant(file, key, found)
        yield OddKey(key, tuple(entry for _, entry in found), meant, exact)


def _meant(file: EvalFile, key: str, found: list[tuple[EvalCase, Entry]]) -> tuple[str, bool]:
    """Return the key that is meant in all places, which must lack that part and fit its type."""
    meant, exact = _near(key, tuple(ROLE_OF))
    role = ROLE_OF.get(meant) or SYNONYMS.get(key)
    if role is None:
        return "", False
    if any(case.entry(role) for case, _ in found) or not all(
        kind(entry.value) in _KINDS.get(role, ("str",)) for _, entry in found
    ):
        return "", False
    return meant or name_of(file, role), exact


def _near(key: str, candidates: tuple[str, ...]) -> tuple[str, bool]:
    plain = _HUMP.sub("_", key).lower().replace("-", "_").replace(" ", "_")
    if plain in candidates:
        return plain, True
    most = 2 if len(plain) > 7 else 1
    return (nearest(plain, candidates, most) or "" if len(plain) > 3 else ""), False


def kind(value: Node) -> str:
    """Return the type of a value in a word."""
    if isinstance(value, Scalar):
        return "bool" if value.legacy_type == "bool" else value.type
    return "list" if isinstance(value, Sequence) else "object"


def meant_for(file: EvalFile, role: Role) -> bool:
    """Return whether some key is taken for a misspelling of a part: it is not missing as well."""
    return any(ROLE_OF.get(odd.meant) == role for odd in odd_keys(file))
