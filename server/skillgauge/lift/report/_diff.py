"""What the outcomes of two arms differ in: their answers and the files that they left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from typing import Final, Literal

from skillgauge.lift.report._model import Attempt
from skillgauge.lift.report._steps import Room
from skillgauge.lift.results import Artifact, Ran

MAX_LINES: Final = 400
"""Of each side: comparing takes the product of both in the worst case."""
MAX_LINE: Final = 400
MAX_FILES: Final = 12
SHOWN: Final = 160
"""Lines of one comparison."""

Sign = Literal["+", "-", " ", "@"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a comparison: with the skill (+), without it (-), in both, or a gap (@)."""

    sign: Sign
    text: str


@dataclass(frozen=True, slots=True)
class Compared:
    """An answer or a file of both arms."""

    name: str
    state: str
    """In words: how the two stand to each other."""
    lines: tuple[Line, ...] = ()
    left_out: int = 0


def outcomes(treated: Attempt, control: Attempt, room: Room) -> list[Compared]:
    """Return the comparison of what two attempts ended with."""
    if treated.ran is None or control.ran is None:
        return []
    found = [_texts("Answer", control.ran.answer, treated.ran.answer, room)]
    paths = {**_paths(treated.ran), **_paths(control.ran)}
    found += [
        _files(path, _paths(control.ran).get(path), _paths(treated.ran).get(path), room)
        for path in sorted(paths)[:MAX_FILES]
    ]
    if len(paths) > MAX_FILES:
        found.append(Compared(f"{len(paths) - MAX_FILES} further files", "not compared"))
    return found


def _paths(ran: Ran) -> dict[str, Artifact]:
    return {one.path: one for one in ran.artifacts}


def _files(path: str, before: Artifact | None, after: Artifact | None, room: Room) -> Compared:
    name = room.take(path, 200)
    present = [one for one in (before, after) if one]
    if any(one.text is None for one in present):
        sizes = ", ".join(f"{one.size:,} bytes" for one in present)
        return Compared(name, f"{_where(before, after)}, no text to show ({sizes})")
    first, second = ((one.text or "") if one else "" for one in (before, after))
    made = _texts(name, first, second, room)
    if before and after:
        return made
    return Compared(name, _where(before, after), made.lines, made.left_out)


def _where(before: Artifact | None, after: Artifact | None) -> str:
    if before and after:
        return "in both arms"
    return "only with the skill" if after else "only without the skill"


def _texts(name: str, before: str, after: str, room: Room) -> Compared:
    if before == after:
        return Compared(name, "the same in both arms" if before else "empty in both arms")
    lines = list(_compare(before, after))
    shown: list[Line] = []
    for line in lines[:SHOWN]:
        if room.left < len(line.text) + 40:
            break
        room.left -= 40
        shown.append(Line(line.sign, room.take(line.text, MAX_LINE)))
    return Compared(name, "differs", tuple(shown), len(lines) - len(shown))


def _compare(before: str, after: str) -> Iterator[Line]:
    first, second = (
        [line[:MAX_LINE] for line in text.splitlines()[:MAX_LINES]] for text in (before, after)
    )
    changed = False
    for number, line in enumerate(unified_diff(first, second, lineterm="", n=2)):
        if number < 2:
            continue  # the names of the sides
        changed = True
        if line.startswith("@@"):
            if number > 2:
                yield Line("@", "…")
        elif line[:1] in ("+", "-"):
            yield Line("+" if line[0] == "+" else "-", line[1:])
        else:
            yield Line(" ", line[1:])
    if not changed:
        yield Line("@", "They differ in line ends, or behind what was compared.")
