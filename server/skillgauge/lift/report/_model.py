"""What a report says of a run, ready to be shown: every format takes its numbers from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from skillgauge.lift.cases import Case
from skillgauge.lift.metrics import Finding, Measure
from skillgauge.lift.pairing import Summary
from skillgauge.lift.passing import PairedOutcomes, PassRates
from skillgauge.lift.plan import Arm, Cell, Trial
from skillgauge.lift.records import State
from skillgauge.lift.results import Blame, Judged, Ran
from skillgauge.lift.settings import RunSettings
from skillgauge.lift.statistics import Estimate


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A tool call with what came back, each cut to what a page can show."""

    name: str
    brief: str
    """Its most telling argument, in one line."""
    arguments: str
    output: str
    failed: bool | None
    exit_code: int | None


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A step of a trajectory."""

    number: int
    source: str
    """user, system or agent."""
    agent: str
    """The sub-agent whose step it is, "" for the agent itself."""
    text: str
    thought: str
    calls: tuple[ShownCall, ...]


@dataclass(frozen=True, slots=True)
class ShownTrajectory:
    """The first steps of a trajectory, as many as there is room for."""

    steps: tuple[ShownStep, ...]
    left_out: int = 0
    """Steps behind them."""
    cut: bool = False
    """Whether a text of a step was cut."""


@dataclass(frozen=True, slots=True)
class Unmet:
    """A question that a judge answered with no."""

    metric: str
    name: str
    """Of the question, as the judge was asked it."""
    index: int
    """The number of the assertion, from 1; 0 where it is none of the case's."""
    text: str
    """What should have been so."""
    quote: str
    reason: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """One trial with all that is known of it."""

    trial: Trial
    state: State
    reason: str
    """Why it has no result."""
    tries: int
    score: float | None
    """The mean over the dimensions that both arms of its case have."""
    passed: bool | None
    dimensions: Mapping[str, float | None]
    measures: Mapping[str, Measure]
    judged: Mapping[str, Judged]
    ran: Ran | None
    unmet: tuple[Unmet, ...] = ()
    blame: Blame = ""
    blame_reason: str = ""
    trajectory: ShownTrajectory | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the metrics found."""
        return tuple(one for measure in self.measures.values() for one in measure.findings)

    @property
    def tokens(self) -> int | None:
        """All tokens that the model endpoint counted; None if they are not known."""
        usage = self.ran.usage if self.ran else None
        if usage is None or usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        return usage.prompt_tokens + usage.completion_tokens


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A case on one harness."""

    case: Case
    cell: Cell
    treated: float | None
    """The mean score with the skill, over the dimensions that both arms have."""
    control: float | None
    lift: float | None
    dimensions: tuple[str, ...]
    """Those that both arms have."""
    attempts: tuple[Attempt, ...]
    blame: Blame = ""
    blame_reason: str = ""
    """Which part failed in the worst attempt with the skill, and why it is thought so."""
    hints: tuple[str, ...] = ()
    """What all its trials together say of the case, on any harness."""

    def of(self, arm: Arm) -> tuple[Attempt, ...]:
        """Return the attempts of an arm, in their order."""
        return tuple(one for one in self.attempts if one.trial.arm == arm)

    @property
    def key(self) -> str:
        """A name of it that is no other's."""
        return f"{self.case.id}\0{self.cell.harness}\0{self.cell.model}"


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """What one arm did and took; means are over its trials that ended, None where one isn't known.

    The rates are over cases on one harness. Those of several harnesses together have no intervals:
    the same case on two harnesses is not two independent ones.
    """

    arm: Arm
    trials: int
    rates: PassRates
    tokens: float | None
    cost_usd: float | None
    seconds: float | None
    tokens_per_success: float | None
    cost_per_success: float | None


@dataclass(frozen=True, slots=True)
class Scope:
    """The figures of one harness and model, or of the whole run where `cell` is None."""

    cell: Cell | None
    lift: Estimate | None
    treated: float | None
    """The mean score of the paired cases, as in the lift."""
    control: float | None
    arms: Mapping[Arm, ArmFigures]
    outcomes: PairedOutcomes
    p: float | None
    """Of McNemar's test; None over several harnesses, and without a discordant pair."""
    context: Estimate | None
    """How many tokens the skill adds to the first request."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Why a metric has no value in some trials."""

    arm: Arm
    reason: str
    trials: int


@dataclass(frozen=True, slots=True)
class Level:
    """A metric or dimension in both arms; the means are over cases."""

    name: str
    treated: float | None
    control: float | None
    estimate: Estimate | None
    missing: tuple[Missing, ...] = ()


@dataclass(frozen=True, slots=True)
class RunReport:
    """All that a report says."""

    run: str
    skill: str
    digest: str
    stale: bool | None
    """Whether the skill has changed since; None if its folder can't be read any more."""
    created: float
    ended: float | None
    state: str
    reason: str
    settings: RunSettings
    cells: tuple[Cell, ...]
    arms: tuple[Arm, ...]
    attempts: int
    """At each case, in each arm, as planned."""
    counts: Mapping[State, int]
    trials: int
    summary: Summary
    outcome: Level
    """Over accuracy and goal accuracy alone."""
    composite: Level
    """The plain means of all metrics that a trial has, for comparison with older figures."""
    whole: Scope
    scopes: tuple[Scope, ...]
    """One for each cell."""
    metrics: tuple[Level, ...]
    dimensions: tuple[Level, ...]
    compared: tuple[str, ...]
    """The dimensions that the lift is made of."""
    cases: tuple[CaseResult, ...]
    judges: tuple[str, ...] = ()
    """The models that judged, with the versions of their prompts."""
    judge_cost_usd: float | None = None
    cost_usd: float | None = None
    """Of all trials that ended and of the judge, as far as is known."""
    cost_known: bool = True
    """Whether each of them has a cost."""
    color: bool = field(default=False, compare=False)

    @property
    def lift(self) -> Estimate | None:
        """The headline."""
        return self.summary.lift

    @property
    def faults(self) -> tuple[Attempt, ...]:
        """The trials that an infrastructure error ended."""
        return tuple(
            one for case in self.cases for one in case.attempts if one.state == "infra-error"
        )
