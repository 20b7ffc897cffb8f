"""Any command of the user's: for agents that Skillgauge doesn't know, and for tests.

It runs in the workspace, and finds in the environment what it is asked, where the models are, and
where the skills lie. What it did it may tell in `~/trajectory.json` or on standard output, in ATIF;
any other output is taken for the agent's answer. Its exit status says whether the run counts: 0 if
the agent came to an end, with a right answer or a wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from skillgauge.lift.engines import Ended
from skillgauge.lift.harnesses import BASE_URL, HOME, KEY, Dialect, Package, Setup
from skillgauge.lift.harnesses._events import crash

TITLE: Final = "script"
PACKAGE: Final[Package | None] = None
DIALECT: Final[Dialect | None] = None
MODEL: Final = ""
SKILLS: Final = ".agents/skills"
PLACES: Final = (".agents/skills",)


def files(setup: Setup) -> Mapping[str, str]:
    """Return nothing: what the script needs is its own affair."""
    return {}


def environment(setup: Setup) -> Mapping[str, str]:
    """Return the task, and the variables by which the usual libraries find their endpoints."""
    return {
        "SKILLGAUGE_PROMPT": setup.prompt,
        "SKILLGAUGE_MODEL": setup.model,
        "SKILLGAUGE_SKILLS": f"{HOME}/{SKILLS}",
        "ANTHROPIC_BASE_URL": BASE_URL,
        "ANTHROPIC_API_KEY": KEY,
        "OPENAI_BASE_URL": f"{BASE_URL}/v1",
        "OPENAI_API_KEY": KEY,
        "GOOGLE_GEMINI_BASE_URL": BASE_URL,
        "GEMINI_API_KEY": KEY,
    }


def command(setup: Setup) -> tuple[str, ...]:
    """Return the command line."""
    return ("/bin/sh", "-c", setup.script)


def fault(ended: Ended) -> str:
    """Return how the command failed: nobody else could tell its faults from the agent's."""
    return crash(ended)
