"""Whom an agent runs as: the host's user, so that its files are the user's, but never root."""

from __future__ import annotations

import os
from typing import Final

from skillgauge.lift.engines import AGENT

NAME: Final = "agent"


def agent_ids() -> tuple[int, int]:
    """Return the user's and the group's number."""
    if os.name == "nt":
        return AGENT, AGENT
    user, group = os.getuid(), os.getgid()
    return (user, group or AGENT) if user else (AGENT, AGENT)


def account_files(home: str) -> dict[str, str]:
    """Return passwd and group with that user: programs want to know the name behind a number."""
    user, group = agent_ids()
    return {
        "passwd": f"root:x:0:0:root:/root:/bin/sh\n{NAME}:x:{user}:{group}::{home}:/bin/sh\n",
        "group": f"root:x:0:\n{NAME}:x:{group}:\n",
    }
