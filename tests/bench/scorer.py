"""What the scorer's backbone costs: `python tests/bench/scorer.py [--model NAME] [--runs N]`.

Prints times of reading a skill of 2,000 tokens and of edits in it, as a whole and section by
section, of 200 descriptions, and memory. Where torch is installed, the same work by torch in 32
bits stands beside, in alternating runs, so that other work of the machine falls on both.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from skillgauge_scorer.models import DEFAULT, store
from skillgauge_scorer.models.install import GGUF as FILE
from skillgauge_scorer.runtime import THREADS, Backbone, load

ROOT = Path(__file__).parent.parent.parent
TOKENS = 2000
PREFIX = 80
"""Tokens of a name and a description."""
SECTIONS = (40, 130, 260, 90, 410, 180, 310, 60, 220, 220)
"""Tokens of sections, which are 2,000 with the prefix."""
SHORT = 200
EDITS = {"top": 0.02, "middle": 0.5, "end": 0.95}
MODES = ("whole", "sections")

Work = Callable[[], Any]
Prepare = Callable[[], Work]
"""Makes things ready, and returns what is timed."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", default=DEFAULT, help="an installed model")
    parser.add_argument("--runs", type=int, default=3, help="runs of each measurement")
    parser.add_argument("--memory", choices=MODES, help="print the memory of one way alone")
    options = parser.parse_args()
    if options.memory:
        _memory(options.model, options.memory)
        return
    for mode in MODES:  # first, since a process begins with the peak of the one that starts it
        command = [sys.executable, __file__, "--model", options.model, "--memory", mode]
        print(subprocess.run(command, check=True, capture_output=True, text=True).stdout, end="")
    wall, cpu, backbone = _timed(lambda: load(store.load(options.model)))
    print(f"device {backbone.device.name}  {backbone.device.reason}")
    print(f"load {wall:.2f} s wall, {cpu:.2f} s CPU; medians of {options.runs} runs follow")
    ids = _text(backbone)
    ours, theirs = _works(backbone, ids), {}
    if find_spec("torch") is not None:
        theirs = _torch_works(store.load(options.model), backbone, ids)
    else:
        print("torch is not installed: nothing to compare with")
    for label, (prepare, count) in ours.items():
        _show(label, count, prepare, theirs.get(label), options.runs)
    print(f"numpy: {_numpy_speed():.0f} GFLOP/s in a product of 256 x 576 and 576 x 1536")


def _works(backbone: Backbone, ids: Any) -> dict[str, tuple[Prepare, int]]:
    """Return each measurement, and the tokens that are new in it."""
    prefix, parts = ids[:PREFIX], _parts(ids)

    def cold(count: int) -> Prepare:
        def prepare() -> Work:
            backbone.forget()
            return lambda: backbone.states(ids[:count])

        return prepare

    def edit(at: int) -> Prepare:
        def prepare() -> Work:
            backbone.states(ids)
            return lambda: backbone.states(_changed(ids, at))

        return prepare

    def sections() -> Work:
        backbone.forget()
        return lambda: backbone.after(prefix, parts)

    def section() -> Work:
        backbone.after(prefix, parts)
        middle = sorted(parts, key=len)[len(parts) // 2]
        return lambda: backbone.after(prefix, [_changed(middle, 5)])

    def short() -> Work:
        backbone.forget()
        return lambda: backbone.after([], _short(ids))

    works: dict[str, tuple[Prepare, int]] = {
        f"cold, {count} tokens": (cold(count), count) for count in (256, TOKENS)
    }
    for name, share in EDITS.items():
        at = round(share * len(ids))
        works[f"edit at the {name}"] = edit(at), len(ids) - at
    works["cold, section by section"] = sections, TOKENS
    works["edit in a section"] = section, sorted(map(len, parts))[len(parts) // 2]
    works[f"{SHORT} descriptions"] = short, sum(map(len, _short(ids)))
    return works


def _torch_works(model: store.Installed, backbone: Backbone, ids: Any) -> dict[str, Prepare]:
    """Return the same work by torch, as far as there is something to compare."""
    from torch_llama import Llama, timed

    from skillgauge_scorer.export.gguf_file import GGUF

    device = backbone.device.name
    llama = Llama(GGUF(model.folder / FILE), backbone.layers, THREADS, device)
    _agree(backbone, llama, ids[:300])

    def after(before: Any, text: Any) -> Prepare:
        def prepare() -> Work:
            llama.forget()
            if len(before):
                llama.states(before)
            return timed(device, lambda: llama.states(text))

        return prepare

    def short() -> Work:
        texts = sorted(_short(ids), key=len)

        def run() -> None:
            for at in range(0, len(texts), 25):
                group = texts[at : at + 25]
                longest = max(map(len, group))
                rows = [np.pad(text, (0, longest - len(text))) for text in group]
                llama.run(np.stack(rows), keep=False)

        return timed(device, run)

    works = {f"cold, {count} tokens": after([], ids[:count]) for count in (256, TOKENS)}
    for name, share in EDITS.items():
        works[f"edit at the {name}"] = after(ids, _changed(ids, round(share * len(ids))))
    works["cold, section by section"] = works[f"cold, {TOKENS} tokens"]
    works[f"{SHORT} descriptions"] = short
    return works


def _agree(backbone: Backbone, llama: Any, ids: Any) -> None:
    """See that both compute the same."""
    found, wanted = backbone.states(ids), llama.states(ids)
    llama.forget()
    for layer, rows in found.items():
        other = wanted[layer][0]
        off = np.abs(rows[1:] - other[1:]).max() / np.abs(other[1:]).max()
        assert off < 1e-2, f"layer {layer} differs by {off}"


def _text(backbone: Backbone) -> Any:
    pages = sorted((ROOT / "docs").glob("*.md"))
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    ids = backbone.encode(text).ids[:TOKENS]
    assert len(ids) == TOKENS
    return ids


def _parts(ids: Any) -> list[Any]:
    ends = np.cumsum([PREFIX, *SECTIONS])
    assert ends[-1] == TOKENS
    return np.split(ids, ends[:-1])[1:]


def _short(ids: Any) -> list[Any]:
    """Return texts of 20 to 89 tokens."""
    return [ids[7 * at : 7 * at + 20 + 13 * at % 70] for at in range(SHORT)]


def _changed(ids: Any, at: int) -> Any:
    changed = ids.copy()
    changed[at] = (changed[at] + 1) % 1000
    return changed


def _show(label: str, count: int, ours: Prepare, theirs: Prepare | None, runs: int) -> None:
    costs: list[list[tuple[float, float]]] = [[], []]
    for _ in range(runs):
        for cost, prepare in zip(costs, (ours, theirs), strict=True):
            if prepare is not None:
                cost.append(_timed(prepare())[:2])
    wall, cpu = _medians(costs[0])
    line = f"{label:<26} {wall:6.2f} s wall {cpu:6.2f} s CPU {count / cpu:6.0f} tokens a CPU second"
    if costs[1]:
        other = _medians(costs[1])
        line += f"; torch {other[0]:6.2f} and {other[1]:6.2f} s, {other[1] / cpu:4.1f} x the CPU"
    print(line, flush=True)


def _medians(costs: list[tuple[float, float]]) -> tuple[float, float]:
    return statistics.median(cost[0] for cost in costs), statistics.median(
        cost[1] for cost in costs
    )


def _timed(run: Work) -> tuple[float, float, Any]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = run()
    return time.perf_counter() - wall, time.process_time() - cpu, result


def _numpy_speed() -> float:
    left, right = np.ones((256, 576), np.float32), np.ones((576, 1536), np.float32)
    best = min(_timed(lambda: left @ right)[1] for _ in range(30))
    return 2 * 256 * 576 * 1536 / best / 1e9


def _memory(name: str, mode: str) -> None:
    """Print the most memory that reading the text in one way takes, edits and all."""
    started = _resident()
    backbone = load(store.load(name))
    ids = _text(backbone)
    if mode == "whole":
        backbone.states(ids)
        backbone.states(_changed(ids, TOKENS // 2))
    else:
        backbone.after(ids[:PREFIX], _parts(ids))
    print(f"memory, {mode:<12} {_resident():4.0f} MiB at most, {started:.0f} before loading")


def _resident() -> float:
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


if __name__ == "__main__":
    main()
