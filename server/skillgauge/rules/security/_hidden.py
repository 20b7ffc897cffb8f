"""What hidden text says, put so that it can be read in a message."""

from __future__ import annotations

from typing import Final

SHOWN: Final = 60
"""Characters of a hidden text that a message shows."""


def excerpt(text: str, limit: int = SHOWN) -> str:
    """Return the start of a text on one line, with what can't be seen written as U+XXXX."""
    words = " ".join(text.split())
    shown = "".join(char if char.isprintable() else f"U+{ord(char):04X}" for char in words)
    return shown if len(shown) <= limit else shown[: limit - 1].rstrip() + "…"
