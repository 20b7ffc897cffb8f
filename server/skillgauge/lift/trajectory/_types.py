"""What a trajectory is made of: the objects of the Agent Trajectory Interchange Format.

The names are the format's, so that reading and writing need no table between them. Every class
refuses unknown keys when it is read; what has no key of its own goes into `extra`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

Json = dict[str, object]
Source = Literal["system", "user", "agent"]

_FORBID = {"extra": "forbid"}


@dataclass(frozen=True, slots=True)
class Agent:
    """The harness, and the model that it ran."""

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID
    name: str
    version: str
    model_name: str | None = None
    tool_definitions: tuple[Json, ...] | None = None
    extra: Json | None = None


@dataclass(frozen=True, slots=True)
class MediaSource:
    """Where an image or a sound is: a path or a URL, of the data kind too."""

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID
    media_type: str
    path: str
    duration_sec: float | None = None


@dataclass(frozen=True, slots=True)
class ContentPart:
    """One part of a message in several parts: a text, or a medium."""

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID
    type: Literal["text", "image", "audio"]
    text: str | None = None
    source: MediaSource | None = None


Content = str | tuple[ContentPart, ...]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the agent made."""

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID
    tool_call_id: str
    function_name: str
    arguments: Json
    extra: Json | None = None

    @property
    def is_wrapper(self) -> bool:
        """Whether it only carried the calls beside it that name it; those are what was done."""
        return bool(self.extra and self.extra.get("wraps"))


@dataclass(frozen=True, slots=True)
class SubagentRef:
    """Which trajectory a sub-agent left."""

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID
    trajectory_id: str | None = None
    trajectory_path: str | None = None
    session_id: str | None = None
    extra: Json | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What came back for a call; without `source_call_id`, for none that is known."""

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID
    source_call_id: str | None = None
    content: Content | None = None
    subagent_trajectory_ref: tuple[SubagentRef, ...] | None = None
    extra: Json | None = None

    @property
    def text(self) -> str:
        """Its content as text; media left out."""
        return text_of(self.content)

    @property
    def exit_code(self) -> int | None:
        """The exit code of the command, where the harness told it."""
        code = (self.extra or {}).get("exit_code")
        return code if isinstance(code, int) and not isinstance(code, bool) else None

    @property
    def failed(self) -> bool | None:
        """Whether the call failed, by its exit code or the harness's flag; None if neither is."""
        flag = (self.extra or {}).get("is_error")
        if isinstance(flag, bool):
            return flag or self.exit_code not in (None, 0)
        return None if self.exit_code is None else self.exit_code != 0


@dataclass(frozen=True, slots=True)
class Observation:
    """What the agent saw after its calls."""

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Metrics:
    """What a step took; the prompt's tokens include the cached ones."""

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None
    prompt_token_ids: tuple[int, ...] | None = None
    completion_token_ids: tuple[int, ...] | None = None
    logprobs: tuple[float, ...] | None = None
    extra: Json | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A message of the user, of the harness, or a turn of the agent with what came of it."""

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID
    step_id: int
    source: Source
    message: Content
    timestamp: str | None = None
    model_name: str | None = None
    reasoning_effort: str | float | None = None
    reasoning_content: str | None = None
    tool_calls: tuple[ToolCall, ...] | None = None
    observation: Observation | None = None
    metrics: Metrics | None = None
    is_copied_context: bool | None = None
    llm_call_count: int | None = None
    extra: Json | None = None

    @property
    def text(self) -> str:
        """Its message as text; media left out."""
        return text_of(self.message)

    @property
    def acts(self) -> tuple[ToolCall, ...]:
        """The calls that did something: all but those that only carried others."""
        return tuple(call for call in self.tool_calls or () if not call.is_wrapper)

    def result(self, call: ToolCall) -> Result | None:
        """Return what came back for a call of this step."""
        results = self.observation.results if self.observation else ()
        return next((one for one in results if one.source_call_id == call.tool_call_id), None)


@dataclass(frozen=True, slots=True)
class FinalMetrics:
    """What the whole took, sub-agents included."""

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID
    total_prompt_tokens: int | None = None
    total_completion_tokens: int | None = None
    total_cached_tokens: int | None = None
    total_cost_usd: float | None = None
    total_steps: int | None = None
    extra: Json | None = None


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A whole run of an agent."""

    __pydantic_config__: ClassVar[dict[str, str]] = _FORBID
    agent: Agent
    steps: tuple[Step, ...]
    schema_version: str = "ATIF-v1.7"
    session_id: str | None = None
    trajectory_id: str | None = None
    notes: str | None = None
    final_metrics: FinalMetrics | None = None
    continued_trajectory_ref: str | None = None
    extra: Json | None = None
    subagent_trajectories: tuple[Trajectory, ...] | None = None

    def walk(self) -> Iterator[Step]:
        """Yield all steps, those of sub-agents after the own ones."""
        yield from self.steps
        for inner in self.subagent_trajectories or ():
            yield from inner.walk()


def text_of(content: Content | None) -> str:
    """Return the text of a content; its media left out."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(part.text for part in content if part.text)
