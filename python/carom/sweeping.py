"""Sweeps: a scene under many settings, in parallel, to a table. On one machine, or on a Dask cluster."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import sys
import time
from typing import Any, Callable, Iterable, Mapping, Sequence, Union

from . import _carom
from ._arguments import number as checked_number, place
from ._identity import identity_of
from ._kept import Kept
from ._plan import ALWAYS, SEED, Plan, Settings
from ._workers import distributed, threads
from .building import written
from .errors import ArgumentError
from .scene import Scene
from .table import Table
from .trajectory import Trajectory

#: Names of what is measured, or a function of the run.
Measure = Union[None, str, Iterable[str], Callable[[Trajectory], Any], Mapping[str, Callable[[Trajectory], Any]]]

#: What is measured by name, and the columns that it gives.
MEASURES: dict[str, tuple[str, ...]] = {
    "energy": ("energy_start", "energy_end", "energy_drift"),
    "momentum": ("momentum_drift", "angular_momentum_drift"),
    "penetration": ("penetration",),
    "contacts": ("contacts", "first_contact"),
    "rest": ("rest",),
    "solver": ("residual", "iterations"),
    "final_state": ("final_positions", "final_velocities"),
}
_USUAL = ("energy", "momentum", "penetration", "contacts", "rest", "solver")


def sweep(
    scene: Scene | Callable[..., Scene],
    settings: Mapping[str, Iterable[Any]] | Sequence[Mapping[str, Any]],
    *,
    measure: Measure = None,
    until: float | None = None,
    path: str | os.PathLike[str] | None = None,
    jitter: float = 0.0,
    rest_speed: float = 1e-3,
    client: Any = None,
    workers: int | None = None,
    progress: bool | Callable[[int, int], None] | None = None,
) -> Table:
    """Runs a scene under every combination of settings (a mapping of lists), or under each of a list of
    mappings, in parallel, and gives a table with a row for each run.

    Settings are attributes by name or path, as in :meth:`Scene.with_`; or the arguments of a function that
    makes the scene. ``seed`` disturbs velocities by at most ``jitter``. ``measure`` is any of
    :data:`MEASURES`, or a function of the run's :class:`Trajectory` that gives a number or a mapping, or a
    mapping of such functions. Every row has the status and the hash of its run. A run that fails is a row.

    With ``path`` (``.csv`` or ``.parquet``) the table is written there. While the sweep goes on, rows are in
    ``PATH.part.jsonl``: interrupted or killed, the same call goes on where it was.

    With ``client``, a :class:`dask.distributed.Client`, runs go to its workers. The rows are the same.

    >>> import carom
    >>> scene = carom.Scene.planar(dt=0.01, duration=0.5).disc((0, 1), radius=0.25, mass=1)
    >>> scene = scene.box((0, -0.5), (4, 1), fixed=True).gravity(0, -10).handling("lcp", COR=0)
    >>> table = carom.sweep(scene, {"mu": [0.1, 0.3], "gravityforce.fy": [-10, -20]}, measure="contacts")
    >>> table["status"]
    ['finished', 'finished', 'finished', 'finished']
    >>> table["first_contact"][0] > table["first_contact"][1]
    True
    """
    cases = _cases(settings)
    columns, functions = _measures(measure)
    plan = Plan(scene, columns, functions, until, _size("jitter", jitter), _size("rest_speed", rest_speed))
    _check(plan, cases)
    table = Table([path for path in dict.fromkeys(key for case in cases for key in case)], [])
    kept = None if path is None else Kept(place(path), _identity(plan, cases))
    done = {} if kept is None else dict(kept.rows)
    wanted = [(number, case) for number, case in enumerate(cases) if number not in done]
    tell = _teller(progress, len(cases), len(done))
    try:
        work = distributed(plan, wanted, client) if client is not None else threads(plan, wanted, workers)
        for row in work:
            row = {name: _plain(value) for name, value in row.items()}
            done[row["run"]] = row
            if kept is not None:
                kept.add(row)
            tell(len(done))
    finally:
        if kept is not None:
            kept.close()
    table.rows = [done[number] for number in sorted(done)]
    if kept is not None:
        table.save(kept.target)
        kept.remove()
    return table


def _cases(settings: Mapping[str, Iterable[Any]] | Sequence[Mapping[str, Any]]) -> list[Settings]:
    if isinstance(settings, Mapping):
        axes = {}
        for name, values in settings.items():
            if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
                raise ArgumentError(f"the axis {name!r} must be a list of values, not {values!r}")
            axes[str(name)] = [_plain(value) for value in values]
            if not axes[str(name)]:
                raise ArgumentError(f"the axis {name!r} has no values")
        return [dict(zip(axes, values)) for values in itertools.product(*axes.values())]
    if not isinstance(settings, Iterable):
        raise ArgumentError(f"settings are a mapping of lists or a list of mappings, not {settings!r}")
    cases = []
    for case in settings:
        if not isinstance(case, Mapping):
            raise ArgumentError(f"settings are a mapping of lists or a list of mappings, not {case!r}")
        cases.append({str(name): _plain(value) for name, value in case.items()})
    return cases


def _check(plan: Plan, cases: Sequence[Settings]) -> None:
    """A path that names nothing is a mistake of the sweep, not of a run."""
    if isinstance(plan.scene, Scene):
        core = plan.scene._checked()
        for case in cases[:1]:
            _carom.change_scene(core, [(path, written(v)) for path, v in case.items() if path != SEED])
        if any(SEED in case for case in cases) and plan.jitter == 0:
            raise ArgumentError("the axis 'seed' needs jitter: by how much velocities change at random")
        for case in cases:
            seed = case.get(SEED, 0)
            if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 64:
                raise ArgumentError(f"a seed is a whole number from 0, not {seed!r}")
    elif not callable(plan.scene):
        raise ArgumentError(f"a sweep needs a scene or a function that makes one, not {plan.scene!r}")
    reserved = {"run", *ALWAYS, *plan.columns}
    for case in cases:
        if clash := reserved.intersection(case):
            raise ArgumentError(f"{sorted(clash)} are columns of the table, no settings")


def _measures(
    measure: Measure,
) -> tuple[tuple[str, ...], tuple[tuple[str | None, Callable[[Trajectory], Any]], ...]]:
    if measure is None:
        measure = _USUAL
    if isinstance(measure, str):
        measure = (measure,)
    if isinstance(measure, Mapping):
        return (), tuple((str(name), function) for name, function in measure.items())
    if callable(measure):
        return (), ((None, measure),)
    names = list(measure)
    unknown = [name for name in names if name not in MEASURES]
    if unknown:
        raise ArgumentError(f"{unknown[0]!r} is not measured; {', '.join(MEASURES)} and functions are")
    return tuple(dict.fromkeys(column for name in names for column in MEASURES[name])), ()


def _size(name: str, value: float) -> float:
    number = checked_number(name, value)
    if not (math.isfinite(number) and number >= 0):
        raise ArgumentError(f"{name} must be a finite number of at least 0, not {value!r}")
    return number


def _plain(value: Any) -> Any:
    """A value that JSON can hold: numpy's numbers become Python's, what is not finite is nothing."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    return str(value)


def _identity(plan: Plan, cases: Sequence[Settings]) -> str:
    """What tells one sweep from another."""
    made_by = plan.scene.to_xml() if isinstance(plan.scene, Scene) else identity_of(plan.scene)
    functions = [[name, identity_of(function)] for name, function in plan.functions]
    parts = [_carom.__version__, made_by, cases, plan.columns, functions, plan.until, plan.jitter, plan.rest_speed]
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()


def _teller(progress: bool | Callable[[int, int], None] | None, total: int, before: int) -> Callable[[int], None]:
    """Tells how far a sweep is, and how much time is left."""
    if callable(progress):
        return lambda done: progress(done, total)
    if not (sys.stderr.isatty() if progress is None else progress):
        return lambda done: None
    start, last = time.monotonic(), [0.0]

    def tell(done: int) -> None:
        now = time.monotonic()
        if done < total and now - last[0] < 0.2:
            return
        last[0] = now
        left = (now - start) / max(1, done - before) * (total - done)
        end = "\n" if done == total else ""
        print(f"\r{done} of {total} runs, {left:.0f} s left   ", end=end, file=sys.stderr, flush=True)

    return tell
