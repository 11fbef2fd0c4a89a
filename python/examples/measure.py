"""What Python costs: a step, and a sweep, above their own cost. Prints processor time; decides nothing."""

from __future__ import annotations

import sys
import time

import carom


def step_overhead(count: int = 20_000) -> float:
    """Microseconds that a step called from Python costs above one in Rust: the least of several."""
    scene = carom.Scene.particles(dt=1e-3, duration=1e6).particle((0, 0), velocity=(1, 0))
    best = float("inf")
    for _ in range(7):
        sim = carom.Simulation(scene)
        start = time.perf_counter()
        sim.step(count)
        inside = time.perf_counter() - start
        start = time.perf_counter()
        for _ in range(count):
            sim.step()
        best = min(best, time.perf_counter() - start - inside)
    return 1e6 * best / count


def sweep_ratio(runs: int) -> float:
    """Processor time of a sweep over that of its scenes and steps alone."""
    scene = carom.Scene.planar(dt=0.01, duration=4.5).gravity(0, -10).box((0, -0.5), (6, 1), fixed=True)
    for k in range(6):
        scene.box((0.1 * k, 0.3 + 0.62 * k), (0.6, 0.6), density=1)
    scene.handling("lcp", mu=0.3)
    values = [0.2 + 0.3 * k / runs for k in range(runs)]
    start = time.process_time()
    for mu in values:
        sim = carom.Simulation(scene.with_(mu=mu))
        sim.step(sim.planned_steps)
    own = time.process_time() - start
    start = time.process_time()
    carom.sweep(scene, {"mu": values}, progress=False)
    return (time.process_time() - start) / own


if __name__ == "__main__":
    print(f"a step from Python: {step_overhead():.2f} µs more than in Rust")
    print(f"a sweep: {sweep_ratio(int(sys.argv[1]) if len(sys.argv) > 1 else 300):.2f} of its own cost")
