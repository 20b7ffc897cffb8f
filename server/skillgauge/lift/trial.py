"""One trial from its files to its measures, and whether what failed was the runner.

What the endpoint, the engine or the harness itself did wrong is an infrastructure error: it says
nothing of the skill, and the trial is run again. An agent that takes too long or answers wrongly
has ended its trial, and is measured by what it did.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from skillgauge.errors import InputError
from skillgauge.lift.cases import Case
from skillgauge.lift.grade import grade
from skillgauge.lift.harnesses import Setup, harness
from skillgauge.lift.leaks import is_named, leak, marks
from skillgauge.lift.plan import Trial
from skillgauge.lift.redaction import masked
from skillgauge.lift.removal import remove
from skillgauge.lift.results import Ran, plain
from skillgauge.lift.settings import RunSettings
from skillgauge.lift.source import SkillSource
from skillgauge.lift.stage import Part, Played, Stage
from skillgauge.lift.trajectory import Told, convert, reads_output
from skillgauge.lift.trajectory._types import Trajectory, text_of
from skillgauge.lift.trajectory.atif import to_json
from skillgauge.lift.workspace import collect, furnish

MAX_ANSWER: Final = 64 * 2**10
MAX_LOG: Final = 64 * 2**20
_SHOWN: Final = 300
_NOT_STARTED: Final = (70, 126, 127)
"""What the forwarder and shells end with when a program is not there, which no second try mends."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a trial ended, as the journal takes it."""

    state: Literal["done", "infra-error"]
    reason: str = ""
    results: Mapping[str, Any] = field(default_factory=dict[str, Any])
    again: bool = False
    """Whether it may go better the next time."""
    over_budget: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a trial says nothing of the skill."""

    reason: str
    again: bool = True


async def run_trial(
    stage: Stage,
    trial: Trial,
    case: Case,
    source: SkillSource,
    settings: RunSettings,
    folder: Path,
    hidden: Iterable[str] = (),
) -> Outcome:
    """Run a trial to its end. Raises EngineFault, and UserError for a full disk and the like.

    `hidden` are values that no file may keep: an endpoint may have said one of them.
    """
    began = time.monotonic()
    kit = harness(trial.cell.harness)
    setup = Setup(case.prompt, trial.cell.model, settings.script)
    room = await asyncio.to_thread(
        furnish, folder, trial, case, source, kit.SKILLS, kit.files(setup)
    )
    part = Part(trial, room, kit, setup)
    played = await stage.play(part)
    (folder / "stdout").write_bytes(masked(played.ended.stdout, hidden))
    (folder / "stderr").write_bytes(masked(played.ended.stderr, hidden))
    trajectory, unread = await asyncio.to_thread(_trajectory, stage, part, played)
    ran = _ran(part, played, trajectory, began)
    results: dict[str, Any] = {"ran": plain(ran)}
    if trajectory:
        results["trajectory"] = to_json(trajectory)
    fault = fault_of(part, played, case, source, unread)
    await asyncio.to_thread(_tidy, stage, part, hidden)
    if fault:
        return Outcome("infra-error", fault.reason, results, fault.again, played.over_budget)
    judged = await stage.judge(trial, case, trajectory, ran)
    measured = grade(case, trial.arm, source.name, trajectory, ran, judged, (room.canary,))
    results |= {"judged": plain(judged), "measured": plain(measured)}
    return Outcome("done", results=results)


def fault_of(
    part: Part, played: Played, case: Case, source: SkillSource, unread: str
) -> Fault | None:
    """Return why a trial says nothing of the skill, None if it does."""
    ended, name = played.ended, part.harness.TITLE
    if played.over_budget:
        return Fault("the budget of the run is spent", again=False)
    if played.diverged:
        return Fault(f"the recording does not fit: {played.diverged}", again=False)
    if ended.reason == "memory":
        return Fault("the container ran out of memory")
    if ended.reason == "output":
        return Fault("it wrote more than the limit on output")
    if ended.reason == "disk":
        return Fault("it filled its folders beyond the limit")
    if ended.reason == "timeout" and (played.waiting or played.faults):
        last = f": {played.faults[-1]}" if played.faults else ""
        return Fault(f"the time was over while {name} waited for the model{last}")
    if said := part.harness.fault(ended):
        return Fault(f"{name}: {said}"[:_SHOWN], again=ended.exit_code not in _NOT_STARTED)
    if unread:
        tail = ended.stderr[-2000:].decode("utf-8", "replace").strip().splitlines()
        last = f"; its last words: {tail[-1]}" if tail else ""
        return Fault(f"{unread} (exit status {ended.exit_code}{last})"[:_SHOWN])
    return _unfair(part, played, case, source)


def _unfair(part: Part, played: Played, case: Case, source: SkillSource) -> Fault | None:
    """Return what made the arms other than they should be."""
    if played.requests is None or not played.usage.requests:
        return None
    if part.trial.arm == "baseline":
        seen = leak(played.requests(), marks(source, case))
        return Fault(f"the baseline saw the skill: “{seen[:80]}”", again=False) if seen else None
    if part.harness.DIALECT and not is_named(played.requests(), source.name, case.prompt):
        return Fault(f"{part.harness.TITLE} never listed the skill", again=False)
    return None


def _trajectory(stage: Stage, part: Part, played: Played) -> tuple[Trajectory | None, str]:
    """Return the trajectory, or why there is none."""
    told = Told(part.setup.prompt, part.setup.model, played.version)
    try:
        return convert(part.trial.cell.harness, _logs(stage, part), told), ""
    except InputError as error:
        return None, f"{error.what}: {error.why}" if error.why else error.what


def _logs(stage: Stage, part: Part) -> list[Path]:
    """Return the harness's logs, its output where it keeps no other."""
    found = stage.logs(part)
    if not found and reads_output(part.trial.cell.harness):
        return [part.room.folder / "stdout"]
    return found


def _ran(part: Part, played: Played, trajectory: Trajectory | None, began: float) -> Ran:
    ended, notes = played.ended, [*played.faults, *played.notes]
    if ended.reason == "timeout":
        notes.append("it was stopped when its time was over")
    return Ran(
        exit_code=ended.exit_code,
        reason=ended.reason,
        seconds=round(ended.seconds, 3),
        overhead=round(max(time.monotonic() - began - ended.seconds, 0.0), 3),
        usage=played.usage,
        version=played.version or (trajectory.agent.version if trajectory else ""),
        answer=_answer(trajectory)[:MAX_ANSWER],
        artifacts=collect(part.room),
        notes=tuple(notes),
    )


def _answer(trajectory: Trajectory | None) -> str:
    """Return the last thing that the agent said, "" if nothing."""
    for step in reversed(trajectory.steps if trajectory else ()):
        if step.source == "agent" and (text := text_of(step.message).strip()):
            return text
    return ""


def _tidy(stage: Stage, part: Part, hidden: Iterable[str]) -> None:
    """Keep the harness's logs, and remove its home and workspace: they may be large."""
    room = part.room
    for path in stage.logs(part):
        if path.is_relative_to(room.home) and path.stat().st_size <= MAX_LOG:
            target = room.folder / "logs" / path.relative_to(room.home)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(masked(path.read_bytes(), hidden))
    for artifact in collect(room):
        if artifact.text is not None:
            target = room.folder / "artifacts" / artifact.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(masked(artifact.text.encode("utf-8", "surrogatepass"), hidden))
    for folder in (room.home, room.workspace):
        with contextlib.suppress(OSError):
            remove(folder)
