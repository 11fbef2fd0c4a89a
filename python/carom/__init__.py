"""Exact collision and contact simulation, from particles to rigid bodies.

>>> import carom
>>> scene = carom.Scene.planar(dt=1 / 240, duration=1).disc((0, 0), radius=1, mass=1).gravity(0, -9.81)
>>> run = scene.run()
>>> len(run), run.positions.shape
(241, (241, 1, 3))

See ``docs/python.md`` and the notebooks in ``docs/notebooks``.
"""

from ._carom import __version__
from .comparison import Comparison, Diagnosis, compare
from .errors import ArgumentError, CaromError, ClosedError, FileError, Finding, SceneError, StepError
from .pictures import LAYERS, plot, render, still
from .scene import Scene, load, loads
from .simulation import CONTACT_KINDS, Certificate, Energy, Simulation, contact_dtype
from .solver import Solution, solve
from .sweeping import MEASURES, sweep
from .table import Table
from .trajectory import Trajectory, read

__all__ = [
    "ArgumentError", "CaromError", "Certificate", "ClosedError", "Comparison", "CONTACT_KINDS", "Diagnosis",
    "Energy", "FileError", "Finding", "LAYERS", "MEASURES", "Scene", "SceneError", "Simulation", "Solution", "StepError",
    "Table", "Trajectory", "__version__", "compare", "contact_dtype", "load", "loads", "plot", "read", "render",
    "solve", "still", "sweep",
]
