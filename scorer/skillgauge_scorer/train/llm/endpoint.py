"""Asks an endpoint that speaks OpenAI's chat completions. The key is in the environment alone."""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPException
from typing import IO, Any, Final
from urllib.parse import urlsplit

from skillgauge_scorer.errors import ScorerError

KEYS: Final = ("SKILLGAUGE_LLM_KEY", "OPENAI_API_KEY")
"""Environment variables that may hold the key; the first that does counts."""
ATTEMPTS: Final = 4
_TIMEOUT: Final = 180.0
_MAX_ANSWER: Final = 1 << 22
_MOST_WAIT: Final = 60.0
_BUSY: Final = frozenset((408, 409, 429, 500, 502, 503, 504))
_LOCAL: Final = frozenset(("localhost", "127.0.0.1", "::1"))


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model answers; `url` ends before `/chat/completions`."""

    url: str
    model: str
    key: str = field(default="", repr=False)


def endpoint(url: str, model: str, environment: Mapping[str, str] | None = None) -> Endpoint:
    """Return an endpoint with the environment's key; ScorerError for what is none."""
    known = os.environ if environment is None else environment
    key = next((value for name in KEYS if (value := known.get(name, "").strip())), "")
    base = url.rstrip("/").removesuffix("/chat/completions")
    try:
        parts = urlsplit(base)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise _no_address(url) from None
    if host is None or parts.scheme not in ("http", "https"):
        raise _no_address(url)
    if parts.username or parts.password or parts.query:
        raise ScorerError(
            "The address of an endpoint holds no key",
            how=f"Put the key into the environment variable {KEYS[0]}",
        )
    if key and parts.scheme == "http" and host not in _LOCAL:
        raise ScorerError(
            f"“{url}” would send the key unencrypted", how="Use https, or unset the key"
        )
    return Endpoint(base, model, key)


def _no_address(url: str) -> ScorerError:
    return ScorerError(f"“{url}” is no address of an endpoint", how="It begins with https://")


def complete(where: Endpoint, messages: Sequence[Mapping[str, str]], seed: int = 0) -> str:
    """Return what the model says; ScorerError if it doesn't after some attempts."""
    body = {"model": where.model, "messages": list(messages), "temperature": 0.7, "seed": seed}
    headers = {"Content-Type": "application/json", "User-Agent": "skillgauge"}
    if where.key:
        headers["Authorization"] = f"Bearer {where.key}"
    asked = urllib.request.Request(
        f"{where.url}/chat/completions", json.dumps(body).encode(), headers, method="POST"
    )
    wait, why = 1.0, ""
    for attempt in range(ATTEMPTS):
        try:
            with _opener(where).open(asked, timeout=_TIMEOUT) as answer:
                return _said(answer.read(_MAX_ANSWER + 1), where)
        except urllib.error.HTTPError as error:
            why = f"status {error.code} ({_told(error, where)})"
            asked_to_wait = _seconds(error.headers.get("Retry-After"))
            error.close()
            if error.code not in _BUSY:
                break
            wait = max(wait, asked_to_wait)
        except (OSError, HTTPException) as error:  # URLError and TimeoutError are OSErrors
            why = str(getattr(error, "reason", None) or error) or type(error).__name__
        if attempt + 1 < ATTEMPTS:
            time.sleep(min(wait, _MOST_WAIT))
            wait *= 2
    how = "What it has written so far is kept; run the command again to go on"
    raise ScorerError(f"The endpoint “{where.url}” gives no answer", _clean(why, where), how)


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirection: it would carry the key to another host."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Message,
        newurl: str,
    ) -> None:
        return None


def _opener(where: Endpoint) -> urllib.request.OpenerDirector:
    if urlsplit(where.url).hostname in _LOCAL:
        return urllib.request.build_opener(urllib.request.ProxyHandler({}), _Stay)
    return urllib.request.build_opener(_Stay)


def _said(data: bytes, where: Endpoint) -> str:
    try:
        answer: Any = json.loads(data) if len(data) <= _MAX_ANSWER else None
        text = answer["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        text = None
    if not isinstance(text, str):
        raise ScorerError(f"The endpoint “{where.url}” doesn't answer as chat completions do")
    return text


def _told(error: urllib.error.HTTPError, where: Endpoint) -> str:
    """Return the endpoint's own words, cut, on one line."""
    try:
        text = error.read(2000).decode("utf-8", "replace")
    except (OSError, HTTPException):
        text = ""
    return " ".join(_clean(text, where).split())[:200] or error.reason


def _clean(text: str, where: Endpoint) -> str:
    """Return text without the key, which some endpoints repeat."""
    return text.replace(where.key, "[the key]") if where.key else text


def _seconds(value: str | None) -> float:
    try:
        return max(0.0, float(value or 0))
    except ValueError:
        return 0.0
