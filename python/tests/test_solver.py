"""The contact solver: closed forms, and the measure that judges it."""

from __future__ import annotations

from typing import Callable

import numpy as np
import pytest

import carom


def test_one_contact_slips_and_sticks() -> None:
    slip = carom.solve(np.eye(3), [-2.0, 3.0, 4.0], [0.5])
    np.testing.assert_allclose(slip.r, [[2.0, -0.6, -0.8]], atol=1e-12)
    stick = carom.solve(np.eye(3), [-2.0, 0.3, 0.4], [0.5])
    np.testing.assert_allclose(stick.r, [[2.0, -0.3, -0.4]], atol=1e-12)
    np.testing.assert_allclose(stick.u, np.zeros((1, 3)), atol=1e-12)
    apart = carom.solve(np.eye(3), [2.0, 0.3, 0.4], [0.5])
    assert not apart.r.any()


def test_a_random_problem_satisfies_the_conditions() -> None:
    rng = np.random.default_rng(7)
    contacts = 12
    jacobian = rng.normal(size=(3 * contacts, 40))
    W = jacobian @ jacobian.T
    q, mu = rng.normal(size=3 * contacts), np.full(contacts, 0.4)
    answer = carom.solve(W, q, mu)
    assert answer.status == "solved"
    r, u = answer.r, (W @ answer.r.ravel() + q).reshape(-1, 3)
    np.testing.assert_allclose(u, answer.u, atol=1e-9)
    sideways = np.linalg.norm(r[:, 1:], axis=1)
    assert (sideways <= 0.4 * r[:, 0] + 1e-8).all() and (u[:, 0] >= -1e-8).all()
    corrected = u[:, 0] + 0.4 * np.linalg.norm(u[:, 1:], axis=1)
    work = r[:, 0] * corrected + (r[:, 1:] * u[:, 1:]).sum(axis=1)
    assert np.abs(work).max() < 1e-7


def test_no_contacts_have_an_answer() -> None:
    assert carom.solve(np.zeros((0, 0)), [], []).status == "solved"


def test_wrong_problems_are_reported() -> None:
    eye = np.eye(3)
    wrongs: list[Callable[[], object]] = [
        lambda: carom.solve(eye, [1, 2], [0.5]),
        lambda: carom.solve(eye, [1, 2, float("nan")], [0.5]),
        lambda: carom.solve(eye, [1, 2, 3], [-0.5]),
        lambda: carom.solve(eye, [1, 2, 3], [0.5, 0.5]),
        lambda: carom.solve(-eye, [1, 2, 3], [0.5]),
        lambda: carom.solve(eye[0], [1, 2, 3], [0.5]),
        lambda: carom.solve("W", [1, 2, 3], [0.5]),
        lambda: carom.solve(eye, [1, 2, 3], [0.5], guess=[1]),
        lambda: carom.solve(eye, [1, 2, 3], [0.5], tolerance=-1),
    ]
    for wrong in wrongs:
        with pytest.raises(carom.ArgumentError):
            wrong()
