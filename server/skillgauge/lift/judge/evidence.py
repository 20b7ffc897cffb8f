"""What a judge is shown of a trial: the answer, the files, the newest results, a short history.

Bounded for each metric, secrets taken out first, and what was left out is said. All of it is what
an agent wrote or saw, so none of it is to be trusted: each part begins with a marker that the
agent could not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from skillgauge.lift.judge.clip import clean, clip, level, one_line, share
from skillgauge.lift.judge.questions import BLIND
from skillgauge.lift.redaction import redact
from skillgauge.lift.results import Ran

if TYPE_CHECKING:
    from skillgauge.lift.metrics._trace import Call, Trace

LIMITS: Final = {"accuracy": 8_000, "goal_accuracy": 12_000, "behavior_check": 8_000}
"""Characters of the evidence, headings included, by metric."""
RESULTS: Final = {"accuracy": 6, "goal_accuracy": 12, "behavior_check": 6}
"""How many of the newest results of tools are shown."""
SHARES: Final = (0.35, 0.35, 0.1, 0.2)
"""Of the answer, the files, the history and the results, where not all has its place."""
MIN_ITEM: Final = 240
"""Less of a file or a result says nothing."""
MAX_PATH: Final = 200
MAX_LINE: Final = 160
NOTES: Final = 400
"""Characters that are kept free for what was left out."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is shown, and what of it a quote may come from."""

    text: str
    bodies: tuple[str, ...]
    """The texts in it without the headings that are ours."""


@dataclass(frozen=True, slots=True)
class _Item:
    head: str
    text: str

    def size(self, mark: str) -> int:
        return len(_heading(mark, self.head)) + len(self.text) + 1


@dataclass(frozen=True, slots=True)
class _Section:
    what: str
    """In the plural, for what was left out."""
    items: tuple[_Item, ...]


def evidence(
    metric: str, trace: Trace, ran: Ran, mark: str, hidden: Iterable[str] = ()
) -> Evidence:
    """Return what the judge of a metric is shown; `hidden` are values that it must not see."""
    room = LIMITS[metric]
    calls = [call for call in trace.calls if metric not in BLIND or not any(call.skills())]
    sections = _sections(calls, trace, ran, RESULTS[metric], tuple(hidden))
    needs = [sum(item.size(mark) for item in section.items) for section in sections]
    fits = sum(needs) <= room
    given = share(needs, SHARES, room if fits else room - NOTES)
    texts: list[str] = []
    bodies: list[str] = []
    missing: list[str] = []
    for section, space in zip(sections, given, strict=True):
        shown = list(_fill(section.items, space, mark))
        texts += [f"{_heading(mark, item.head)}{item.text}\n" for item in shown]
        bodies += [item.text for item in shown]
        if len(shown) < len(section.items):
            missing.append(f"{len(section.items) - len(shown)} of {len(section.items)}"
                           f" {section.what}")  # fmt: skip
    older = max(len([call for call in calls if call.output]) - RESULTS[metric], 0)
    missing += [f"{older} older results of tools"] if older else []
    if missing:
        texts.append(f"{_heading(mark, 'left out for want of space')}{'; '.join(missing)}\n")
    return Evidence("".join(texts)[:room], tuple(bodies))


def _heading(mark: str, head: str) -> str:
    return f"--- {mark}: {head}\n"


def _sections(
    calls: Sequence[Call], trace: Trace, ran: Ran, results: int, hidden: tuple[str, ...]
) -> tuple[_Section, ...]:
    def item(head: str, text: str) -> _Item:
        return _Item(one_line(redact(head, hidden), MAX_PATH + 60), clean(redact(text, hidden)))

    answer = ran.answer or trace.final
    shown = [call for call in reversed(calls) if call.output][:results]
    return (
        _Section("answers", (item("the final answer", answer or "(none)"),)),
        _Section("files", tuple(item(*pair) for pair in _files(calls, ran))),
        _Section("histories", tuple(item(*pair) for pair in _history(calls, hidden))),
        _Section(
            "results of tools",
            tuple(item(f"result of call {_number(calls, c)}, {_says(c)}", c.output) for c in shown),
        ),
    )


def _number(calls: Sequence[Call], call: Call) -> int:
    return next(n for n, one in enumerate(calls, 1) if one is call)


def _files(calls: Sequence[Call], ran: Ran) -> Iterator[tuple[str, str]]:
    """Yield the files that were left, then what was written into others, as into a lost one."""
    left: set[str] = set()
    for one in ran.artifacts:
        left.add(one.path.rpartition("/")[2])
        note = "" if one.text is not None else ", no text or too long to be kept"
        yield f"file left: {one.path} ({one.size:,} bytes{note})", one.text or ""
    for call in calls:
        names = [path.rpartition("/")[2] for path in call.paths]
        if call.written and not any(name in left for name in names):
            where = ", ".join(call.paths) or "a file"
            yield f"written by a tool into {where}", "\n".join(call.written)


def _history(calls: Sequence[Call], hidden: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    if calls:
        lines = (f"{number} {_line(call, hidden)}" for number, call in enumerate(calls, 1))
        yield "all calls of tools in order", "\n".join(lines)


def _line(call: Call, hidden: tuple[str, ...]) -> str:
    """Return a call in one line; secrets are out of it before it is cut, so that none is halved."""
    ended = {None: "", True: " -> failed", False: " -> ok"}[call.failed]
    return one_line(redact(_says(call), hidden), MAX_LINE - len(ended)) + ended


def _says(call: Call) -> str:
    """Return what a call does, in short."""
    if call.script:
        return f"{call.name}: {call.script}"
    if call.paths:
        size = sum(map(len, call.written))
        return f"{call.name}: {', '.join(call.paths)}" + (f" ({size:,} characters)" if size else "")
    told = ", ".join(f"{key}={value!r}" for key, value in call.arguments.items())
    return f"{call.name}({told})"


def _fill(items: Sequence[_Item], space: int, mark: str) -> Iterator[_Item]:
    """Yield as many items as fit, the first ones before others; the short ones are whole."""
    heads = [item.size(mark) - len(item.text) for item in items]
    for count in range(len(items), 0, -1):
        needs = [item.size(mark) for item in items[:count]]
        rooms = level(needs, space)
        pairs = zip(rooms, needs, heads, strict=False)
        if all(room >= min(need, head + MIN_ITEM) for room, need, head in pairs):
            for item, room, head in zip(items, rooms, heads, strict=False):
                yield _Item(item.head, clip(item.text, room - head))
            return
