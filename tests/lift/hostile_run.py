"""A run in which every text that is not ours tries to break out of the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from skillgauge.lift.plan import Cell, Trial
from skillgauge.lift.report import render

from .made_runs import CASES, Script, report_on

HOSTILE = "</pre></style><script>steal()</script><img src=x onerror=steal()>\"'&\x00\x1b[31m\u202e"


def hostile_page(data: Path) -> str:
    """Return the page of such a run."""
    cases = tuple(
        replace(case, prompt=HOSTILE, expected_output=HOSTILE, assertions=(HOSTILE,) * 3)
        for case in CASES[:6]
    )

    def change(trial: Trial, results: dict[str, Any]) -> None:
        results["ran"] |= {"answer": f"{HOSTILE}{trial.arm}", "notes": (HOSTILE,)}
        files = [{"path": HOSTILE, "size": 1, "text": f"{HOSTILE}\n{trial.arm}"}]
        results["ran"]["artifacts"] = files
        for step in results["trajectory"]["steps"]:
            step["message"] = HOSTILE
            for call in step.get("tool_calls", ()):
                call |= {"function_name": HOSTILE, "arguments": {HOSTILE: HOSTILE}}
            for result in step.get("observation", {}).get("results", ()):
                result["content"] = HOSTILE
        for one in results["judged"].values():
            for verdict in one["judgement"]["verdicts"]:
                verdict |= {"passed": False, "quote": HOSTILE, "reason": HOSTILE}
        finding = {"type": HOSTILE, "severity": "critical", "message": HOSTILE}
        security = results["measured"]["security"]
        security["findings"] = [finding | {"evidence": HOSTILE, "step": 1, "after_skill": True}]
        security |= {"value": 0.0}
        results["measured"]["accuracy"] |= {"value": None, "reason": HOSTILE}

    found = report_on(
        data,
        cases=cases,
        cells=(Cell("claude-code", HOSTILE),),
        attempts=1,
        change=change,
        director=lambda trial: Script(wrong=3),
    )
    return render(replace(found, skill=HOSTILE, run=HOSTILE), "html")
