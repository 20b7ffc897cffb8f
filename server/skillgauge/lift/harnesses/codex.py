"""Codex, by OpenAI.

It has two ways of calling tools. A model that it doesn't know gets functions; one that it does
writes JavaScript, in which the same functions are called.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from skillgauge.lift.engines import Ended
from skillgauge.lift.harnesses import BASE_URL, KEY, Dialect, Package, Setup
from skillgauge.lift.harnesses._events import crash, fault_in, last
from skillgauge.lift.trajectory._raw import obj

TITLE: Final = "Codex"
PACKAGE: Final = Package("@openai/codex", "0.171.0", "codex")
DIALECT: Final[Dialect] = "responses"
MODEL: Final = "gpt-6.1-sol"
SKILLS: Final = ".agents/skills"
PLACES: Final = (".agents/skills", ".codex/skills")
RETRIES: Final = 2
_KEY_NAME: Final = "SKILLGAUGE_MODEL_KEY"


def files(setup: Setup) -> Mapping[str, str]:
    """Return its configuration.

    The endpoint is a provider of its own, since the variables for OpenAI's make Codex try
    WebSockets first.
    """
    return {
        ".codex/config.toml": f"""\
model = {json.dumps(setup.model, ensure_ascii=False)}
model_provider = "skillgauge"
check_for_update_on_startup = false

[model_providers.skillgauge]
name = "skillgauge"
base_url = "{BASE_URL}/v1"
env_key = "{_KEY_NAME}"
wire_api = "responses"
request_max_retries = {RETRIES}
stream_max_retries = {RETRIES}

[skills.bundled]
enabled = false

[analytics]
enabled = false

[feedback]
enabled = false

[otel]
exporter = "none"
"""
    }


def environment(setup: Setup) -> Mapping[str, str]:
    """Return the variable that the configuration names."""
    return {_KEY_NAME: KEY}


def command(setup: Setup) -> tuple[str, ...]:
    """Return the command line."""
    return (
        "codex",
        "exec",
        "--json",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        "--",
        setup.prompt,
    )


def fault(ended: Ended) -> str:
    """Return the error of a turn that failed; lines of kind `error` may be of one tried again."""
    turn = last(ended, "turn.completed", "turn.failed")
    if turn is None:
        return crash(ended, obj(last(ended, "error")).get("message"))
    if turn.get("type") == "turn.completed":
        return ""
    return fault_in(obj(turn.get("error")).get("message"), "its turn failed")
