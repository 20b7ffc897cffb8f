"""Where the models are, and the credential for each: from the environment alone."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from skillgauge.errors import UserError
from skillgauge.lift.harnesses import Dialect


class _Vendor(NamedTuple):
    title: str
    url: str
    base: str
    """The variable that names another endpoint."""
    keys: tuple[tuple[str, str], ...]
    """The variables that may hold the credential, each with the header that it goes into."""


_OPENAI: Final = _Vendor(
    "OpenAI",
    "https://api.openai.com/v1",
    "OPENAI_BASE_URL",
    (("OPENAI_API_KEY", "authorization"),),
)
_VENDORS: Final[Mapping[Dialect, _Vendor]] = {
    "anthropic": _Vendor(
        "Anthropic",
        "https://api.anthropic.com",
        "ANTHROPIC_BASE_URL",
        (("ANTHROPIC_API_KEY", "x-api-key"), ("ANTHROPIC_AUTH_TOKEN", "authorization")),
    ),
    "responses": _OPENAI,
    "chat": _OPENAI,
    "gemini": _Vendor(
        "Gemini",
        "https://generativelanguage.googleapis.com",
        "GOOGLE_GEMINI_BASE_URL",
        (("GEMINI_API_KEY", "x-goog-api-key"), ("GOOGLE_API_KEY", "x-goog-api-key")),
    ),
}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model endpoint; requests of a trial reach no other host."""

    dialect: Dialect
    url: str
    """The base, to which the path of a request is added; it ends in no slash."""
    key: str = field(default="", repr=False)
    header: str = ""
    proxy: str | None = field(default=None, repr=False)

    @property
    def is_openai(self) -> bool:
        """Whether it is OpenAI's own, not another with the same API."""
        return urlsplit(self.url).hostname == urlsplit(_OPENAI.url).hostname

    @property
    def credential(self) -> dict[str, str]:
        """The header that authorises a request; empty for a local endpoint without a key."""
        if not self.key:
            return {}
        bearer = self.header == "authorization"
        return {self.header: f"Bearer {self.key}" if bearer else self.key}


def endpoints_from(
    environ: Mapping[str, str], dialects: Iterable[Dialect]
) -> dict[Dialect, Endpoint]:
    """Return the endpoints of the dialects; UserError that names the variable that is missing."""
    return {dialect: _endpoint(environ, dialect) for dialect in dict.fromkeys(dialects)}


def key_names() -> tuple[str, ...]:
    """Return the variables that may hold a credential."""
    names = (name for vendor in _VENDORS.values() for name, _ in vendor.keys)
    return tuple(dict.fromkeys(names))


def secrets_of(endpoints: Mapping[Dialect, Endpoint]) -> tuple[str, ...]:
    """Return what must reach neither a container nor a file."""
    found = [endpoint.key for endpoint in endpoints.values()]
    for endpoint in endpoints.values():
        found += [urlsplit(url).password or "" for url in (endpoint.url, endpoint.proxy or "")]
    return tuple(dict.fromkeys(secret for secret in found if secret))


def _endpoint(environ: Mapping[str, str], dialect: Dialect) -> Endpoint:
    vendor = _VENDORS[dialect]
    given = environ.get(vendor.base, "").strip()
    url = (given or vendor.url).rstrip("/")
    parts = _parts(url, vendor)
    pairs = ((environ.get(name, "").strip(), header) for name, header in vendor.keys)
    key, header = next((pair for pair in pairs if pair[0]), ("", ""))
    if not key and not _is_local(parts):
        raise UserError(
            f"There is no key for the models of {vendor.title}",
            f"{vendor.keys[0][0]} is not set",
            f"Set it, or let {vendor.base} name an endpoint on this machine",
        )
    if any(ord(char) < 33 or ord(char) > 126 for char in key):
        name = next(name for name, _ in vendor.keys if environ.get(name, "").strip())
        raise UserError(f"{name} is no key", "it holds spaces, line ends or the like")
    return Endpoint(dialect, url, key, header, _proxy(environ, parts))


def _parts(url: str, vendor: _Vendor) -> SplitResult:
    try:
        parts = urlsplit(url)
        right = parts.scheme in ("http", "https") and parts.hostname
        _ = parts.port
    except ValueError:
        right, parts = False, urlsplit("")
    if not right or parts.query or parts.fragment:
        raise UserError(f"{vendor.base} is no address", how=f"Write one such as {vendor.url}")
    return parts


def _is_local(parts: SplitResult) -> bool:
    host = parts.hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _proxy(environ: Mapping[str, str], parts: SplitResult) -> str | None:
    """Return the proxy that the environment names for an address."""
    known = {name.lower(): value for name, value in environ.items() if value}
    proxy = known.get(f"{parts.scheme}_proxy") or known.get("all_proxy")
    excluded = [name.strip().lstrip("*.") for name in known.get("no_proxy", "").split(",")]
    host = f".{parts.hostname}"
    if not proxy or _is_local(parts) or known.get("no_proxy") == "*":
        return None
    if any(name and host.endswith(f".{name.lower()}") for name in excluded):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"
