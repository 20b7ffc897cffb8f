"""CPU time of checking files from the command line, ours beside the rivals."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from measure import Cost, in_turns, run

OURS = "skillgauge"
REFERENCE = "agnix"  # the fastest of the rivals


@dataclass(frozen=True, slots=True)
class Setup:
    """Where things are, and how often to run them."""

    skillgauge: str
    rivals: dict[str, list[str]]
    scratch: Path
    runs: int


def whole_tree(setup: Setup, skills: Path) -> dict[str, Cost]:
    """Every tool over a tree of skills; ours with its cache removed and with it there."""
    ours = {
        f"{OURS}, cold": _ours(setup, skills, cold=True),
        f"{OURS}, warm": _ours(setup, skills, cold=False),
    }
    return in_turns({**ours, **_rivals(setup, skills)}, setup.runs)


def one_file(setup: Setup, skill: Path) -> dict[str, Cost]:
    """Every tool over one SKILL.md in a process of its own, without a cache."""
    target = skill / "SKILL.md"
    ours = {OURS: _ours(setup, target, cold=True)}
    return in_turns({**ours, **_rivals(setup, target)}, setup.runs)


def has_cache(setup: Setup) -> bool:
    """Whether our last run left anything where cold runs remove it."""
    return any(path.is_file() for path in _cache(setup).rglob("*"))


def _ours(setup: Setup, target: Path, *, cold: bool) -> Callable[[], Cost]:
    kept = ["--cache-dir", str(_cache(setup))]
    command = [setup.skillgauge, "check", "--format", "json", *kept, str(target)]

    def once() -> Cost:
        if cold:
            shutil.rmtree(_cache(setup), ignore_errors=True)
        return _checked(command, run(command, setup.scratch / "ours.json"))

    return once


def _rivals(setup: Setup, target: Path) -> dict[str, Callable[[], Cost]]:
    return {
        name: partial(_rival, [*start, str(target)], setup.scratch / f"{name.split()[0]}.json")
        for name, start in setup.rivals.items()
    }


def _rival(command: list[str], output: Path) -> Cost:
    return _checked(command, run(command, output))


def _checked(command: list[str], cost: Cost) -> Cost:
    # 0: nothing found, 1: something found. Anything else measured a failure.
    if cost.status not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with status {cost.status}")
    return cost


def _cache(setup: Setup) -> Path:
    return setup.scratch / "cache"
