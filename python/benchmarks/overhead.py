"""What Python, sweeps and Dask add to the cost of the runs themselves.

    python python/benchmarks/overhead.py --runs 10000 --program target/release/carom

The cost of a run is the processor time of its steps in one call into the engine, on two threads at once,
before and after what it is compared with: the same machine under the same load. Sweeps are compared by
processor time of all processes. On a machine that does nothing else, wall time says the same.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

import carom

#: Runs over which the own cost of a run is measured, on each of two threads.
SAMPLE = 100


def scene_of(milliseconds: float) -> carom.Scene:
    """Discs that fall into a box, for as many steps as take about so long."""
    scene = carom.Scene.planar(dt=1 / 240, duration=1).gravity(0, -9.81).handling("lcp", COR=0.3, mu=0.2)
    scene.box((0, -0.5), (6, 1), fixed=True).box((-2.5, 2), (1, 6), fixed=True).box((2.5, 2), (1, 6), fixed=True)
    for k in range(6):
        scene.disc((-1.2 + 0.5 * k, 1.5 + 0.3 * (k % 3)), radius=0.2, mass=1)
    for _ in range(3):
        cost = own_cost(scene, 10)
        scene = scene.with_(duration=scene.duration * milliseconds / (1e3 * cost))
    return scene


def own_cost(scene: carom.Scene, runs: int) -> float:
    """Processor seconds of the steps of a run, without anything around them; two runs at a time."""

    def one(_: int) -> float:
        sim = carom.Simulation(scene)
        start = time.thread_time()
        sim.step(sim.planned_steps)
        return time.thread_time() - start

    with ThreadPoolExecutor(2) as pool:
        costs = list(pool.map(one, range(2 * runs)))
    return sum(costs) / len(costs)


def of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def show(name: str, runs: int, own: float, processor: float, wall: float) -> None:
    print(
        f"{name:<12} {runs} runs of {1e3 * own:.2f} ms: {1e3 * processor / runs:.2f} ms of processor a run,"
        f" {100 * (processor / (runs * own) - 1):+.1f} %; {wall:.0f} s by the clock",
        flush=True,
    )


def steps() -> None:
    """Steps one by one from Python against the same steps in one call."""
    for name, scene in {
        "one disc": carom.Scene.planar().disc((0, 0), radius=1, mass=1, velocity=(1, 0)),
        "one particle": carom.Scene.particles().particle((0, 0), velocity=(1, 0)),
        "one ball": carom.Scene.spatial().sphere((0, 0, 0), radius=1, mass=1, velocity=(1, 0, 0)),
    }.items():
        count, extra = 20_000, []
        for _ in range(9):
            one, many = carom.Simulation(scene), carom.Simulation(scene)
            start = time.thread_time()
            many.step(count)
            middle = time.thread_time()
            step = one.step
            for _ in range(count):
                step()
            extra.append((time.thread_time() - middle - (middle - start)) / count)
        print(f"{name}: a step from Python costs {1e6 * median(extra):.3f} µs more than in Rust", flush=True)


def program(scene: carom.Scene, runs: int, path: str) -> None:
    """`carom sweep` on two threads."""
    with tempfile.TemporaryDirectory() as folder:
        scene.save(Path(folder) / "scene.xml")
        grid = f"scene = 'scene.xml'\njitter = 1e-6\n[grid]\nseed = {{ from = 0, to = {runs - 1}, count = {runs} }}\n"
        (Path(folder) / "grid.toml").write_text(grid)
        before, used, start = own_cost(scene, min(SAMPLE, runs)), of_children(), time.perf_counter()
        command = [os.path.abspath(path), "sweep", "grid.toml", "-o", "table.csv", "--jobs", "2", "--quiet"]
        subprocess.run(command, cwd=folder, check=True)
        wall, processor = time.perf_counter() - start, of_children() - used
        show("carom sweep", runs, (before + own_cost(scene, min(SAMPLE, runs))) / 2, processor, wall)


def threads(scene: carom.Scene, runs: int) -> None:
    """`carom.sweep` on two threads of this process."""
    before, used, start = own_cost(scene, min(SAMPLE, runs)), time.process_time(), time.perf_counter()
    carom.sweep(scene, {"seed": range(runs)}, jitter=1e-6, workers=2)
    wall, processor = time.perf_counter() - start, time.process_time() - used
    show("carom.sweep", runs, (before + own_cost(scene, min(SAMPLE, runs))) / 2, processor, wall)


def dask(scene: carom.Scene, runs: int, idle_seconds: float) -> None:
    """`carom.sweep` on a Dask cluster of two processes; the cluster's start does not count."""
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with cluster, Client(cluster) as client:
        carom.sweep(scene, {"seed": range(8)}, jitter=1e-6, client=client)

        def used() -> float:
            return float(sum(client.run(time.process_time).values())) + time.process_time()

        first, start = used(), time.perf_counter()
        time.sleep(idle_seconds)
        idle = (used() - first) / (time.perf_counter() - start)
        before = own_cost(scene, min(SAMPLE, runs))
        first, start = used(), time.perf_counter()
        carom.sweep(scene, {"seed": range(runs)}, jitter=1e-6, client=client)
        wall, processor = time.perf_counter() - start, used() - first
        own = (before + own_cost(scene, min(SAMPLE, runs))) / 2
        show("Dask", runs, own, processor, wall)
        part = 100 * idle * wall / (runs * own)
        print(f"{'':<12} a cluster that waits takes {100 * idle:.1f} % of a core: {part:.1f} % of the above", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--milliseconds", type=float, default=10.0, help="how long a run is")
    parser.add_argument("--idle", type=float, default=10.0, help="seconds for which a waiting cluster is measured")
    parser.add_argument("--program", help="the program, for `carom sweep`")
    given = parser.parse_args()
    steps()
    chosen = scene_of(given.milliseconds)
    if given.program:
        program(chosen, given.runs, given.program)
    threads(chosen, given.runs)
    dask(chosen, given.runs, given.idle)
