"""The live page in a notebook: the same engine, compiled to WebAssembly, with controls. Needs anywidget.

The page comes from the kernel, not from the network, so it works offline. Seen in JupyterLab, marimo and VS Code
(docs/python.md).
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path
from typing import Any, Iterable

import anywidget
import traitlets

from .errors import ArgumentError
from .page_file import CONTROLS as CONTROLS
from .page_file import control_names, packed
from .page_file import page as whole_page
from .scene import Scene

_HERE = Path(__file__).parent


@lru_cache(maxsize=1)
def page() -> bytes:
    """The page as one HTML file, packed by gzip."""
    return gzip.compress(whole_page().encode("utf-8"), 9)


class Live(anywidget.AnyWidget):  # type: ignore[misc]
    """A scene that runs in the notebook. ``state`` tells where it is; methods steer it.

    Changes that are made there stay there: Python's own simulations are not touched.
    """

    _esm = _HERE / "live.js"
    _page = traitlets.Bytes().tag(sync=True)
    _packed = traitlets.Unicode().tag(sync=True)
    controls = traitlets.Unicode("play,time,speed,knobs,layers").tag(sync=True)
    height = traitlets.Int(420).tag(sync=True)
    autoplay = traitlets.Bool(False).tag(sync=True)
    #: name, playing, step, time, dt, planned, positions, knobs, trouble
    state = traitlets.Dict().tag(sync=True)
    #: why the last wish could not be granted
    refused = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self, scene: Scene, *, controls: Iterable[str] = ("play", "time", "speed", "knobs", "layers"), **settings: Any
    ) -> None:
        """``controls`` are any of :data:`CONTROLS`; ``height`` is in pixels; ``autoplay`` starts at once."""
        if not isinstance(scene, Scene):
            raise ArgumentError(f"a scene runs live, not {type(scene).__name__}")
        names = control_names(controls)
        scene.check()
        text = packed(scene.to_xml())
        super().__init__(_page=page(), _packed=text, controls=names, **settings)

    def show(self, scene: Scene) -> None:
        """Shows another scene."""
        scene.check()
        self._packed = packed(scene.to_xml())

    def play(self) -> None:
        """Lets it run."""
        self.send({"carom": "play"})

    def pause(self) -> None:
        """Stops it."""
        self.send({"carom": "pause"})

    def restart(self) -> None:
        """Goes to the start."""
        self.send({"carom": "restart"})

    def seek(self, *, step: int | None = None, time: float | None = None) -> None:
        """Stops it and goes to a step or a time."""
        if (step is None) == (time is None):
            raise ArgumentError("give a step or a time")
        self.send({"carom": "seek", "step": step} if step is not None else {"carom": "seek", "time": time})

    def turn(self, knob: str, value: float) -> None:
        """Turns a knob of the scene, by its label or its target."""
        self.send({"carom": "knob", "name": knob, "value": value})
