"""Pictures, movies and plots. No display and no other program is needed."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence, TypeAlias, Union

from . import _carom
from ._arguments import number, place, whole, writing
from .errors import ArgumentError
from .scene import Scene
from .simulation import Simulation
from .trajectory import Trajectory

Shown: TypeAlias = Union[Scene, Simulation, Trajectory]

#: What can be shown beside the bodies.
LAYERS = ("velocities", "contacts", "islands", "broad_phase", "energy", "time")
#: Eye, the point that it looks at, and the angle of view in degrees.
Camera = tuple[Sequence[float], Sequence[float], float]
_MOVIES = {".mp4": "mp4", ".gif": "gif", "": "png"}
_STILLS = {".png": "png", ".svg": "svg"}


def render(
    shown: Shown,
    path: str | os.PathLike[str],
    *,
    layers: Iterable[str] = (),
    size: Sequence[int] | None = None,
    side: float | None = None,
    fps: float = 30.0,
    speed: float = 1.0,
    start: float = 0.0,
    stop: float = math.inf,
    camera: Camera | None = None,
    threads: int = 0,
) -> Path:
    """Draws a movie (``.mp4``, ``.gif``), a folder of PNG files (no ending) or one picture (``.png``, ``.svg``:
    the moment ``start``, or the present moment of a simulation). A scene is run for it. Gives the path.

    ``layers`` are any of :data:`LAYERS`; ``size`` is width and height in pixels, ``side`` that of a square of as
    many pixels.
    """
    target = place(path)
    suffix = target.suffix.lower()
    if suffix in _STILLS:
        run = _run(shown)
        if isinstance(shown, (Scene, Trajectory)):
            run = run[: max(1, int((run.time <= number("start", start)).sum()))]
        look = _look(layers, size, 720.0 if side is None else side, fps, speed, start, stop, camera, threads)
        picture = _carom.still(run.scene._checked(), run._core, _STILLS[suffix], look)
        with writing(target):
            target.write_bytes(picture)
        return target
    if suffix not in _MOVIES:
        known = ".mp4, .gif, a name without ending, .png or .svg"
        raise ArgumentError(f"unknown picture format of {target.name!r}: use {known}")
    kind = _MOVIES[suffix]
    usual = 480.0 if kind == "gif" else 720.0
    look = _look(layers, size, usual if side is None else side, fps, speed, start, stop, camera, threads)
    run = _run(shown)
    _carom.movie(run.scene._checked(), run._core, target, kind, look)
    return target


def still(
    shown: Shown,
    *,
    kind: str = "png",
    layers: Iterable[str] = (),
    size: Sequence[int] | None = None,
    side: float = 720.0,
    camera: Camera | None = None,
) -> bytes:
    """One picture as bytes, PNG or SVG: the start of a scene, the present moment of a simulation, the last
    frame of a trajectory."""
    run = Simulation(shown).frame() if isinstance(shown, Scene) else _run(shown)
    look = _look(layers, size, side, 30.0, 1.0, 0.0, math.inf, camera, 0)
    return _carom.still(run.scene._checked(), run._core, kind, look)


def inline(svg: bytes) -> str:
    """An SVG that can stand inside a page: without its XML declaration, and never wider than its cell."""
    text = svg.decode("utf-8")
    return '<svg style="max-width: 100%; height: auto"' + text[text.index("<svg") + 4 :]


def plot(
    runs: Shown | Mapping[str, Shown],
    topics: str | Iterable[str] = ("energy",),
    *,
    path: str | os.PathLike[str] | None = None,
    ax: Any = None,
    size: Sequence[int] = (900, 500),
    dark: bool = False,
) -> Any:
    """Plots quantities of one run, or of several by name, over time.

    Without more it gives an SVG that notebooks show; ``path`` writes ``.svg`` or ``.png``; ``ax`` draws one topic
    onto an axis of matplotlib and returns it. Topics: energy, momentum, angular-momentum, contacts,
    penetration, residual, iterations and more; a wrong name tells all of them.
    """
    named = dict(runs) if isinstance(runs, Mapping) else {"run": runs}
    frames = {name: _run(shown) for name, shown in named.items()}
    wanted = list(topics) if isinstance(topics, Iterable) and not isinstance(topics, str) else [topics]
    if not all(isinstance(topic, str) for topic in wanted):
        raise ArgumentError(f"topics are names, not {topics!r}")
    if not frames or not wanted:
        raise ArgumentError("there is nothing to plot")
    if ax is not None:
        return _onto(ax, frames, wanted)
    target = None if path is None else place(path)
    kind = "svg" if target is None else _STILLS.get(target.suffix.lower())
    if kind is None:
        raise ArgumentError("a plot is written as .svg or .png")
    data = _carom.plot([(name, run._core) for name, run in frames.items()], wanted, _size(size), dark, kind)
    if target is None:
        return Picture(data)
    with writing(target):
        target.write_bytes(data)
    return target


class Picture:
    """An SVG that notebooks show."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def _repr_svg_(self) -> str:
        return inline(self.data)

    def __repr__(self) -> str:
        return f"<carom.Picture: {len(self.data)} bytes of SVG>"


_SERIES: dict[str, tuple[str, ...]] = {
    "energy": ("kinetic", "potential", "energy"),
    "momentum": ("momentum",),
    "angular-momentum": ("angular_momentum",),
    "penetration": ("penetration",),
    "residual": ("residual",),
}


def _onto(ax: Any, runs: Mapping[str, Trajectory], topics: Sequence[str]) -> Any:
    if len(topics) != 1 or topics[0] not in _SERIES:
        raise ArgumentError(f"one axis shows one topic of {', '.join(_SERIES)}")
    for name, run in runs.items():
        for series in _SERIES[topics[0]]:
            values = getattr(run, series)
            columns = values.T if values.ndim == 2 else [values]
            for k, column in enumerate(columns):
                part = f"{series} {'xyz'[k]}" if values.ndim == 2 else series
                ax.plot(run.time, column, label=part if len(runs) == 1 else f"{name}: {part}")
    ax.set_xlabel("time (s)")
    ax.set_ylabel(topics[0])
    ax.legend()
    return ax


def _run(shown: Shown) -> Trajectory:
    if isinstance(shown, Trajectory):
        return shown
    if isinstance(shown, Simulation):
        return shown.frame()
    if isinstance(shown, Scene):
        return shown.run()
    raise ArgumentError(f"a scene, a simulation or a trajectory can be shown, not {type(shown).__name__}")


def _size(size: Sequence[int]) -> list[int]:
    try:
        numbers = [whole("size", one) for one in size]
    except TypeError:
        numbers = []
    if len(numbers) != 2 or not all(0 < one < 1 << 16 for one in numbers):
        raise ArgumentError(f"size is width and height in pixels, not {size!r}")
    return numbers


def _look(
    layers: Iterable[str], size: Sequence[int] | None, side: float, fps: float, speed: float,
    start: float, stop: float, camera: Camera | None, threads: int,
) -> dict[str, Any]:
    if isinstance(layers, str):
        layers = [layers]
    layers = list(layers) if isinstance(layers, Iterable) else [layers]
    if not all(isinstance(layer, str) for layer in layers):
        raise ArgumentError(f"layers are names, of {', '.join(LAYERS)}")
    if not 16 <= number("side", side) <= 8192:
        raise ArgumentError(f"side is from 16 to 8192 pixels, not {side!r}")
    threads = whole("threads", threads)
    if not 0 <= threads < 1 << 16:
        raise ArgumentError(f"threads is a number from 0, not {threads}")
    named = {"side": side, "fps": fps, "speed": speed, "start": start, "stop": stop}
    return {
        "size": None if size is None else _size(size), "layers": layers, "threads": threads,
        "camera": None if camera is None else _camera(camera),
        **{name: number(name, value) for name, value in named.items()},
    }


def _camera(camera: Camera) -> Camera:
    try:
        eye, target, angle = camera
        return [float(x) for x in eye], [float(x) for x in target], float(angle)
    except (TypeError, ValueError):
        raise ArgumentError(f"camera is the eye, what it looks at, and an angle, not {camera!r}") from None
