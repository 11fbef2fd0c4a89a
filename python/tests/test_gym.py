"""The game for learning programs: the same bits, Gymnasium's own checks, and a pilot that arrives."""

from __future__ import annotations

import time

import numpy as np
import pytest

import carom

gymnasium = pytest.importorskip("gymnasium")


def test_gymnasium_accepts_it() -> None:
    from gymnasium.utils.env_checker import check_env

    from carom.gym import AsteroidsEnv

    check_env(AsteroidsEnv(level=2), skip_render_check=True)


def test_the_same_seed_and_actions_give_the_same_bits() -> None:
    from carom.gym import AsteroidsVectorEnv

    actions = np.random.default_rng(3).integers(16, size=(50, 3))
    one, two = AsteroidsVectorEnv(3, level=5), AsteroidsVectorEnv(3, level=5)
    one.reset(seed=11)
    two.reset(seed=[11, 12, 13])
    for action in actions:
        a, b = one.step(action), two.step(action)
        if a[2].any() or a[3].any():
            break
        assert all((x == y).all() for x, y in zip(a[:4], b[:4]))
    assert [s["hash"] for s in one.states()] == [s["hash"] for s in two.states()]


def test_a_careful_pilot_arrives() -> None:
    """Ahead for a second, coast, brake before Earth: the flight of the game's own documentation."""
    from carom.gym import BACKWARD, FORWARD, AsteroidsEnv

    env = AsteroidsEnv(level=1, ticks=1)
    seen, _ = env.reset(seed=7)
    total = 0.0
    for tick in range(2000):
        x, speed = seen[0] * 16, seen[4]
        action = FORWARD if tick < 60 else BACKWARD if x > 7.2 and speed > 0.4 else 0
        seen, reward, over, late, _ = env.step(action)
        total += reward
        if over:
            break
    assert over and not late and total > 25, "ten for the arrival, and the way there"


def test_games_that_are_over_begin_anew() -> None:
    from carom.gym import AsteroidsVectorEnv

    envs = AsteroidsVectorEnv(2, level=1, limit=40)
    envs.reset(seed=1)
    cut = [envs.step(np.zeros(2, dtype=int))[3].all() for _ in range(11)]
    assert cut == [False] * 9 + [True, False]
    assert [state["ticks"] for state in envs.states()] == [0, 0]


def test_wrong_actions_are_reported() -> None:
    from carom.gym import AsteroidsVectorEnv

    envs = AsteroidsVectorEnv(2)
    envs.reset(seed=0)
    for wrong in ([0], [0, 16], [0, -1], [0.5, 0], "ab", None):
        with pytest.raises(carom.ArgumentError):
            envs.step(wrong)
    for arguments in ({"num_envs": 0}, {"level": 99}, {"ticks": 0}):
        with pytest.raises(carom.ArgumentError):
            AsteroidsVectorEnv(**arguments)
    with pytest.raises(carom.ArgumentError):
        envs.reset(seed=[1, 2, 3])


def test_the_speed_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """The issue asks for 10,000 ticks a second and core; a timing decides no test, but is reported."""
    from carom.gym import AsteroidsVectorEnv

    envs = AsteroidsVectorEnv(8, level=2, ticks=4)
    envs.reset(seed=0)
    start, steps = time.process_time(), 250
    for _ in range(steps):
        envs.step(np.full(8, 1))
    rate = steps * 8 * 4 / (time.process_time() - start)
    with capsys.disabled():
        print(f"\n{rate:.0f} ticks of the game a second of the processor")
