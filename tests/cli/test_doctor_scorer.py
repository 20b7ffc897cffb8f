"""What `skillgauge doctor` tells of the scorer: which device runs, and why not the other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skillgauge import scorer_state
from skillgauge.errors import UserError

from .conftest import Run

THERE: dict[str, Any] = {
    "model": "tiny",
    "libraries": {"onnxruntime": "1.30", "numpy": "2.4"},
    "faults": [],
    "folder": "F",
    "size": 3 << 20,
    "device": "cpu",
    "reason": "This onnxruntime has no CUDA",
    "bundle": "abc",
}


def fault(of: str) -> dict[str, Any]:
    return {"of": of, "what": f"No {of}", "why": "why", "how": "do it"}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the scorer answers."""
    answer = dict(THERE)
    monkeypatch.setattr("skillgauge.child.Child.ask", lambda *_: answer)
    return answer


def test_which_device_and_why_not_the_other(told: dict[str, Any]) -> None:
    assert [(line.state, line.label, line.value) for line in scorer_state.lines()] == [
        ("ok", "scorer", "onnxruntime 1.30, numpy 2.4"),
        ("ok", "scorer's model", "tiny, 3 MiB, in F"),
        ("ok", "scorer's device", "the CPU (This onnxruntime has no CUDA)"),
        ("ok", "scorer's bundle", "directions abc"),
    ]
    told |= {"device": "cuda", "reason": ""}
    assert scorer_state.lines()[2].value == "a CUDA device"


@pytest.mark.parametrize("of", ["libraries", "model", "device", "bundle"])
def test_what_is_missing_and_what_to_run(told: dict[str, Any], of: str) -> None:
    told["faults"] = [fault(of)]
    (line,) = [line for line in scorer_state.lines() if line.state == "note"]
    assert (line.value, line.mend) == (f"No {of}: why", "do it")


def test_two_of_onnxruntime_at_once(told: dict[str, Any]) -> None:
    told["libraries"] = {"onnxruntime-gpu": "1.30", "onnxruntime": "1.30"}
    assert "one hides the other" in scorer_state.lines()[-1].value


def test_a_scorer_that_does_not_answer_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(*_: object) -> None:
        raise UserError("It ended", "with status 1", "Look why")

    monkeypatch.setattr("skillgauge.child.Child.ask", ask)
    assert scorer_state.lines() == [
        scorer_state.Line("note", "scorer", "It ended: with status 1", "Look why")
    ]


def test_without_a_model(repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the process itself; that nothing is installed keeps no rule from working."""
    monkeypatch.setenv("SKILLGAUGE_MODELS", str(repo / "none"))
    done = run("doctor")
    assert done.status == 0
    assert "scorer's model" in done.out
    assert "→ Run `skillgauge model install smollm2-135m-instruct`" in done.out
    assert not (repo / "none").exists()


def test_a_model_that_is_broken(repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")
    folder = repo / "models" / "smollm2-135m-instruct"
    folder.mkdir(parents=True)
    facts = {"schema_version": 1, "name": folder.name, "files": {}, "backbone": {}}
    (folder / "manifest.json").write_text(json.dumps(facts))
    monkeypatch.setenv("SKILLGAUGE_MODELS", str(repo / "models"))
    done = run("doctor")
    assert done.status == 0
    assert "onnxruntime can't load" in done.out
