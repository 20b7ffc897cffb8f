"""Qwen Code, by Alibaba."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from skillgauge.lift.engines import Ended
from skillgauge.lift.harnesses import BASE_URL, KEY, Dialect, Package, Setup
from skillgauge.lift.harnesses._events import crash, fault_in, last
from skillgauge.lift.trajectory._raw import obj, text

TITLE: Final = "Qwen Code"
PACKAGE: Final = Package("@qwen-code/qwen-code", "0.24.4", "qwen")
DIALECT: Final[Dialect] = "chat"
MODEL: Final = "gpt-6.1-sol"
SKILLS: Final = ".qwen/skills"
PLACES: Final = (".qwen/skills", ".agents/skills", ".qwen/commands")
RETRIES: Final = 0
"""Within each of the seven tries that Qwen Code makes in any case, for more than a minute."""


def files(setup: Setup) -> Mapping[str, str]:
    """Return its settings."""
    settings = {
        "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
        "general": {
            "enableAutoUpdate": False,
            "disableAutoUpdate": True,
            "disableUpdateNag": True,
        },
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "model": {"generationConfig": {"maxRetries": RETRIES}},
        "memory": {"enableManagedAutoMemory": False, "enableManagedAutoDream": False},
        "skills": {"disabledLevels": ["bundled"]},
    }
    return {".qwen/settings.json": json.dumps(settings, indent=1) + "\n"}


def environment(setup: Setup) -> Mapping[str, str]:
    """Return where the model is, and which one."""
    return {
        "OPENAI_BASE_URL": f"{BASE_URL}/v1",
        "OPENAI_API_KEY": KEY,
        "OPENAI_MODEL": setup.model,
        "QWEN_CODE_SUPPRESS_YOLO_WARNING": "1",
    }


def command(setup: Setup) -> tuple[str, ...]:
    """Return the command line."""
    return ("qwen", "--yolo", "--output-format=stream-json", f"--prompt={setup.prompt}")


def fault(ended: Ended) -> str:
    """Return the error of the result."""
    result = last(ended, "result")
    if result is None:
        return crash(ended)
    subtype = text(result.get("subtype"))
    if not result.get("is_error") or subtype.startswith("error_max"):
        return ""
    return fault_in(obj(result.get("error")).get("message"), subtype or "an error")
