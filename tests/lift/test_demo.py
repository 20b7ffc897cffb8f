"""The recorded run, played by the real journal, converters, metrics and report."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from skillgauge.lift import demo, folders
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.report import build, render
from skillgauge.lift.source import SkillSource
from tests.lift.record_demo import trimmed

EXAMPLE = Path(__file__).parents[2] / "examples" / "skills" / "csv-profile"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[JournalReader, str]:
    data = tmp_path_factory.mktemp("data")
    run = demo.replay(data)
    return JournalReader(folders.journal_path(data)), run


def test_all_trials_are_measured(played: tuple[JournalReader, str]) -> None:
    journal, run = played
    rows = journal.trials(run)
    assert Counter(row.state for row in rows) == {"done": 32}
    assert len({row.trial.case_id for row in rows}) == 8
    assert {row.trial.cell.harness for row in rows} == {"codex", "claude-code"}
    measured = journal.results(run, "measured")
    failed = {
        (row.trial.case_id, row.trial.arm)
        for row in rows
        if measured[row.trial.id]["goal_accuracy"]["value"] == 0
    }
    assert failed == {
        ("order-export-clean", "baseline"),
        ("semicolons-and-cp1252", "baseline"),
        ("rows-that-break", "baseline"),
        ("chart-not-profile", "with-skill"),
    }


def test_quotes_are_from_what_the_agent_said(played: tuple[JournalReader, str]) -> None:
    journal, run = played
    ran = journal.results(run, "ran")
    quotes = 0
    for trial, body in journal.results(run, "judged").items():
        for one in body.values():
            for verdict in one["judgement"]["verdicts"]:
                assert verdict["quote"] in " ".join(ran[trial]["answer"].split())
                quotes += bool(verdict["quote"])
    assert quotes > 100


def test_report_says_what_it_is(played: tuple[JournalReader, str]) -> None:
    journal, run = played
    report = build(journal, run)
    body = json.loads(render(report, "json"))
    assert body["lift"]["n_cases"] == 8
    assert body["lift"]["precision"] == "low"
    low, high = body["lift"]["interval"]
    assert low < body["lift"]["estimate"] < high
    text = render(report, "text")
    assert "script stood in for the models" in text
    assert "$" not in text


def test_the_recorded_skill_is_the_example(played: tuple[JournalReader, str]) -> None:
    """If the example has changed, record anew: `python -m tests.lift.record_demo`."""
    journal, run = played
    assert journal.run(run).digest == SkillSource(EXAMPLE).digest


def test_makers_texts_are_not_kept() -> None:
    rows = [
        {"type": "attachment", "rendered": "a system prompt"},
        {"type": "response_item", "payload": {"role": "developer", "content": "rules"}},
        {"type": "session_meta", "payload": {"id": "1", "base_instructions": {"text": "rules"}}},
        {"type": "user", "message": {"content": "the prompt"}},
    ]
    kept = "".join(trimmed("\n".join(map(json.dumps, rows))))
    assert [json.loads(line) for line in kept.splitlines()] == [
        {"type": "session_meta", "payload": {"id": "1"}},
        {"type": "user", "message": {"content": "the prompt"}},
    ]
