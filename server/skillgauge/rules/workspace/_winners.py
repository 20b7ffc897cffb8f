"""Which of two places of skills wins in a client, where one name stands in both."""

from __future__ import annotations

from typing import Final

from skillgauge.clients import Client
from skillgauge.listing import Spot

ORDER: Final = {
    "amp": (".agents/skills", ".claude/skills"),
    "gemini-cli": (".agents/skills", ".gemini/skills"),
}
"""The places of a client's project, the one that wins first; the clients' pages say so."""


def winner(client: Client, one: Spot, other: Spot) -> Spot | None:
    """Return the spot whose skill the client takes, None where both count or it isn't known."""
    order = ORDER.get(client.id, ())
    if one.project != other.project or one.place == other.place:
        return None
    if one.place in order and other.place in order:
        return min((one, other), key=lambda spot: order.index(spot.place))
    return None
