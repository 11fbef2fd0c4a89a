"""The contact solver on its own: Coulomb friction, with a certificate."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Mapping

import numpy as np

from . import _carom
from .errors import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Solution:
    """Impulses of a contact problem, and how good they are."""

    #: ``solved``, ``almost solved``, ``infeasible`` or ``limit``
    status: str
    #: impulses, contacts × 2 or 3; the first number of a contact is normal
    r: NDArray[np.float64]
    #: velocities u = W r + q, in the same shape
    u: NDArray[np.float64]
    #: the number that the status depends on
    residual: float
    #: every measure of the certificate, by name
    certificate: Mapping[str, Any] = field(repr=False)


def solve(
    W: Any,
    q: ArrayLike,
    mu: ArrayLike,
    *,
    guess: ArrayLike | None = None,
    tolerance: float = 0.0,
) -> Solution:
    """Finds impulses r with u = W r + q so that r lies in the friction cones, u + μ|u_T| in their duals, and
    the two are orthogonal.

    ``W`` is the Delassus matrix, dense or sparse (anything with ``tocoo``); ``mu`` has a coefficient for each
    contact, ``q`` two or three numbers for each. ``tolerance`` is an error in velocity that is allowed; 0 asks
    for solver precision.

    >>> import carom
    >>> answer = carom.solve([[1.0, 0.0], [0.0, 1.0]], [-1.0, 0.5], [0.3])
    >>> answer.status, answer.r.tolist(), answer.u.round(12).tolist()
    ('solved', [[1.0, -0.3]], [[0.0, 0.2]])
    """
    numbers, friction = _vector("q", q), _vector("mu", mu)
    rows, columns, values = _triplets(W, len(numbers))
    start = None if guess is None else _vector("guess", np.reshape(np.asarray(guess), -1))
    r, u, certificate = _carom.solve(rows, columns, values, numbers, friction, start, float(tolerance))
    figures = json.loads(certificate)
    shape = (len(friction), -1) if len(friction) else (0, 3)
    residual = float("nan") if figures["residual"] is None else figures["residual"]
    return Solution(figures["status"], r.reshape(shape), u.reshape(shape), residual, figures)


def _vector(name: str, given: ArrayLike) -> NDArray[np.float64]:
    try:
        array = np.ascontiguousarray(given, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} must be an array of numbers") from None
    if not np.isfinite(array).all():
        raise ArgumentError(f"{name} has a number that is not finite")
    return array


def _triplets(W: Any, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    if hasattr(W, "tocoo"):
        shape, coo = W.shape, W.tocoo()
        rows, columns, values = coo.row, coo.col, coo.data
    else:
        try:
            dense = np.asarray(W, dtype=np.float64)
        except (TypeError, ValueError):
            raise ArgumentError("W must be a matrix of numbers") from None
        shape = dense.shape
        if dense.ndim == 2:
            rows, columns = np.nonzero(dense)
            values = dense[rows, columns]
    if len(shape) != 2 or tuple(shape) != (size, size):
        raise ArgumentError(f"W has the shape {tuple(shape)}, not {(size, size)}")
    whole = (np.ascontiguousarray(index, dtype=np.int64) for index in (rows, columns))
    first, second = whole
    return first, second, np.ascontiguousarray(values, dtype=np.float64)
