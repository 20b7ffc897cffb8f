"""What a judge answers, and what is made of it: verdicts whose quotes were looked up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from skillgauge.lift.judge.clip import one_line
from skillgauge.lift.judge.questions import Question
from skillgauge.lift.metrics import Verdict

UNQUOTED: Final = "[no quote] "
"""Before the reason of a verdict without a quote that stands in the evidence."""
MISQUOTED: Final = "[its quote is not in the evidence] "
MAX_QUOTE: Final = 400
MAX_REASON: Final = 400
_MARKS: Final = " \"'“”‘’«»`"


class Answer(BaseModel):
    """A verdict on one statement."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    id: str = Field(description="The name of the statement")
    quote: str = Field(description="A passage copied from the evidence, or empty")
    reason: str = Field(description="One short sentence")
    passed: bool = Field(description="Whether the statement is true")

    @model_validator(mode="before")
    @classmethod
    def _fill(cls, value: object) -> object:
        """Take a verdict without quote or reason; the schema asks for both all the same.

        Providers that hold a model to a schema allow none with optional keys.
        """
        if not isinstance(value, dict):
            return value
        given = cast("dict[str, object]", value)
        return given | {name: "" for name in ("quote", "reason") if given.get(name) is None}


class Reply(BaseModel):
    """One verdict for each statement."""

    verdicts: list[Answer]


def fault_of(reply: Reply, questions: Sequence[Question]) -> str:
    """Return what a reply lacks or has too much, "" if each statement has its one verdict."""
    given = Counter(answer.id.strip() for answer in reply.verdicts)
    wanted = [question.name for question in questions]
    missing = [name for name in wanted if name not in given]
    twice = [name for name in wanted if given[name] > 1]
    strange = [one_line(name, 40) for name in given if name not in wanted]
    parts = [("it has no verdict for", missing), ("more than one for", twice),
             ("one for a statement that was not asked for,", strange)]  # fmt: skip
    return "; ".join(f"{said} {', '.join(names[:8])}" for said, names in parts if names)


def verdicts_of(
    reply: Reply, questions: Sequence[Question], bodies: Sequence[str]
) -> tuple[Verdict, ...]:
    """Return the verdicts in the order of the questions; a quote that is nowhere is dropped."""
    known = {answer.id.strip(): answer for answer in reply.verdicts}
    plain = [_squash(body) for body in bodies]
    return tuple(_verdict(known[question.name], question.name, plain) for question in questions)


def _verdict(answer: Answer, name: str, bodies: Sequence[str]) -> Verdict:
    quote = _anchor(answer.quote, bodies)
    note = ""
    if not quote:
        note = MISQUOTED if answer.quote.strip() else UNQUOTED if answer.passed else ""
    reason = note + one_line(answer.reason, MAX_REASON)
    return Verdict(name, answer.passed, one_line(quote, MAX_QUOTE), reason)


def _anchor(quote: str, bodies: Sequence[str]) -> str:
    """Return a quote as it stands in the evidence, "" if it doesn't."""
    whole = _squash(quote)
    for tried in (whole, whole.strip(_MARKS)):
        if sum(map(str.isalnum, tried)) > 1 and any(tried in body for body in bodies):
            return tried
    return ""


def _squash(text: str) -> str:
    return " ".join(text.split())
