"""What can go wrong. Every exception of the package is a :class:`CaromError`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from .trajectory import Trajectory


class CaromError(Exception):
    """Base of all exceptions of the package."""


class ArgumentError(CaromError, ValueError):
    """An argument is wrong: its shape, its value, or its kind of scene."""


class FileError(CaromError, OSError):
    """A file cannot be read or written, or is not what was asked for."""


class ClosedError(CaromError, RuntimeError):
    """The simulation was closed."""


class StepError(CaromError, ArithmeticError):
    """A step could not be taken; the simulation is where it was before.

    ``step`` and ``time`` say which one, ``status`` how it would have ended. Of a run, ``trajectory``
    has every frame before.
    """

    trajectory: Trajectory | None = None

    def __init__(self, message: str, step: int = 0, time: float = 0.0, status: str = "") -> None:
        super().__init__(message, step, time, status)
        self.step, self.time, self.status = step, time, status

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class Finding:
    """One problem of a scene, and where it is."""

    #: ``error`` or ``warning``
    severity: str
    #: from 1
    line: int
    #: in characters, from 1
    column: int
    message: str
    #: what stands there, or what was expected
    label: str
    #: how to correct it
    help: str | None
    #: what was perhaps meant instead
    suggestion: str | None
    tag: str | None
    attribute: str | None
    #: how many more times the same warning came up
    repeats: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.severity}: {self.message}"


class SceneError(CaromError, ValueError):
    """A scene has errors: ``findings`` has all of them, its text shows them in their lines.

    >>> import carom
    >>> try:
    ...     carom.loads('<scene><duration tme="1"/></scene>')
    ... except carom.SceneError as error:
    ...     print([(f.line, f.column, f.suggestion) for f in error.findings if f.suggestion])
    [(1, 18, 'time')]
    """

    def __init__(self, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message, tuple(findings))
        self.findings: tuple[Finding, ...] = tuple(findings)

    def __str__(self) -> str:
        return str(self.args[0])
