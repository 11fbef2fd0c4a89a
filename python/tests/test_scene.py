"""Scenes: built, loaded, changed, wrong."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom


def test_a_built_scene_reads_back_equal(drop: carom.Scene) -> None:
    again = carom.loads(drop.to_xml())
    assert again == drop and again.family == "rigid-bodies" and len(again) == 2
    assert again.movable == [True, False]
    assert pickle.loads(pickle.dumps(drop)) == drop
    assert copy.copy(drop) == drop


@pytest.mark.parametrize("make", [carom.Scene.particles, carom.Scene.planar, carom.Scene.spatial])
def test_every_kind_can_be_built_and_run(make: object) -> None:
    scene: carom.Scene = make(dt=0.01, duration=0.05)  # type: ignore[operator]
    if scene.family == "particles":
        scene.particle((0, 0)).particle((1, 0), fixed=True).half_plane((0, -1), (0, 1))
        scene.spring(0, 1, stiffness=10, rest_length=1, damping=0.1).gravity(0, -1).handling("simple", COR=0.5)
    elif scene.family == "rigid-bodies":
        scene.disc((0, 2), radius=0.5, density=2).box((0, 0), (1, 2), rotation=0.3, mass=3, omega=1)
        scene.polygon([(-2, -3), (2, -3)], radius=0.1, fixed=True).gravity(0, -1).handling(mu=0.2)
        scene.spring(0, -1, stiffness=1, rest_length=0.5, at=[(0, 0), (0, 3)]).half_plane((0, -4), (0.1, 1))
    else:
        scene.sphere((0, 0, 3), radius=0.5, mass=1).box((0, 0, 1), (1, 1, 1), rotation=(0, 0.1, 0), density=5)
        scene.polyhedron([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], position=(3, 0, 1), mass=1)
        scene.half_space().gravity(0, 0, -9.81).handling(mu=0.5).color(0, (1, 0, 0))
    scene.describe('it\'s "a" <scene> & so')
    assert scene.check() == ()
    assert len(scene.run()) >= 2


def test_a_loaded_scene_can_be_added_to(gallery: list[Path]) -> None:
    scene = carom.load(next(path for path in gallery if path.stem == "dominoes"))
    count = len(scene)
    scene.polygon([(30, 30), (31, 30), (31, 31)])
    assert len(scene) == count + 1 and scene.check() == ()


def test_attributes_change_by_name_and_path(drop: carom.Scene) -> None:
    changed = drop.with_({"integrator.dt": 1 / 3, "disc[0].radius": 0.125}, mu=0.75, duration=2)
    assert (changed.dt, changed.duration) == (1 / 3, 2.0)
    assert 'mu="0.75"' in changed.to_xml() and 'radius="0.125"' in changed.to_xml()
    assert drop.dt == 0.01, "the scene itself is as it was"
    assert drop.with_(mu=np.float64(0.1), duration=np.int64(3)).duration == 3
    with pytest.raises(carom.ArgumentError, match="perhaps `mu`"):
        drop.with_(nu=1)
    with pytest.raises(carom.SceneError) as caught:
        drop.with_(mu=-1)
    assert [finding.attribute for finding in caught.value.findings] == ["mu"]


def test_every_finding_is_in_the_exception() -> None:
    text = '<scene>\n  <duration tme="1"/>\n  <integrator type="rk5" dt="0"/>\n</scene>'
    with pytest.raises(carom.SceneError) as caught:
        carom.loads(text)
    findings = caught.value.findings
    assert len(findings) >= 3
    assert any(f.line == 2 and f.suggestion == "time" for f in findings)
    assert any(f.line == 3 and f.attribute == "type" for f in findings)
    assert "rk5" in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.findings == findings and str(again) == str(caught.value)


def test_files_that_are_no_scenes(tmp_path: Path) -> None:
    with pytest.raises(carom.FileError):
        carom.load(tmp_path / "missing.xml")
    (tmp_path / "latin.xml").write_bytes(b"<scene>\xff</scene>")
    with pytest.raises(carom.FileError, match="UTF-8"):
        carom.load(tmp_path / "latin.xml")
    with pytest.raises(carom.CaromError):
        carom.load(tmp_path)


def test_wrong_arguments_are_reported() -> None:
    scene = carom.Scene.planar()
    for wrong in (
        lambda: scene.disc((0, 0, 0), radius=1),
        lambda: scene.disc("ab", radius=1),  # type: ignore[arg-type]
        lambda: scene.disc((0, 0), radius=1, mass=1, density=1),
        lambda: scene.sphere((0, 0, 0), radius=1),
        lambda: scene.particle((0, 0)),
        lambda: scene.gravity(1),
        lambda: scene.polygon([(0, 0)]),
        lambda: scene.add("not a tag"),
        lambda: scene.add("duration", time=object()),  # type: ignore[arg-type]
        lambda: carom.Scene(7),  # type: ignore[arg-type]
        lambda: carom.Simulation(7),  # type: ignore[arg-type]
        lambda: scene.polygon(3),  # type: ignore[arg-type]
        lambda: scene.color("red", (1, 0, 0)),  # type: ignore[arg-type]
        lambda: scene.spring(0, 1, stiffness=1, rest_length=1, at=[(0, 0)]),
        lambda: scene.box((0, 0), (1, 1), rotation=(0, 0, 1)),
        lambda: scene.box((0, 0), (1, 1), mass="heavy"),  # type: ignore[arg-type]
        lambda: scene.describe("\ud800"),
        lambda: scene.add("duration", time=np.zeros((2, 2))),
        lambda: scene.with_(3),  # type: ignore[arg-type]
        lambda: scene.save("\0"),
        lambda: scene.save(3),  # type: ignore[arg-type]
        lambda: carom.load("\ud800"),
        lambda: carom.loads("\ud800"),
        lambda: carom.loads("<scene/>", name=3),  # type: ignore[arg-type]
    ):
        with pytest.raises(carom.ArgumentError):
            wrong()
    assert len(scene) == 0, "what is wrong is not added"


def test_numbers_and_arrays_of_numpy_are_taken() -> None:
    """A rotation that is an array ended in numpy's words about truth; numpy's numbers were no angles in 2D."""
    half: Any = np.float32(0.5)
    planar = carom.Scene.planar().box((0, 0), (1, 1), rotation=half, omega=np.float64(2))
    assert planar == carom.Scene.planar().box((0, 0), (1, 1), rotation=0.5, omega=2)
    turned = carom.Scene.spatial().box(
        np.zeros(3), np.ones(3), rotation=np.array([0, 0, 1.0]), velocity=np.ones(3), omega=np.array([1.0, 0, 0])
    )
    plain = carom.Scene.spatial().box((0, 0, 0), (1, 1, 1), rotation=(0, 0, 1), velocity=(1, 1, 1), omega=(1, 0, 0))
    assert turned.run() == plain.run()


def test_files_that_cannot_be_written_are_reported(drop: carom.Scene) -> None:
    """The system's own exception, which is no CaromError, came through."""
    for write in (
        lambda: drop.save("/nowhere/scene.xml"), lambda: drop.run().save("/nowhere/run.npz"),
        lambda: carom.plot(drop, path="/nowhere/plot.svg"), lambda: carom.render(drop, "/nowhere/still.png"),
        lambda: carom.sweep(drop, {"mu": [0.1]}).save("/nowhere/table.csv"),
        lambda: carom.Simulation(drop).save("/nowhere/now.carom"),
    ):
        with pytest.raises(carom.FileError, match="nowhere"):
            write()
