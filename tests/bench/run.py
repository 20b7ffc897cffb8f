"""The benchmarks: `python tests/bench/run.py [--skills DIR] [--only PART...]`.

Prints what checking and editing cost, ours beside rivals that are measured in the same run. The
goals stand beside the figures; nothing here fails because a figure is bad.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import sys
import tempfile
from pathlib import Path

import checking
import editing
import rivals
from measure import Cost
from skills import write_skill, write_skills

BARE_SERVER = Path(__file__).with_name("bare_server.py")
CACHE = Path.home() / ".cache" / "skillgauge-bench"
PARTS = ("tree", "file", "typing", "start", "memory")


def main() -> None:
    arguments = _arguments()
    print(f"Python {platform.python_version()}, {platform.machine()}, {platform.system()}")
    with tempfile.TemporaryDirectory(prefix="skillgauge-bench-") as folder:
        scratch = Path(folder)
        if {"tree", "file"} & set(arguments.only):
            _checking(arguments, scratch)
        _editing(arguments, scratch)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--skills", type=Path, help="tree of skills (default: 200 made ones)")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where rivals are installed")
    parser.add_argument("--runs", type=int, default=5, help="runs of each check")
    parser.add_argument("--keys", type=int, default=300, help="measured keystrokes")
    parser.add_argument("--edits", type=int, default=20_000, help="edits of the memory test")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="parts to run")
    parser.add_argument(
        "--skillgauge",
        default=str(Path(sys.executable).with_name("skillgauge")),
        help="our command (default: the one beside this interpreter)",
    )
    return parser.parse_args()


def _checking(arguments: argparse.Namespace, scratch: Path) -> None:
    commands, absent = rivals.installed(arguments.cache)
    setup = checking.Setup(arguments.skillgauge, commands, scratch, arguments.runs)
    tree = arguments.skills
    if tree is None:
        tree = scratch / "skills"
        write_skills(tree, 200)
    folders = sorted(path.parent for path in tree.rglob("SKILL.md"))
    if "tree" in arguments.only:
        _heading(f"{len(folders)} skill folders, CPU of the process and its children")
        _costs(checking.whole_tree(setup, tree))
        if not checking.has_cache(setup):
            print("  skillgauge left no cache: cold and warm are the same run")
        print("  goals: cold ≤ 4 × agnix, warm < agnix")
    if "file" in arguments.only:
        _heading("one SKILL.md, a process of its own")
        _costs(checking.one_file(setup, folders[len(folders) // 2]))
    for name, reason in absent.items():
        print(f"  {name}: not measured ({reason})")


def _costs(measured: dict[str, Cost]) -> None:
    reference = next(
        (cost for name, cost in measured.items() if name.startswith(checking.REFERENCE)), None
    )
    print(f"  {'':20} {'CPU s':>8} {'wall s':>8} {'× agnix':>8}")
    for name, cost in measured.items():
        ratio = f"{cost.cpu / reference.cpu:8.2f}" if reference else f"{'–':>8}"
        print(f"  {name:20} {cost.cpu:8.3f} {cost.wall:8.3f} {ratio}")


def _editing(arguments: argparse.Namespace, scratch: Path) -> None:
    ours = [arguments.skillgauge, "server"]
    bare = [sys.executable, str(BARE_SERVER)]
    log = scratch / "server.log"
    skill = write_skill(scratch / "edited", 0, lines=500)
    if "typing" in arguments.only:
        _heading("keystroke to diagnostics, SKILL.md of 500 lines, milliseconds")
        print(f"  {'':20} {'p50':>8} {'p95':>8} {'CPU':>8} {'findings':>9}")
        for name, command in (("skillgauge", ours), ("bare pygls", bare)):
            found = editing.latency(command, skill, arguments.keys, log)
            cpu = "–" if found.cpu is None else f"{found.cpu:.2f}"
            print(f"  {name:20} {found.p50:8.2f} {found.p95:8.2f} {cpu:>8} {found.findings:9}")
        print("  goal: p95 ≤ 25 ms")
    if "start" in arguments.only:
        _start(ours, bare, skill, log, max(arguments.runs, 9))
    if "memory" in arguments.only:
        _memory(ours, bare, scratch, log, arguments.edits)


def _start(ours: list[str], bare: list[str], skill: Path, log: Path, runs: int) -> None:
    _heading("process start to the reply to initialize, milliseconds, median")
    times: dict[str, list[float]] = {"skillgauge": [], "bare pygls": []}
    # In turns, so that both see the same moods of the machine; the first pair warms the disk.
    for turn in range(runs + 1):
        for name, command in zip(times, (ours, bare), strict=True):
            took = editing.start(command, skill.parent, log)
            if turn:
                times[name].append(took)
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, value in medians.items():
        print(f"  {name:20} {value:8.0f}   {value / medians['bare pygls']:.2f} × bare")
    print("  goal: ≤ 1.2 × bare")


def _memory(ours: list[str], bare: list[str], scratch: Path, log: Path, edits: int) -> None:
    _heading(f"resident memory over {edits} edits of a SKILL.md of 200 lines, MiB")
    skill = write_skill(scratch / "long", 1, lines=200)
    print(f"  {'':20} {f'at {editing.SETTLED}':>8} {'at end':>8} {'growth':>8}")
    for name, command in (("skillgauge", ours), ("bare pygls", bare)):
        used = editing.memory(command, skill, edits, log)
        growth = used.end - used.settled
        print(f"  {name:20} {used.settled:8.1f} {used.end:8.1f} {growth:8.1f}")
    print("  goal: growth ≤ 5 MiB")


def _heading(text: str) -> None:
    print(f"\n{text}", flush=True)


if __name__ == "__main__":
    main()
