"""A judge: a model that answers yes-or-no questions about a trial, each with a quote.

It gives verdicts; the scores are worked out from them in `metrics`. Whatever goes wrong on the way
is a judgement without verdicts and with the reason, so that a metric has no value rather than a
wrong one. Only `models` here knows the library that speaks to models, and it is loaded when the
first question is asked.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from skillgauge.errors import UserError
from skillgauge.lift.cases import Case
from skillgauge.lift.judge.clip import one_line
from skillgauge.lift.judge.endpoint import JudgeEndpoint, endpoint_of, judge_of
from skillgauge.lift.judge.evidence import Evidence, evidence
from skillgauge.lift.judge.facts import facts
from skillgauge.lift.judge.prompt import Prompt, new_mark, prompt_of, reminder, version
from skillgauge.lift.judge.questions import JUDGED, Question, questions_of
from skillgauge.lift.metrics import Judgement
from skillgauge.lift.redaction import redact
from skillgauge.lift.results import Judged, Ran

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from skillgauge.lift.judge import models
    from skillgauge.lift.metrics._trace import Trace
    from skillgauge.lift.prices import Price
    from skillgauge.lift.trajectory._types import Trajectory

__all__ = ["JUDGED", "Judge", "JudgeEndpoint", "endpoint_of", "judge_of"]

SECONDS: Final = 180.0
"""How long the questions of one metric may take, with all tries."""
TRIES: Final = 2
"""A reply that can't be used is asked for once more."""
RETRIES: Final = 2
"""How often a request is sent again that the endpoint did not answer, within the time."""
AT_ONCE: Final = 4
"""Requests at once; a local server answers one after the other."""


class Judge:
    """Asks one model. Not to be shared between event loops; close it at the end."""

    def __init__(
        self,
        model: str,
        environ: Mapping[str, str],
        *,
        hidden: Iterable[str] = (),
        prices: Mapping[str, Price] | None = None,
        seconds: float = SECONDS,
        retries: int = RETRIES,
        connect: Callable[[JudgeEndpoint], Model] | None = None,
    ) -> None:
        """Take PROVIDER:MODEL, or the environment's if it is empty; UserError if it can't be asked.

        `hidden` are values that no model may see, `prices` the user's own ones.
        """
        self.endpoint = endpoint_of(model, environ)
        if find_spec("pydantic_ai") is None:
            raise UserError(
                f"The judge “{self.endpoint}” can't be asked: a library is missing",
                how="`pip install 'skillgauge[lift]'`",
            )
        self._hidden = tuple(value for value in (*hidden, self.endpoint.key) if value)
        self._prices = prices or {}
        self._seconds, self._retries, self._connect = seconds, retries, connect
        self._gate = asyncio.Semaphore(1 if self.endpoint.provider == "local" else AT_ONCE)
        self._opening = asyncio.Lock()
        self._model: Model | None = None
        self._stack = AsyncExitStack()

    async def judge(
        self,
        case: Case,
        trajectory: Trajectory | None,
        ran: Ran,
        metrics: Sequence[str] = JUDGED,
    ) -> dict[str, Judged]:
        """Return what the judge says of a trial, by metric; nothing where there is no question.

        Never raises for what the model or its endpoint does.
        """
        from skillgauge.lift.metrics._trace import trace_of

        asked = {metric: questions_of(metric, case) for metric in metrics}
        asked = {metric: questions for metric, questions in asked.items() if questions}
        if trajectory is None or not asked:
            return {}
        trace = trace_of(trajectory)
        told = await asyncio.gather(
            *(self._ask(metric, case, trace, ran, asked[metric]) for metric in asked)
        )
        return dict(zip(asked, told, strict=True))

    def check_price(self, max_cost: float | None) -> None:
        """Raise UserError if there is a limit, and what the judge costs is not known.

        One on this machine or of one's own costs what it costs, with or without answers.
        """
        from skillgauge.lift.prices import Source, is_priced

        one = self.endpoint
        if max_cost is None or one.provider == "local":
            return
        if not is_priced(one.model, (Source(one.provider, one.base_url),), self._prices):
            raise UserError(
                f"The cost can't be kept to ${max_cost:g}",
                f"no price of the judge “{one.model}” is known",
                f"Give it with --price {one.model}=IN,OUT in US dollars for a million tokens",
            )

    async def close(self) -> None:
        """Let go of the connections."""
        await self._stack.aclose()
        self._model = None

    async def _ask(
        self, metric: str, case: Case, trace: Trace, ran: Ran, questions: tuple[Question, ...]
    ) -> Judged:
        """Put the questions of one metric, and return what came of it, whatever that is."""
        async with self._gate:
            sheet = _Sheet(metric, case, trace, ran, questions, self._hidden)
            began, known = time.monotonic(), True
            try:
                model = await self._open()
                async with asyncio.timeout(self._seconds):
                    judgement = await self._try(model, sheet)
            except TimeoutError:
                judgement = Judgement(failure=f"no answer within {self._seconds:g} s")
                known = False  # an answer that nobody waited for may be charged
            except Exception as error:  # the library's or its SDKs': a trial is not lost by it
                told = one_line(redact(f"{type(error).__name__}: {error}", self._hidden), 200)
                judgement = Judgement(failure=f"its answer could not be read ({told})")
        return Judged(
            judgement=judgement,
            model=str(self.endpoint),
            prompt=version(metric),
            seconds=round(time.monotonic() - began, 3),
            cost_usd=sheet.cost() if known else None,
        )

    async def _try(self, model: Model, sheet: _Sheet) -> Judgement:
        """Ask, and once more if the reply can't be used."""
        from skillgauge.lift.judge import models, reply

        sheet.meter = models.Meter(self.endpoint, self._prices)
        fault = ""
        for _ in range(TRIES):
            try:
                found = await models.put(
                    model, sheet.prompt(fault), len(sheet.questions), sheet.meter,
                    seconds=self._seconds, again=self._retries,
                )  # fmt: skip
                fault = reply.fault_of(found, sheet.questions)
                if not fault:
                    bodies = sheet.shown.bodies
                    return Judgement(reply.verdicts_of(found, sheet.questions, bodies))
            except models.Malformed as error:
                fault = redact(str(error), self._hidden)
            except models.Unreachable as error:
                return Judgement(failure=redact(str(error), self._hidden))
        return Judgement(failure=f"its reply could not be used, {TRIES} times: {fault}")

    async def _open(self) -> Model:
        """Return the model, which is made the first time; loading the library blocks nothing."""
        async with self._opening:
            if self._model is None:
                model = await asyncio.to_thread(self._make)
                self._model = await self._stack.enter_async_context(model)
            return self._model

    def _make(self) -> Model:
        from skillgauge.lift.judge import models

        return (self._connect or models.connect)(self.endpoint)


class _Sheet:
    """The questions of one metric on one trial, with what is shown for them."""

    def __init__(
        self,
        metric: str,
        case: Case,
        trace: Trace,
        ran: Ran,
        questions: tuple[Question, ...],
        hidden: tuple[str, ...],
    ) -> None:
        self.metric, self.case, self.questions = metric, case, questions
        self.mark = new_mark()
        self.shown: Evidence = evidence(metric, trace, ran, self.mark, hidden)
        self.reference = "" if metric == "behavior_check" else case.expected_output
        about = [self.reference] if self.reference else [one.text for one in questions]
        self.facts = tuple(redact(fact, hidden) for fact in facts(about, trace, ran))
        self.meter: models.Meter | None = None

    def prompt(self, fault: str) -> Prompt:
        """Return what is sent; with what was wrong with the last reply, if it was."""
        made = prompt_of(
            self.metric,
            self.mark,
            request=self.case.prompt,
            reference=self.reference,
            evidence=self.shown.text,
            facts=self.facts,
            questions=self.questions,
        )
        added = reminder(fault, self.questions) if fault else ""
        return Prompt(made.system, made.user + added)

    def cost(self) -> float | None:
        """Return what the calls cost in US dollars, None where that is not known."""
        return self.meter.cost() if self.meter else None
