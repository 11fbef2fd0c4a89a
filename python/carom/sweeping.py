"""Sweeps: a scene under many settings, in parallel, to a table. On one machine, or on a Dask cluster."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import math
import os
import sys
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence, Union

from . import _carom
from .building import written
from .errors import ArgumentError, CaromError, FileError, StepError
from .scene import Scene
from .simulation import Simulation
from .table import Table
from .trajectory import Trajectory

Row = dict[str, Any]
Settings = dict[str, Any]
#: The number of a run and its settings.
Case = tuple[int, Settings]
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
#: Columns that every run has.
_ALWAYS = ("status", "reason", "steps", "time", "hash", "troubles")
_SEED = "seed"


@dataclass(frozen=True)
class _Plan:
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
            return {name: found[name] for name in (*_ALWAYS, *self.columns)}
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
            changes = {path: value for path, value in settings.items() if path != _SEED}
            sim = Simulation(self.scene.with_(changes) if changes else self.scene)
            if _SEED in settings:
                sim._core.disturb(int(settings[_SEED]), self.jitter)
            return sim
        scene = self.scene(**settings)
        if not isinstance(scene, Scene):
            raise ArgumentError(f"the function must give a scene, not {type(scene).__name__}")
        return Simulation(scene)


def _batch(plan: _Plan, cases: Sequence[Case]) -> tuple[list[Row], float]:
    """Rows of several runs, and the seconds that they took."""
    start = time.perf_counter()
    rows = [plan.row(number, settings) for number, settings in cases]
    return rows, time.perf_counter() - start


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
    plan = _Plan(scene, columns, functions, until, _size("jitter", jitter), _size("rest_speed", rest_speed))
    _check(plan, cases)
    table = Table([path for path in dict.fromkeys(key for case in cases for key in case)], [])
    kept = None if path is None else _Kept(Path(path), _identity(plan, cases))
    done = {} if kept is None else dict(kept.rows)
    wanted = [(number, case) for number, case in enumerate(cases) if number not in done]
    tell = _teller(progress, len(cases), len(done))
    try:
        work = _distributed(plan, wanted, client) if client is not None else _threads(plan, wanted, workers)
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


# -- settings ------------------------------------------------------------------------------------


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
    cases = []
    for case in settings:
        if not isinstance(case, Mapping):
            raise ArgumentError(f"settings are a mapping of lists or a list of mappings, not {case!r}")
        cases.append({str(name): _plain(value) for name, value in case.items()})
    return cases


def _check(plan: _Plan, cases: Sequence[Settings]) -> None:
    """A path that names nothing is a mistake of the sweep, not of a run."""
    if isinstance(plan.scene, Scene):
        core = plan.scene._checked()
        for case in cases[:1]:
            _carom.change_scene(core, [(path, written(v)) for path, v in case.items() if path != _SEED])
        if any(_SEED in case for case in cases) and plan.jitter == 0:
            raise ArgumentError("the axis 'seed' needs jitter: by how much velocities change at random")
        for case in cases:
            seed = case.get(_SEED, 0)
            if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 64:
                raise ArgumentError(f"a seed is a whole number from 0, not {seed!r}")
    elif not callable(plan.scene):
        raise ArgumentError(f"a sweep needs a scene or a function that makes one, not {plan.scene!r}")
    reserved = {"run", *_ALWAYS, *plan.columns}
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
    number = float(value)
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


def _first_line(error: BaseException) -> str:
    findings = getattr(error, "findings", ())
    return str(findings[0]) if findings else str(error)


# -- who does the work ---------------------------------------------------------------------------


def _threads(plan: _Plan, cases: Sequence[Case], workers: int | None) -> Iterator[Row]:
    """Runs on threads of this process: the engine leaves Python's lock to others while it works."""
    count = workers if workers is not None else (os.cpu_count() or 1)
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ArgumentError(f"workers is a number from 1, not {workers!r}")
    stop = threading.Event()
    pool = ThreadPoolExecutor(count)

    def one(case: Case) -> Row | None:
        return None if stop.is_set() else plan.row(*case)

    try:
        waiting: set[Future[Row | None]] = set()
        source = iter(cases)
        while True:
            # few are handed out at a time, so that a long list costs no memory
            waiting.update(pool.submit(one, case) for case in itertools.islice(source, 4 * count - len(waiting)))
            if not waiting:
                return
            finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                row = future.result()
                if row is not None:
                    yield row
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


#: Seconds of work in a task of Dask: a task costs its scheduler and its worker some milliseconds.
_TASK_SECONDS = 1.0
#: Tasks that each thread of a cluster has or waits for: it never waits for the client.
_TASKS_A_THREAD = 3


#: Seconds that a sweep waits for workers where there are none.
_NO_WORKERS = 120.0
#: How often a local cluster looks at itself during a sweep, in milliseconds; 20, 10 and 500 otherwise.
_CALM = {"tick": 1000.0, "profile": 1000.0, "monitor": 5000.0}


def _set_intervals(node: Any, times: Mapping[str, float]) -> dict[str, float]:
    """Sets intervals of a worker or scheduler; gives those from before."""
    before = {}
    for name, milliseconds in times.items():
        callback = node.periodic_callbacks.get(name)
        if callback is not None:
            before[name], callback.callback_time = callback.callback_time, milliseconds
    return before


def _calm_worker(times: Mapping[str, float], dask_worker: Any) -> dict[str, float]:
    return _set_intervals(dask_worker, times)


def _calm_scheduler(times: Mapping[str, float], dask_scheduler: Any) -> dict[str, float]:
    return _set_intervals(dask_scheduler, times)


@contextlib.contextmanager
def _calm(client: Any) -> Iterator[None]:
    """A cluster on this machine polls and samples itself, at 6 to 11 % of a core that the runs could have.
    During a sweep it does so rarely. Clusters elsewhere may have other users, and are left as they are."""
    from distributed import LocalCluster

    if not isinstance(getattr(client, "cluster", None), LocalCluster):
        yield
        return
    workers = client.run(_calm_worker, _CALM)
    scheduler = client.run_on_scheduler(_calm_scheduler, _CALM)
    try:
        yield
    finally:
        with contextlib.suppress(Exception):  # workers that are gone, or a client that was closed
            client.run_on_scheduler(_calm_scheduler, scheduler)
            for address in set(workers) & set(client.nthreads()):
                client.run(_calm_worker, workers[address], workers=[address])


@contextlib.contextmanager
def _watched(client: Any, batches: Mapping[Any, Any]) -> Iterator[None]:
    """Gives up what was submitted to a cluster whose workers are all gone and do not come back: Dask waits for ever."""
    over = threading.Event()

    def watch() -> None:
        missed = 0.0
        while not over.wait(pause := min(5.0, _NO_WORKERS / 4)):
            with contextlib.suppress(Exception):  # a client that was closed
                missed = 0.0 if client.nthreads() else missed + pause
                if missed >= _NO_WORKERS:
                    client.cancel(list(batches))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()


def _distributed(plan: _Plan, cases: Sequence[Case], client: Any) -> Iterator[Row]:
    """Runs on the workers of a Dask cluster. What a lost worker had not returned is run again by others.

    The first tasks are single runs; from what these took, later ones have about a second of work, and
    fewer runs towards the end, so that all threads end together (guided self-scheduling, Polychronopoulos
    and Kuck 1987). Dask gives up tasks that were on several workers that died; the runs of such tasks are
    made again at the end, alone on the cluster: one that ends its workers even then is a row.
    """
    from distributed import CancelledError, KilledWorker, as_completed

    following, taken, runs = 0, 0.0, 0
    batches: dict[Any, Sequence[Case]] = {}
    suspects: list[Case] = []
    queue = as_completed([])

    def submit(batch: Sequence[Case]) -> None:
        future = client.submit(_batch, plan, batch, pure=False)
        batches[future] = batch
        queue.add(future)

    def fill() -> None:
        nonlocal following
        threads = max(1, sum(client.nthreads().values()))
        while following < len(cases) and len(batches) < _TASKS_A_THREAD * threads:
            fair = -(-(len(cases) - following) // (_TASKS_A_THREAD * threads))
            size = 1 if runs == 0 else max(1, min(fair, int(_TASK_SECONDS * runs / max(taken, 1e-9))))
            submit(cases[following : following + size])
            following += size

    calm = contextlib.ExitStack()
    try:
        calm.enter_context(_calm(client))
        calm.enter_context(_watched(client, batches))
        fill()
        while batches:
            future = next(queue)
            batch = batches.pop(future)
            try:
                rows, seconds = future.result()
            except KilledWorker:
                suspects.extend(batch)
                rows, seconds = [], 0.0
            taken, runs = taken + seconds, runs + len(rows)
            fill()
            yield from rows
        for number, settings in suspects:
            submit([(number, settings)])
            future = next(queue)
            del batches[future]
            try:
                yield from future.result()[0]
            except KilledWorker as error:
                yield {"run": number, **settings, "status": "error", "reason": f"KilledWorker: {error}"}
    except CancelledError:
        raise CaromError(f"the cluster has had no workers for {_NO_WORKERS:.0f} s, or the runs were cancelled") from None
    finally:
        client.cancel(list(batches))
        calm.close()


# -- rows that are kept --------------------------------------------------------------------------


def _identity(plan: _Plan, cases: Sequence[Settings]) -> str:
    """What tells one sweep from another."""
    made_by = plan.scene.to_xml() if isinstance(plan.scene, Scene) else _code(plan.scene)
    functions = [[name, _code(function)] for name, function in plan.functions]
    parts = [_carom.__version__, made_by, cases, plan.columns, functions, plan.until, plan.jitter, plan.rest_speed]
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()


def _code(function: Callable[..., Any]) -> str:
    code = getattr(function, "__code__", None)
    return f"{getattr(function, '__qualname__', repr(type(function)))}:{code.co_code.hex() if code else ''}"


class _Kept:
    """Rows in a file, a line each, so that a kill loses nothing that was done."""

    def __init__(self, target: Path, identity: str) -> None:
        if target.suffix.lower() not in (".csv", ".parquet"):
            raise ArgumentError(f"a table is written as .csv or .parquet, not {target.name!r}")
        self.target = target
        self.path = target.with_name(target.name + ".part.jsonl")
        self.rows: dict[int, Row] = {}
        whole = self._read(identity) if self.path.exists() else 0
        try:
            self._file = open(self.path, "r+b" if self.path.exists() else "w+b")
        except OSError as error:
            raise FileError(f"cannot write {self.path}: {error.strerror}") from None
        self._file.truncate(whole)
        self._file.seek(whole)
        if whole == 0:
            self._write({"sweep": identity})

    def _read(self, identity: str) -> int:
        """Reads the rows; gives the length of all whole lines."""
        whole = 0
        with open(self.path, "rb") as file:
            for number, line in enumerate(file):
                if not line.endswith(b"\n"):
                    break
                try:
                    row = json.loads(line)
                except ValueError:
                    raise FileError(f"{self.path} is no file of rows; remove it to begin again") from None
                if number == 0 and row.get("sweep") != identity:
                    raise FileError(f"{self.path} is of another sweep; remove it to begin again")
                if number > 0:
                    self.rows[int(row["run"])] = row
                whole += len(line)
        return whole

    def _write(self, row: Row) -> None:
        self._file.write(json.dumps(row).encode() + b"\n")
        self._file.flush()

    def add(self, row: Row) -> None:
        self._write(row)

    def close(self) -> None:
        self._file.close()

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)


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
