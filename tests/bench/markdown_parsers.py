"""Compares three Markdown parsers: `python tests/bench/markdown_parsers.py [--skills DIR]`.

CPU time for 500 lines, agreement on headings, fences and links, and what each does with input that
is meant to break it. The parsers live in an environment of the benchmark's cache.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parser_views import View

PACKAGES = (
    "pyromark==0.10.3",
    "tree-sitter==0.26.1",
    "tree-sitter-markdown==0.5.4",
    "markdown-it-py==4.3.0",
)
CACHE = Path.home() / ".cache" / "skillgauge-bench"
HERE = Path(__file__).resolve().parent
PATIENCE = 60  # seconds for one hostile document
HOSTILE: dict[str, Callable[[], str]] = {
    "10,000 nested quotes": lambda: "> " * 10_000 + "x",
    "2,000 nested lists": lambda: "\n".join("  " * n + "- x" for n in range(2_000)),
    "100,000 open brackets": lambda: "[" * 100_000,
    "50,000 links, none closed": lambda: "[a](b" * 50_000,
    "50,000 emphasis marks": lambda: "*a **b " * 50_000,
    "100,000 backticks, rising": lambda: " ".join("`" * n for n in range(1, 450)),
    "one line of 10 MB": lambda: "word " * 2_000_000,
    "10 MB of paragraphs": lambda: "A line of text with `code`.\n\n" * 345_000,
    "10,000 columns of a table": lambda: "|a" * 10_000 + "|\n" + "|-" * 10_000 + "|\n",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--skills", type=Path, help="tree of skills (default: 200 made ones)")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where parsers are installed")
    parser.add_argument("--show", type=int, default=0, help="differences to show of each kind")
    parser.add_argument("--hostile", nargs=2, metavar=("PARSER", "CASE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    _in_environment(arguments.cache / "markdown-parsers")
    if arguments.hostile:
        _parse_hostile(*arguments.hostile)
        return
    with tempfile.TemporaryDirectory(prefix="skillgauge-bench-") as folder:
        texts = _bodies(arguments.skills or _made(Path(folder)))
    _cost(texts)
    _agreement(texts, arguments.show)
    _robustness()


def _in_environment(folder: Path) -> None:
    """Go on under an interpreter which has the parsers, and install them first if need be."""
    if Path(sys.prefix) == folder:
        return
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    os.execv(python, [str(python), str(HERE / "markdown_parsers.py"), *sys.argv[1:]])


def _made(folder: Path) -> Path:
    from skills import write_skills

    write_skills(folder, 200)
    return folder


def _bodies(tree: Path) -> dict[str, str]:
    """The Markdown below the frontmatter of every SKILL.md."""
    bodies: dict[str, str] = {}
    for path in sorted(tree.rglob("SKILL.md")):
        text = path.read_text(encoding="utf-8", errors="replace")
        end = text.find("\n---", 3) if text.startswith("---") else -1
        bodies[str(path)] = text[text.find("\n", end + 1) + 1 :] if end > 0 else text
    return bodies


def _cost(texts: dict[str, str]) -> None:
    import parser_views as views

    ways: dict[str, Callable[[str], object]] = {
        "pyromark, every event with its range": views.pyromark_events,
        "pyromark, the view compared below": views.pyromark_view,
        "tree-sitter, blocks only": views.tree_sitter_blocks,
        "tree-sitter, blocks and inlines": views.tree_sitter_all,
        "tree-sitter, the view compared below": views.tree_sitter_view,
        "markdown-it-py, blocks only": views.blocks_parser.parse,
        "markdown-it-py, blocks and inlines": views.full_parser.parse,
        "markdown-it-py, the view compared below": views.markdown_it_view,
    }
    lines = sum(text.count("\n") for text in texts.values())
    print(f"{len(texts)} files, {lines} lines; CPU milliseconds for 500 lines, best of three")
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(3):
        for name, way in ways.items():
            best[name] = min(best[name], _spent(way, texts))
    for name, spent in best.items():
        print(f"  {name:42} {spent / lines * 500 * 1000:7.2f}")


def _spent(way: Callable[[str], object], texts: dict[str, str]) -> float:
    started = time.process_time()
    for text in texts.values():
        way(text)
    return time.process_time() - started


def _agreement(texts: dict[str, str], show: int) -> None:
    import parser_views as views

    total: Counter[str] = Counter()
    different: dict[tuple[str, str, str], list[str]] = {}
    for path, text in texts.items():
        seen = {name: view(text) for name, view in views.VIEWS.items()}
        for kind in ("headings", "fences", "links", "ranges"):
            counted = {name: _counted(kind, view) for name, view in seen.items()}
            total[kind] += counted["pyromark"].total()
            for one, other in combinations(counted, 2):
                if kind == "ranges" and "markdown-it-py" in (one, other):
                    continue
                left, right = counted[one], counted[other]
                unlike = [*(left - right).elements(), *(right - left).elements()]
                found = different.setdefault((one, other, kind), [])
                found.extend(f"{path}: {entry}" for entry in unlike)
    print("\nagreement; entries which only one of the two has, and in how many files")
    for (one, other, kind), entries in different.items():
        files = len({entry.split(": ")[0] for entry in entries})
        print(
            f"  {one + ' and ' + other:30} {kind:9} {len(entries):6} in {files:5} files"
            f"   (pyromark sees {total[kind]})"
        )
        for entry in entries[:show]:
            print(f"      {entry}")


def _counted(kind: str, view: View) -> Counter[object]:
    from parser_views import same_link

    # markdown-it-py has no line for a link, so links are compared without one.
    if kind == "links":
        return Counter(same_link(destination) for _, destination in view.links)
    return Counter(getattr(view, kind))


def _robustness() -> None:
    print(f"\nhostile documents; CPU seconds of a process of its own, killed after {PATIENCE} s")
    names = ("pyromark", "tree-sitter", "markdown-it-py")
    print(f"  {'':28}" + "".join(f"{name:>16}" for name in names))
    for case in HOSTILE:
        print(f"  {case:28}" + "".join(f"{_outcome(name, case):>16}" for name in names), flush=True)


def _outcome(name: str, case: str) -> str:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, __file__, "--cache", str(Path(sys.prefix).parent)]
    try:
        done = subprocess.run(
            [*command, "--hostile", name, case],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return f"> {PATIENCE}"
    if done.returncode < 0:
        return f"signal {-done.returncode}"
    if done.returncode:
        return done.stderr.strip().splitlines()[-1].split(":")[0][:15]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return f"{after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.2f}"


def _parse_hostile(name: str, case: str) -> None:
    import parser_views as views

    ways: dict[str, Callable[[str], object]] = {
        "pyromark": views.pyromark_events,
        "tree-sitter": views.tree_sitter_all,
        "markdown-it-py": views.full_parser.parse,
    }
    ways[name](HOSTILE[case]())


if __name__ == "__main__":
    main()
