"""Claude Code, by Anthropic."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from skillgauge.lift.engines import Ended
from skillgauge.lift.harnesses import BASE_URL, KEY, Dialect, Package, Setup
from skillgauge.lift.harnesses._events import crash, fault_in, last
from skillgauge.lift.trajectory._raw import array, text

TITLE: Final = "Claude Code"
PACKAGE: Final = Package("@anthropic-ai/claude-code", "2.1.332", "claude")
DIALECT: Final[Dialect] = "anthropic"
MODEL: Final = "claude-sonnet-5-5"
SKILLS: Final = ".claude/skills"
PLACES: Final = (".claude/skills", ".claude/commands")
BUNDLED: Final = ("plugin-authoring",)
"""What the switch for bundled skills leaves."""
RETRIES: Final = 2

_OFF: Final = (
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
    "CLAUDE_CODE_DISABLE_BUNDLED_SKILLS",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL",
    "DISABLE_AUTOUPDATER",
    "DISABLE_DOCTOR_COMMAND",
    "DISABLE_ERROR_REPORTING",
    "DISABLE_TELEMETRY",
)


def files(setup: Setup) -> Mapping[str, str]:
    """Return its settings; most is said in the environment."""
    settings = {"skillOverrides": dict.fromkeys(BUNDLED, "off")}
    return {".claude/settings.json": json.dumps(settings, indent=1) + "\n"}


def environment(setup: Setup) -> Mapping[str, str]:
    """Return where the model is, which one does all the work, and what is switched off."""
    return {
        "ANTHROPIC_BASE_URL": BASE_URL,
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_DEFAULT_HAIKU_MODEL": setup.model,
        "CLAUDE_CODE_SUBAGENT_MODEL": setup.model,
        "CLAUDE_CODE_MAX_RETRIES": str(RETRIES),
        "IS_SANDBOX": "1",
        **dict.fromkeys(_OFF, "1"),
    }


def command(setup: Setup) -> tuple[str, ...]:
    """Return the command line."""
    return (
        "claude",
        "-p",
        *("--model", setup.model),
        *("--output-format", "stream-json"),
        "--verbose",
        "--dangerously-skip-permissions",
        "--",
        setup.prompt,
    )


def fault(ended: Ended) -> str:
    """Return the error of the last event, whose `subtype` says success even then."""
    result = last(ended, "result")
    if result is None:
        return crash(ended)
    subtype = text(result.get("subtype"))
    own = subtype.startswith("error_max") or result.get("stop_reason") == "refusal"
    if own or not result.get("is_error"):
        return ""
    errors = "; ".join(text(one) for one in array(result.get("errors")))
    return fault_in(result.get("result") or errors, subtype or "an error")
