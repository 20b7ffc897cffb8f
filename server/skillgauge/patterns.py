"""Regular expressions that are compiled when they are first used.

There are some four hundred, and most are needed for what is rare: behind a plain search that finds
nothing. To compile them all takes a fourth of the time of a run over one file.
"""

from __future__ import annotations

import re
from typing import Any, Final, cast

_METHODS: Final = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


class _LazyPattern:
    """Stands for a pattern until the first of its methods is asked for."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)
        # Attributes of its own are found before this method is: from now on it costs nothing.
        vars(self).update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled when it is needed: for what is dear and seldom used."""
    return cast("re.Pattern[str]", _LazyPattern(pattern, flags))
