"""Text in a Word document that Word doesn't show, though every program that reads the file gets it.

The file is untrusted: it is a zip archive, of which a few parts are unpacked up to a limit, and
their XML is looked through tag by tag, without a parser that would expand entities.
"""

from __future__ import annotations

import re
import zlib
from html import unescape
from typing import Final

MAX_PACKED: Final = 8 * 1024 * 1024
"""Larger files are not looked into."""
MAX_UNPACKED: Final = 8 * 1024 * 1024
"""Bytes of XML that are unpacked of one file."""
MAX_TEXT: Final = 2_000
"""Characters of hidden text that are kept."""
_MAX_ENTRIES: Final = 2_000
_PART: Final = re.compile(r"word/(?:document|header\d*|footer\d*|footnotes|endnotes)\.xml\Z")
_TAG: Final = re.compile(
    r"<(?P<close>/?)w:(?P<name>r|rPr|vanish|sz|color|t|p)(?P<rest>(?:\s[^<>]*|/)?)>(?P<text>[^<]*)"
)
_VALUE: Final = re.compile(r"\bw:val\s*=\s*[\"']([^\"']*)[\"']")
_OFF: Final = frozenset({"0", "false", "off"})
# White letters on a coloured ground are usual; without any ground they can't be seen.
_GROUND: Final = re.compile(r"<w:(?:shd|highlight|background|drawing|pict)\b")
_SMALLEST: Final = 2  # half points: a size of one point is a line of dust
_TAGS: Final = re.compile("[\U000e0020-\U000e007e]{4,}")


def hidden_text(data: bytes) -> str:
    """Return the hidden text of a document, "" if it has none or can't be read. Never raises."""
    found: list[str] = []
    for part in _parts(data):
        found += _hidden(part)
    return " ".join(" ".join(found).split())[:MAX_TEXT]


def _parts(data: bytes) -> list[str]:
    from io import BytesIO
    from zipfile import BadZipFile, ZipFile

    if len(data) > MAX_PACKED or not data.startswith(b"PK"):
        return []
    parts: list[str] = []
    room = MAX_UNPACKED
    try:
        with ZipFile(BytesIO(data)) as archive:
            for entry in archive.infolist()[:_MAX_ENTRIES]:
                if room > 0 and _PART.match(entry.filename):
                    with archive.open(entry) as file:
                        unpacked = file.read(room)
                    room -= len(unpacked)
                    parts.append(unpacked.decode("utf-8", "replace"))
    except (BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, LookupError):
        pass  # damaged, encrypted, or packed in a way that isn't known: what was read counts
    return parts


def _hidden(xml: str) -> list[str]:
    """Return the hidden text of each run, and what characters of the tags block spell."""
    grounded = _GROUND.search(xml) is not None
    found = [
        "".join(chr(ord(char) - 0xE0000) for char in match[0]) for match in _TAGS.finditer(xml)
    ]
    hidden = styled = False
    for tag in _TAG.finditer(xml):
        name, opens = tag["name"], not tag["close"]
        if name == "r":
            hidden = styled = False
        elif name == "rPr":
            styled = opens and not tag["rest"].endswith("/")
        elif name == "t":
            if opens and hidden:
                found.append(unescape(tag["text"]))
        elif name == "p":
            found.append(" ")  # words of two paragraphs don't run together
        elif styled:
            hidden = hidden or _hides(name, tag["rest"], grounded)
    return found


def _hides(name: str, attributes: str, grounded: bool) -> bool:
    match = _VALUE.search(attributes)
    value = match[1].lower() if match else ""
    if name == "vanish":
        return value not in _OFF
    if name == "sz":
        return value.isdecimal() and int(value[:4]) <= _SMALLEST
    return name == "color" and value == "ffffff" and not grounded
