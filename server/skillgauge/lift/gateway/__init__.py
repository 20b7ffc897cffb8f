"""The model gateway: the only way out of a container, one Unix socket a trial.

It adds the credential, lets through only what a trial may ask of its models, counts tokens and
cost, stops at the budget, and records every exchange. A record answers in the models' place.

aiohttp is imported when a socket is opened, and nowhere else in Skillgauge.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import get_args

from skillgauge.lift.gateway.budget import Budget, check_prices
from skillgauge.lift.gateway.endpoints import Endpoint, endpoints_from, secrets_of
from skillgauge.lift.gateway.meter import Meter
from skillgauge.lift.gateway.record import Exchange, Recorder, exchanges, requests
from skillgauge.lift.harnesses import Dialect

__all__ = [
    "Budget",
    "Endpoint",
    "Exchange",
    "Gateway",
    "Meter",
    "check_prices",
    "endpoints_from",
    "exchanges",
    "requests",
    "secrets_of",
]


class Gateway:
    """Opens one way out for each trial of a run."""

    def __init__(
        self,
        endpoints: Mapping[Dialect, Endpoint],
        budget: Budget,
        secrets: Sequence[str] = (),
    ) -> None:
        """Take the run's endpoints and its budget; `secrets` are kept out of the records."""
        self.endpoints, self.budget = endpoints, budget
        self.secrets = tuple(dict.fromkeys((*secrets, *secrets_of(endpoints))))

    @asynccontextmanager
    async def open(
        self,
        trial: str,
        socket: Path,
        record: Path,
        dialects: Collection[Dialect],
        replay: Path | None = None,
    ) -> AsyncGenerator[Meter]:
        """Listen at a path while a trial runs; with `replay`, a record answers and no model.

        A replay needs no endpoints; without any dialects named it speaks all.

        Raises UserError if the socket or the record to replay can't be had, and OSError at the
        end if the record could not be written.
        """
        from skillgauge.lift.gateway.replay import Replayer
        from skillgauge.lift.gateway.server import serving
        from skillgauge.lift.gateway.trial import TrialGateway

        replayer = None
        if replay:
            replayer = Replayer(exchanges(replay))
            dialects = dialects or get_args(Dialect)
        elif missing := [dialect for dialect in dialects if dialect not in self.endpoints]:
            raise ValueError(f"no endpoint for {', '.join(missing)} in trial {trial}")
        with Recorder(record, self.secrets) as recorder:
            desk = TrialGateway(
                self.endpoints, self.budget, self.secrets, recorder, frozenset(dialects), replayer
            )
            async with serving(desk, socket):
                yield desk.meter
        if desk.meter.broken:
            raise desk.meter.broken
