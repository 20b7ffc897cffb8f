"""Secrets in text: found by their shape or their value, and taken out before anything is kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, cast

MARK: Final = "[redacted]"
MIN_SECRET: Final = 8
"""Shorter values are no secrets: they would take out words."""

_SHAPES: Final = (
    ("API key", r"sk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}"),
    ("NVIDIA key", r"nvapi-[A-Za-z0-9_-]{20,}"),
    ("AWS key id", r"(?:AKIA|ASIA)[A-Z0-9]{16}"),
    ("GitHub token", r"gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,}"),
    ("GitLab token", r"glpat-[A-Za-z0-9_-]{20,}"),
    ("Slack token", r"xox[abeoprs]-[A-Za-z0-9-]{16,}"),
    ("Hugging Face token", r"hf_[A-Za-z0-9]{30,}"),
    ("npm token", r"npm_[A-Za-z0-9]{36}"),
    ("Google key", r"AIza[A-Za-z0-9_-]{35}"),
    ("JSON web token", r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
)
_PLAIN: Final = re.compile(
    r"(?<![A-Za-z0-9_-])(?:"
    + "|".join(f"(?P<s{index}>{shape})" for index, (_, shape) in enumerate(_SHAPES))
    + r")(?![A-Za-z0-9])"
)
_BEGINNINGS: Final = (
    *("sk-", "nvapi-", "AKIA", "ASIA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    *("glpat-", "xox", "hf_", "npm_", "AIza", "eyJ", "-----BEGIN "),
)
"""One of these stands in every text with a secret; most texts hold none, and looking is quick."""
_KEY_BLOCK: Final = re.compile(
    r"-----BEGIN (?P<kind>[A-Z ]{0,20})PRIVATE KEY-----"
    r"(?:.{0,10000}?-----END (?P=kind)PRIVATE KEY-----)?",
    re.DOTALL,
)
_FILLER: Final = re.compile(
    r"(.)\1{7}|example|placeholder|your|redacted|dummy|xxxx|1234567890", re.I
)
_SECRET_KEY: Final = re.compile(
    r"(?:^|[_-])(?:api[_-]?key|token|secret|password|passwd|credential|authorization|cookie)s?$",
    re.IGNORECASE,
)


class Secret(NamedTuple):
    """A secret that stands in a text."""

    kind: str
    start: int
    end: int


def find_secrets(text: str) -> list[Secret]:
    """Return what has the shape of a secret, in order; what is plainly filler is left out."""
    if not any(beginning in text for beginning in _BEGINNINGS):
        return []
    found = [
        Secret(_SHAPES[int((match.lastgroup or "s0")[1:])][0], *match.span())
        for match in _PLAIN.finditer(text)
        if not _FILLER.search(match[0])
    ]
    found += [Secret("private key", *match.span()) for match in _KEY_BLOCK.finditer(text)]
    return sorted(found, key=lambda secret: secret.start)


def redact(text: str, known: Iterable[str] = ()) -> str:
    """Return a text without secrets: neither known values nor what has the shape of one."""
    for value in sorted(set(known), key=len, reverse=True):
        if len(value) >= MIN_SECRET:
            text = text.replace(value, MARK)
    for secret in reversed(find_secrets(text)):
        text = f"{text[: secret.start]}{MARK}{text[secret.end :]}"
    return text


def masked(data: bytes, known: Iterable[str]) -> bytes:
    """Return bytes without known secrets, and as long as before: a database stays one."""
    for value in sorted(set(known), key=len, reverse=True):
        if len(value) >= MIN_SECRET:
            secret = value.encode("utf-8", "surrogatepass")
            data = data.replace(secret, b"*" * len(secret))
    return data


def redact_values(value: object, known: Sequence[str] = ()) -> object:
    """Return a JSON value without secrets; what stands under a key that names one goes whole."""
    if isinstance(value, str):
        return redact(value, known)
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return {
            redact(str(key), known): MARK
            if _SECRET_KEY.search(str(key)) and isinstance(item, str) and item
            else redact_values(item, known)
            for key, item in pairs
        }
    if isinstance(value, list | tuple):
        return [redact_values(item, known) for item in cast("Sequence[object]", value)]
    return value
