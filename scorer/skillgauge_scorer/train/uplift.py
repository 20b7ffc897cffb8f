"""From scores to measured uplift: a linear map, and whether it is better than plain counts.

Much of the uplift lies between families of skills, so all is told pooled and within family, and
what predicts a family has not seen it.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.train.solve import Matrix
from skillgauge_scorer.train.statistics import pearson, ranks

RIDGE: Final = 1.0
"""The penalty, in units of one row's weight; features are standardised first."""
COVER: Final = 0.9
"""The share of uplifts that an interval holds."""
ALL: Final = "all"
BASELINES: Final = ("structure", "tokens")
FAMILY: Final = 3
"""Skills that a family has for what is told within families; the others are left out there."""
TIMES: Final = 2000
"""Draws for an interval."""
LEAST: Final = 12
"""Rows below which nothing is fitted."""
_Z95: Final = 1.96
_MAX_TABLE: Final = 1 << 25


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured of one skill."""

    skill: str
    family: str
    uplift: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Measured skills with the numbers to predict from, by name: metrics, then baselines."""

    families: tuple[str, ...]
    uplift: Matrix
    weights: Matrix
    features: Mapping[str, Matrix]

    @property
    def metrics(self) -> list[str]:
        """Return the names that are no baselines."""
        return [name for name in self.features if name not in BASELINES]

    def columns(self, name: str) -> Matrix:
        """Return what a predictor reads [n, k]."""
        names = self.metrics if name == ALL else [name]
        return np.column_stack([self.features[one] for one in names])

    @property
    def codes(self) -> NDArray[np.int64]:
        """Return a number for the family of each row."""
        _, found = np.unique(np.array(self.families), return_inverse=True)
        return found.astype(np.int64)


def read_table(path: Path) -> list[Row]:
    """Read a JSON list of measured skills; ScorerError names the entry that is none."""
    try:
        data = path.read_bytes()
        value: object = json.loads(data) if len(data) <= _MAX_TABLE else None
    except OSError as error:
        raise ScorerError(f"“{path}” can't be read", (error.strerror or "").lower()) from error
    except (ValueError, RecursionError) as error:
        raise ScorerError(f"“{path}” is no JSON", str(error)) from error
    if not isinstance(value, list):
        raise ScorerError(f"“{path}” is no list of measured skills")
    rows: list[Row] = []
    for number, entry in enumerate(cast("list[Any]", value), 1):
        try:
            rows.append(_row(entry))
        except (KeyError, IndexError, TypeError, ValueError) as error:
            how = 'It is {"skill": PATH, "family": NAME, "uplift": NUMBER, "interval": [LOW, HIGH]}'
            why = f"{type(error).__name__} at {error}"
            raise ScorerError(f"Entry {number} of “{path}” can't be used", why, how) from error
    return rows


def _row(entry: Mapping[str, Any]) -> Row:
    uplift, interval = float(entry["uplift"]), entry.get("interval")
    limits = None if interval is None else (float(interval[0]), float(interval[1]))
    if not all(map(math.isfinite, (uplift, *(limits or ())))):
        raise ValueError("numbers that can't be")
    if limits is not None and limits[0] > limits[1]:
        raise ValueError("an interval that ends before it begins")
    return Row(str(entry["skill"]), str(entry["family"]), uplift, limits)


def weights(rows: Sequence[Row]) -> Matrix:
    """Return what each row weighs: the less, the wider its interval.

    A row without an interval weighs like the middle one of those that have one.
    """
    uplift = np.array([row.uplift for row in rows])
    errors = [
        None if row.interval is None else (row.interval[1] - row.interval[0]) / (2 * _Z95)
        for row in rows
    ]
    known = [error for error in errors if error is not None]
    usual = float(np.median(known)) if known else 0.0
    noise = np.array([usual if error is None else error for error in errors]) ** 2
    spread = max(float(uplift.var()) - float(noise.mean()), 0.1 * float(uplift.var()), 1e-12)
    found = 1 / (spread + noise)
    return found / found.mean()


def ridge(rows: Matrix, target: Matrix, share: Matrix, penalty: float = RIDGE) -> Matrix:
    """Return the coefficients of standardised columns, then shift; see `predict`."""
    centre, spread = _standard(rows, share)
    scaled = (rows - centre) / spread
    mean = float(share @ target / share.sum())
    curve = (scaled * share[:, None]).T @ scaled + penalty * np.eye(rows.shape[1])
    found = np.linalg.solve(curve, (scaled * share[:, None]).T @ (target - mean))
    slopes = found / spread
    return np.append(slopes, mean - centre @ slopes)


def predict(rows: Matrix, coefficients: Matrix) -> Matrix:
    """Return what a linear map makes of rows."""
    return rows @ coefficients[:-1] + coefficients[-1]


def _standard(rows: Matrix, share: Matrix) -> tuple[Matrix, Matrix]:
    centre = share @ rows / share.sum()
    spread = np.sqrt(share @ (rows - centre) ** 2 / share.sum())
    return centre, np.where(spread > 1e-12, spread, 1.0)


def held_out(table: Table, name: str) -> Matrix:
    """Return each row's prediction by a map that has not seen its family."""
    rows, codes = table.columns(name), table.codes
    found = np.zeros(len(rows))
    for code in range(int(codes.max()) + 1):
        inside = codes == code
        found[inside] = predict(
            rows[inside], ridge(rows[~inside], table.uplift[~inside], table.weights[~inside])
        )
    return found


def within(values: Matrix, codes: NDArray[np.int64]) -> Matrix:
    """Return values less the mean of their family."""
    sums = np.bincount(codes, values)
    return values - (sums / np.maximum(np.bincount(codes), 1))[codes]


def large(codes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which rows are of families that have some skills to compare."""
    return np.bincount(codes)[codes] >= FAMILY


def conformal(errors: Matrix, codes: NDArray[np.int64], cover: float = COVER) -> float:
    """Return the half width that holds a new family's errors in a share of cases.

    Each family counts as one, for the skills of a family err alike. Infinite if they are too few.
    """
    sizes = np.bincount(codes)
    order = np.argsort(np.abs(errors))
    share = np.cumsum(1 / sizes[codes[order]]) / (len(np.unique(codes)) + 1)
    reached = np.flatnonzero(share >= cover - 1e-12)
    return float(np.abs(errors[order[reached[0]]])) if len(reached) else math.inf


def coverage(errors: Matrix, codes: NDArray[np.int64], cover: float = COVER) -> float:
    """Return the share of each family's errors that the others' width holds, in the mean."""
    found: list[float] = []
    for code in np.unique(codes):
        inside = codes == code
        _, others = np.unique(codes[~inside], return_inverse=True)
        width = conformal(errors[~inside], others.astype(np.int64), cover)
        found.append(float(np.mean(np.abs(errors[inside]) <= width)))
    return float(np.mean(found))


def analyse(table: Table) -> dict[str, Any]:
    """Return how well each metric, all together and the baselines foretell uplift; a verdict."""
    codes = table.codes
    if len(codes) < LEAST or codes.max() < 2 or large(codes).sum() < LEAST:
        raise ScorerError(
            "There are too few measured skills to learn from",
            f"{len(codes)} in {int(codes.max()) + 1 if len(codes) else 0} families",
            f"It takes {LEAST} skills in 3 families of {FAMILY} or more",
        )
    names = [*table.metrics, ALL, *BASELINES]
    guesses = {name: held_out(table, name) for name in names}
    return {
        "skills": len(codes),
        "skills_within": int(large(codes).sum()),
        "families": dict(sorted(Counter(table.families).items(), key=lambda one: -one[1])),
        "predictors": {name: _figures(table, name, guesses[name]) for name in names},
        "verdict": _verdict(table, guesses),
        "map": _map(table, guesses[ALL]),
    }


def _figures(table: Table, name: str, guess: Matrix) -> dict[str, Any]:
    """Return correlations of uplift with a map fitted on all rows, and with held-out guesses."""
    rows, codes = table.columns(name), table.codes
    kept = large(codes)
    apart = np.column_stack([within(column, codes) for column in rows.T])[kept]
    inner = within(table.uplift, codes)[kept]
    if rows.shape[1] == 1:  # a map of one number changes no more than the sign of a correlation
        pooled, inside = rows[:, 0], apart[:, 0]
    else:
        pooled = predict(rows, ridge(rows, table.uplift, table.weights))
        inside = predict(apart, ridge(apart, inner, table.weights[kept]))
    return {
        "pooled": _pair(pooled, table.uplift),
        "within": _pair(inside, inner),
        "held_out_pooled": _pair(guess, table.uplift),
        "held_out_within": _pair(within(guess, codes)[kept], inner),
    }


def _pair(left: Matrix, right: Matrix) -> dict[str, Any]:
    return {
        "pearson": round(pearson(left, right), 3),
        "spearman": round(pearson(ranks(left), ranks(right)), 3),
        "spearman_interval": _interval(_resampled(left, right)),
    }


def _resampled(left: Matrix, right: Matrix) -> Matrix:
    """Return the rank correlations of skills drawn with replacement, the same draws each time.

    Ranks are those among all skills, so that all draws are one product of matrices.
    """
    drawn = np.random.default_rng(0).integers(0, len(left), (TIMES, len(left)))
    first, second = ranks(left)[drawn], ranks(right)[drawn]
    first -= first.mean(axis=1, keepdims=True)
    second -= second.mean(axis=1, keepdims=True)
    sizes = np.sqrt((first**2).sum(axis=1) * (second**2).sum(axis=1))
    return (first * second).sum(axis=1) / np.maximum(sizes, 1e-12)


def _interval(values: Matrix) -> list[float]:
    """Return what 95 % of values lie between."""
    return [round(float(one), 3) for one in np.percentile(values, [2.5, 97.5])]


def _verdict(table: Table, guesses: Mapping[str, Matrix]) -> dict[str, Any]:
    """Return whether all metrics together foretell better than each baseline within families.

    Better means that the interval of the difference between the rank correlations, over skills
    drawn with replacement, lies above zero, and so does their own correlation's.
    """
    codes = table.codes
    kept = large(codes)
    inner = within(table.uplift, codes)[kept]
    drawn = {
        name: _resampled(within(guesses[name], codes)[kept], inner) for name in (ALL, *BASELINES)
    }
    own = drawn[ALL]
    gains = {name: _interval(own - drawn[name]) for name in BASELINES}
    better = _interval(own)[0] > 0 and all(low > 0 for low, _ in gains.values())
    return {
        "better": better,
        "text": "better than the baselines" if better else "no better than the baselines",
        "gain_interval": gains,
    }


def _map(table: Table, guess: Matrix) -> dict[str, Any]:
    """Return the map of all metrics with the width of its intervals."""
    coefficients = ridge(table.columns(ALL), table.uplift, table.weights)
    errors = table.uplift - guess
    width = conformal(errors, table.codes)
    return {
        "slopes": {
            name: round(float(value), 6)
            for name, value in zip(table.metrics, coefficients, strict=False)
        },
        "shift": round(float(coefficients[-1]), 6),
        "level": COVER,
        "half_width": round(width, 3) if math.isfinite(width) else None,
        "coverage": round(coverage(errors, table.codes), 3),
    }
