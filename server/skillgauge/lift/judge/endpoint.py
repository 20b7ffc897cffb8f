"""Which model judges and where it is, from PROVIDER:MODEL and the environment.

Keys come from the environment alone, and what is missing is told before anything is started.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from skillgauge.errors import UserError

MODEL: Final = "SKILLGAUGE_JUDGE_MODEL"
"""PROVIDER:MODEL where none is named otherwise."""
BASE_URL: Final = "SKILLGAUGE_JUDGE_BASE_URL"
KEY: Final = "SKILLGAUGE_JUDGE_API_KEY"
"""The judge's own address and key, which go before the provider's."""
PROVIDERS: Final[Mapping[str, tuple[str, str]]] = {
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
    "openai": ("OPENAI_API_KEY", "OPENAI_BASE_URL"),
    "local": ("", ""),
}
"""Each with the variables of its key and its address; `local` is any OpenAI-compatible server."""


@dataclass(frozen=True, slots=True)
class JudgeEndpoint:
    """A model and where it is asked."""

    provider: str
    model: str
    base_url: str = ""
    """Without it, the provider's own."""
    key: str = field(default="", repr=False)

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


def judge_of(named: str, environ: Mapping[str, str]) -> str:
    """Return the judge that is to be asked, "" for none: the one named, else the environment's."""
    return named or environ.get(MODEL, "").strip()


def endpoint_of(named: str, environ: Mapping[str, str]) -> JudgeEndpoint:
    """Return where a judge is asked; UserError for one that can't be."""
    chosen = judge_of(named, environ)
    provider, _, model = (part.strip() for part in chosen.partition(":"))
    if not provider or not model:
        how = f"Write PROVIDER:MODEL; providers are {', '.join(PROVIDERS)}"
        raise UserError(f"“{chosen}” names no judge", how=how)
    if provider not in PROVIDERS:
        from skillgauge.selectors import did_you_mean

        hint = did_you_mean(provider, list(PROVIDERS)) or f"Choose one of {', '.join(PROVIDERS)}"
        raise UserError(f"There is no provider “{provider}” of judges", how=hint)
    key_name, url_name = PROVIDERS[provider]
    key = environ.get(KEY, "").strip() or environ.get(key_name, "").strip()
    url = environ.get(BASE_URL, "").strip() or environ.get(url_name, "").strip()
    if provider == "local":
        if not url:
            how = f"Set {BASE_URL} to that of an OpenAI-compatible server, with its /v1"
            raise UserError(f"The judge “{chosen}” has no address", how=how)
    elif not key:
        raise UserError(f"The judge “{chosen}” has no key", how=f"Set {key_name} or {KEY}")
    if not key.isascii() or not key.isprintable():
        raise UserError(f"The key of the judge “{chosen}” holds characters that no key has")
    if url:
        _check(url, chosen)
    return JudgeEndpoint(provider, model, url, key)


def _check(url: str, chosen: str) -> None:
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname)
        _ = parts.port  # raises for one out of range
    except ValueError:
        fits = False
    if not fits:
        how = "It begins with http:// or https:// and names a host"
        raise UserError(f"The address of the judge “{chosen}” is none", how=how)
