"""Scenes: from files, from text, or built in code."""

from __future__ import annotations

import html
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping

from . import _carom
from ._arguments import place, text as checked_text, writing
from .building import BODIES, CLOSING, Builder, Value, written
from .errors import ArgumentError, Finding, SceneError

if TYPE_CHECKING:
    from .simulation import Simulation
    from .trajectory import Trajectory

class Scene(Builder):
    """A scene: bodies, forces and methods. It is text in Carom's format, however it was made.

    Load one with :func:`carom.load` or :func:`carom.loads`, or build one; methods that add something
    change the scene and return it, so that calls can be chained.

    >>> import carom
    >>> scene = (
    ...     carom.Scene.planar(dt=1 / 240, duration=2)
    ...     .disc((0, 2), radius=0.5, mass=1)
    ...     .polygon([(-3, -1), (3, -1), (3, 0), (-3, 0)], fixed=True)
    ...     .gravity(0, -9.81)
    ...     .handling(response="lcp", mu=0.3)
    ... )
    >>> len(scene)
    2
    >>> scene.with_(mu=0.5, dt=1 / 480).dt
    0.0020833333333333333
    """

    __slots__ = ("_name", "_course", "_folder", "_findings", "__weakref__")

    def __init__(
        self, text: str, *, name: str = "scene.xml", course: bool = False, folder: str | Path | None = None
    ) -> None:
        """A scene from its text. It is checked when it is first used; ``check`` does so at once."""
        if not isinstance(text, str):
            raise ArgumentError(f"the text of a scene must be a string, not {type(text).__name__}")
        if not isinstance(name, str):
            raise ArgumentError(f"the name of a scene must be a string, not {type(name).__name__}")
        self._text = checked_text(text)
        self._added: list[str] = []
        self._counts: dict[str, int] | None = None
        self._core: _carom.SceneCore | None = None
        self._findings: tuple[Finding, ...] = ()
        self._name, self._course = checked_text(name), course
        self._folder = None if folder is None else place(folder)

    # -- beginning -------------------------------------------------------------------------------

    @classmethod
    def _empty(cls, simtype: str, prefix: str, dt: float, duration: float, integrator: str) -> Scene:
        scene = cls(f'<scene>\n  <simtype type="{simtype}"/>\n{CLOSING}\n')
        scene._counts = {}
        scene.add("duration", time=duration)
        return scene.add(f"{prefix}integrator", type=integrator, dt=dt)

    @classmethod
    def particles(
        cls, *, dt: float = 0.01, duration: float = 1.0, integrator: str = "symplectic-euler"
    ) -> Scene:
        """A scene of particles, edges and half-planes, with nothing in it."""
        return cls._empty("particle-system", "", dt, duration, integrator)

    @classmethod
    def planar(
        cls, *, dt: float = 0.01, duration: float = 1.0, integrator: str = "symplectic-euler"
    ) -> Scene:
        """A scene of planar rigid bodies, with nothing in it."""
        return cls._empty("rigid-body", "rigidbody", dt, duration, integrator)

    @classmethod
    def spatial(
        cls, *, dt: float = 0.01, duration: float = 1.0, integrator: str = "symplectic-euler"
    ) -> Scene:
        """A scene of spatial rigid bodies, with nothing in it."""
        return cls._empty("rigid-body-3d", "rigidbody3d", dt, duration, integrator)

    # -- text and checks -------------------------------------------------------------------------

    def to_xml(self) -> str:
        """The scene as text. Files that it names stay names."""
        if self._added:
            body, closing, rest = self._text.rpartition(CLOSING)
            if not closing:
                raise ArgumentError("the text has no </scene>, so nothing can be added to it")
            lines = "".join(f"  {line}\n" for line in self._added)
            self._text = f"{body.rstrip()}\n{lines}{closing}{rest}"
            self._added.clear()
        return self._text

    def check(self) -> tuple[Finding, ...]:
        """Reads the scene; gives its warnings, and raises :class:`SceneError` where it has errors."""
        self._checked()
        return self._findings

    def _checked(self) -> _carom.SceneCore:
        if self._core is None:
            core, rows, rendered = _carom.read_scene(
                self.to_xml(), self._name, self._course, False, self._folder
            )
            self._findings = tuple(Finding(*row) for row in rows)
            if core is None:
                raise SceneError(rendered, self._findings)
            self._core = core
        return self._core

    def with_(self, changes: Mapping[str, Value] | None = None, /, **attributes: Value) -> Scene:
        """A scene like this one with attributes changed, by name (``mu=0.3``) or by path.

        >>> import carom
        >>> scene = carom.Scene.planar().disc((0, 0), radius=1, mass=1).disc((3, 0), radius=1, mass=1)
        >>> scene.with_({"integrator.dt": 0.001, "disc[1].radius": 0.5}, duration=4).duration
        4.0
        """
        if changes is not None and not isinstance(changes, Mapping):
            raise ArgumentError(f"changes are a mapping of paths to values, not {changes!r}")
        pairs = [(path, written(value)) for path, value in {**(changes or {}), **attributes}.items()]
        core = self._checked()
        text = _carom.change_scene(core, pairs)
        scene = Scene(text, name=self._name, course=self._course, folder=self._folder)
        scene._checked()
        return scene

    # -- what it is ------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of its file."""
        return self._name

    @property
    def course(self) -> bool:
        """Whether known errors of the course's program are reproduced."""
        return self._course

    @property
    def family(self) -> str:
        """``particles``, ``rigid-bodies`` or ``spatial-bodies``."""
        return self._checked().family

    @property
    def duration(self) -> float:
        """Simulated seconds of a run."""
        return self._checked().duration

    @property
    def dt(self) -> float:
        """Seconds of a step."""
        return self._checked().dt

    @property
    def integrator(self) -> str:
        """Name of the integrator."""
        return self._checked().integrator

    @property
    def response(self) -> str:
        """Name of the collision response."""
        return self._checked().response

    @property
    def movable(self) -> list[bool]:
        """For each body whether forces and contacts can move it."""
        return self._checked().movable

    @property
    def knobs(self) -> list[tuple[str, str, float, float, float | None]]:
        """Label, path, least and greatest value and step of every knob."""
        return self._checked().knobs

    def __len__(self) -> int:
        """Number of particles or bodies."""
        if self._counts is not None and self._core is None:
            return sum(self._counts.get(tag, 0) for tags in BODIES.values() for tag in tags)
        return len(self.movable)

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scene):
            return NotImplemented
        return (self.to_xml(), self._course) == (other.to_xml(), other._course)

    def __hash__(self) -> int:
        return hash((self.to_xml(), self._course))

    def __repr__(self) -> str:
        try:
            core = self._checked()
        except SceneError as error:
            return f"<carom.Scene {self._name!r}: {len(error.findings)} findings>"
        return f"<carom.Scene {self._name!r}: {core.family}, {len(core.movable)} bodies, {core.duration} s>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.to_xml(), self._name, self._course, self._folder)

    def copy(self) -> Scene:
        """A scene that can be changed without changing this one."""
        return _unpickled(self.to_xml(), self._name, self._course, self._folder)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the text to a file."""
        target = place(path)
        with writing(target):
            target.write_text(self.to_xml(), encoding="utf-8")

    # -- running ---------------------------------------------------------------------------------

    def simulate(self) -> Simulation:
        """A simulation at the start of the scene."""
        from .simulation import Simulation

        return Simulation(self)

    def run(self, until: float | None = None, every: int | None = None) -> Trajectory:
        """Runs the scene and gives its frames."""
        return self.simulate().run(until=until, every=every)

    def live(self, **settings: Any) -> Any:
        """The scene in the live page, as a widget of the notebook: see :class:`carom.live.Live`."""
        from .live import Live

        return Live(self, **settings)

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """The scene in the live page, as one file that runs in any browser, offline; also written to ``path``."""
        from .page_file import document

        text = document(self)
        if path is not None:
            target = place(path)
            with writing(target):
                target.write_text(text, encoding="utf-8")
        return text

    def play(self) -> Path:
        """Opens the scene in a browser, in the live page. Gives the file that was opened."""
        from .page_file import play

        return play(self)

    def _repr_html_(self) -> str:
        from .pictures import inline, still

        try:
            core = self._checked()
        except SceneError as error:
            return f"<pre>{html.escape(str(error))}</pre>"
        picture = inline(still(self, kind="svg", side=360))
        words = html.escape(core.description or self._name)
        return f"<figure>{picture}<figcaption>{words}</figcaption></figure>"


def _unpickled(text: str, name: str, course: bool, folder: Path | None) -> Scene:
    return Scene(text, name=name, course=course, folder=folder)


def load(path: str | os.PathLike[str], *, course: bool = False) -> Scene:
    """Reads a scene file. Raises :class:`SceneError` with every finding where it has errors."""
    file = place(path)
    text = _carom.SceneCore.read_file(file, course)
    scene = Scene(text, name=file.name, course=course, folder=file.parent)
    scene.check()
    return scene


def loads(text: str, *, name: str = "scene.xml", course: bool = False) -> Scene:
    """Reads a scene from text.

    >>> import carom
    >>> scene = carom.loads('''<scene>
    ...   <duration time="1"/>
    ...   <integrator type="symplectic-euler" dt="0.01"/>
    ...   <particle m="1" px="0" py="0" vx="1" vy="2" fixed="0"/>
    ...   <simplegravity fx="0" fy="-9.81"/>
    ... </scene>''')
    >>> scene.family
    'particles'
    """
    scene = Scene(text, name=name, course=course)
    scene.check()
    return scene
