"""What a client may ask of a run: its keys, checked, as options of the command line."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from skillgauge.errors import UserError

Words = tuple[str, ...]
Asked = tuple[tuple[str, Words], ...]
"""Keys with what they come to on the command line."""
MAX_ITEMS: Final = 2_000


def read(given: object) -> Asked:
    """Return what is asked for; UserError for a key that there isn't, or a value it can't have."""
    if given is None or given == []:
        return ()
    if not isinstance(given, Mapping):
        raise UserError("an object is wanted")
    found: list[tuple[str, Words]] = []
    for key, value in cast("Mapping[str, Any]", given).items():
        reader = _READERS.get(key)
        if reader is None:
            raise UserError(f"there is no key “{key}”, but {', '.join(_READERS)}")
        option, words_of = reader
        if value is not None:
            found.append((key, tuple(f"{option}={word}" for word in words_of(key, value))))
    return tuple(found)


def words(*asked: Asked) -> list[str]:
    """Return options for the command line; what stands later counts more."""
    merged: dict[str, Words] = {}
    for one in asked:
        merged.update(one)
    return [word for found in merged.values() for word in found]


def _texts(key: str, value: Any) -> Words:
    items = cast("list[object]", value) if isinstance(value, list | tuple) else [value]
    if len(items) > MAX_ITEMS or not all(isinstance(item, str) and item for item in items):
        raise UserError(f"“{key}” takes a list of texts")
    return tuple(cast("list[str]", items))


def _text(key: str, value: Any) -> Words:
    if not isinstance(value, str) or not value:
        raise UserError(f"“{key}” takes a text")
    return (value,)


def _whole(key: str, value: Any) -> Words:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UserError(f"“{key}” takes a whole number")
    return (str(value),)


def _number(key: str, value: Any) -> Words:
    usable = isinstance(value, int | float) and not isinstance(value, bool)
    if not usable or not math.isfinite(value) or value < 0:
        raise UserError(f"“{key}” takes a number that is not negative")
    return (f"{value:g}",)


_READERS: Final[dict[str, tuple[str, Callable[[str, Any], Words]]]] = {
    "cases": ("--only", _texts),
    "harnesses": ("--harness", _texts),
    "model": ("--model", _text),
    "attempts": ("--attempts", _whole),
    "maxTrials": ("--max-trials", _whole),
    "maxCost": ("--max-cost", _number),
    "jobs": ("--jobs", _whole),
    "seed": ("--seed", _whole),
    "judge": ("--judge", _text),
    "image": ("--image", _text),
    "script": ("--script", _text),
}
