"""How often the 95 % interval of a lift holds the true lift, on simulated cases.

    python tests/bench/lift_coverage.py [SIMULATIONS]

Each simulation draws, for n cases, the mean of five dimensions in both arms, as clipped normal
scores with a difficulty that the arms share; the truth is the mean of a large sample. Prints the
share of intervals that hold it, for n = 10, 20, 50. The seed is fixed.
"""

from __future__ import annotations

import random
import sys
from typing import Final

from skillgauge.lift.statistics import estimate

SIZES: Final = (10, 20, 50)
WANTED: Final = (0.93, 0.97)
SEED: Final = 20
TRUTH_FROM: Final = 400_000


def difference(dice: random.Random) -> float:
    """Return one case's lift."""
    hard = dice.gauss(0.45, 0.15)
    control = _clipped(dice.gauss(hard, 0.12))
    return _clipped(dice.gauss(hard + 0.2, 0.12)) - control


def _clipped(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def coverage(size: int, simulations: int, truth: float, dice: random.Random) -> tuple[float, float]:
    """Return the share of intervals that hold the truth, and their mean width."""
    held, width = 0, 0.0
    for _ in range(simulations):
        found = estimate([difference(dice) for _ in range(size)])
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
        width += found.high - found.low
    return held / simulations, width / simulations


def main(arguments: list[str]) -> int:
    """Print the coverage; the status is 1 if it is not within WANTED."""
    simulations = int(arguments[0]) if arguments else 2_000
    dice = random.Random(SEED)
    truth = sum(difference(dice) for _ in range(TRUTH_FROM)) / TRUTH_FROM
    print(f"true lift {truth:.4f}, {simulations:,} simulations")
    good = True
    for size in SIZES:
        share, width = coverage(size, simulations, truth, dice)
        good = good and WANTED[0] <= share <= WANTED[1]
        print(f"n = {size:>3}: {share:.1%} of the intervals hold it, mean width {width:.3f}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
