"""Directions from positives and negatives: the mean difference, whitened, and a logistic probe.

Each is made orthogonal to the confounds while it is fitted, not afterwards: the best direction
among those that are blind to them is another one than the best direction, projected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

Method = Literal["mean", "whitened", "logistic"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a direction is fitted."""

    method: Method
    shrinkage: float = 0.3
    """`whitened`: the share of the mean variance in the covariance. `logistic`: the penalty."""
    blend: float = 0.0
    """`whitened`: the share of the covariance of all texts beside that within the pairs' classes.
    Many texts know better what varies between skills than the pairs of one metric do."""


def confound(states: Matrix, feature: Matrix) -> Matrix:
    """Return the covariance [width] of states [n, width] with a feature [n], as a unit vector.

    A direction orthogonal to it has scores that don't correlate with the feature on these texts.
    """
    centred = feature - feature.mean()
    vector = (states - states.mean(axis=0)).T @ centred
    return vector / max(float(np.linalg.norm(vector)), 1e-12)


def solve(
    recipe: Recipe,
    positive: Matrix,
    negative: Matrix,
    weights: Matrix,
    confounds: Matrix,
    others: Matrix | None = None,
) -> Matrix:
    """Return a unit direction [width] for paired rows [n, width], each pair with its weight [n].

    `confounds` is [k, width]; k may be 0. `others` [m, width] are the texts that `blend` is about.
    """
    weights = weights / weights.sum()
    basis = _basis(confounds)
    difference = weights @ (positive - negative)
    if recipe.method == "mean":
        found = difference
    else:
        scale = _scale(positive, negative, weights)
        rows_up, rows_down, inside = positive / scale, negative / scale, confounds * scale
        basis_inside = _basis(inside)
        if recipe.method == "whitened":
            covariance = _covariance(rows_up, rows_down, weights)
            if others is not None and recipe.blend:
                rows = (others - others.mean(axis=0)) / scale
                covariance = (1 - recipe.blend) * covariance
                covariance += recipe.blend * (rows.T @ rows) / len(rows)
            difference = weights @ (rows_up - rows_down)
            found = _whitened(recipe, covariance, difference, inside)
        else:
            found = _logistic(recipe, rows_up, rows_down, weights, basis_inside)
        found = found / scale
    found = found - basis.T @ (basis @ found)
    return found / max(float(np.linalg.norm(found)), 1e-12)


def _basis(rows: Matrix) -> Matrix:
    """Return an orthonormal basis of what rows span."""
    if not len(rows):
        return rows
    _, sizes, basis = np.linalg.svd(rows, full_matrices=False)
    return basis[sizes > 1e-9 * max(float(sizes[0]), 1e-12)]


def _scale(positive: Matrix, negative: Matrix, weights: Matrix) -> Matrix:
    """Return the spread of each coordinate: a decoder has a few that are a hundred times larger."""
    both = np.concatenate([positive, negative])
    twice = np.concatenate([weights, weights]) / 2
    centre = twice @ both
    spread = np.sqrt(twice @ (both - centre) ** 2)
    return np.maximum(spread, 1e-6 * max(float(spread.max()), 1e-12))


def _covariance(positive: Matrix, negative: Matrix, weights: Matrix) -> Matrix:
    """Return the covariance within the two classes."""
    total = np.zeros((positive.shape[1],) * 2)
    for rows in (positive, negative):
        centred = rows - weights @ rows
        total += (centred * weights[:, None]).T @ centred / 2
    return total


def _whitened(recipe: Recipe, covariance: Matrix, difference: Matrix, confounds: Matrix) -> Matrix:
    width = len(covariance)
    level = recipe.shrinkage * float(np.trace(covariance)) / width
    shrunk = (1 - recipe.shrinkage) * covariance + level * np.eye(width)
    if not len(confounds):
        return np.asarray(np.linalg.solve(shrunk, difference), np.float64)
    found = np.linalg.solve(shrunk, np.column_stack([difference, confounds.T]))
    plain, inside = found[:, 0], found[:, 1:]
    share = np.linalg.lstsq(confounds @ inside, confounds @ plain, rcond=None)[0]
    return plain - inside @ share


def _logistic(
    recipe: Recipe, positive: Matrix, negative: Matrix, weights: Matrix, basis: Matrix
) -> Matrix:
    """Return an L2 logistic probe, on rows with the confounds taken out."""
    rows = np.concatenate([positive, negative])
    rows = rows - np.concatenate([weights, weights]) / 2 @ rows
    if len(basis):
        rows = rows - rows @ basis.T @ basis
    labels = np.repeat([1.0, 0.0], [len(positive), len(negative)])
    share = np.concatenate([weights, weights]) / 2
    return logistic(rows, labels, share, recipe.shrinkage / rows.shape[1])


def logistic(rows: Matrix, labels: Matrix, weights: Matrix, penalty: float) -> Matrix:
    """Return the direction of an L2 logistic regression with an intercept, by Newton's method.

    `rows` is [n, width], `labels` 0 or 1, `weights` sum to 1.
    """
    rows = np.column_stack([rows, np.ones(len(rows))])
    ridge = np.full(rows.shape[1], penalty)
    ridge[-1] = 1e-9
    vector = np.zeros(rows.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-np.clip(rows @ vector, -30, 30)))
        gradient = rows.T @ (weights * (chance - labels)) + ridge * vector
        curve = (rows * (weights * chance * (1 - chance))[:, None]).T @ rows
        step = np.linalg.solve(curve + np.diag(ridge), gradient)
        vector -= step
        if float(np.abs(step).max()) < 1e-6:
            break
    return vector[:-1]


def logistic_line(scores: Matrix, labels: Matrix) -> tuple[float, float]:
    """Return (a, b) of the probability 1 / (1 + exp(-(a z + b))) for scores z [n], labels 0 or 1.

    A weak penalty keeps the slope finite where the classes don't overlap.
    """
    rows = np.column_stack([scores, np.ones(len(scores))])
    vector = np.zeros(2)
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(rows @ vector, -30, 30)))
        gradient = rows.T @ (chance - labels) + np.array([0.1, 0.0]) * vector
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + np.diag([0.1, 1e-9])
        step = np.linalg.solve(curve, gradient)
        vector -= step
        if float(np.abs(step).max()) < 1e-9:
            break
    return float(vector[0]), float(vector[1])
