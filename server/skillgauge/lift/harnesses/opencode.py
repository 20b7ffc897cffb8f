"""OpenCode, by SST."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from skillgauge.lift.engines import Ended
from skillgauge.lift.harnesses import BASE_URL, KEY, Dialect, Package, Setup
from skillgauge.lift.harnesses._events import crash, fault_in, last
from skillgauge.lift.trajectory._raw import obj, text

TITLE: Final = "OpenCode"
PACKAGE: Final = Package("opencode-ai", "1.18.33", "opencode")
DIALECT: Final[Dialect] = "chat"
MODEL: Final = "gpt-6.1-sol"
SKILLS: Final = ".config/opencode/skills"
PLACES: Final = (
    ".config/opencode/skills",
    ".config/opencode/skill",
    ".opencode/skills",
    ".opencode/skill",
    ".claude/skills",
    ".agents/skills",
)
BUNDLED: Final = ("customize-opencode",)
_PROVIDER: Final = "skillgauge"
_PROMPT: Final = ".skillgauge/prompt.txt"
_OFF: Final = (
    "OPENCODE_DISABLE_AUTOUPDATE",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS",
    "OPENCODE_DISABLE_LSP_DOWNLOAD",
    "OPENCODE_DISABLE_MODELS_FETCH",
    "OPENCODE_DISABLE_SHARE",
)


def files(setup: Setup) -> Mapping[str, str]:
    """Return its configuration: one provider, whose library comes with OpenCode; and the prompt."""
    model = {
        "name": setup.model,
        "tool_call": True,
        "limit": {"context": 200_000, "output": 32_000},
    }
    config = {
        "$schema": "https://opencode.ai/config.json",
        "autoupdate": False,
        "share": "disabled",
        "model": f"{_PROVIDER}/{setup.model}",
        "small_model": f"{_PROVIDER}/{setup.model}",
        "enabled_providers": [_PROVIDER],
        "permission": {"*": "allow", "skill": {"*": "allow", **dict.fromkeys(BUNDLED, "deny")}},
        "provider": {
            _PROVIDER: {
                "npm": "@ai-sdk/openai-compatible",
                "name": _PROVIDER,
                "options": {"baseURL": f"{BASE_URL}/v1", "apiKey": KEY},
                "models": {setup.model: model},
            }
        },
    }
    return {
        ".config/opencode/opencode.json": json.dumps(config, indent=1) + "\n",
        _PROMPT: setup.prompt,
    }


def environment(setup: Setup) -> Mapping[str, str]:
    """Return what is switched off."""
    return dict.fromkeys(_OFF, "1")


def command(setup: Setup) -> tuple[str, ...]:
    """Return the command line; with a title given, no model is asked for one.

    As an argument the prompt would get quotes around it, and fail if it is a number.
    """
    call = f'exec opencode run --format json --title task <"$HOME/{_PROMPT}"'
    return ("/bin/sh", "-c", call)


def fault(ended: Ended) -> str:
    """Return the error that ended the session."""
    event = last(ended, "error", "step_finish")
    if event is None or event.get("type") != "error":
        return crash(ended)
    error = obj(event.get("error"))
    data = obj(error.get("data"))
    said = text(data.get("message")) or text(error.get("message"))
    status = text(data.get("statusCode"))
    name = " ".join(one for one in (text(error.get("name")), status) if one)
    return fault_in(f"{name}: {said}" if said else name, "an error")
