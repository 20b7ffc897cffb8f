"""What a path in a document stands for: placeholders, variables, other roots, decoded links."""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import unquote

from skillgauge.patterns import lazy_pattern

BUNDLED: Final = frozenset({"scripts", "references", "reference", "assets"})
"""The folders that a skill customarily has; paths that begin with them are the skill's own."""

_SKILL: Final = lazy_pattern(r"(?:\{baseDir\}|\$\{?CLAUDE_SKILL_DIR\}?)[\\/]+")
_LIKELY: Final = lazy_pattern(
    r"(?:\$\{?(?:baseDir|SKILL_DIR|SKILL_ROOT|SKILL_PATH|skill_dir)\}?"
    r"|\{\{?[ ]?(?:skill|SKILL)[ _-]?(?:dir|DIR|path|PATH|root|ROOT|_?directory)[ ]?\}?\}"
    r"|<(?:skill|SKILL|this-skill)[ _-]?(?:dir|DIR|path|PATH|root|ROOT|folder|directory)>)[\\/]+"
)
_PLUGIN: Final = lazy_pattern(r"\$\{?CLAUDE_PLUGIN_ROOT\}?[\\/]+")
_SCHEME: Final = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]+:|//")
_DRIVE: Final = lazy_pattern(r"[A-Za-z]:[\\/]")
_OTHER_SIGNS: Final = lazy_pattern(r"[<>{}*$\[\]|…?\"'`,;!^&=\x00-\x1f]|\.\.\.|\bpath/to/|^\.\.\Z")
_STAND_INS: Final = lazy_pattern(
    r"(?:\A|[/._-])(?:your|my|foo|foobar|bar|baz|qux|xx|xxx|yyy|zzz|nnn|placeholder|lorem|yyyy|todo"
    r"|tbd)\d*(?=\Z|[/._-])"
    r"|(?:\A|/)(?:x|y|n|abc|example|some|any|other|another|whatever|filename|file|topic|path"
    r"|script|thing|something|domain|image|img|screenshot|photo|url|link|(?:[\w-]+[_-])?name)"
    r"\d*(?:\.\w+)?\Z"
    r"|(?-i:[a-z_-](?:N|X|NN|XX)(?:\.\w+)?\Z)",
    re.IGNORECASE,
)
_ENDING: Final = lazy_pattern(r"\.[A-Za-z][A-Za-z0-9_+-]{0,9}\Z")


class Written(NamedTuple):
    """A path as an author wrote it, taken apart.

    `skip` is the length of the leading variable, `root` says what it stands for.
    """

    path: str
    anchor: str | None
    root: str
    """`""` for a relative path; `skill` for a variable that clients set to the skill's folder,
    `likely` for one that authors give that meaning; `unknown` for one whose value can't be known;
    `absolute` for a path from the machine's root."""
    skip: int = 0


def split(written: str) -> Written:
    """Take a path as written apart; percent signs are decoded, a query is dropped."""
    rest, hash_sign, anchor = written.partition("#")
    rest = rest.partition("?")[0]
    root, skip = "", 0
    if match := _SKILL.match(rest):
        root, skip = "skill", match.end()
    elif match := _LIKELY.match(rest):
        root, skip = "likely", match.end()
    elif match := _PLUGIN.match(rest):
        root, skip = "unknown", match.end()
    elif rest.startswith("/") or rest.lower().startswith("file:") or _DRIVE.match(rest):
        root = "absolute"
    path = unquote(rest[skip:])
    return Written(path, unquote(anchor) if hash_sign else None, root, skip)


def is_url(destination: str) -> bool:
    """Return whether a link's destination has a scheme (`file:` and drive letters are paths)."""
    if _DRIVE.match(destination) or destination.lower().startswith("file:"):
        return False
    return bool(_SCHEME.match(destination))


def is_placeholder(path: str) -> bool:
    """Return whether a path has signs or words that stand for something to be filled in."""
    return bool(_OTHER_SIGNS.search(path) or _STAND_INS.search(path))


def has_ending(path: str) -> bool:
    """Return whether the last part of a path ends like a file's name."""
    return bool(_ENDING.search(path))
