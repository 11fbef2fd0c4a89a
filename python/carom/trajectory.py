"""Stored runs: frames as numpy arrays, from runs and files, to files and tables."""

from __future__ import annotations

import base64
import os
import tempfile
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable

import numpy as np

from . import _carom
from ._arguments import place
from .errors import ArgumentError, FileError
from .scene import Scene
from .simulation import contact_dtype

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_FORMATS = {".carom": "carom", ".npz": "npz", ".csv": "csv", ".bin": "course", ".glb": "glb"}
#: Names of the numbers of a body, in positions and in velocities.
COORDINATES = {
    "particles": (("x", "y"), ("vx", "vy")),
    "rigid-bodies": (("x", "y", "angle"), ("vx", "vy", "omega")),
    "spatial-bodies": (
        ("x", "y", "z", "qw", "qx", "qy", "qz"),
        ("vx", "vy", "vz", "omegax", "omegay", "omegaz"),
    ),
}
_SERIES = (
    "kinetic", "potential", "penetration", "residual", "status", "iterations", "active_contacts", "contact_count",
)


class Trajectory:
    """Frames of a run. Arrays have a row for each frame, and are made when they are first asked for.

    >>> import carom
    >>> run = carom.Scene.particles(dt=0.1).particle((0, 0), velocity=(1, 0)).run()
    >>> run.positions.shape
    (11, 1, 2)
    >>> float(run.time[-1])
    1.0
    """

    def __init__(self, core: _carom.FramesCore, *, scene: Scene | None = None) -> None:
        """For the package itself; use :func:`carom.read`, ``from_arrays`` or a run."""
        if not isinstance(core, _carom.FramesCore):
            raise ArgumentError("use carom.read, Trajectory.from_arrays or Simulation.run")
        self._core = core
        self._given_scene = scene

    @classmethod
    def from_arrays(
        cls,
        scene: Scene,
        positions: ArrayLike,
        velocities: ArrayLike,
        *,
        every: int = 1,
        contacts: Iterable[Any] | None = None,
    ) -> Trajectory:
        """Frames from arrays of the shape frames × bodies × numbers, or frames × numbers.

        The first frame is the start of the scene, each further one ``every`` steps later. ``contacts`` is an
        array of :data:`carom.contact_dtype`, or tuples ``(frame, kind, first, second)``.
        """
        core = scene._checked()
        if isinstance(every, bool) or not isinstance(every, (int, np.integer)) or not 1 <= every < 1 << 32:
            raise ArgumentError(f"every must be a whole number of steps from 1, not {every!r}")
        names = COORDINATES[core.family]
        bodies = len(core.movable)
        x = _rows("positions", positions, bodies, len(names[0]))
        v = _rows("velocities", velocities, bodies, len(names[1]))
        if len(x) != len(v):
            raise ArgumentError(f"{len(x)} frames of positions, {len(v)} of velocities")
        steps = np.arange(len(x), dtype=np.uint64) * np.uint64(every)
        found = None if contacts is None else [_contact(contact) for contact in contacts]
        return cls(_carom.FramesCore.from_arrays(core, x, v, steps, found), scene=scene)

    @classmethod
    def from_bytes(cls, data: bytes, *, scene: Scene | None = None) -> Trajectory:
        """Frames from the bytes of a file, as :func:`carom.read`."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise ArgumentError(f"data must be bytes, not {type(data).__name__}")
        core = None if scene is None else scene._checked()
        return cls(_carom.FramesCore.from_bytes(bytes(data), core), scene=scene)

    def to_bytes(self) -> bytes:
        """A whole ``.carom`` file."""
        return self._core.to_bytes()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file, by its ending: ``.carom``, ``.npz``, ``.csv``, ``.bin`` (course) or ``.glb``."""
        target = place(path)
        kind = _FORMATS.get(target.suffix.lower())
        if kind is None:
            raise ArgumentError(f"the ending of {target.name!r} names no format: use {', '.join(_FORMATS)}")
        self._core.save(target, kind)

    # -- what it is ------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Number of frames."""
        return len(self._core)

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, which: int | slice) -> Trajectory:
        """Some of the frames."""
        numbers = range(len(self))[which]
        chosen = [numbers] if isinstance(numbers, int) else list(numbers)
        return Trajectory(self._core.select(chosen), scene=self._given_scene)

    @cached_property
    def scene(self) -> Scene:
        """The scene of the run; a ``.carom`` file carries it."""
        if self._given_scene is not None:
            return self._given_scene
        core = self._core
        return Scene(core.scene_text, name=core.scene_name, course=core.course)

    @property
    def family(self) -> str:
        """``particles``, ``rigid-bodies`` or ``spatial-bodies``."""
        return self._core.family

    @property
    def dt(self) -> float:
        """Seconds of a step."""
        return self._core.dt

    @property
    def hash(self) -> str:
        """The hash of the run: equal for the same steps, positions and velocities, bit for bit."""
        return self._core.hash

    @property
    def has_contacts(self) -> bool:
        """Whether the frames report contacts."""
        return self._core.has_contacts

    def _array(self, name: str) -> NDArray[Any]:
        array = self._core.array(name)
        array.flags.writeable = False
        return array

    @cached_property
    def step(self) -> NDArray[np.uint64]:
        """Steps since the start."""
        return self._array("step")

    @cached_property
    def time(self) -> NDArray[np.float64]:
        """Simulated seconds since the start."""
        return self._array("time")

    @cached_property
    def positions(self) -> NDArray[np.float64]:
        """Frames × bodies × numbers, as :attr:`Simulation.positions`."""
        return self._array("positions")

    @cached_property
    def velocities(self) -> NDArray[np.float64]:
        """Frames × bodies × numbers, as :attr:`Simulation.velocities`."""
        return self._array("velocities")

    @cached_property
    def kinetic(self) -> NDArray[np.float64]:
        """Kinetic energy."""
        return self._array("kinetic")

    @cached_property
    def potential(self) -> NDArray[np.float64]:
        """Potential energy."""
        return self._array("potential")

    @property
    def energy(self) -> NDArray[np.float64]:
        """Total energy."""
        return self.kinetic + self.potential

    @cached_property
    def momentum(self) -> NDArray[np.float64]:
        """Linear momentum, frames × 3."""
        return self._array("momentum")

    @cached_property
    def angular_momentum(self) -> NDArray[np.float64]:
        """Angular momentum about the origin, frames × 3."""
        return self._array("angular_momentum")

    @cached_property
    def penetration(self) -> NDArray[np.float64]:
        """Deepest overlap of two bodies."""
        return self._array("penetration")

    @cached_property
    def residual(self) -> NDArray[np.float64]:
        """What the solver left unsolved in the step that led to a frame."""
        return self._array("residual")

    @cached_property
    def status(self) -> NDArray[np.uint32]:
        """How the step that led to a frame went; 0 when all went well."""
        return self._array("status")

    @cached_property
    def contacts(self) -> NDArray[np.void]:
        """Contacts of all frames, an array of :data:`carom.contact_dtype`; ``frame`` says of which."""
        return np.frombuffer(self._core.contacts(), dtype=contact_dtype)

    # -- tables ----------------------------------------------------------------------------------

    def to_xarray(self) -> Any:
        """An :class:`xarray.Dataset` with time, body and coordinate as dimensions. Needs xarray."""
        import xarray

        names = COORDINATES[self.family]
        variables: dict[str, Any] = {
            "positions": (("time", "body", "coordinate"), self.positions),
            "velocities": (("time", "body", "direction"), self.velocities),
        }
        variables.update({name: ("time", self._array(name)) for name in _SERIES})
        coordinates = {
            "time": self.time,
            "step": ("time", self.step),
            "body": np.arange(self.positions.shape[1]),
            "coordinate": list(names[0]),
            "direction": list(names[1]),
        }
        return xarray.Dataset(variables, coordinates, attrs={"scene": self.scene.name, "dt": self.dt})

    def to_pandas(self) -> Any:
        """A :class:`pandas.DataFrame` with a row for each frame and body. Needs pandas."""
        import pandas

        frames, bodies, _ = self.positions.shape
        names = COORDINATES[self.family]
        columns: dict[str, Any] = {
            "step": np.repeat(self.step, bodies),
            "time": np.repeat(self.time, bodies),
            "body": np.tile(np.arange(bodies), frames),
        }
        for array, given in ((self.positions, names[0]), (self.velocities, names[1])):
            columns.update({name: array[:, :, k].reshape(-1) for k, name in enumerate(given)})
        return pandas.DataFrame(columns)

    # -- Python ----------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trajectory):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.to_bytes(), self._given_scene, self.has_contacts)

    def __repr__(self) -> str:
        return f"<carom.Trajectory of {self._core.scene_name!r}: {len(self)} frames, {self._core.bodies} bodies>"

    def _repr_html_(self) -> str:
        from .pictures import render

        if len(self) == 0:
            return "<p>a trajectory without frames</p>"
        with tempfile.TemporaryDirectory() as folder:
            movie = render(self, Path(folder) / "run.mp4", side=360)
            data = base64.b64encode(movie.read_bytes()).decode("ascii")
        return (
            '<video controls loop muted autoplay src="data:video/mp4;base64,'
            f'{data}"></video><p>{len(self)} frames to {self.time[-1]:g} s</p>'
        )


def _unpickled(data: bytes, scene: Scene | None, has_contacts: bool) -> Trajectory:
    core = _carom.FramesCore.from_bytes(data, None)
    return Trajectory(core if has_contacts else core.without_contacts(), scene=scene)


def _rows(name: str, given: ArrayLike, bodies: int, width: int) -> NDArray[np.float64]:
    try:
        array = np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} must be an array of numbers") from None
    wanted = f"frames × {bodies} × {width}"
    if array.ndim == 2 and array.shape[1] == bodies * width:
        array = array.reshape(len(array), bodies, width)
    if array.ndim != 3 or array.shape[1:] != (bodies, width):
        raise ArgumentError(f"{name} have the shape {array.shape}, not {wanted}")
    return array


def _contact(given: Any) -> tuple[int, int, int, int, list[float]]:
    try:
        if isinstance(given, np.void):
            first, second = (int(body) for body in given["bodies"])
            normal = [float(x) for x in given["normal"]]
            return int(given["frame"]), int(given["kind"]), first, second, normal
        frame, kind, first, second = (int(number) for number in given)
    except (TypeError, ValueError, IndexError):
        raise ArgumentError(f"a contact is (frame, kind, first, second), not {given!r}") from None
    if min(frame, kind, first, second) < 0 or max(first, second) >= 1 << 32:
        raise ArgumentError(f"a contact has numbers from 0, not {given!r}")
    return frame, kind, first, second, [float("nan")] * 3


def read(path: str | os.PathLike[str], *, scene: Scene | str | os.PathLike[str] | None = None) -> Trajectory:
    """Reads a stored run: a ``.carom`` file, or with its scene a course file or an ``.npz``."""
    from .scene import load

    if scene is not None and not isinstance(scene, Scene):
        scene = load(scene)
    file = place(path)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise FileError(f"cannot read {file}: {error.strerror}") from None
    if scene is None and data.startswith(b"PK"):
        scene = _scene_inside(file)
    return Trajectory.from_bytes(data, scene=scene)


def _scene_inside(path: Path) -> Scene:
    """The scene that an ``.npz`` of Carom carries."""
    try:
        with np.load(path) as archive:
            text = str(archive["scene"]) if "scene" in archive else ""
    except Exception as error:  # zipfile, zlib and numpy have a dozen kinds for what is damaged
        raise FileError(f"{path.name} is no archive of numpy: {error}") from None
    if not text:
        raise ArgumentError(f"{path.name} does not carry its scene; name it: read(path, scene=...)")
    return Scene(text, name=path.with_suffix(".xml").name)
