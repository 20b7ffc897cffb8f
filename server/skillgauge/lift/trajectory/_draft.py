"""Builds a trajectory step by step: what converters share once they know what a line means.

A draft keeps the format's rules by itself: calls have ids that are not used twice, a result goes
to the step of its call, one without a call gets a step of its own, and only agents have what is
theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from skillgauge.lift.trajectory._raw import Log, total
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
)
from skillgauge.lift.trajectory.atif import IMAGES

MAX_ERRORS: Final = 50
"""How many messages of the harness's own faults are kept."""


@dataclass(slots=True)
class Draft:
    """A step in the making."""

    source: Source
    timestamp: str | None = None
    parts: list[ContentPart] = field(default_factory=list[ContentPart])
    separator: str = "\n\n"
    reasoning: list[str] = field(default_factory=list[str])
    calls: dict[str, ToolCall] = field(default_factory=dict[str, ToolCall])
    results: list[Result] = field(default_factory=list[Result])
    model: str | None = None
    effort: str | None = None
    metrics: Metrics | None = None
    llm_calls: int | None = None
    extra: Json = field(default_factory=dict[str, object])

    def say(self, text: str) -> None:
        """Add a text to the message."""
        self.parts.append(ContentPart("text", text))

    def step(self, number: int) -> Step:
        """Return the step."""
        agent = self.source == "agent"
        reasoning = "\n\n".join(one for one in self.reasoning if one) or None
        idle = self.llm_calls == 0
        order = {call: index for index, call in enumerate(self.calls)}
        results = sorted(self.results, key=lambda one: order.get(one.source_call_id or "", -1))
        return Step(
            step_id=number,
            source=self.source,
            message=joined(self.parts, self.separator),
            timestamp=self.timestamp,
            model_name=self.model if agent else None,
            reasoning_effort=self.effort if agent else None,
            reasoning_content=None if idle else reasoning,
            tool_calls=tuple(self.calls.values()) or None,
            observation=Observation(tuple(results)) if results else None,
            metrics=None if idle else self.metrics,
            llm_call_count=self.llm_calls if agent else None,
            extra=self.extra or None,
        )


@dataclass(slots=True)
class Transcript:
    """The steps of a trajectory in the making."""

    drafts: list[Draft] = field(default_factory=list[Draft])
    errors: list[str] = field(default_factory=list[str])
    """What the harness said of its own faults, such as an endpoint that failed."""
    _owners: dict[str, tuple[Draft, str]] = field(default_factory=dict[str, tuple[Draft, str]])
    _used: set[str] = field(default_factory=set[str])

    def add(self, source: Source, timestamp: str | None, separator: str = "\n\n") -> Draft:
        """Begin a step."""
        draft = Draft(source, timestamp, separator=separator)
        self.drafts.append(draft)
        return draft

    def fail(self, message: str) -> None:
        """Keep what the harness says of a fault of its own; each once, and not without end."""
        if message and message not in self.errors and len(self.errors) < MAX_ERRORS:
            self.errors.append(message)

    def call(
        self,
        draft: Draft,
        call_id: str | None,
        name: str,
        arguments: Json,
        extra: Json | None = None,
    ) -> str:
        """Add a call to a step of the agent; return its id, which is new if the given one isn't."""
        wanted = call_id or f"call-{len(self._used) + 1}"
        unique, copy = wanted, 2
        while unique in self._used:
            unique, copy = f"{wanted}#{copy}", copy + 1
        self._used.add(unique)
        draft.calls[unique] = ToolCall(unique, name or "unknown", arguments, extra)
        self._owners[call_id or unique] = (draft, unique)
        return unique

    def owner(self, call_id: str | None) -> Draft | None:
        """Return the step that has a call."""
        return self._owners[call_id][0] if call_id in self._owners else None

    def answer(
        self,
        call_id: str | None,
        content: Content,
        extra: Json | None = None,
        timestamp: str | None = None,
        refs: Iterable[SubagentRef] = (),
    ) -> None:
        """Put a result to its call; without one, into a step of its own, which tells the id."""
        known = self._owners.get(call_id or "")
        links = tuple(refs) or None
        if known:
            known[0].results.append(Result(known[1], content, links, extra or None))
            return
        told: Json = {"call_id": call_id} if call_id else {}
        lost = self.add("system", timestamp)
        lost.extra["lost_call"] = True
        lost.results.append(Result(None, content, links, (extra or {}) | told or None))

    def answered(self, call_id: str | None) -> bool:
        """Return whether a call has a result."""
        known = self._owners.get(call_id or "")
        return bool(known) and any(one.source_call_id == known[1] for one in known[0].results)

    def finish(
        self,
        agent: Agent,
        session_id: str | None = None,
        logs: Sequence[Log] = (),
        trajectory_id: str | None = None,
        inner: Sequence[Trajectory] = (),
        cost: float | None = None,
        notes: Iterable[str] = (),
    ) -> Trajectory:
        """Return the trajectory; `cost` is what the harness said of the whole, if it did."""
        steps = tuple(draft.step(number) for number, draft in enumerate(self.drafts, 1))
        said = [*notes, *(log.note for log in logs if log.note)]
        unread = sum(len(log.broken) for log in logs)
        extra: Json = {}
        if self.errors:
            extra["errors"] = list(self.errors)
        if unread:
            extra["unread_lines"] = unread
        return Trajectory(
            agent=agent,
            steps=steps,
            session_id=session_id,
            trajectory_id=trajectory_id,
            notes=" ".join(said) or None,
            final_metrics=_final(steps, inner, cost),
            extra=extra or None,
            subagent_trajectories=tuple(inner) or None,
        )


def _final(steps: Sequence[Step], inner: Sequence[Trajectory], cost: float | None) -> FinalMetrics:
    metrics = [step.metrics for step in steps if step.metrics]
    finals = [one.final_metrics for one in inner if one.final_metrics]
    costs = [one.cost_usd for one in metrics] + [one.total_cost_usd for one in finals]
    known = [one for one in costs if one is not None]
    return FinalMetrics(
        total_prompt_tokens=total(
            *(one.prompt_tokens for one in metrics), *(one.total_prompt_tokens for one in finals)
        ),
        total_completion_tokens=total(
            *(one.completion_tokens for one in metrics),
            *(one.total_completion_tokens for one in finals),
        ),
        total_cached_tokens=total(
            *(one.cached_tokens for one in metrics), *(one.total_cached_tokens for one in finals)
        ),
        total_cost_usd=cost if cost is not None else (sum(known) if known else None),
        total_steps=len(steps),
    )


def joined(parts: Sequence[ContentPart], separator: str) -> Content:
    """Return parts as one text if they are all text, else as they are."""
    if any(part.type != "text" for part in parts):
        return tuple(part for part in parts if part.source or part.text)
    return separator.join(part.text or "" for part in parts)


def medium(media_type: object, data: object, url: object = None) -> ContentPart:
    """Return an image as a part of a message; any other file as a text that tells of it."""
    kind = media_type if isinstance(media_type, str) and media_type else "unknown type"
    link = url if isinstance(url, str) else ""
    if link.startswith("data:"):
        kind = link[5:].partition(";")[0].partition(",")[0] or kind
    elif not link and isinstance(data, str) and data:
        link = f"data:{kind};base64,{data}"
    if kind in IMAGES and link:
        return ContentPart("image", source=MediaSource(kind, link))
    size = f", {len(link):,} characters" if link else ""
    return ContentPart("text", f"[{kind}{size}]")
