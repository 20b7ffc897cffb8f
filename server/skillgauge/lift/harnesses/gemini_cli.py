"""Gemini CLI, by Google."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from skillgauge.lift.engines import Ended
from skillgauge.lift.harnesses import BASE_URL, KEY, Dialect, Package, Setup
from skillgauge.lift.harnesses._events import crash, fault_in, last
from skillgauge.lift.trajectory._raw import obj

TITLE: Final = "Gemini CLI"
PACKAGE: Final = Package("@google/gemini-cli", "0.61.0", "gemini")
DIALECT: Final[Dialect] = "gemini"
MODEL: Final = "gemini-3.1-pro-preview"
SKILLS: Final = ".gemini/skills"
PLACES: Final = (".gemini/skills", ".agents/skills")
ATTEMPTS: Final = 3
BUNDLED: Final = ("antigravity-support", "skill-creator")
_TURNS: Final = 53
"""The exit code at the limit of turns, which a workspace's own settings may set."""


def files(setup: Setup) -> Mapping[str, str]:
    """Return its settings; without the type of authentication it refuses another base URL."""
    settings = {
        "security": {
            "auth": {"selectedType": "gemini-api-key"},
            "folderTrust": {"enabled": False},
        },
        "general": {
            "enableAutoUpdate": False,
            "enableAutoUpdateNotification": False,
            "maxAttempts": ATTEMPTS,
        },
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "tools": {"sandbox": False},
        "skills": {"enabled": True, "disabled": list(BUNDLED)},
    }
    return {".gemini/settings.json": json.dumps(settings, indent=1) + "\n"}


def environment(setup: Setup) -> Mapping[str, str]:
    """Return where the model is, and that the workspace may be trusted."""
    return {
        "GOOGLE_GEMINI_BASE_URL": BASE_URL,
        "GEMINI_API_KEY": KEY,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_CLI_NO_RELAUNCH": "true",
    }


def command(setup: Setup) -> tuple[str, ...]:
    """Return the command line; with a model named, no other is asked which one to take."""
    return (
        "gemini",
        f"--model={setup.model}",
        "--yolo",
        "--output-format=stream-json",
        f"--prompt={setup.prompt}",
    )


def fault(ended: Ended) -> str:
    """Return the error of the result; the exit code alone tells of a crash before that."""
    result = last(ended, "result")
    if result is None:
        return crash(ended)
    if result.get("status") != "error" or ended.exit_code == _TURNS:
        return ""
    return fault_in(obj(result.get("error")).get("message"), "an error")
