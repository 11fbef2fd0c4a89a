"""A controller in the loop: a disc is pushed to a place and held there, a step at a time."""

from __future__ import annotations

import carom


def hold(target: tuple[float, float] = (1.0, 0.5), steps: int = 2000) -> float:
    """Pushes by a spring and a damper that exist only here; gives how far from the target it ends."""
    scene = carom.Scene.planar(dt=0.005, duration=10).disc((0, 0), radius=0.2, mass=1).gravity(0, -9.81)
    sim = carom.Simulation(scene)
    for _ in range(steps):
        (x, y, _), (vx, vy, _) = sim.positions[0], sim.velocities[0]
        fx = 20 * (target[0] - x) - 8 * vx
        fy = 20 * (target[1] - y) - 8 * vy + 9.81
        sim.push(0, (fx, fy))
        sim.step()
    x, y, _ = sim.positions[0]
    return float(((x - target[0]) ** 2 + (y - target[1]) ** 2) ** 0.5)


if __name__ == "__main__":
    print("distance at the end:", hold())
