"""Scores for programs."""

from __future__ import annotations

import json
from typing import Final

from skillgauge.score_report import ScoreRun

SCHEMA: Final = 1


def render(run: ScoreRun) -> str:
    """Return the report of a run."""
    profiles = [{"path": skill.path, **skill.plain} for skill in run.skills]
    document = {"schema_version": SCHEMA, "profiles": profiles}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
