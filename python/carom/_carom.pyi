"""The native part of carom. Use the package ``carom`` instead."""

from pathlib import Path
from typing import Any, Sequence, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "FramesCore", "GamesCore", "SceneCore", "SimulationCore", "__version__", "change_scene", "compare", "movie", "plot",
    "read_scene", "solve", "still",
]
__version__: str

_Finding = tuple[str, int, int, str, str, str | None, str | None, str | None, str | None, int]
_Push = tuple[int, list[float], list[float]]

@final
class SceneCore:
    text: str
    name: str
    course: bool
    family: str
    duration: float
    dt: float
    integrator: str
    response: str
    description: str | None
    movable: list[bool]
    knobs: list[tuple[str, str, float, float, float | None]]
    def counts(self) -> list[tuple[str, int]]: ...
    def canonical(self) -> str: ...
    @staticmethod
    def read_file(path: Path, course: bool) -> str: ...

def read_scene(
    text: str, name: str, course: bool = False, strict: bool = False, folder: Path | None = None
) -> tuple[SceneCore | None, list[_Finding], str]: ...
def change_scene(scene: SceneCore, changes: list[tuple[str, str]]) -> str: ...

@final
class SimulationCore:
    scene: SceneCore
    step_count: int
    planned_steps: int
    usual_every: int
    time: float
    dt: float
    body_count: int
    positions: NDArray[np.float64]
    velocities: NDArray[np.float64]
    quantities: tuple[float, float, list[float], list[float], float]
    diagnostics: tuple[str, str, int, float, int, int | None, int | None, float]
    contacts: bytes
    pushes: list[_Push]
    is_closed: bool
    def __new__(cls, scene: SceneCore) -> SimulationCore: ...
    def step(self, count: int = 1) -> None: ...
    def run(self, last_step: int, every: int) -> tuple[FramesCore, tuple[str, int, float, str] | None]: ...
    def survey(self, last_step: int, every: int, rest_speed: float) -> dict[str, Any]: ...
    def disturb(self, seed: int, size: float) -> None: ...
    def steps_until(self, time: float) -> int: ...
    def mass_properties(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def push(self, body: int, force: list[float], torque: list[float]) -> None: ...
    def set_state(
        self,
        positions: NDArray[np.float64] | None = None,
        velocities: NDArray[np.float64] | None = None,
        step: int | None = None,
    ) -> None: ...
    def copy(self) -> SimulationCore: ...
    def frame(self) -> FramesCore: ...
    def restore(self, frames: FramesCore, index: int) -> None: ...
    def close(self) -> None: ...

@final
class FramesCore:
    has_contacts: bool
    family: str
    bodies: int
    dt: float
    scene_text: str
    scene_name: str
    course: bool
    masses: list[float]
    hash: str
    def __len__(self) -> int: ...
    def array(self, name: str) -> NDArray[Any]: ...
    def contacts(self) -> bytes: ...
    def select(self, numbers: list[int]) -> FramesCore: ...
    def without_contacts(self) -> FramesCore: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes, scene: SceneCore | None = None) -> FramesCore: ...
    @staticmethod
    def from_arrays(
        scene: SceneCore,
        positions: NDArray[np.float64],
        velocities: NDArray[np.float64],
        steps: NDArray[np.uint64],
        contacts: list[tuple[int, int, int, int, list[float]]] | None = None,
    ) -> FramesCore: ...
    def save(self, path: Path, format: str) -> None: ...

def compare(text: str, frames: FramesCore, course: bool | None = None, tolerance: float = 1e-9) -> str: ...
def solve(
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    values: NDArray[np.float64],
    q: NDArray[np.float64],
    mu: NDArray[np.float64],
    guess: NDArray[np.float64] | None,
    tolerance: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64], str]: ...
def movie(scene: SceneCore, frames: FramesCore, path: Path, kind: str, look: dict[str, Any]) -> int: ...
def still(scene: SceneCore, frames: FramesCore, kind: str, look: dict[str, Any]) -> bytes: ...
def plot(
    runs: Sequence[tuple[str, FramesCore]], topics: list[str], size: list[int], dark: bool, kind: str
) -> bytes: ...

@final
class GamesCore:
    OBSERVATION: int
    def __new__(cls, level: int, seeds: list[int]) -> GamesCore: ...
    def reset(self, which: list[int], seeds: list[int]) -> None: ...
    def observe(self) -> NDArray[np.float64]: ...
    def step(
        self, actions: NDArray[np.uint8], ticks: int, limit: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]: ...
    def state(self) -> list[tuple[str, int, int, int, int]]: ...
