"""The asteroid game as Gymnasium environments. Needs gymnasium.

The ship must reach Earth, slowly and without spin, through drifting asteroids. The same seed and actions
give the same bits.

>>> import numpy
>>> from carom.gym import AsteroidsVectorEnv
>>> envs = AsteroidsVectorEnv(4, level=1)
>>> seen, _ = envs.reset(seed=7)
>>> seen, rewards, over, late, _ = envs.step(numpy.full(4, 1))     # all engines ahead
>>> seen.shape, bool((rewards > 0).all())
((4, 50), True)
"""

from __future__ import annotations

from typing import Any, Mapping

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv

from . import _carom
from .errors import ArgumentError

#: Bits of an action.
FORWARD, LEFT, BACKWARD, RIGHT = 1, 2, 4, 8
_SEEDS = 1 << 63


class AsteroidsVectorEnv(VectorEnv):  # type: ignore[misc]
    """Games side by side.

    Observation: place (x y), direction (cos sin), velocity (x y) and spin of the ship, fuel, Earth from the
    ship (x y), then of the eight nearest asteroids place and velocity from the ship and size. Lengths are in
    halves of the screen's width.

    Action: a mask of 1 forward, 2 left, 4 backward, 8 right, held for ``ticks`` sixtieths of a second.

    Reward: how much nearer Earth is, +10 for an arrival, -10 for a crash, -5 for leaving the screen.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}

    def __init__(self, num_envs: int = 1, *, level: int = 1, ticks: int = 4, limit: int = 3600) -> None:
        """``limit`` is the number of ticks after which a game is cut off."""
        for name, value in (("num_envs", num_envs), ("level", level), ("ticks", ticks), ("limit", limit)):
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 1 <= value < 1 << 31:
                raise ArgumentError(f"{name} is a whole number from 1, not {value!r}")
        self.num_envs, self._ticks, self._limit = int(num_envs), int(ticks), int(limit)
        self._games = _carom.GamesCore(int(level), [0] * self.num_envs)
        size = _carom.GamesCore.OBSERVATION
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float64)
        self.single_action_space = gymnasium.spaces.Discrete(16)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, self.num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, self.num_envs)
        self._over = np.zeros(self.num_envs, dtype=bool)

    def reset(
        self, *, seed: int | list[int] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        """Starts all games; game k has the seed ``seed + k``, or the k-th of a list."""
        if isinstance(seed, (list, tuple, np.ndarray)):
            if len(seed) != self.num_envs:
                raise ArgumentError(f"{len(seed)} seeds for {self.num_envs} games")
            seeds = [int(one) for one in seed]
            super().reset(seed=None)
        else:
            super().reset(seed=seed)
            first = int(self.np_random.integers(_SEEDS)) if seed is None else int(seed)
            seeds = [first + k for k in range(self.num_envs)]
        if not all(0 <= one < 1 << 64 for one in seeds):
            raise ArgumentError("seeds are whole numbers from 0")
        self._games.reset(list(range(self.num_envs)), seeds)
        self._over[:] = False
        return self._games.observe(), {}

    def step(
        self, actions: Any
    ) -> tuple[
        np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any], dict[str, Any]
    ]:
        """One action for each game. A game that was over begins anew, whatever its action, with reward 0."""
        keys = np.asarray(actions)
        if keys.shape != (self.num_envs,) or keys.dtype.kind not in "iu" or (keys < 0).any() or (keys > 15).any():
            raise ArgumentError(f"actions are {self.num_envs} whole numbers from 0 to 15, not {actions!r}")
        anew = np.nonzero(self._over)[0]
        seen, rewards, over, late = self._games.step(keys.astype(np.uint8), self._ticks, self._limit)
        if len(anew):
            self._games.reset(anew.tolist(), self.np_random.integers(_SEEDS, size=len(anew)).tolist())
            seen[anew] = self._games.observe()[anew]
            rewards[anew], over[anew], late[anew] = 0.0, False, False
        self._over = over | late
        return seen, rewards, over, late, {}

    def states(self) -> list[dict[str, Any]]:
        """Hash, ticks, fuel, starts beyond the first and score of every game."""
        names = ("hash", "ticks", "fuel", "restarts", "score")
        return [dict(zip(names, state)) for state in self._games.state()]


class AsteroidsEnv(gymnasium.Env):  # type: ignore[misc]
    """One game."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, *, level: int = 1, ticks: int = 4, limit: int = 3600) -> None:
        self._one = AsteroidsVectorEnv(1, level=level, ticks=ticks, limit=limit)
        self.observation_space = self._one.single_observation_space
        self.action_space = self._one.single_action_space

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        """Starts the game of a seed."""
        super().reset(seed=seed)
        first = int(self.np_random.integers(_SEEDS)) if seed is None else seed
        return self._one.reset(seed=[first])[0][0], {}

    def step(self, action: Any) -> tuple[np.ndarray[Any, Any], float, bool, bool, dict[str, Any]]:
        """One action."""
        seen, rewards, over, late, _ = self._one.step(np.array([action]))
        return seen[0], float(rewards[0]), bool(over[0]), bool(late[0]), {}
