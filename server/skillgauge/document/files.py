"""Bytes on disk → text: bounded, and byte for byte reversible."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

from skillgauge.text import Text

MAX_BYTES: Final = 1024 * 1024
"""A larger file is not read: the largest real SKILL.md has 294 kB."""

_PIECE: Final = 64 * 1024
_NO_CONTROL: Final = bytes({*range(9, 14), 27, *range(32, 256)})


def decode(data: bytes) -> Text:
    """Decode UTF-8; a byte that isn't UTF-8 becomes a lone surrogate, which `encode` turns back."""
    return Text(data.decode("utf-8", "surrogateescape"))


def encode(text: str) -> bytes:
    """Return the bytes of a text that `decode` made, also after edits."""
    return text.encode("utf-8", "surrogateescape")


def read_at_most(file: BinaryIO, most: int) -> bytes:
    """Return what a file holds, `most` bytes at most.

    Asked for all at once, Python would set aside room for `most`, which takes longer than to read.
    """
    data = file.read(min(most, _PIECE))
    return data + file.read(most - _PIECE) if len(data) == _PIECE else data


def read_file(path: Path) -> tuple[Text, str]:
    """Return a file's text, or an empty one and the reason why it can't be read."""
    try:
        if not os.path.isfile(path):
            return Text(""), not_a_file(path)
        with open(path, "rb") as file:
            data = read_at_most(file, MAX_BYTES + 1)
    except OSError as error:
        return Text(""), (error.strerror or str(error)).lower()
    return check_size(data)


def not_a_file(path: str | Path) -> str:
    """Return why a path that is no regular file can't be read."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return "it is a link to nothing" if os.path.islink(path) else "it does not exist"
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return "it is a folder" if stat.S_ISDIR(mode) else "it is no regular file"


def check_size(data: bytes) -> tuple[Text, str]:
    """Return the text of a file's bytes, or an empty one and what is wrong with them."""
    if problem := too_large(len(data)):
        return Text(""), problem
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Text(""), "it is encoded as UTF-16, not UTF-8"
    if is_binary(data):
        return Text(""), "it is a binary file"
    return decode(data), ""


def too_large(size: int) -> str:
    """Return what is wrong with a file of that many bytes, or a text of that many characters."""
    return f"it is larger than {MAX_BYTES // 1024 // 1024} MiB" if size > MAX_BYTES else ""


def is_binary(data: bytes) -> bool:
    """Return whether bytes are no text: many of the first 8,192 are NUL or other control bytes."""
    head = data[:8192]
    control = len(head.translate(None, _NO_CONTROL))
    return control > max(8, len(head) // 50)
