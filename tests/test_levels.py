"""A case's own level: it counts in a profile as it is, and a severity that the user chose wins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from skillgauge.engine import Settings, check, profile_settings
from skillgauge.rule import Severity

from .helpers import skill

TEXT = "---\nname: claude-notes\ndescription: Writes notes when they are wanted.\n---\n# Notes\n"


def level(settings: Settings, *clients: str) -> Severity | None:
    found = check(skill(TEXT, clients=clients), settings).findings
    return next((item.severity for item in found if item.code == "F037"), None)


def test_a_target_raises_the_level() -> None:
    assert level(profile_settings()) is Severity.HINT
    assert level(profile_settings(), "claude-ai") is Severity.ERROR
    assert level(profile_settings("strict"), "claude-ai") is Severity.ERROR


@pytest.mark.parametrize("chosen", [Severity.INFO, Severity.WARNING])
def test_a_chosen_severity_wins(chosen: Severity) -> None:
    default = profile_settings()
    settings = replace(default, severities={**default.severities, "F037": chosen})
    assert level(settings) is chosen
    assert level(settings, "claude-ai") is chosen


def test_a_rule_that_is_off_stays_off() -> None:
    assert level(Settings("default", {}), "claude-ai") is None
