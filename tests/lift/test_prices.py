"""What tokens cost."""

from __future__ import annotations

import pytest

from skillgauge.errors import UserError
from skillgauge.lift.prices import Counts, Price, Source, cost, is_priced, own_prices

MILLION = 1_000_000


def test_shipped_prices_count_the_cache_apart() -> None:
    """Claude Sonnet 4.5: $3 and $15 a million; $0.30 from the cache, $3.75 into it."""
    source = Source("anthropic")
    model = "claude-sonnet-4-5"
    assert cost(model, Counts(1000, 100), source) == pytest.approx(0.003 + 0.0015)
    assert cost(model, Counts(1000, 0, 400), source) == pytest.approx(0.0018 + 0.00012)
    assert cost(model, Counts(1000, 0, 0, 400), source) == pytest.approx(0.0018 + 0.0015)


def test_an_endpoint_or_provider_that_lacks_a_model_is_not_the_last_word() -> None:
    """A proxy at an address of its own serves the models of others."""
    counts = Counts(MILLION, 0)
    wanted = cost("gpt-5", counts, Source("openai"))
    assert wanted == pytest.approx(1.25)
    assert cost("gpt-5", counts, Source("openai", "http://127.0.0.1:9/v1")) == wanted
    assert cost("gpt-5", counts, Source("anthropic")) == wanted
    assert cost("gpt-5", counts) == wanted


def test_unknown_models_have_no_price() -> None:
    assert cost("my-own-model", Counts(1, 1), Source("openai")) is None
    assert not is_priced("my-own-model", [Source("openai")])
    assert is_priced("gpt-5", [Source("openai")])


def test_the_users_own_prices_come_first() -> None:
    own = own_prices(["gpt-5=1,2,0.5", "my-*=0,0", "a=b=3,4"])
    assert own == {"gpt-5": Price(1, 2, 0.5), "my-*": Price(0, 0), "a=b": Price(3, 4)}
    counts = Counts(2 * MILLION, MILLION, MILLION)
    assert cost("gpt-5", counts, own=own) == pytest.approx(1 + 0.5 + 2)
    assert cost("a=b", counts, own=own) == pytest.approx(3 + 3 + 4)
    assert cost("my-own-model", counts, own=own) == 0
    assert is_priced("my-own-model", own=own)


@pytest.mark.parametrize(
    "text", ["", "m", "m=", "m=1", "=1,2", "m=1,x", "m=1,-2", "m=1,2,3,4", "m=nan,1", "m=inf,1"]
)
def test_what_is_no_price_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="is no price"):
        own_prices([text])
