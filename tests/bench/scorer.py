"""What the scorer's backbone costs: `python tests/bench/scorer.py [--model NAME] [--runs N]`.

Prints the time to load, the tokens a second, the time after an edit, and memory. The machine's own
speed stands beside them: a product of two matrices in 32 bits by numpy, measured in the same run.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from skillgauge_scorer.models import DEFAULT, store
from skillgauge_scorer.runtime import Backbone, load

ROOT = Path(__file__).parent.parent.parent
TOKENS = 2000
EDITS = {"top": 0.02, "middle": 0.5, "end": 0.95}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", default=DEFAULT, help="an installed model")
    parser.add_argument("--runs", type=int, default=3, help="runs of each measurement")
    options = parser.parse_args()
    model = store.load(options.model)
    started = _resident()
    wall, cpu, backbone = _timed(lambda: load(model))
    print(f"load          {wall:6.2f} s wall  {cpu:6.2f} s CPU")
    ids = _text(backbone)

    def cold(count: int) -> Callable[[], Any]:
        backbone.forget()
        return lambda: backbone.states(ids[:count])

    for count in (256, TOKENS):
        _show(f"cold {count}", options.runs, lambda count=count: cold(count), count)
    for name, share in EDITS.items():
        at = round(share * len(ids))
        _show(
            f"edit at {name}", options.runs, lambda at=at: _edit(backbone, ids, at), len(ids) - at
        )
    speed = _numpy_speed(options.runs)
    print(f"numpy         {speed:6.1f} GFLOP/s in a product of 256 x 576 and 576 x 1536")
    print(f"memory        {_resident():6.0f} MiB at most, {started:.0f} before loading")


def _text(backbone: Backbone) -> Any:
    pages = sorted((ROOT / "docs").glob("*.md"))
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    ids = backbone.encode(text).ids[:TOKENS]
    assert len(ids) == TOKENS
    return ids


def _edit(backbone: Backbone, ids: Any, at: int) -> Callable[[], Any]:
    """Return the scoring of a text that differs from the one before in one token."""
    backbone.states(ids)
    changed = ids.copy()
    changed[at] = (changed[at] + 1) % 1000
    return lambda: backbone.states(changed)


def _show(label: str, runs: int, prepare: Callable[[], Callable[[], Any]], count: int) -> None:
    costs = [_timed(prepare())[:2] for _ in range(runs)]
    wall, cpu = (statistics.median(cost[part] for cost in costs) for part in (0, 1))
    rates = f"{count / wall:6.0f} tokens/s of wall, {count / cpu:6.0f} of CPU"
    print(f"{label:<13} {wall:6.2f} s wall  {cpu:6.2f} s CPU  {rates}", flush=True)


def _timed(run: Callable[[], Any]) -> tuple[float, float, Any]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = run()
    return time.perf_counter() - wall, time.process_time() - cpu, result


def _numpy_speed(runs: int) -> float:
    left, right = np.ones((256, 576), np.float32), np.ones((576, 1536), np.float32)
    best = min(_timed(lambda: left @ right)[1] for _ in range(10 * runs))
    return 2 * 256 * 576 * 1536 / best / 1e9


def _resident() -> float:
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


if __name__ == "__main__":
    main()
