"""The money that a run may spend: one account for all of its trials and its judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from skillgauge.errors import UserError
from skillgauge.lift.gateway.endpoints import Endpoint
from skillgauge.lift.harnesses import Dialect
from skillgauge.lift.prices import Counts, Price, Source, cost, is_priced

PROVIDERS: Mapping[Dialect, str] = {
    "anthropic": "anthropic",
    "responses": "openai",
    "chat": "openai",
    "gemini": "google",
}


@dataclass(slots=True)
class Budget:
    """What may be spent, and what was.

    Nothing is reserved: requests that are under way when the limit is reached are paid for, and
    the next is refused.
    """

    max_cost: float | None = None
    """In US dollars; None for no limit."""
    prices: Mapping[str, Price] = field(default_factory=dict[str, Price])
    """The user's own."""
    spent: float = 0.0
    """A worker that resumes a run begins with what was spent before."""

    def book(self, amount: float | None) -> None:
        """Add what something cost."""
        self.spent += amount or 0.0

    @property
    def is_spent(self) -> bool:
        """Whether nothing more may be begun."""
        return self.max_cost is not None and self.spent >= self.max_cost

    def cost(self, model: str, counts: Counts, endpoint: Endpoint) -> float | None:
        """Return what an answer of an endpoint cost, None if no price is known."""
        return cost(model, counts, source_of(endpoint), self.prices)

    def may_ask(self, model: str, endpoint: Endpoint) -> bool:
        """Return whether what a model costs can be kept to the limit."""
        if self.max_cost is None:
            return True
        return is_priced(model, (source_of(endpoint),), self.prices)


def source_of(endpoint: Endpoint) -> Source:
    """Return who is paid for the answers of an endpoint."""
    return Source(PROVIDERS[endpoint.dialect], endpoint.url)


def check_prices(
    models: Iterable[str],
    budget: Budget,
    endpoints: Mapping[Dialect, Endpoint] | None = None,
) -> None:
    """Raise UserError if there is a limit and no price is known for one of the models."""
    if budget.max_cost is None:
        return
    sources = [source_of(endpoint) for endpoint in (endpoints or {}).values()]
    for model in dict.fromkeys(models):
        if model and not is_priced(model, sources, budget.prices):
            raise UserError(
                f"The cost can't be kept to ${budget.max_cost:g}",
                f"no price of the model “{model}” is known",
                f"Give it with --price {model}=IN,OUT in US dollars for a million tokens",
            )
