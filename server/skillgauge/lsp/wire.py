"""Framing: finds the messages of the base protocol in a stream of bytes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

MAX_BODY = 256 * 1024 * 1024
"""The largest message that is waited for: a wrong length must not look like a slow client."""

_REQUEST_LINE = re.compile(rb"[A-Z]+ \S+ HTTP/\d")


class FramingError(Exception):
    """The stream holds something after which the next message can't be found."""


async def messages(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Yield the body of every message until the stream ends, be it amid a message."""
    while (length := await _next_length(reader)) is not None:
        try:
            yield await reader.readexactly(length)
        except asyncio.IncompleteReadError:
            return


async def _next_length(reader: asyncio.StreamReader) -> int | None:
    """Read one block of headers; lines that are no header are passed over."""
    length: int | None = None
    while True:
        line = await _line(reader)
        if line is None:
            return None
        if line:
            length = _content_length(line, length)
        elif length is not None:
            return length


async def _line(reader: asyncio.StreamReader) -> bytes | None:
    try:
        line = await reader.readline()
    except ValueError as error:
        raise FramingError("a header line is too long") from error
    return line.strip() if line.endswith(b"\n") else None


def _content_length(line: bytes, known: int | None) -> int | None:
    # A web page can post to a local port, and its headers would pass for ours.
    if _REQUEST_LINE.match(line):
        raise FramingError("the peer speaks HTTP")
    name, _, value = line.partition(b":")
    if name.strip().lower() != b"content-length":
        return known
    value = value.strip()
    if not value.isdigit() or len(value) > 12 or int(value) > MAX_BODY:
        raise FramingError(f"a message of {value[:20]!r} bytes is announced")
    return int(value)
