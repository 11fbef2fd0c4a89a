"""One run of a sweep: what it needs, and its row of the table."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence

from .errors import ArgumentError, CaromError, StepError
from .scene import Scene
from .simulation import Simulation
from .trajectory import Trajectory

Row = dict[str, Any]
Settings = dict[str, Any]
#: The number of a run and its settings.
Case = tuple[int, Settings]

#: Columns that every run has.
ALWAYS = ("status", "reason", "steps", "time", "hash", "troubles")
SEED = "seed"


@dataclass(frozen=True)
class Plan:
    """Everything that a run needs; it goes to workers."""

    scene: Scene | Callable[..., Scene]
    columns: tuple[str, ...]
    functions: tuple[tuple[str | None, Callable[[Trajectory], Any]], ...]
    until: float | None
    jitter: float
    rest_speed: float

    def row(self, number: int, settings: Settings) -> Row:
        """One run; what goes wrong is a row too."""
        row: Row = {"run": number, **settings}
        try:
            row.update(self._run(settings))
        except CaromError as error:
            row.update(status="invalid", reason=_first_line(error))
        except Exception as error:  # a function of the user's: whatever it raises is a row
            row.update(status="error", reason=f"{type(error).__name__}: {error}")
        return row

    def _run(self, settings: Settings) -> Row:
        sim = self._start(settings)
        core = sim._core
        if not self.functions:
            found = core.survey(sim._last_step(self.until, None), core.usual_every, self.rest_speed)
            return {name: found[name] for name in (*ALWAYS, *self.columns)}
        row: Row = {"status": "finished", "reason": None}
        try:
            run = sim.run(until=self.until)
        except StepError as error:
            row.update(status="failed", reason=str(error))
            run = error.trajectory if error.trajectory is not None else sim.frame()
        row.update(steps=sim.step_count, time=sim.time, hash=run.hash, troubles=int((run.status != 0).sum()))
        for name, function in self.functions:
            value = function(run)
            if name is not None:
                row[name] = value
            elif isinstance(value, Mapping):
                row.update(value)
            else:
                row[getattr(function, "__name__", "measure")] = value
        return row

    def _start(self, settings: Settings) -> Simulation:
        if isinstance(self.scene, Scene):
            changes = {path: value for path, value in settings.items() if path != SEED}
            sim = Simulation(self.scene.with_(changes) if changes else self.scene)
            if SEED in settings:
                sim._core.disturb(int(settings[SEED]), self.jitter)
            return sim
        scene = self.scene(**settings)
        if not isinstance(scene, Scene):
            raise ArgumentError(f"the function must give a scene, not {type(scene).__name__}")
        return Simulation(scene)


def run_batch(plan: Plan, cases: Sequence[Case]) -> tuple[list[Row], float]:
    """Rows of several runs, and the seconds that they took."""
    start = time.perf_counter()
    rows = [plan.row(number, settings) for number, settings in cases]
    return rows, time.perf_counter() - start


def _first_line(error: BaseException) -> str:
    findings = getattr(error, "findings", ())
    return str(findings[0]) if findings else str(error)
