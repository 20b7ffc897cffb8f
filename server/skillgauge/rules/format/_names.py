"""What the rules about `name` share: its form, its folder, and who insists on either."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from skillgauge.document.nodes import Scalar, plain_types
from skillgauge.document.skill import Skill
from skillgauge.document.yaml_repair import quote
from skillgauge.rule import Edit, Fix, Severity
from skillgauge.rules.format._clients import every, is_target, where

MAX_NAME: Final = 64
_LEGAL: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_APART: Final = re.compile(r"[^a-z0-9]+")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ROOT_FILES: Final = frozenset({".git", ".gitignore", ".gitattributes"})
_ROOT_FOLDERS: Final = frozenset({".git", ".github", ".claude-plugin"})

REFUSES_FORM: Final = frozenset({"spec", "claude-ai", "vscode", "roo", "opencode"})
"""Clients that don't load a skill whose name breaks the specification's pattern (see remarks)."""
TAKES_ANY_FORM: Final = frozenset({"claude-code"})
"""Clients to which the name is a label for people, so that its form makes no difference."""


def is_legal(name: str) -> bool:
    """Return whether a name has the specification's form."""
    return len(name) <= MAX_NAME and _LEGAL.match(name) is not None


def is_legal_anywhere(name: str) -> bool:
    """Return whether the specification's validator takes a name: letters of any alphabet."""
    kept = len(name) <= MAX_NAME and all(char.isalnum() or char == "-" for char in name)
    return kept and name == name.lower() and name.strip("-") == name and "--" not in name


def name_of(skill: Skill) -> Scalar | None:
    """Return the name if it is a text with something in it; the rest is for other rules."""
    value = skill.value("name")
    if value is None or value.type != "str" or not value.text.strip():
        return None
    return value


def form_matters(skill: Skill) -> bool:
    """Return False where all targets take a name in any form."""
    return not every(skill, lambda client: client.id in TAKES_ANY_FORM)


def form_level(skill: Skill) -> Severity | None:
    """Return an error's level where a target does not load a name of the wrong form."""
    refusing = where(skill, lambda client: client.id in REFUSES_FORM)
    return Severity.ERROR if refusing else None


def must_match(skill: Skill) -> bool:
    """Return whether the name has to be that of the folder, as far as that is known."""
    if skill.folder is None or is_target(skill, "spec"):
        return skill.folder is not None
    free = every(skill, lambda client: client.name_must_match_folder == "no")
    return not free and not at_root(skill)


def at_root(skill: Skill) -> bool:
    """Return whether the file stands at the root of a workspace, a repository or a plugin.

    There the folder is called whatever the clone or the working copy is called.
    """
    if skill.workspace and skill.path and skill.workspace.root == skill.path.parent:
        return True
    folder = skill.folder
    if folder is None:
        return False
    return not (
        _ROOT_FILES.isdisjoint(folder.files) and _ROOT_FOLDERS.isdisjoint(folder.directories)
    )


def same(name: str, folder: str) -> bool:
    """Return whether two names are equal but for the way in which accents are encoded."""
    return unicodedata.normalize("NFKC", name) == unicodedata.normalize("NFKC", folder)


def slug(text: str) -> str:
    """Return a name in the right form made of a text; "" where no letter of it can be kept."""
    plain = unicodedata.normalize("NFKD", _HUMP.sub("-", text))
    kept = "".join(char for char in plain if not unicodedata.combining(char))
    return _APART.sub("-", kept.casefold()).strip("-")[:MAX_NAME].strip("-")


def better(skill: Skill, candidate: str) -> str | None:
    """Return the name to propose: the folder's where both must agree, else a candidate."""
    if must_match(skill):
        candidate = skill.folder_name or ""
    return candidate if is_legal(candidate) else None


def rename_fix(skill: Skill, value: Scalar, candidate: str, *, safe: bool = False) -> Fix | None:
    """Return a fix that puts another name in place of a value."""
    name = better(skill, candidate)
    if name is None or name == value.text:
        return None
    return Fix(
        f"Change the name to “{name}”", (Edit(value.span, as_value(skill, value, name)),), safe
    )


def as_value(skill: Skill, value: Scalar, name: str) -> str:
    """Return a name as YAML: in the quotes of the value before, or in some where it needs them."""
    raw = skill.source[value.span.start : value.span.end]
    if raw[:1] in ("'", '"'):
        return f"{raw[0]}{name}{raw[0]}"
    blank = " " if value.span.start == value.span.end else ""
    return blank + plain_name(name)


def plain_name(name: str) -> str:
    """Return a name as YAML, in quotes where it would read as a number, a boolean or null."""
    return name if plain_types(name) == ("str", "str") else quote(name)
