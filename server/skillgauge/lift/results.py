"""What is kept of a trial beside its state, and how it is written: the results in the journal.

The kinds are `ran` (Ran), `trajectory` (ATIF), `judged` (Judged by metric) and `measured` (Measure
by metric). A kind that is not there was not made: a trial that failed has no trajectory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from skillgauge.lift.metrics import Finding, Judgement, Measure, Part, Verdict

Blame = Literal["", "case", "skill", "runner", "judge"]
"""Which part failed; "" if none did."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file that the agent left in its workspace, made or changed."""

    path: str
    size: int
    text: str | None = None
    """None for what is no text, or too long."""
    leaked: bool = False
    """Whether it holds the planted secret, where the text is not here to tell."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What the model endpoint counted; None where an answer had no count or no price is known."""

    requests: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None
    first_prompt_tokens: int | None = None
    """Of the first request that offered tools."""


@dataclass(frozen=True, slots=True)
class Ran:
    """How an agent's run went."""

    exit_code: int | None
    reason: str
    """exit, or the limit that it ran into: timeout, memory, output, disk."""
    seconds: float
    """The harness's own time."""
    overhead: float
    """What preparing, the container and collecting took beside it, in seconds."""
    usage: Usage = field(default_factory=Usage)
    version: str = ""
    """Of the harness."""
    answer: str = ""
    """The last thing that the agent said."""
    artifacts: tuple[Artifact, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge said of one metric, and which judge."""

    judgement: Judgement
    model: str = ""
    prompt: str = ""
    """The version of the prompt: a hash of its text."""
    seconds: float = 0.0
    cost_usd: float | None = None


def ran_of(body: Mapping[str, Any]) -> Ran:
    """Return what was written of a run."""
    values: dict[str, Any] = dict(body)
    values["usage"] = Usage(**body["usage"])
    values["artifacts"] = tuple(Artifact(**one) for one in body["artifacts"])
    values["notes"] = tuple(body["notes"])
    return Ran(**values)


def judged_of(body: Mapping[str, Any]) -> dict[str, Judged]:
    """Return what was written of the judge's answers, by metric."""
    found: dict[str, Judged] = {}
    for metric, one in body.items():
        said = one["judgement"]
        verdicts = tuple(Verdict(**verdict) for verdict in said["verdicts"])
        values: dict[str, Any] = dict(one)
        values["judgement"] = Judgement(verdicts, said["failure"])
        found[metric] = Judged(**values)
    return found


def measured_of(body: Mapping[str, Any]) -> dict[str, Measure]:
    """Return what was written of the metrics, by name."""
    return {
        metric: Measure(
            one["value"],
            one["reason"],
            tuple(Part(**part) for part in one["parts"]),
            tuple(Finding(**finding) for finding in one["findings"]),
        )
        for metric, one in body.items()
    }


def plain(value: Ran | Mapping[str, Judged] | Mapping[str, Measure]) -> dict[str, Any]:
    """Return results as the journal takes them."""
    if isinstance(value, Ran):
        return asdict(value)
    return {name: asdict(one) for name, one in value.items()}
