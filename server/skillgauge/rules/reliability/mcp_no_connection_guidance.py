"""The document speaks of an MCP server and says nothing of connecting, time-outs or keys.

## Why is this bad?
A server that isn't running or not signed in to is the first thing to go wrong. The check knows a
few words only, and many clients connect by themselves, so it is off by default.

## Bad
````skill
---
name: open-ticket
description: Opens a ticket. Use when a bug is reported.
---
Call the MCP tool `tracker:create`.
````

## Good
````skill
---
name: open-ticket
description: Opens a ticket. Use when a bug is reported.
---
Call the MCP tool `tracker:create`. If the server does not answer, ask the user to connect it.
````
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, rule
from skillgauge.text import Span

_MCP: Final = re.compile(r"\bMCP\b")
_GUIDANCE: Final = (
    *("connect", "retry", "timeout", "time-out", "time out", "not running", "auth", "sign in"),
    *("api key", "api_key", "unavailable", "not available", "not respond", "not answer"),
)


@rule("R007", None)
def mcp_no_connection_guidance(skill: Skill) -> Iterator[Finding]:
    """Report the first mention in the prose when no word of guidance stands anywhere."""
    if "MCP" not in skill.source:
        return
    mention = _MCP.search(skill.markdown.prose)
    if mention and not any(word in skill.aces.lower for word in _GUIDANCE):
        yield Finding(
            Span(*mention.span()),
            "Say what to do when the MCP server is not connected or does not answer.",
        )
