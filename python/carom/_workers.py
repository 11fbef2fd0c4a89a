"""Who does the runs of a sweep: threads of this process, or the workers of a Dask cluster."""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Iterator, Mapping, Sequence

from ._plan import Case, Plan, Row, run_batch
from .errors import ArgumentError, CaromError


def threads(plan: Plan, cases: Sequence[Case], workers: int | None) -> Iterator[Row]:
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
#: How often a local cluster looks at itself during a sweep, in milliseconds; 20, 10 and 500
#: otherwise.
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
    """A cluster on this machine polls and samples itself, at 3 to 11 % of a core that the runs could have.
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


def distributed(plan: Plan, cases: Sequence[Case], client: Any) -> Iterator[Row]:
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
        future = client.submit(run_batch, plan, batch, pure=False)
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
