r"""The file holds a key, token or private key that looks real.

## Why is this bad?
A skill is copied, published and read into the context of models, so everyone who gets it has the
key and can act in its owner's name until it is revoked. Crawlers find keys in public repositories
within minutes. Revoke it, take it out, and let the skill read it from the environment; removing
it from the text alone doesn't help, since the history keeps it.

Placeholders, variables and the example keys of vendors' documentation are left alone. The message
shows the first four characters only.

## Bad
````skill escaped
---
name: repo-stats
description: Counts stars. Use when asked for a repository's popularity.
---
Call the API with the token `gh\u{70}_R8kQ2vLx7TnWc4ZyB1mHd9SfJ3aGe6UpVo5K`.
````

## Good
````skill
---
name: repo-stats
description: Counts stars. Use when asked for a repository's popularity.
---
Call the API with the token in `$GITHUB_TOKEN`, which begins with `ghp_xxxxxxxxxxxxxxxxxxxx`.
````

## References
- https://cwe.mitre.org/data/definitions/798.html
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from typing import Any, Final, cast

from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.security._find import places
from skillgauge.rules.security._placeholders import is_placeholder, is_random
from skillgauge.text import Span

# What a secret begins with → whose it is, and its form. The rest of the text is never searched.
_KINDS: Final = {
    "AKIA": ("an AWS access key", r"AKIA[0-9A-Z]{16}\b"),
    "ASIA": ("an AWS session key", r"ASIA[0-9A-Z]{16}\b"),
    "ghp_": ("a GitHub token", r"ghp_[A-Za-z0-9]{36}\b"),
    "gho_": ("a GitHub token", r"gho_[A-Za-z0-9]{36}\b"),
    "ghu_": ("a GitHub token", r"ghu_[A-Za-z0-9]{36}\b"),
    "ghs_": ("a GitHub token", r"ghs_[A-Za-z0-9]{36}\b"),
    "ghr_": ("a GitHub token", r"ghr_[A-Za-z0-9]{36}\b"),
    "github_pat_": ("a GitHub token", r"github_pat_\w{22,90}"),
    "glpat": ("a GitLab token", r"glpat-[\w-]{20,}"),
    "xox": ("a Slack token", r"xox[abeoprs]-(?:\d+-)+[\w-]{10,}"),
    "https://hooks.slack.com/services/": (
        "a Slack webhook",
        r"https://hooks\.slack\.com/services/T\w{6,}/B\w{6,}/\w{20,}",
    ),
    "https://discord": (
        "a Discord webhook",
        r"https://discord(?:app)?\.com/api/webhooks/\d{16,}/[\w-]{50,}",
    ),
    "sk_live_": ("a Stripe key", r"sk_live_[A-Za-z0-9]{16,}"),
    "rk_live_": ("a Stripe key", r"rk_live_[A-Za-z0-9]{16,}"),
    "sk-ant-": ("an Anthropic key", r"sk-ant-(?:api|admin|oat)\d\d-[\w-]{20,}"),
    "sk-": ("an OpenAI key", r"sk-(?:(?:proj|svcacct|admin|or-v1)-[\w-]{20,}|[A-Za-z0-9]{32,})"),
    "AIza": ("a Google API key", r"AIza[\w-]{35}(?![\w-])"),
    "ya29.": ("a Google access token", r"ya29\.[\w-]{40,}"),
    "hf_": ("a Hugging Face token", r"hf_[A-Za-z]{34}\b"),
    "nvapi-": ("an NVIDIA key", r"nvapi-[\w-]{40,}"),
    "npm_": ("an npm token", r"npm_[A-Za-z0-9]{36}\b"),
    "pypi-": ("a PyPI token", r"pypi-AgEIcHlwaS5vcmc[\w-]{50,}"),
    "SG.": ("a SendGrid key", r"SG\.[\w-]{20,24}\.[\w-]{39,50}"),
    "dop_v1_": ("a DigitalOcean token", r"dop_v1_[0-9a-f]{64}\b"),
    "shpat_": ("a Shopify token", r"shpat_[0-9a-fA-F]{32}\b"),
    "eyJ": ("a signed token (JWT)", r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}"),
}
_PATTERNS: Final = {start: (owner, lazy_pattern(form)) for start, (owner, form) in _KINDS.items()}
_JOINTS: Final = ("_", "k-", "t-", "i-")
_ALNUM: Final = bytes(
    ord("a" if char.isalnum() and char.isascii() else "-" if char in "-_" else " ")
    for char in map(chr, range(256))
)
_LONG: Final = b"-" + b"a" * 16
"""What a secret has whose prefix ends in a joint; few files have it, and one search tells."""
_OF_VALUE: Final = bytes(
    ord("a" if char.isalnum() or char in "_+/=.~-?" or char > "\x7f" else " ")
    for char in map(chr, range(256))
)
_VALUE: Final = b"a" * 20
MAX_KEYS: Final = 50
"""Private keys looked at in one file: each may be long."""
_PRIVATE: Final = lazy_pattern(
    r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----"
    r"(?P<body>[A-Za-z0-9+/=\s\\nr:,.-]{64,12000}?)(?:-----END|\Z)"
)
_ASSIGNED: Final = lazy_pattern(
    r"[:=]>?[ \t]{0,3}(?:[\"'`](?P<quoted>[\w+/=.~-]{20,200})[\"'`]"
    r"|(?P<bare>[\w+/=~-]{24,200})(?=[\s\"'`;,)]|\Z))"
)
_BEFORE_VALUE: Final = 6
"""Characters that `_ASSIGNED` takes before a value."""
_NAME: Final = lazy_pattern(
    r"(?:(?:api|access|secret|private|auth|client|encryption|signing|service|master|account"
    r"|admin|bot"
    r"|webhook|session)[_-]?(?:key|secret|token|password)|(?:^|[^a-z])(?:secret|token|password"
    r"|passwd)"
    r"|aws_\w{1,30})(?:_?(?:id|value))?\Z",
    re.IGNORECASE,
)
_PUBLIC: Final = lazy_pattern(
    r"(?:public|publishable|anon|idempotency|page|next|cursor|cache|primary|foreign|partition|sort"
    r"|max|csrf)[_-]?\w*\Z",
    re.IGNORECASE,
)
_HEX_DIGEST: Final = lazy_pattern(
    r"[0-9a-f]{40}\Z|[0-9a-f]{64}\Z|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+\Z"
)


@rule("S005", Severity.WARNING)
def secret(skill: Skill) -> Iterator[Finding]:
    """Report each text that has a known secret's form, and random values under a telling name."""
    source = skill.source
    data = source.encode("latin-1", "replace")
    seen: list[Span] = []
    for owner, span in (*_known(source, data), *_private_keys(source), *_assigned(source, data)):
        if any(span.overlaps(other) for other in seen):
            continue
        seen.append(span)
        text = source[span.start : span.end]
        yield Finding(
            span,
            f"This looks like {owner} (“{text[:4]}…”, {len(text)} characters). Revoke it, and read"
            " it from the environment instead.",
        )


def _known(source: str, data: bytes) -> Iterator[tuple[str, Span]]:
    long = _LONG in data.translate(_ALNUM)
    for start, (owner, form) in _PATTERNS.items():
        if start.endswith(_JOINTS) and not long:
            continue
        for at in places(source, (start,)):
            if source[at - 1 : at] in ("_", "-") and at:
                continue
            match = form.match(source, at)
            if match is None or is_placeholder(match[0]):
                continue
            if start == "eyJ" and not _is_live_token(match[0]):
                continue
            yield owner, Span(*match.span())


def _is_live_token(token: str) -> bool:
    """Return whether a JWT is signed and names someone: examples of libraries name “John Doe”."""
    try:
        header, claims = (_json(part) for part in token.split(".")[:2])
    except (binascii.Error, ValueError):
        return False
    if str(header.get("alg", "none")).lower() == "none":
        return False
    text = json.dumps(claims).lower()
    samples = ("john doe", "jane doe", "1234567890", "example", "test", "dummy", "1516239022")
    return not any(sample in text for sample in samples)


def _json(part: str) -> dict[str, Any]:
    data = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    value: object = json.loads(data)
    if not isinstance(value, dict):
        raise ValueError("no object")
    return cast("dict[str, Any]", value)


def _private_keys(source: str) -> Iterator[tuple[str, Span]]:
    for at in places(source, ("-----BEGIN ",))[:MAX_KEYS]:
        match = _PRIVATE.match(source, at)
        if match is None:
            continue
        body = re.sub(r"\s|\\[nr]", "", match["body"])
        if not is_placeholder(body) and len(set(body)) > 20:
            yield "a private key", Span(*match.span())


def _assignments(source: str, data: bytes) -> Iterator[re.Match[str]]:
    """Yield what matches `_ASSIGNED`, by looking around each run that is long enough for a value.

    In `data` a byte stands for each character, so that such runs are found quickly.
    """
    classes = data.translate(_OF_VALUE)
    done = 0
    at = classes.find(_VALUE)
    while at >= 0:
        end = classes.find(b" ", at)
        end = len(classes) if end < 0 else end
        start = max(classes.rfind(b" ", 0, at) + 1 - _BEFORE_VALUE, done)
        around = source[start:end]
        if "=" in around or ":" in around:
            for match in _ASSIGNED.finditer(source, start, end + 1):
                done = match.end()
                yield match
        at = classes.find(_VALUE, end)


def _assigned(source: str, data: bytes) -> Iterator[tuple[str, Span]]:
    """Find `api_key = "…"` with a value that looks drawn at random."""
    for match in _assignments(source, data):
        name = source[max(match.start() - 40, 0) : match.start()].rstrip(" \t\"'`")
        if not _NAME.search(name) or _PUBLIC.search(name):
            continue
        group = "quoted" if match["quoted"] else "bare"
        value = match[group]
        if is_random(value) and not _HEX_DIGEST.match(value):
            yield "a secret", Span(*match.span(group))
