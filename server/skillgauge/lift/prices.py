"""What tokens cost: by the user's own prices, else by the table within genai-prices; offline."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

from skillgauge.errors import UserError

_MILLION: Final = 1_000_000
_SHOWN: Final = 60
_HOW: Final = "Write MODEL=IN,OUT or MODEL=IN,OUT,CACHED in US dollars for a million tokens"


class Price(NamedTuple):
    """US dollars for a million tokens."""

    prompt: float
    completion: float
    cached: float | None = None
    """Of a prompt's tokens that were in the cache; as the others if there is none."""


class Counts(NamedTuple):
    """The tokens of one or more answers."""

    prompt: int
    """All, with those that were cached."""
    completion: int
    cached: int = 0
    written: int = 0
    """Those of the prompt that were put into the cache."""


class Source(NamedTuple):
    """Who is paid."""

    provider: str = ""
    """As genai-prices calls it."""
    url: str = ""
    """Of the endpoint, which may be another provider's with the same API."""


def own_prices(texts: Iterable[str]) -> dict[str, Price]:
    """Return the prices that a user gives as MODEL=IN,OUT; MODEL may hold “*”."""
    return dict(map(_own, texts))


def _own(text: str) -> tuple[str, Price]:
    model, _, told = text.rpartition("=")
    try:
        numbers = [float(number) for number in told.split(",")]
    except ValueError:
        numbers = []
    right = all(math.isfinite(number) and number >= 0 for number in numbers)
    if not model.strip() or len(numbers) not in (2, 3) or not right:
        raise UserError(f"“{text[:_SHOWN]}” is no price", how=_HOW)
    return model.strip(), Price(*numbers)


def cost(
    model: str,
    counts: Counts,
    source: Source = Source(),  # noqa: B008 - a tuple
    own: Mapping[str, Price] | None = None,
) -> float | None:
    """Return what an answer cost in US dollars, None if no price is known."""
    if (price := given(model, own or {})) is not None:
        cached = price.prompt if price.cached is None else price.cached
        plain = counts.prompt - counts.cached
        total = plain * price.prompt + counts.cached * cached + counts.completion * price.completion
        return total / _MILLION
    return _looked_up(model, counts, source)


def is_priced(
    model: str, sources: Iterable[Source] = (), own: Mapping[str, Price] | None = None
) -> bool:
    """Return whether a price is known for a model, from any of its sources."""
    nothing = Counts(1, 1)
    return any(cost(model, nothing, source, own) is not None for source in (*sources, Source()))


def given(model: str, own: Mapping[str, Price]) -> Price | None:
    """Return the price that a user gives of a model, None if there is none."""
    if model in own:
        return own[model]
    return next((price for name, price in own.items() if fnmatchcase(model, name)), None)


def _looked_up(model: str, counts: Counts, source: Source) -> float | None:
    """Return the shipped price: of the endpoint, else of the provider, else of any that has it."""
    from genai_prices import Usage, calc_price

    cached = min(counts.cached, counts.prompt)
    usage = Usage(
        input_tokens=counts.prompt,
        output_tokens=counts.completion,
        cache_read_tokens=cached,
        cache_write_tokens=min(counts.written, counts.prompt - cached),
    )
    if source.url:
        with contextlib.suppress(LookupError, ValueError):
            return float(calc_price(usage, model, provider_api_url=source.url).total_price)
    for provider in (source.provider, None) if source.provider else (None,):
        with contextlib.suppress(LookupError, ValueError):
            return float(calc_price(usage, model, provider_id=provider).total_price)
    return None
