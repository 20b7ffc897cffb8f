r"""The file holds bytes that are not UTF-8, or half a surrogate pair.

## Why is this bad?
Skills are UTF-8. Some readers stop at the first other byte and skip the skill, some end with an
error, the rest put a replacement character in its place.

## Bad
````skill escaped
---
name: menu
description: Writes the menu of a caf\u{DCE9}. Use when the user plans one.
---
````

## Good
````skill
---
name: menu
description: Writes the menu of a café. Use when the user plans one.
---
````

## Fix safety
The fix reads the bytes as Windows-1252, the usual reason. It is unsafe, as another encoding may be
the right one. There is none for a surrogate, whose other half is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.text import Span

_BYTES: Final = re.compile("[\udc80-\udcff]+|[\ud800-\udfff]")


@rule("F063", Severity.ERROR, fix="unsafe")
def invalid_utf8(skill: Skill) -> Iterator[Finding]:
    """Report each run of bytes that could not be decoded, and each lone surrogate."""
    if not any("\ud800" <= char <= "\udfff" for char in skill.text.beyond_ascii):
        return
    for match in _BYTES.finditer(skill.source):
        span = Span(*match.span())
        if not "\udc80" <= match[0][0] <= "\udcff":
            yield Finding(span, f"U+{ord(match[0]):04X} is half of a character; write it anew.")
            continue
        data = match[0].encode("utf-8", "surrogateescape")
        shown = " ".join(f"{byte:02X}" for byte in data[:8]) + (" …" if len(data) > 8 else "")
        what = "byte" if len(data) == 1 else "bytes"
        message = f"The {what} {shown} {'is' if len(data) == 1 else 'are'} not UTF-8"
        fix = None
        meant = data.decode("cp1252", "replace")
        if "\ufffd" in meant or not meant.isprintable():
            yield Finding(span, f"{message}; save the file as UTF-8.")
            continue
        fix = Fix(f"Write “{meant}”", (Edit(span, meant),), safe=False)
        yield Finding(span, f"{message}, but “{meant}” in Windows-1252; save it as UTF-8.", fix)
