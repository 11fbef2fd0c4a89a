"""Trajectories: arrays, files, tables, comparison."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import carom


def test_files_read_back_to_the_same_bits(drop: carom.Scene, tmp_path: Path) -> None:
    run = drop.run()
    for name in ("run.carom", "run.npz", "run.bin"):
        run.save(tmp_path / name)
        again = carom.read(tmp_path / name, scene=None if name != "run.bin" else drop)
        assert again.hash == run.hash, name
        np.testing.assert_array_equal(again.positions, run.positions)
        np.testing.assert_allclose(again.energy, run.energy, rtol=1e-12)
        assert again.scene.family == "rigid-bodies"
    assert np.load(tmp_path / "run.npz")["positions"].tobytes() == run.positions.tobytes()
    run.save(tmp_path / "run.csv")
    assert (tmp_path / "run.csv").read_text().startswith("step")
    assert pickle.loads(pickle.dumps(run)) == run


def test_contacts_of_all_frames(drop: carom.Scene) -> None:
    run = drop.run()
    contacts = run.contacts
    assert set(contacts["frame"]) <= set(range(len(run))) and len(contacts) > 30
    last = contacts[contacts["frame"] == len(run) - 1]
    sim = carom.Simulation(drop)
    sim.run()
    assert last["impulse"].tolist() == sim.contacts["impulse"].tolist()


def test_frames_are_chosen_like_a_list(drop: carom.Scene) -> None:
    run = drop.run()
    assert run[-1].step.tolist() == [100] and run[10:40:15].step.tolist() == [10, 25]
    sim = carom.Simulation(drop)
    sim.restore(run, index=50)
    sim.step(50)
    assert sim.positions.tobytes() == run.positions[100].tobytes()
    with pytest.raises(IndexError):
        run[101]


def test_tables_hold_every_number(drop: carom.Scene) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    run = drop.run(every=10)
    frame = run.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == len(run) * 2
    row = frame[(frame["step"] == 50) & (frame["body"] == 0)].iloc[0]
    assert row["y"] == run.positions[5, 0, 1] and row["omega"] == run.velocities[5, 0, 2]
    data = run.to_xarray()
    assert float(data.positions.sel(time=0.5, body=0, coordinate="y")) == run.positions[5, 0, 1]


def test_damaged_files_are_errors(drop: carom.Scene, tmp_path: Path) -> None:
    data = drop.run().to_bytes()
    for end in (0, 7, 100, len(data) // 2):
        (tmp_path / "cut.carom").write_bytes(data[:end])
        try:
            assert len(carom.read(tmp_path / "cut.carom")) < 101
        except carom.CaromError:
            pass
    (tmp_path / "x.npz").write_bytes(b"PK\x03\x04 no archive")
    with pytest.raises(carom.CaromError):
        carom.read(tmp_path / "x.npz")
    with pytest.raises(carom.FileError):
        carom.read(tmp_path / "missing.carom")
    with pytest.raises(carom.ArgumentError):
        drop.run().save(tmp_path / "run.xyz")


def symplectic(scene: carom.Scene, bounce: bool) -> tuple[np.ndarray, np.ndarray]:
    """A student's own program: a ball on a floor, restitution 1, in the course's simple way."""
    dt, x, v = scene.dt, np.array([0.0, 1.0]), np.array([0.5, 0.0])
    xs, vs = [x], [v]
    for _ in range(round(scene.duration / dt)):
        v = v + dt * np.array([0.0, -10.0])
        x = x + dt * v
        if bounce and x[1] < 0.25 and v[1] < 0:
            v = np.array([v[0], -v[1]])
        xs.append(x)
        vs.append(v)
    return np.array(xs), np.array(vs)


def ball() -> carom.Scene:
    scene = carom.Scene.particles(dt=0.01, duration=1).particle((0, 1), velocity=(0.5, 0), radius=0.25)
    return scene.half_plane((0, 0), (0, 1)).gravity(0, -10).handling("simple", COR=1.0)


def test_a_right_program_passes_and_a_wrong_one_gets_the_reason() -> None:
    scene = ball()
    right = carom.compare(scene, *symplectic(scene, True))
    assert right.passed and right.verdict == "pass" and right.missed == (), str(right)
    wrong = carom.compare(scene, *symplectic(scene, False))
    assert wrong.verdict == "fail" and not wrong
    assert wrong.diagnoses[0].name == "no-response", str(wrong)
    contact = wrong.first_wrong_step["contacts"][0]  # type: ignore[index]
    assert contact["implied_impulse"] == pytest.approx(0, abs=1e-9) and contact["expected_impulse"] > 1
    assert "no-response" in str(wrong) and "<pre>" in wrong._repr_html_()


def test_missed_and_superfluous_collisions_are_reported() -> None:
    scene = ball()
    x, v = symplectic(scene, True)
    reference = scene.run()
    listed = [(int(c["frame"]), int(c["kind"]), *map(int, c["bodies"])) for c in reference.contacts]
    assert listed, "the ball touches the floor"
    missing = carom.compare(scene, x, v, contacts=[])
    assert len(missing.missed) == len(listed) and not missing.passed
    extra = carom.compare(scene, x, v, contacts=[*listed, (1, 2, 0, 0)])
    assert [difference["frame"] for difference in extra.superfluous] == [1]


def test_a_short_trajectory_is_incomplete() -> None:
    scene = ball()
    x, v = symplectic(scene, True)
    assert carom.compare(scene, x[:20], v[:20]).verdict == "incomplete"


def test_a_trajectory_of_carom_passes(drop: carom.Scene) -> None:
    assert carom.compare(drop, drop.run()).passed


def test_wrong_arrays_are_reported() -> None:
    scene = ball()
    x, v = symplectic(scene, True)
    for wrong in (
        lambda: carom.compare(scene, x[:, :1], v),
        lambda: carom.compare(scene, x, v[:-1]),
        lambda: carom.compare(scene, x),
        lambda: carom.compare(scene, "x", v),
        lambda: carom.compare(scene, x, v, contacts=[(0, 9, 0, 0)]),
        lambda: carom.compare(scene, x, v, contacts=[(10**6, 0, 0, 0)]),
        lambda: carom.compare(scene, x, v, contacts=["abc"]),
        lambda: carom.compare(scene, x, v, tolerance=float("nan")),
        lambda: carom.compare("scene", x, v),  # type: ignore[arg-type]
        lambda: carom.Trajectory.from_arrays(scene, x, v, every=0),
    ):
        with pytest.raises(carom.ArgumentError):
            wrong()
    nan = np.full_like(x, np.nan)
    assert not carom.compare(scene, nan, v).passed, "what is no number is wrong, not an accident"


def test_an_archive_that_is_damaged_is_reported(drop: carom.Scene, tmp_path: Path) -> None:
    """A damaged version of the archive's format came through as NotImplementedError."""
    run = drop.run(until=0.05)
    run.save(tmp_path / "run.npz")
    data = (tmp_path / "run.npz").read_bytes()
    refused = 0
    # the directory at the end of the archive, and the heads of its first entries
    for place in [*range(300), *range(len(data) - 1200, len(data))]:
        changed = bytearray(data)
        changed[place] ^= 0xFF
        (tmp_path / "bad.npz").write_bytes(changed)
        try:
            again = carom.read(tmp_path / "bad.npz")
            assert (again.positions == run.positions).all()
        except carom.CaromError:
            refused += 1
    assert refused > 300
