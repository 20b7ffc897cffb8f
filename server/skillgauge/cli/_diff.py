"""Diffs on standard output."""

from __future__ import annotations

import sys

from skillgauge.report._terminal import safe


def show_diff(old: str, new: str, before: bytes, after: bytes) -> None:
    """Print a unified diff; a program gets every byte, a person nothing that attacks a terminal."""
    from difflib import unified_diff

    for line in unified_diff(_lines(before), _lines(after), f"a/{old}", f"b/{new}"):
        text, end = line.rstrip("\r\n"), "\n"
        if not line.endswith(("\n", "\r")):
            end = "\n\\ No newline at end of file\n"
        if sys.stdout.isatty():
            print(safe(text) if text else "", end=end)
        else:
            sys.stdout.flush()
            kept = line if line.endswith("\n") else line + end
            sys.stdout.buffer.write(kept.encode("utf-8", "surrogateescape"))


def _lines(data: bytes) -> list[str]:
    text = data.decode("utf-8", "surrogateescape")
    return [f"{line}\n" for line in text.split("\n")[:-1]] + [text.rsplit("\n", 1)[-1]] * (
        not text.endswith("\n")
    )
