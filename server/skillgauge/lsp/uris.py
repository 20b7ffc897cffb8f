"""URIs and paths, and what a document is to us by its name."""

from __future__ import annotations

import enum
import os
import re
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, quote, unquote, unquote_to_bytes, urlsplit

_CONFIGS: Final = frozenset({"skillgauge.toml", "pyproject.toml"})
_LOOKS: Final = r"\ufeff?---[ \t]*\r?\n(?:.*\n)*?(?:name|description):"


class Kind(enum.Enum):
    """What a document is to us, by its file name alone: language ids differ between editors."""

    SKILL = "skill"
    EVALS = "evals"
    CONFIG = "config"
    RESOURCE = "resource"
    """Any other file: navigation works in it, findings don't."""


JUDGED: Final = (Kind.SKILL, Kind.EVALS)
"""The kinds that rules are for."""


def kind_of(uri: str, language: str = "", text: str = "") -> Kind:
    """Return what a document is; one without a file goes by language or looks."""
    from skillgauge.discover import kind_of as kind_of_file

    path = unquote(_parts(uri).path)
    if (known := kind_of_file(path)) is not None:
        return Kind(known)
    if path.rpartition("/")[2] in _CONFIGS:
        return Kind.CONFIG
    if not uri.startswith("file:"):
        looks = re.match(_LOOKS, text[:4000])
        if language == "skill" or (language in ("markdown", "") and looks):
            return Kind.SKILL
    return Kind.RESOURCE


def _parts(uri: str) -> SplitResult:
    try:
        return urlsplit(uri)
    except ValueError:  # brackets where a host belongs
        return SplitResult("", "", "", "", "")


def path_of(uri: str) -> Path | None:
    """Return the path of a `file:` URI, None for others; bytes that are no UTF-8 survive."""
    if not uri.startswith("file:"):
        return None
    if os.name == "nt":
        from pygls.uris import to_fs_path

        path = to_fs_path(uri) or ""
    else:
        parts = _parts(uri)
        host = f"//{parts.netloc}" if parts.netloc not in ("", "localhost") else ""
        path = host + os.fsdecode(unquote_to_bytes(parts.path.encode("utf-8", "surrogatepass")))
    return Path(path) if path and "\0" not in path else None


def uri_of(path: Path) -> str:
    """Return the `file:` URI of a path, percent-encoded as editors do."""
    if os.name == "nt":
        from pygls.uris import from_fs_path

        return from_fs_path(str(path)) or path.as_uri()
    return "file://" + quote(os.fsencode(path))
