"""Runs a command and tells what it cost: CPU seconds of it and its children, and wall time."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

FEW, SLOW = 3, 5.0  # a tool that takes more than 5 seconds is run three times


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run took, in seconds, and its exit status."""

    cpu: float
    wall: float
    status: int


def environment() -> dict[str, str]:
    """That of this process, except that Python may keep what it compiled, as when installed."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run(command: Sequence[str], output: Path) -> Cost:
    """Run one command to its end; standard output and error go to files at `output`."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    started = time.perf_counter()
    process = os.posix_spawnp(
        command[0],
        list(command),
        environment(),
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(output), flags, 0o600),
            (os.POSIX_SPAWN_OPEN, 2, f"{output}.err", flags, 0o600),
        ],
    )
    # wait4 counts the process and every descendant that it has waited for.
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - started
    return Cost(usage.ru_utime + usage.ru_stime, wall, os.waitstatus_to_exitcode(status))


def in_turns(tools: Mapping[str, Callable[[], Cost]], runs: int) -> dict[str, Cost]:
    """The median cost of each tool, run in turns so that all see the same moods of the machine.

    The first turn is not counted: it fills the disk cache and compiles what compiles itself.
    """
    costs: dict[str, list[Cost]] = {name: [] for name in tools}
    for turn in range(runs + 1):
        for name, once in tools.items():
            if len(costs[name]) >= FEW and costs[name][-1].wall > SLOW:
                continue
            cost = once()
            if turn:
                costs[name].append(cost)
    return {
        name: Cost(
            statistics.median(cost.cpu for cost in measured),
            statistics.median(cost.wall for cost in measured),
            measured[-1].status,
        )
        for name, measured in costs.items()
    }


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the sorted values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def resident_mib(process: int) -> float:
    """Resident memory of a running process, in MiB."""
    status = Path(f"/proc/{process}/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024
    with os.popen(f"ps -o rss= -p {process:d}") as answer:
        return int(answer.read()) / 1024


def cpu_seconds(process: int) -> float | None:
    """CPU that a running process has used so far; None where the system has no /proc."""
    status = Path(f"/proc/{process}/stat")
    if not status.exists():
        return None
    # The name, in parentheses, may hold blanks; user and system ticks are fields 14 and 15.
    fields = status.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
