"""What a scene is built of: methods that add tags, in the words of the scene format."""

from __future__ import annotations

import html
import math
import operator
from typing import TYPE_CHECKING, Any, Iterable, Sequence, SupportsIndex, Union

import numpy as np

from . import _carom
from ._arguments import number, text, whole
from .errors import ArgumentError

if TYPE_CHECKING:
    from typing_extensions import Self

#: A number, a flag or a name, as an attribute of a scene has it.
Value = Union[str, float, SupportsIndex]
#: Two or three numbers; arrays too.
Vector = Union[Sequence[float], "np.ndarray[Any, np.dtype[Any]]"]

CLOSING = "</scene>"
_PREFIX = {"particles": "", "rigid-bodies": "rigidbody", "spatial-bodies": "rigidbody3d"}
BODIES = {
    "particles": ("particle",),
    "rigid-bodies": ("rigidbody", "rigidbodydisc", "rigidbodyhalfplane"),
    "spatial-bodies": (
        "rigidbody3dsphere", "rigidbody3dbox", "rigidbody3dpolyhedron", "rigidbody3dhalfspace",
    ),
}


def written(value: object) -> str:
    """A value as scene files have it: numbers as the shortest text of the same bits."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, str):
        return text(value)
    try:
        # numpy's arrays have it too, and refuse
        return str(operator.index(value))  # type: ignore[arg-type]
    except TypeError:
        pass
    try:
        return repr(float(value))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{value!r} is no number and no text") from None


def _numbers(name: str, value: Vector, count: int) -> list[float]:
    try:
        numbers = [float(one) for one in value]
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{name} must be {count} numbers, not {value!r}") from None
    if len(numbers) != count:
        raise ArgumentError(f"{name} must be {count} numbers, not {len(numbers)}")
    return numbers


class Builder:
    """The part of :class:`carom.Scene` that adds things. Every method changes the scene and returns it."""

    __slots__ = ("_text", "_added", "_counts", "_core")

    _text: str
    _added: list[str]
    _counts: dict[str, int] | None
    _core: _carom.SceneCore | None

    def _checked(self) -> _carom.SceneCore:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def add(self, tag: str, /, **attributes: Value | Iterable[int] | None) -> Self:
        """Adds a tag of the scene format. A list is an attribute that is repeated; None leaves it out."""
        if not (isinstance(tag, str) and tag.isidentifier()):
            raise ArgumentError(f"{tag!r} is no name of a tag")
        words = [f"<{tag}"]
        for name, value in attributes.items():
            if value is None:
                continue
            several = isinstance(value, Iterable) and not isinstance(value, str)
            try:
                ones = list(value) if several else [value]  # type: ignore[arg-type]
            except TypeError:
                raise ArgumentError(f"{name} must be a value or a list of values, not {value!r}") from None
            for one in ones:
                escaped = html.escape(written(one), quote=True).replace("\n", "&#10;").replace("\t", "&#9;")
                words.append(f'{name}="{escaped}"')
        counts = self._tag_counts()
        self._added.append(" ".join(words) + "/>")
        self._core = None
        counts[tag] = counts.get(tag, 0) + 1
        return self

    def _tag_counts(self) -> dict[str, int]:
        """How many of each tag there are."""
        if self._counts is None:
            self._counts = dict(self._checked().counts())
        return self._counts

    def _count(self, tag: str) -> int:
        return self._tag_counts().get(tag, 0)

    def _prefix(self, what: str, *families: str) -> str:
        family = self._family()
        if families and family not in families:
            raise ArgumentError(f"{what} is for scenes of {' or '.join(families)}; this one has {family}")
        return _PREFIX[family]

    def _family(self) -> str:
        if self._core is not None:
            return self._core.family
        text = self._text
        if 'type="rigid-body-3d"' in text:
            return "spatial-bodies"
        if 'type="rigid-body"' in text:
            return "rigid-bodies"
        return "particles" if 'type="particle-system"' in text else self._checked().family

    def particle(
        self,
        position: Vector,
        *,
        mass: float = 1.0,
        velocity: Vector = (0.0, 0.0),
        radius: float = 0.1,
        fixed: bool = False,
    ) -> Self:
        """Adds a particle: a disc with mass that does not turn."""
        self._prefix("a particle", "particles")
        (px, py), (vx, vy) = _numbers("position", position, 2), _numbers("velocity", velocity, 2)
        return self.add("particle", m=mass, px=px, py=py, vx=vx, vy=vy, fixed=fixed, radius=radius)

    def edge(self, first: int, second: int, *, radius: float = 0.015) -> Self:
        """Adds a segment between two particles."""
        self._prefix("an edge", "particles")
        return self.add("edge", i=first, j=second, radius=radius)

    def half_plane(self, point: Vector = (0.0, 0.0), normal: Vector = (0.0, 1.0)) -> Self:
        """Adds everything behind a line through a point: a floor, a ramp or a wall, in 2D."""
        prefix = self._prefix("a half-plane", "particles", "rigid-bodies")
        (x, y), (nx, ny) = _numbers("point", point, 2), _numbers("normal", normal, 2)
        if prefix == "rigidbody":
            return self.add("rigidbodyhalfplane", x=x, y=y, nx=nx, ny=ny)
        return self.add("halfplane", px=x, py=y, nx=nx, ny=ny)

    def disc(
        self,
        position: Vector,
        *,
        radius: float,
        mass: float | None = None,
        density: float | None = None,
        velocity: Vector = (0.0, 0.0),
        omega: float = 0.0,
        fixed: bool = False,
    ) -> Self:
        """Adds a uniform disc, by its mass or its density (1 where neither is given)."""
        self._prefix("a disc", "rigid-bodies")
        (x, y), (vx, vy) = _numbers("position", position, 2), _numbers("velocity", velocity, 2)
        mass, density = _weight(mass, density)
        return self.add(
            "rigidbodydisc", x=x, y=y, radius=radius, m=mass, density=density, vx=vx, vy=vy, omega=omega, fixed=fixed
        )

    def polygon(
        self,
        vertices: Sequence[Vector],
        *,
        radius: float = 0.01,
        density: float = 1.0,
        velocity: Vector = (0.0, 0.0),
        omega: float = 0.0,
        fixed: bool = False,
    ) -> Self:
        """Adds a full polygon, rounded by a radius; two vertices make a bar of that half thickness."""
        self._prefix("a polygon", "rigid-bodies")
        points = _points(vertices, 2)
        if len(points) < 2:
            raise ArgumentError("a polygon needs at least two vertices")
        vx, vy = _numbers("velocity", velocity, 2)
        first = self._count("rigidbodyvertex")
        solid = len(points) > 2
        # the masses of a bar are in its ends
        mass = 1.0 if solid else _bar_mass(points, number("radius", radius), number("density", density)) / 2
        for x, y in points:
            self.add("rigidbodyvertex", x=x, y=y, m=mass)
        return self.add(
            "rigidbody", p=range(first, first + len(points)), vx=vx, vy=vy, omega=omega, r=radius,
            fixed=fixed, solid=True if solid else None, density=density if solid else None,
        )

    def box(
        self,
        position: Vector,
        size: Vector,
        *,
        rotation: float | Vector = 0.0,
        mass: float | None = None,
        density: float | None = None,
        velocity: Vector | None = None,
        omega: float | Vector = 0.0,
        fixed: bool = False,
    ) -> Self:
        """Adds a box with whole sides ``size``: a spatial body, or a planar one as a polygon.

        ``rotation`` and ``omega`` are numbers in 2D; in 3D they are axis times angle, and
        axis times angular velocity.
        """
        prefix = self._prefix("a box", "rigid-bodies", "spatial-bodies")
        if prefix == "rigidbody":
            return self._planar_box(position, size, rotation, mass, density, velocity, omega, fixed)
        a, b, c = _numbers("size", size, 3)
        mass, density = _weight(mass, density)
        placed = _placed(position, rotation, velocity, omega)
        return self.add(
            "rigidbody3dbox", a=a, b=b, c=c, m=mass, density=density, fixed=fixed, **placed
        )

    def _planar_box(
        self, position: Vector, size: Vector, rotation: float | Vector, mass: float | None,
        density: float | None, velocity: Vector | None, omega: float | Vector, fixed: bool,
    ) -> Self:
        rotation, omega = number("in 2D rotation", rotation), number("in 2D omega", omega)
        (x, y), (a, b) = _numbers("position", position, 2), _numbers("size", size, 2)
        cos, sin = math.cos(rotation), math.sin(rotation)
        corners = [(-a / 2, -b / 2), (a / 2, -b / 2), (a / 2, b / 2), (-a / 2, b / 2)]
        corners = [(x + cos * u - sin * v, y + sin * u + cos * v) for u, v in corners]
        mass, density = _weight(mass, density)
        if mass is not None and not a * b > 0:
            raise ArgumentError("the sides of a box must be greater than 0")
        even = number("mass", mass) / (a * b) if mass is not None else density
        return self.polygon(
            corners, density=1.0 if even is None else even,
            velocity=(0, 0) if velocity is None else velocity, omega=omega, fixed=fixed,
        )

    def sphere(
        self,
        position: Vector,
        *,
        radius: float,
        mass: float | None = None,
        density: float | None = None,
        velocity: Vector | None = None,
        omega: Vector = (0.0, 0.0, 0.0),
        fixed: bool = False,
    ) -> Self:
        """Adds a full ball."""
        self._prefix("a sphere", "spatial-bodies")
        mass, density = _weight(mass, density)
        placed = _placed(position, (0.0, 0.0, 0.0), velocity, omega)
        return self.add(
            "rigidbody3dsphere", radius=radius, m=mass, density=density, fixed=fixed, **placed
        )

    def polyhedron(
        self,
        vertices: Sequence[Vector],
        *,
        position: Vector = (0.0, 0.0, 0.0),
        rotation: Vector = (0.0, 0.0, 0.0),
        mass: float | None = None,
        density: float | None = None,
        velocity: Vector | None = None,
        omega: Vector = (0.0, 0.0, 0.0),
        fixed: bool = False,
    ) -> Self:
        """Adds the convex hull of points."""
        self._prefix("a polyhedron", "spatial-bodies")
        points = _points(vertices, 3)
        mass, density = _weight(mass, density)
        first = self._count("rigidbody3dvertex")
        for x, y, z in points:
            self.add("rigidbody3dvertex", x=x, y=y, z=z)
        placed = _placed(position, rotation, velocity, omega)
        return self.add(
            "rigidbody3dpolyhedron", p=range(first, first + len(points)), m=mass, density=density,
            fixed=fixed, **placed,
        )

    def half_space(self, point: Vector = (0.0, 0.0, 0.0), normal: Vector = (0.0, 0.0, 1.0)) -> Self:
        """Adds everything behind a plane through a point: a floor or a wall."""
        self._prefix("a half-space", "spatial-bodies")
        (x, y, z), (nx, ny, nz) = _numbers("point", point, 3), _numbers("normal", normal, 3)
        return self.add("rigidbody3dhalfspace", x=x, y=y, z=z, nx=nx, ny=ny, nz=nz)

    def gravity(self, *acceleration: float) -> Self:
        """Adds the same acceleration for all bodies: two numbers in 2D, three in 3D."""
        prefix = self._prefix("gravity")
        numbers = _numbers("gravity", acceleration, 3 if prefix == "rigidbody3d" else 2)
        tag = f"{prefix}gravityforce" if prefix else "simplegravity"
        return self.add(tag, **dict(zip(("fx", "fy", "fz"), numbers)))

    def spring(
        self,
        first: int,
        second: int = -1,
        *,
        stiffness: float,
        rest_length: float,
        damping: float | None = None,
        at: Sequence[Vector] | None = None,
    ) -> Self:
        """Adds a spring. Between particles it lies along a new edge. Between bodies its ends are ``at`` two
        points in body axes; body -1 is the world."""
        prefix = self._prefix("a spring")
        if not prefix:
            edge = self._count("edge")
            self.edge(first, second)
            return self.add("springforce", edge=edge, k=stiffness, l0=rest_length, b=damping)
        if damping is not None:
            raise ArgumentError("springs between bodies have no damping")
        count = 3 if prefix == "rigidbody3d" else 2
        ends: dict[str, Value] = {}
        for name, place in zip(("pi", "pj"), _two("at", at) if at is not None else ([0.0] * count,) * 2):
            numbers = _numbers("at", place, count)
            ends.update({f"{name}{axis}": number for axis, number in zip("xyz", numbers)})
        return self.add(f"{prefix}springforce", i=first, j=second, k=stiffness, l0=rest_length, **ends)

    def handling(self, response: str = "lcp", **attributes: Value) -> Self:
        """Says how contacts are answered: ``handling("lcp", mu=0.3)``, ``handling("simple", COR=0.8)``."""
        prefix = self._prefix("handling")
        if not prefix:
            return self.add("collision", type=response, **attributes)
        if prefix == "rigidbody":
            attributes.setdefault("detection", "all-pairs")
        return self.add(f"{prefix}collisionhandling", response=response, **attributes)

    def color(self, body: int, rgb: Vector) -> Self:
        """Colours a body, each channel from 0 to 1; -1 is the body that was added last."""
        prefix = self._prefix("a colour")
        body = whole("body", body)
        if body < 0:
            body += len(self)
        red, green, blue = _numbers("rgb", rgb, 3)
        if not prefix:
            return self.add("particlecolor", i=body, r=red, g=green, b=blue)
        return self.add(f"{prefix}color", body=body, r=red, g=green, b=blue)

    def describe(self, text: str) -> Self:
        """Adds a sentence for people."""
        return self.add("description", text=text)


def _weight(mass: float | None, density: float | None) -> tuple[float | None, float | None]:
    if mass is not None and density is not None:
        raise ArgumentError("give the mass or the density, not both")
    return mass, (1.0 if mass is None and density is None else density)


def _points(vertices: Sequence[Vector], count: int) -> list[list[float]]:
    try:
        return [_numbers("a vertex", vertex, count) for vertex in vertices]
    except TypeError:
        raise ArgumentError(f"vertices must be a list of points, not {vertices!r}") from None


def _two(name: str, given: Sequence[Vector]) -> Sequence[Vector]:
    try:
        first, second = given
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} must be two points, not {given!r}") from None
    return first, second


def _or_none(turn: float | Vector) -> Vector:
    """A vector; the number 0, which is that of the plane, is no turn."""
    return (0.0, 0.0, 0.0) if isinstance(turn, (int, float)) and turn == 0 else turn  # type: ignore[return-value]


def _bar_mass(points: Sequence[Sequence[float]], radius: float, density: float) -> float:
    (x0, y0), (x1, y1) = points
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    return float(density * 2 * radius * length)


def _placed(
    position: Vector, rotation: float | Vector, velocity: Vector | None, omega: float | Vector
) -> dict[str, Value]:
    zero = (0.0, 0.0, 0.0)
    lists = {
        "": _numbers("position", position, 3),
        "r": _numbers("rotation", _or_none(rotation), 3),
        "v": _numbers("velocity", zero if velocity is None else velocity, 3),
        "omega": _numbers("omega", _or_none(omega), 3),
    }
    return {f"{name}{axis}": x for name, numbers in lists.items() for axis, x in zip("xyz", numbers)}
