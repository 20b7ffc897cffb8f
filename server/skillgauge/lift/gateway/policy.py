"""What a trial may ask of its models, and what goes with it; all else stays where it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final, Literal, NamedTuple

from skillgauge.lift.gateway.endpoints import Endpoint
from skillgauge.lift.harnesses import Dialect

Kind = Literal["answer", "count", "models"]

_VERSION: Final = r"(?:/v1(?:beta|alpha)?)?"
_ID: Final = r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}"
_ROUTES: Final[tuple[tuple[str, str, Kind, tuple[Dialect, ...]], ...]] = (
    ("POST", "/messages", "answer", ("anthropic",)),
    ("POST", "/messages/count_tokens", "count", ("anthropic",)),
    ("POST", "/responses", "answer", ("responses",)),
    ("POST", "/chat/completions", "answer", ("chat",)),
    ("POST", f"/models/{_ID}:(?:g|streamG)enerateContent", "answer", ("gemini",)),
    ("POST", f"/models/{_ID}:countTokens", "count", ("gemini",)),
    ("GET", f"/models(?:/{_ID})?", "models", ("anthropic", "responses", "chat", "gemini")),
)
_PATTERNS: Final = tuple(re.compile(f"{_VERSION}(?P<tail>{route[1]})") for route in _ROUTES)
_QUERY: Final = {
    "beta": re.compile(r"true"),
    "alt": re.compile(r"sse|json"),
    "limit": re.compile(r"\d{1,4}"),
    "pageSize": re.compile(r"\d{1,4}"),
}
_SENT: Final = frozenset(
    (
        "accept",
        "anthropic-beta",
        "anthropic-version",
        "content-type",
        "openai-beta",
        "originator",
        "session-id",
        "thread-id",
        "user-agent",
        "x-app",
        "x-client-request-id",
        "x-goog-api-client",
    )
)
_SENT_PREFIXES: Final = (
    "x-claude-code-",
    "x-codex-",
    "x-openai-internal-codex-",
    "x-stainless-",
)
_RETURNED: Final = frozenset(
    ("content-type", "retry-after", "retry-after-ms", "x-should-retry", "request-id")
) | {"x-request-id"}


class Target(NamedTuple):
    """What a request is for."""

    dialect: Dialect
    kind: Kind
    tail: str
    """Its path, without the API's version."""
    model: str = ""
    """If the path names it."""


def target_of(
    method: str, path: str, headers: Mapping[str, str], dialects: Collection[Dialect]
) -> Target | None:
    """Return what a request is for, None if a trial that speaks these dialects may not ask it."""
    for (wanted, _, kind, spoken), pattern in zip(_ROUTES, _PATTERNS, strict=True):
        match = pattern.fullmatch(path)
        if not match or method != wanted:
            continue
        fits: list[Dialect] = [dialect for dialect in spoken if dialect in dialects]
        if kind == "models":
            fits = _of_list(path, headers, fits)
        if fits:
            named = re.match(rf"/models/({_ID})", match["tail"])
            return Target(fits[0], kind, match["tail"], named[1] if named else "")
    return None


def _of_list(path: str, headers: Mapping[str, str], fits: list[Dialect]) -> list[Dialect]:
    """Return whose models are asked for: three vendors have the same path."""
    if path.startswith("/v1beta") or "x-goog-api-key" in headers:
        return ["gemini"] if "gemini" in fits else []
    if "anthropic-version" in headers and "anthropic" in fits:
        return ["anthropic"]
    others: tuple[Dialect, ...] = ("responses", "chat")
    return [dialect for dialect in fits if dialect in others] or fits


def address(endpoint: Endpoint, target: Target, query: Iterable[tuple[str, str]]) -> str:
    """Return where a request goes: always below the endpoint's own address."""
    version = {"anthropic": "/v1", "gemini": "/v1beta"}.get(endpoint.dialect, "")
    if re.search(r"/v1(?:beta|alpha)?$", endpoint.url):
        version = ""
    kept = [
        f"{name}={value}"
        for name, value in query
        if name in _QUERY and _QUERY[name].fullmatch(value)
    ]
    return f"{endpoint.url}{version}{target.tail}{'?' + '&'.join(kept) if kept else ''}"


def sent_headers(headers: Mapping[str, str], endpoint: Endpoint) -> dict[str, str]:
    """Return the headers for the endpoint: what an API needs, and the host's own credential.

    It names what goes through, not what doesn't: a credential, an account or another method could
    stand in a header that nobody thought of.
    """
    kept: dict[str, str] = {}
    for name, value in headers.items():
        lower = name.lower()
        if (lower in _SENT or lower.startswith(_SENT_PREFIXES)) and lower not in kept:
            kept[lower] = value
    return kept | {"accept-encoding": "identity"} | endpoint.credential


def returned_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers for the client: no cookie, no account, no other address."""
    return {name.lower(): v for name, v in headers.items() if name.lower() in _RETURNED}
