"""Reads and writes the Agent Trajectory Interchange Format (ATIF).

Written as v1.7 (v1.8 where there is sound, which came with it); read from v1.0 to v1.8. A document
from outside is bounded, checked by pydantic, then against the rules between its parts, and told
apart with the path of each fault. docs/design/atif-converters.md has the reasons.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Final, cast

from skillgauge.errors import InputError
from skillgauge.lift.trajectory._types import (
    Agent,
    Content,
    ContentPart,
    FinalMetrics,
    Json,
    MediaSource,
    Metrics,
    Observation,
    Result,
    Source,
    Step,
    SubagentRef,
    ToolCall,
    Trajectory,
    text_of,
)

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

__all__ = [
    "Agent",
    "Content",
    "ContentPart",
    "FinalMetrics",
    "Json",
    "MediaSource",
    "Metrics",
    "Observation",
    "Result",
    "Source",
    "Step",
    "SubagentRef",
    "ToolCall",
    "Trajectory",
    "dump",
    "faults",
    "of_json",
    "read",
    "text_of",
    "to_json",
]

MAX_BYTES: Final = 64 * 2**20
MAX_STEPS: Final = 50_000
"""Of a document with all its sub-agents."""
MAX_DEPTH: Final = 8
"""Of sub-agents in sub-agents."""
SHOWN: Final = 5
"""How many faults a message tells."""
VERSION: Final = re.compile(r"ATIF-v1\.[0-8](-synthetic[\w.-]{0,64})?", re.ASCII)
"""The synthetic ones are what SkillEvaluator makes of a log when there is no trajectory."""
IMAGES: Final = ("image/jpeg", "image/png", "image/gif", "image/webp")
AGENT_ONLY: Final = (
    "model_name",
    "reasoning_effort",
    "reasoning_content",
    "tool_calls",
    "metrics",
)


def read(data: bytes | str, name: str = "the trajectory") -> Trajectory:
    """Return the trajectory of a document; InputError with the paths of its faults otherwise."""
    if len(data) > MAX_BYTES:
        raise InputError(f"{name} is too large", f"{len(data):,} of {MAX_BYTES:,} bytes")
    return _checked(lambda: _adapter().validate_json(data), name)


def of_json(body: object, name: str = "the trajectory") -> Trajectory:
    """Return the trajectory of a document that was parsed already, as the journal's are."""
    return _checked(lambda: _adapter().validate_python(body), name)


def _checked(parse: Callable[[], Trajectory], name: str) -> Trajectory:
    from pydantic import ValidationError

    try:
        found = parse()
    except ValidationError as error:
        raise _refusal(name, _told(error)) from None
    problems = list(faults(found))
    if problems:
        raise _refusal(name, problems)
    return found


@cache
def _adapter() -> TypeAdapter[Trajectory]:
    from pydantic import TypeAdapter

    return TypeAdapter(Trajectory)


def _refusal(name: str, problems: list[str]) -> InputError:
    more = f"; {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
    how = "Give a trajectory of ATIF-v1.0 to ATIF-v1.8"
    return InputError(f"{name} is not valid ATIF", "; ".join(problems[:SHOWN]) + more, how)


def to_json(trajectory: Trajectory) -> Json:
    """Return a trajectory as what its JSON holds; absent values are left out."""
    version = "ATIF-v1.8" if _has_audio(trajectory) else "ATIF-v1.7"
    first = {"schema_version": version}
    return first | cast("Json", _plain(replace(trajectory, schema_version=version)))


def dump(trajectory: Trajectory) -> str:
    """Return a trajectory as JSON text, in ASCII."""
    return json.dumps(to_json(trajectory), indent=1) + "\n"


def _plain(value: object) -> object:
    if is_dataclass(value):
        pairs = ((field.name, getattr(value, field.name)) for field in fields(value))
        return {name: _plain(inner) for name, inner in pairs if inner is not None}
    if isinstance(value, tuple):
        return [_plain(inner) for inner in cast("tuple[object, ...]", value)]
    return value  # what stands in `extra` and `arguments` is plain already


def _has_audio(trajectory: Trajectory) -> bool:
    return any(
        isinstance(content, tuple) and any(part.type == "audio" for part in content)
        for step in trajectory.walk()
        for content in _contents(step)
    )


def _contents(step: Step) -> Iterator[Content | None]:
    yield step.message
    for result in step.observation.results if step.observation else ():
        yield result.content


def _told(error: ValidationError) -> list[str]:
    """Return pydantic's faults with readable paths; of a union, what its likeliest branch says."""
    found: dict[str, str] = {}
    for item in error.errors(include_url=False, include_input=False):
        path = _path(item["loc"])
        found.setdefault(path, f"{path}: {item['msg']}" if path else item["msg"])
    deeper = [path for path in found if "." in path or "[" in path]
    return [
        told
        for path, told in found.items()
        if not (path and any(other.startswith((f"{path}.", f"{path}[")) for other in deeper))
    ]


def _path(loc: tuple[int | str, ...]) -> str:
    path = ""
    for part in loc:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part not in ("str", "float") and not part.startswith("tuple["):
            path += f".{part}"
    return path.removeprefix(".")


def faults(trajectory: Trajectory, path: str = "", depth: int = 0) -> Iterator[str]:
    """Yield what a trajectory breaks of the rules between the parts of the format."""
    at = f"{path}." if path else ""
    if not VERSION.fullmatch(trajectory.schema_version):
        yield f"{at}schema_version: should be ATIF-v1.0 to ATIF-v1.8"
    if not trajectory.steps:
        yield f"{at}steps: should have at least one"
    if not depth and sum(1 for _ in trajectory.walk()) > MAX_STEPS:
        yield f"steps: more than {MAX_STEPS:,}"
        return
    for index, step in enumerate(trajectory.steps):
        if step.step_id != index + 1:
            yield f"{at}steps[{index}].step_id: should be {index + 1}"
        for fault in _step_faults(step):
            yield f"{at}steps[{index}].{fault}"
    if depth == MAX_DEPTH and trajectory.subagent_trajectories:
        yield f"{at}subagent_trajectories: nested deeper than {MAX_DEPTH}"
        return
    seen: set[str] = set()
    for index, inner in enumerate(trajectory.subagent_trajectories or ()):
        here = f"{at}subagent_trajectories[{index}]"
        if not inner.trajectory_id:
            yield f"{here}.trajectory_id: is missing"
        elif inner.trajectory_id in seen:
            yield f"{here}.trajectory_id: is there twice"
        seen.add(inner.trajectory_id or "")
        yield from faults(inner, here, depth + 1)


def _step_faults(step: Step) -> Iterator[str]:
    if step.timestamp is not None and not is_time(step.timestamp):
        yield "timestamp: should be a time as in ISO 8601"
    if step.source != "agent":
        for name in AGENT_ONLY:
            if getattr(step, name) is not None:
                yield f"{name}: only a step of the agent may have it"
    if step.llm_call_count is not None and step.llm_call_count < 0:
        yield "llm_call_count: should not be negative"
    if step.llm_call_count == 0 and (step.metrics or step.reasoning_content is not None):
        yield "llm_call_count: is 0, so there can be neither metrics nor reasoning_content"
    yield from _part_faults(step.message, "message")
    ids = {call.tool_call_id for call in step.tool_calls or ()}
    for index, result in enumerate(step.observation.results if step.observation else ()):
        at = f"observation.results[{index}]"
        if result.source_call_id is not None and result.source_call_id not in ids:
            yield f"{at}.source_call_id: no call of this step has it"
        yield from _part_faults(result.content, f"{at}.content")
        for inner, ref in enumerate(result.subagent_trajectory_ref or ()):
            if ref.trajectory_id is None and ref.trajectory_path is None:
                yield f"{at}.subagent_trajectory_ref[{inner}]: has neither id nor path"


def _part_faults(content: Content | None, path: str) -> Iterator[str]:
    if not isinstance(content, tuple):
        return
    for index, part in enumerate(content):
        if (part.text is not None) != (part.type == "text"):
            yield f"{path}[{index}].text: should be there for a text, and for nothing else"
        if (part.source is not None) != (part.type != "text"):
            yield f"{path}[{index}].source: should be there for a medium, and for nothing else"
        if part.type == "image" and part.source and part.source.media_type not in IMAGES:
            yield f"{path}[{index}].source.media_type: should be one of {', '.join(IMAGES)}"


def is_time(text: str) -> bool:
    """Return whether a text is a time as in ISO 8601."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
