"""Looks at an answer as it passes: its tokens, whether it is whole, what it says is wrong."""

from __future__ import annotations

import json
from typing import Any, Final, cast

from skillgauge.lift.gateway.dialects import Speech
from skillgauge.lift.gateway.sse import DONE, Events
from skillgauge.lift.prices import Counts

MAX_BODY: Final = 64 * 2**20


class Watch:
    """One answer; `feed` takes its bytes in any pieces, `end` says that there are no more."""

    def __init__(self, speech: Speech, content_type: str) -> None:
        self._speech = speech
        self._events = Events() if "event-stream" in content_type else None
        self._body = bytearray()
        self._usage: dict[str, Any] = {}
        self.is_complete = False
        self.error = ""
        """What the endpoint says within an answer that began well."""

    def feed(self, piece: bytes) -> None:
        """Take a piece of the answer."""
        if self._events:
            self._take(self._events.feed(piece))
        elif len(self._body) + len(piece) <= MAX_BODY:
            self._body += piece

    def end(self) -> None:
        """Take what is left."""
        if self._events:
            self._take(self._events.end())
            return
        try:
            said = json.loads(bytes(self._body))
        except (ValueError, RecursionError):
            return
        self.is_complete = True
        # Gemini streams an array of what would be events, if nobody asks for events.
        self._take(cast("list[Any]", said) if isinstance(said, list) else [said])

    def _take(self, said: list[Any]) -> None:
        for one in said:
            if one == DONE:
                self.is_complete = True
            if not isinstance(one, dict):
                continue
            event = cast("dict[str, Any]", one)
            self._usage |= {
                key: value for key, value in self._speech.usage(event).items() if value is not None
            }
            self.is_complete = self.is_complete or self._speech.ends(event)
            self.error = self._speech.error(event) or self.error

    @property
    def counts(self) -> Counts | None:
        """The tokens, None if the answer doesn't say."""
        return self._speech.counts(self._usage) if self._usage else None
