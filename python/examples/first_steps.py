"""A scene, a run, a movie: the shortest way from nothing to something that moves."""

from __future__ import annotations

import sys
from pathlib import Path

import carom


def cradle(balls: int = 5) -> carom.Scene:
    """Balls in a row that touch, and one that comes: Newton's cradle without its strings."""
    scene = carom.Scene.planar(dt=1 / 240, duration=2).disc((-3, 0), radius=0.5, mass=1, velocity=(2, 0))
    for k in range(balls):
        scene.disc((float(k), 0), radius=0.5, mass=1)
    return scene.handling("gr-lcp", COR=1)


def main(folder: Path) -> None:
    run = cradle().run()
    speeds = run.velocities[-1, :, 0]
    print("speeds at the end:", speeds.round(12).tolist())
    print("energy moved by", abs(run.energy - run.energy[0]).max())
    print(carom.render(run, folder / "cradle.mp4", layers=["contacts"], size=(640, 240)))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
