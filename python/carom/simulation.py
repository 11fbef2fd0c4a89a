"""A scene in motion."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence

import numpy as np

from . import _carom
from ._arguments import place, whole
from .errors import ArgumentError, StepError
from .scene import Scene

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .trajectory import Trajectory

#: Kinds of contact, each at the place of its code.
CONTACT_KINDS = ("particle-particle", "particle-edge", "particle-half-plane", "body-body")

#: A contact: number of its frame, code of its kind, the two bodies, where they touch, the unit
#: normal from the first to the second, the gap where it was found (negative where they overlap),
#: the impulse along the normal, when in the step from 0 to 1, and the impulse of friction on the
#: second body, a vector. The whole impulse on the second body is ``impulse * normal + friction``,
#: that on the first the opposite. Files that do not report gap and friction (the course's, and
#: those of older versions) give NaN.
contact_dtype = np.dtype(
    [
        ("frame", "<u4"),
        ("kind", "<u4"),
        ("bodies", "<u4", (2,)),
        ("point", "<f8", (3,)),
        ("normal", "<f8", (3,)),
        ("gap", "<f8"),
        ("impulse", "<f8"),
        ("time", "<f8"),
        ("friction", "<f8", (3,)),
    ]
)

#: More steps than this cannot be counted exactly in a time.
_MOST_STEPS = 1 << 53


class Certificate(NamedTuple):
    """How the last step went: nothing is hidden."""

    #: ``Solved`` when all went well
    status: str
    #: the status in words
    words: str
    #: iterations of the solver
    iterations: int
    #: what the solver left unsolved
    residual: float
    #: contacts with an impulse
    active_contacts: int
    #: rows of the contact problem, where the method has one
    contact_rows: int | None
    #: rows of its largest island
    largest_island: int | None
    #: kinetic energy that contact added, negative where it was lost; NaN where it is not known
    kinetic_change: float


class Energy(NamedTuple):
    """Energies of all bodies that can move."""

    kinetic: float
    potential: float

    @property
    def total(self) -> float:
        """Kinetic and potential energy together."""
        return self.kinetic + self.potential


class Simulation:
    """A scene in motion. The same scene gives the same bits, from Python as from the program.

    Python's lock is released during steps. Several threads may use one simulation: they wait for each
    other. Threads with simulations of their own run at the same time.

    >>> import carom
    >>> scene = carom.Scene.planar(dt=0.01).disc((0, 0), radius=0.5, mass=2, velocity=(1, 0))
    >>> sim = carom.Simulation(scene)
    >>> sim.step(100)
    >>> float(sim.positions[0, 0])
    1.0000000000000007
    >>> sim.energy.kinetic
    1.0
    """

    __slots__ = ("_core", "_scene", "step", "__weakref__")

    def __init__(self, scene: Scene | str | os.PathLike[str]) -> None:
        """A simulation at the start of a scene, or of a scene file."""
        if isinstance(scene, (str, os.PathLike)):
            from .scene import load

            scene = load(scene)
        if not isinstance(scene, Scene):
            raise ArgumentError(f"a simulation needs a scene, not {type(scene).__name__}")
        self._start(scene, _carom.SimulationCore(scene._checked()))

    def _start(self, scene: Scene, core: _carom.SimulationCore) -> None:
        self._scene = scene
        self._core = core
        #: ``step(count=1)`` takes steps; bound here because a call through Python costs as much
        #: again.
        self.step = core.step

    # -- running ---------------------------------------------------------------------------------

    def run(
        self, until: float | None = None, every: int | None = None, *, steps: int | None = None
    ) -> Trajectory:
        """Runs to a simulated time (that of the scene where it is not given), or for so many steps, and
        gives a frame for every so many steps, the first and the last.

        A step that fails raises :class:`StepError`, whose ``trajectory`` has every frame before.
        """
        from .trajectory import Trajectory

        core = self._core
        if every is None:
            every = core.usual_every
        elif isinstance(every, bool) or not isinstance(every, (int, np.integer)) or not 0 <= every < _MOST_STEPS:
            raise ArgumentError(f"every must be a whole number of steps from 0, not {every!r}")
        frames, failure = core.run(self._last_step(until, steps), int(every))
        trajectory = Trajectory(frames, scene=self._scene)
        if failure is not None:
            error = StepError(*failure)
            error.trajectory = trajectory
            raise error
        return trajectory

    def _last_step(self, until: float | None, steps: int | None) -> int:
        core = self._core
        if steps is not None:
            if until is not None:
                raise ArgumentError("give a time or a number of steps, not both")
            if isinstance(steps, bool) or not isinstance(steps, (int, np.integer)) or not 0 <= steps < _MOST_STEPS:
                raise ArgumentError(f"steps must be a whole number from 0, not {steps!r}")
            return core.step_count + int(steps)
        if until is None:
            return core.planned_steps
        try:
            time = float(until)
        except (TypeError, ValueError):
            raise ArgumentError(f"until must be a time in seconds, not {until!r}") from None
        if not (math.isfinite(time) and time >= 0):
            raise ArgumentError(f"until must be a time of at least 0 seconds, not {until!r}")
        last = core.steps_until(time)
        if last >= _MOST_STEPS:
            raise ArgumentError(f"{last} steps are more than can be counted")
        return last

    # -- the present moment ----------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The scene that it runs."""
        return self._scene

    @property
    def time(self) -> float:
        """Simulated seconds since the start."""
        return self._core.time

    @property
    def dt(self) -> float:
        """Seconds of a step."""
        return self._core.dt

    @property
    def step_count(self) -> int:
        """Steps since the start."""
        return self._core.step_count

    @property
    def planned_steps(self) -> int:
        """Steps that the scene's duration asks for."""
        return self._core.planned_steps

    def __len__(self) -> int:
        """Number of particles or bodies."""
        return self._core.body_count

    def __bool__(self) -> bool:
        return True

    @property
    def positions(self) -> NDArray[np.float64]:
        """Positions, a row for each body: x y of a particle; x y and angle of a planar body; x y z and the
        quaternion w x y z of a spatial body. The array belongs to numpy, is read-only, and stays as it is
        when the simulation goes on."""
        return self._core.positions

    @property
    def velocities(self) -> NDArray[np.float64]:
        """Velocities, a row for each body: linear, then angular (none for particles)."""
        return self._core.velocities

    @property
    def energy(self) -> Energy:
        """Kinetic and potential energy."""
        kinetic, potential, *_ = self._core.quantities
        return Energy(kinetic, potential)

    @property
    def momentum(self) -> NDArray[np.float64]:
        """Linear momentum of all bodies that can move: x y z."""
        return np.array(self._core.quantities[2])

    @property
    def angular_momentum(self) -> NDArray[np.float64]:
        """Angular momentum about the origin; the third number is the planar one."""
        return np.array(self._core.quantities[3])

    @property
    def penetration(self) -> float:
        """Deepest overlap of two bodies; NaN where it is not known."""
        return self._core.quantities[4]

    @property
    def contacts(self) -> NDArray[np.void]:
        """What touched in the last step, as an array of :data:`carom.contact_dtype`."""
        return np.frombuffer(self._core.contacts, dtype=contact_dtype)

    @property
    def certificate(self) -> Certificate:
        """How the last step went."""
        return Certificate(*self._core.diagnostics)

    @property
    def masses(self) -> NDArray[np.float64]:
        """Masses of all bodies."""
        return self._core.mass_properties()[0]

    @property
    def inertias(self) -> NDArray[np.float64]:
        """Moments of inertia: one for each planar body; Ixx Iyy Izz Ixy Iyz Izx for each spatial body;
        none for particles."""
        inertias = self._core.mass_properties()[1]
        return inertias.reshape(-1, 6) if self._scene.family == "spatial-bodies" else inertias

    # -- changing it -----------------------------------------------------------------------------

    def push(self, body: int, force: Sequence[float] = (), torque: float | Sequence[float] = ()) -> None:
        """Pushes and turns a particle or body during the next step only. Several pushes add up. Particles
        and planar bodies feel two numbers of force; a planar body one of torque, a particle none."""
        if isinstance(body, bool) or not isinstance(body, (int, np.integer)) or body < 0:
            raise ArgumentError(f"a body is a whole number from 0, not {body!r}")
        if body >= len(self):
            raise ArgumentError(f"there are {len(self)} bodies, from 0; no {body}")
        planar = self._scene.family != "spatial-bodies"
        self._core.push(int(body), _three("force", force, False), _three("torque", torque, planar))

    def set_state(
        self,
        positions: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
        step: int | None = None,
    ) -> None:
        """Moves bodies, changes their velocities, or counts steps from another number. What a method
        remembered to start from is forgotten."""
        if step is not None and (
            isinstance(step, bool) or not isinstance(step, (int, np.integer)) or not 0 <= step < _MOST_STEPS
        ):
            raise ArgumentError(f"a step is a whole number from 0, not {step!r}")
        given = [_array(name, a) for name, a in (("positions", positions), ("velocities", velocities))]
        for name, array in zip(("positions", "velocities"), given):
            if array is not None and array.shape != (shape := getattr(self._core, name).shape):
                raise ArgumentError(f"{name} have the shape {array.shape}, not {shape}: a row for each body, fixed ones too")
        self._core.set_state(given[0], given[1], None if step is None else int(step))

    def copy(self) -> Simulation:
        """A second simulation that is where this one is, pushes included."""
        return self._with(self._core.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Simulation:
        return self.copy()

    def _with(self, core: _carom.SimulationCore) -> Simulation:
        other = object.__new__(Simulation)
        other._start(self._scene, core)
        return other

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the present moment to a ``.carom`` file, to be restored to the bit. Pushes that wait for the
        next step are not part of it."""
        self._core.frame().save(place(path), "carom")

    def frame(self) -> Trajectory:
        """The present moment as a trajectory of one frame."""
        from .trajectory import Trajectory

        return Trajectory(self._core.frame(), scene=self._scene)

    def restore(self, state: str | os.PathLike[str] | bytes | Trajectory, index: int = -1) -> None:
        """Goes to a frame of a file, of bytes or of a trajectory; the last one where none is named. The next
        step is, to the bit, that of a run which came there by itself."""
        from .trajectory import Trajectory, read

        if isinstance(state, bytes):
            state = Trajectory.from_bytes(state, scene=self._scene)
        elif not isinstance(state, Trajectory):
            state = read(state, scene=self._scene)
        count, index = len(state), whole("index", index)
        if not -count <= index < count:
            raise ArgumentError(f"there are {count} frames; no {index}")
        self._core.restore(state._core, index % count)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self._scene, self._core.frame().to_bytes(), self._core.pushes)

    def close(self) -> None:
        """Lets go of the engine's memory at once; using the simulation afterwards raises
        :class:`ClosedError`."""
        self._core.close()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._core.is_closed:
            return "<carom.Simulation: closed>"
        return f"<carom.Simulation of {self._scene.name!r}: step {self.step_count}, {self.time:g} s>"

    def _repr_html_(self) -> str:
        from .pictures import inline, still

        if self._core.is_closed:
            return "<p>a closed simulation</p>"
        picture = inline(still(self, kind="svg", side=360))
        return f"<figure>{picture}<figcaption>step {self.step_count}, {self.time:g} s</figcaption></figure>"


def _unpickled(scene: Scene, state: bytes, pushes: list[Any]) -> Simulation:
    simulation = Simulation(scene)
    simulation.restore(state)
    for body, force, torque in pushes:
        simulation._core.push(body, force, torque)
    return simulation


def _array(name: str, given: ArrayLike | None) -> NDArray[np.float64] | None:
    if given is None:
        return None
    try:
        array = np.array(given, dtype=np.float64, copy=True, order="C")
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} must be an array of numbers") from None
    if array.ndim != 2:
        raise ArgumentError(f"{name} must have a row for each body, not the shape {array.shape}")
    return array


def _three(name: str, given: float | Sequence[float], last: bool) -> list[float]:
    """Three numbers; of fewer the others are zero. One number alone is the last one where that is meant."""
    try:
        numbers = [float(x) for x in np.atleast_1d(np.asarray(given, dtype=np.float64)).tolist()]
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} must be numbers, not {given!r}") from None
    if len(numbers) > 3:
        raise ArgumentError(f"{name} has at most three numbers, not {len(numbers)}")
    if len(numbers) == 1 and last:
        return [0.0, 0.0, numbers[0]]
    return numbers + [0.0] * (3 - len(numbers))
