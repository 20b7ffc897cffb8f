"""Where output goes: terminals with or without colour and of any encoding, or files."""

from __future__ import annotations

import os
import sys
from errno import EACCES
from pathlib import Path
from typing import Final, TextIO

from skillgauge.errors import UserError

WIDTH: Final = 100
"""Columns where the output is no terminal."""

_SIMPLE: Final = str.maketrans(
    {"“": '"', "”": '"', "’": "'", "…": "...", "–": "-", "—": "-", "−": "-", "×": "x", "→": "->"}
)


def use_color(choice: str, stream: TextIO) -> bool:
    """Return whether to write colours: as chosen, else by NO_COLOR and the kind of terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def width_of(stream: TextIO) -> int:
    """Return the columns of a terminal, WIDTH for anything else."""
    if not stream.isatty():
        return WIDTH
    from shutil import get_terminal_size

    return max(get_terminal_size((WIDTH, 24)).columns, 40)


def plain(text: str, stream: TextIO) -> str:
    """Return text in the characters of a stream: simpler quotes where it is not Unicode."""
    encoding = (stream.encoding or "utf-8").lower().replace("-", "").replace("_", "")
    return text if encoding.startswith("utf") else text.translate(_SIMPLE)


def write(text: str, output: str | None = None, *, machine: bool = False) -> None:
    """Write text to standard output or to a file, what is for programs always as UTF-8."""
    data = text.encode("utf-8", "backslashreplace")
    if output:
        write_file(Path(output), data)
    elif machine and hasattr(sys.stdout, "buffer"):
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    else:
        sys.stdout.write(plain(text, sys.stdout))


def write_file(path: Path, data: bytes) -> None:
    """Replace a file at once, keeping its mode; UserError if that can't be done."""
    try:
        # What is no file, such as a pipe, can't be replaced, and neither can what /dev/stdout is.
        if path.is_relative_to("/dev") or (path.exists() and not path.is_file()):
            path.write_bytes(data)
            return
        path = Path(os.path.realpath(path))
        if path.exists() and not os.access(path, os.W_OK):  # replacing it would get by that
            raise PermissionError(EACCES, "it is read-only")
        _replace(path, data)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise UserError(f"“{path}” can't be written", why) from error


def _replace(path: Path, data: bytes) -> None:
    import tempfile

    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, os.stat(path).st_mode & 0o7777 if path.exists() else _new_mode())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _new_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def say(message: str) -> None:
    """Tell the user something that is not part of the output; names in it can't do harm."""
    from skillgauge.report._terminal import safe
    from skillgauge.text import split_lines

    line = safe(" ".join(split_lines(message)))
    print(f"skillgauge: {plain(line, sys.stderr)}", file=sys.stderr)
