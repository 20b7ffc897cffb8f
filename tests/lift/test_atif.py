"""Reading and writing ATIF: versions, faults with their paths, bounds."""

from __future__ import annotations

import json

import pytest

from skillgauge.errors import UserError
from skillgauge.lift.trajectory import atif


def document(**more: object) -> dict:
    call = {"tool_call_id": "c1", "function_name": "Read", "arguments": {"p": [1, None]}}
    return {
        "schema_version": "ATIF-v1.7",
        "agent": {"name": "a", "version": "1"},
        "steps": [
            {"step_id": 1, "source": "user", "message": [{"type": "text", "text": "Hi"}]},
            {
                "step_id": 2,
                "source": "agent",
                "message": "",
                "timestamp": "2026-01-02T03:04:05Z",
                "reasoning_effort": 0.5,
                "tool_calls": [call],
                "observation": {"results": [{"source_call_id": "c1", "content": "x"}]},
                "metrics": {"prompt_tokens": 5, "logprobs": [-0.5]},
            },
        ],
    } | more


@pytest.mark.parametrize("minor", range(9))
def test_every_version_is_read_and_written_as_the_seventh(minor: int) -> None:
    found = atif.read(json.dumps(document(schema_version=f"ATIF-v1.{minor}")))
    assert found.schema_version == f"ATIF-v1.{minor}"
    assert atif.to_json(found) == document()
    assert next(iter(atif.to_json(found))) == "schema_version"


def test_synthetic_ones_are_read() -> None:
    assert atif.read(json.dumps(document(schema_version="ATIF-v1.2-synthetic-codex"))).steps


def test_sound_is_written_as_the_version_that_has_it() -> None:
    part = {"type": "audio", "source": {"media_type": "audio/wav", "path": "a.wav"}}
    step = {"step_id": 1, "source": "user", "message": [part]}
    found = atif.read(json.dumps(document(schema_version="ATIF-v1.8", steps=[step])))
    assert atif.to_json(found)["schema_version"] == "ATIF-v1.8"


def spoilt(path: str, value: object) -> dict:
    """Return the document with another value at a path."""
    found = document()
    at: object = found
    *way, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    for key in way:
        at = at[key]  # type: ignore[index]
    at[last] = value  # type: ignore[index]
    return found


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("schema_version", "ATIF-v2.0", "schema_version: should be ATIF-v1.0 to ATIF-v1.8"),
        ("steps", [], "steps: should have at least one"),
        ("steps.1.step_id", 3, "steps[1].step_id: should be 2"),
        ("steps.1.colour", 1, "steps[1].colour: Unexpected keyword argument"),
        ("steps.1.tool_calls.0.arguments", [], "steps[1].tool_calls[0].arguments: Input should"),
        ("steps.0.metrics", {}, "steps[0].metrics: only a step of the agent may have it"),
        ("steps.0.message.0.text", None, "steps[0].message[0].text: should be there for a text"),
        ("steps.0.message.0.kind", 1, "steps[0].message[0].kind: Unexpected keyword argument"),
        ("steps.1.timestamp", "noon", "steps[1].timestamp: should be a time as in ISO 8601"),
        ("steps.1.llm_call_count", 0, "steps[1].llm_call_count: is 0, so there can be neither"),
        (
            "steps.1.observation.results.0.source_call_id",
            "c2",
            "steps[1].observation.results[0].source_call_id: no call of this step has it",
        ),
        (
            "steps.1.observation.results.0.subagent_trajectory_ref",
            [{}],
            "steps[1].observation.results[0].subagent_trajectory_ref[0]: has neither id nor path",
        ),
        (
            "subagent_trajectories",
            [document()],
            "subagent_trajectories[0].trajectory_id: is missing",
        ),
        (
            "subagent_trajectories",
            [document(trajectory_id="t")] * 2,
            "subagent_trajectories[1].trajectory_id: is there twice",
        ),
    ],
)
def test_a_fault_is_told_with_its_path(path: str, value: object, told: str) -> None:
    with pytest.raises(UserError) as caught:
        atif.read(json.dumps(spoilt(path, value)), "run.json")
    assert caught.value.what == "run.json is not valid ATIF"
    assert caught.value.why.startswith(told)
    assert ";" not in caught.value.why


def test_many_faults_are_told_in_part() -> None:
    steps = [{"step_id": 9, "source": "user", "message": ""}] * 8
    with pytest.raises(UserError, match=r"steps\[4\].step_id: should be 5; 3 more"):
        atif.read(json.dumps(document(steps=steps)))


@pytest.mark.parametrize("data", ["", "[", "[]", "null", '"x"', "[" * 9999, b"\xff\xfe", "{}"])
def test_what_is_no_trajectory_is_refused(data: str | bytes) -> None:
    with pytest.raises(UserError, match="the trajectory is not valid ATIF"):
        atif.read(data)


def test_sizes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    inner = document(trajectory_id="t")
    for _ in range(atif.MAX_DEPTH):
        inner = document(trajectory_id="t", subagent_trajectories=[inner])
    atif.read(json.dumps(inner))
    with pytest.raises(UserError, match="nested deeper than 8"):
        atif.read(json.dumps(document(subagent_trajectories=[inner])))
    monkeypatch.setattr(atif, "MAX_STEPS", 1)
    with pytest.raises(UserError, match="steps: more than 1"):
        atif.read(json.dumps(document()))
    monkeypatch.setattr(atif, "MAX_BYTES", 10)
    with pytest.raises(UserError, match="is too large"):
        atif.read(json.dumps(document()))
