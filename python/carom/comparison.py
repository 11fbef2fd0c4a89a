"""A student's own simulation against the reference."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterable, Mapping

from . import _carom
from .errors import ArgumentError
from .scene import Scene
from .trajectory import Trajectory

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Diagnosis:
    """An error that explains the wrong steps."""

    name: str
    #: what is wrong, and where to look
    words: str
    #: how many of the wrong steps it explains
    explained: int
    wrong: int


@dataclass(frozen=True)
class Comparison:
    """The verdict on a trajectory. Every step is judged from the trajectory's own step before."""

    #: ``pass``, ``fail`` or ``incomplete`` (right as far as it goes)
    verdict: str
    #: by whose rules: ``course`` or ``default``
    rules: str
    frames: int
    planned_frames: int
    #: what ended the comparison before its time
    failure: str | None
    #: collisions of the reference that the trajectory does not have
    missed: tuple[Mapping[str, Any], ...]
    #: collisions that only the trajectory has
    superfluous: tuple[Mapping[str, Any], ...]
    #: the first wrong step: its number, time, contacts and diagnoses
    first_wrong_step: Mapping[str, Any] | None
    #: errors that explain the trajectory, the best first
    diagnoses: tuple[Diagnosis, ...]
    #: everything, with the keys of ``carom compare --json``
    details: Mapping[str, Any] = field(repr=False)

    @property
    def passed(self) -> bool:
        """Whether everything that was compared is right."""
        return bool(self.details["pass"])

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        lines = [f"{self.verdict}, by {self.rules} rules: {self.frames} of {self.planned_frames} frames"]
        if self.failure:
            lines.append(self.failure)
        for name, differences in (("missed", self.missed), ("superfluous", self.superfluous)):
            if differences:
                first = differences[0]
                pair = f"{first['kind']} {first['first']}, {first['second']}"
                lines.append(f"{len(differences)} collisions {name}, first at frame {first['frame']}: {pair}")
        if self.first_wrong_step is not None:
            step = self.first_wrong_step
            lines.append(f"first wrong step: {step['step']}, at {step['time']:g} s")
            for contact in step["contacts"]:
                impulses = f"{contact['expected_impulse']:g} expected, {contact['implied_impulse']:g} found"
                lines.append(f"  {contact['pair']}: impulse {impulses}")
        lines.extend(f"perhaps {diagnosis.name}: {diagnosis.words}" for diagnosis in self.diagnoses)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def compare(
    scene: Scene,
    positions: ArrayLike | Trajectory,
    velocities: ArrayLike | None = None,
    *,
    contacts: Iterable[Any] | None = None,
    course: bool | None = None,
    tolerance: float = 1e-9,
) -> Comparison:
    """Compares a simulation of one's own with what the scene should give.

    ``positions`` and ``velocities`` have a row for each step from the start (frames × bodies × numbers, or
    frames × numbers), or ``positions`` is a :class:`Trajectory`. With ``contacts`` (see
    :meth:`Trajectory.from_arrays`) missed and superfluous collisions are reported too. Without ``course`` the
    rules that fit are found, as ``carom compare`` does.

    >>> import carom
    >>> scene = carom.Scene.particles(dt=0.1).particle((0, 0), velocity=(1, 0)).gravity(0, -10)
    >>> x, v, xs, vs = [0.0, 0.0], [1.0, 0.0], [], []
    >>> for _ in range(11):
    ...     xs.append(list(x)); vs.append(list(v))
    ...     x = [x[0] + 0.1 * v[0], x[1] + 0.1 * v[1]]   # explicit Euler, where symplectic is asked for
    ...     v[1] -= 1.0
    >>> carom.compare(scene, xs, vs).verdict
    'fail'
    """
    if not isinstance(scene, Scene):
        raise ArgumentError(f"compare needs a scene, not {type(scene).__name__}")
    if isinstance(positions, Trajectory):
        if velocities is not None or contacts is not None:
            raise ArgumentError("a trajectory has its own velocities and contacts")
        trajectory = positions
    else:
        if velocities is None:
            raise ArgumentError("positions need velocities")
        trajectory = Trajectory.from_arrays(scene, positions, velocities, contacts=contacts)
    if not tolerance >= 0:
        raise ArgumentError(f"tolerance must be a number of at least 0, not {tolerance!r}")
    scene.check()
    return _from_json(json.loads(_carom.compare(scene.to_xml(), trajectory._core, course, tolerance)))


def _from_json(details: dict[str, Any]) -> Comparison:
    differences = details["collisions"]["first"] if details["has_contacts"] else []
    of = {name: tuple(d for d in differences if d["problem"] == name) for name in ("missed", "superfluous")}
    wrong = details["first_wrong_step"]
    return Comparison(
        verdict=details["verdict"],
        rules=details["rules"],
        frames=details["frames"],
        planned_frames=details["planned_frames"],
        failure=details["failure"],
        missed=of["missed"],
        superfluous=of["superfluous"],
        first_wrong_step=wrong,
        diagnoses=tuple(Diagnosis(**d) for d in (wrong or {}).get("diagnoses", [])),
        details=details,
    )
