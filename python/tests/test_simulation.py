"""Simulations: closed forms, states, pushes, threads, and the same bits as the program."""

from __future__ import annotations

import copy
import hashlib
import pickle
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path
from typing import Callable

import numpy as np
import pytest

import carom

#: Steps of the pinned hashes (crates/carom/tests/hashes.rs).
PINNED_STEPS = 400


def pinned(root: Path) -> dict[str, str]:
    lines = (root / "hashes.txt").read_text().splitlines()
    return dict(line.split(" ", 1) for line in lines)


def test_every_gallery_scene_has_the_hash_of_the_program(gallery: list[Path]) -> None:
    """The pins are of the program: each step, position and velocity, bit for bit."""
    pins = pinned(gallery[0].parent)
    found = {}
    for path in gallery:
        sim = carom.Simulation(path)
        chain = bytes(32)
        for _ in range(min(PINNED_STEPS, sim.planned_steps)):
            sim.step()
            state = sim.positions.tobytes() + sim.velocities.tobytes()
            chain = hashlib.sha256(chain + sim.step_count.to_bytes(8, "little") + state).digest()
        found[path.stem] = chain.hex()
    assert found == pins


def test_a_throw_has_its_closed_form() -> None:
    scene = carom.Scene.particles(dt=0.01, duration=1, integrator="symplectic-euler")
    run = scene.particle((0, 0), velocity=(1, 2)).gravity(0, -9.81).run()
    steps = run.step.astype(float)
    np.testing.assert_allclose(run.positions[:, 0, 0], 0.01 * steps, atol=1e-13)
    height = 2 * run.time - 9.81 * 1e-4 * steps * (steps + 1) / 2
    np.testing.assert_allclose(run.positions[:, 0, 1], height, atol=1e-12)
    assert run.momentum[-1] == pytest.approx([1, 2 - 9.81, 0])


def test_a_disc_comes_to_rest_on_the_floor(drop: carom.Scene) -> None:
    sim = carom.Simulation(drop)
    sim.run()
    contact = sim.contacts
    assert len(contact) == 1 and contact.dtype == carom.contact_dtype
    assert contact["impulse"][0] == pytest.approx(2 * 10 * 0.01, rel=1e-9), "weight times dt"
    assert abs(contact["normal"][0]) == pytest.approx([0, 1, 0])
    assert contact["gap"][0] == pytest.approx(0, abs=1e-6)
    assert sorted(contact["bodies"][0]) == [0, 1]
    assert sim.certificate.status == "Solved" and sim.certificate.active_contacts == 1
    assert sim.energy.kinetic == pytest.approx(0, abs=1e-12)
    assert sim.masses[0] == 2 and sim.inertias[0] == pytest.approx(0.5 * 2 * 0.25**2)


def test_arrays_are_snapshots_that_cannot_be_written(drop: carom.Scene) -> None:
    sim = carom.Simulation(drop)
    before = sim.positions
    assert sim.positions is before, "one array until the next step"
    with pytest.raises(ValueError):
        before[0, 0] = 1
    kept = before.copy()
    sim.step(10)
    assert (before == kept).all() and (sim.positions != kept).any()


def test_copies_pickles_and_files_go_on_to_the_same_bits(drop: carom.Scene, tmp_path: Path) -> None:
    sim = carom.Simulation(drop)
    sim.step(60)
    sim.push(0, (0.5, 0), 0.1)
    twins = [sim.copy(), copy.deepcopy(sim), pickle.loads(pickle.dumps(sim))]
    sim.save(tmp_path / "state.carom")
    restored = carom.Simulation(drop)
    restored.restore(tmp_path / "state.carom")
    restored.push(0, (0.5, 0), 0.1)
    for one in [*twins, restored, sim]:
        one.step(40)
        assert one.positions.tobytes() == sim.copy().positions.tobytes() or one is not sim
    for one in [*twins, restored]:
        assert one.positions.tobytes() == sim.positions.tobytes()
        assert one.velocities.tobytes() == sim.velocities.tobytes()


def test_a_push_lasts_one_step() -> None:
    scene = carom.Scene.planar(dt=0.5).disc((0, 0), radius=1, mass=2)
    sim = carom.Simulation(scene)
    sim.push(0, (4, 0), 3)
    sim.push(0, (0, 2))
    sim.step(3)
    assert sim.velocities[0].tolist() == [1.0, 0.5, 3 * 0.5 / 1.0]


@pytest.mark.parametrize("integrator", ["symplectic-euler", "implicit-euler", "velocity-verlet", "rk4", "dormand-prince"])
def test_a_push_on_a_particle_lasts_one_step(integrator: str) -> None:
    scene = carom.Scene.particles(dt=0.5, integrator=integrator).particle((0, 0), mass=2).particle((9, 9), fixed=True)
    sim = carom.Simulation(scene)
    sim.push(0, (4, 0))
    sim.push(0, (0, 2))
    sim.push(1, (1, 1))
    twin = pickle.loads(pickle.dumps(sim))
    for one in (sim, twin):
        one.step(3)
        assert one.velocities == pytest.approx(np.array([[1.0, 0.5], [0.0, 0.0]]), abs=1e-12)


@pytest.mark.parametrize("family", ["particles", "planar", "spatial"])
def test_contacts_tell_gap_impulse_and_friction(family: str) -> None:
    """2 kg slide on the ground at 3 m/s with mu = 0.5 under g = 10: m g dt up, half of that back."""
    if family == "particles":
        scene = carom.Scene.particles().particle((0, 0.5), velocity=(3, 0), mass=2, radius=0.5)
        scene = scene.half_plane((0, 0), (0, 1)).gravity(0, -10).handling("lcp", mu=0.5)
    elif family == "planar":
        scene = carom.Scene.planar().half_plane().box((0, 0.25), (1, 0.5), mass=2, velocity=(3, 0))
        scene = scene.gravity(0, -10).handling("lcp", mu=0.5)
    else:
        scene = carom.Scene.spatial().half_space((0, 0, 0), (0, 0, 1))
        scene = scene.box((0, 0, 0.25), (1, 1, 0.5), mass=2, velocity=(3, 0, 0)).gravity(0, 0, -10).handling("lcp", mu=0.5)
    sim = carom.Simulation(scene)
    up = 2 if family == "spatial" else 1
    for _ in range(3):
        sim.step()
        contacts = sim.contacts
        # the ground is the second of a particle's contact, the first of a body's
        sign = -1 if family == "particles" else 1
        pushed = sign * (contacts["impulse"][:, None] * contacts["normal"]).sum(axis=0)
        rubbed = sign * contacts["friction"].sum(axis=0)
        assert pushed == pytest.approx(0.2 * np.eye(3)[up], abs=1e-9)
        assert rubbed == pytest.approx([-0.1, 0, 0], abs=1e-9)
        assert np.linalg.norm(contacts["normal"], axis=1) == pytest.approx(1, abs=1e-12)
        assert np.abs(contacts["gap"]).max() < 1e-9
    again = pickle.loads(pickle.dumps(sim))
    assert again.contacts.tobytes() == sim.contacts.tobytes(), "they survive a pickle"
    run = carom.Simulation(scene).run(steps=3, every=1)
    assert run.contacts[run.contacts["frame"] == 3]["friction"].tolist() == sim.contacts["friction"].tolist()


def test_a_state_can_be_set(drop: carom.Scene) -> None:
    sim = carom.Simulation(drop)
    positions = sim.positions.copy()
    positions[0] = [2, 5, 1]
    sim.set_state(positions, np.array([[1, 2, 3], [0, 0, 0]]), step=7)
    assert sim.positions[0].tolist() == [2, 5, 1] and sim.velocities[0].tolist() == [1, 2, 3]
    assert (sim.step_count, sim.time) == (7, 0.07)


def test_runs_keep_the_frames_that_were_asked_for(drop: carom.Scene) -> None:
    sim = carom.Simulation(drop)
    assert sim.run(until=0.5, every=20).step.tolist() == [0, 20, 40, 50]
    assert sim.run(steps=5).step.tolist() == [50, 51, 52, 53, 54, 55]
    assert sim.run(until=0.1).step.tolist() == [55]


def test_a_failed_run_keeps_what_was_before() -> None:
    scene = carom.Scene.particles(dt=1, duration=100, integrator="explicit-euler")
    scene.particle((0, 0)).particle((1, 0)).spring(0, 1, stiffness=1e200, rest_length=0.5)
    with pytest.raises(carom.StepError) as caught:
        scene.run()
    error = caught.value
    assert error.trajectory is not None and int(error.trajectory.step[-1]) == error.step - 1
    assert error.status == "NonFinite"
    again = pickle.loads(pickle.dumps(error))
    assert (again.step, str(again)) == (error.step, str(error))


def test_threads_share_a_simulation_and_run_side_by_side(drop: carom.Scene) -> None:
    alone = carom.Simulation(drop)
    alone.step(400)
    shared = carom.Simulation(drop)
    threads = [threading.Thread(target=lambda: [shared.step() or shared.positions for _ in range(100)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shared.step_count == 400 and shared.positions.tobytes() == alone.positions.tobytes()


def test_threads_step_simulations_of_their_own_at_once(drop: carom.Scene) -> None:
    wanted = carom.Simulation(drop)
    wanted.step(300)
    sims = [carom.Simulation(drop) for _ in range(4)]
    threads = [threading.Thread(target=sim.step, args=(300,)) for sim in sims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(sim.positions.tobytes() == wanted.positions.tobytes() for sim in sims)


def test_python_goes_on_while_another_thread_steps(drop: carom.Scene) -> None:
    """With the lock held, this thread could not take a single step during the other's one call."""
    long, own = carom.Simulation(drop), carom.Simulation(drop)
    began, ended = threading.Event(), threading.Event()

    def work() -> None:
        began.set()
        long.step(20_000)
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    began.wait()
    steps = 0
    while not ended.is_set():
        own.step()
        steps += 1
    thread.join()
    assert long.step_count == 20_000 and steps > 20


def test_free_threads_keep_the_lock_off() -> None:
    """Importing the package does not turn the lock on where the interpreter has none."""
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("an interpreter with the lock")
    code = "import sys, carom; assert not sys._is_gil_enabled()"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_closed_simulation_says_so(drop: carom.Scene) -> None:
    with carom.Simulation(drop) as sim:
        sim.step()
    for use in (sim.step, sim.run, sim.copy, lambda: sim.positions, lambda: sim.energy, lambda: pickle.dumps(sim)):
        with pytest.raises(carom.ClosedError):
            use()
    sim.close()
    assert "closed" in repr(sim) and "closed" in sim._repr_html_()


def test_wrong_arguments_are_clear_exceptions(drop: carom.Scene) -> None:
    sim = carom.Simulation(drop)
    nan = float("nan")
    wrong: list[Callable[[], object]] = [
        lambda: sim.push(2, (1, 0)),
        lambda: sim.push(-1, (1, 0)),
        lambda: sim.push(True, (1, 0)),
        lambda: sim.push(0, (nan, 0)),
        lambda: sim.push(0, (1, 2, 3, 4)),
        lambda: sim.push(0, "up"),  # type: ignore[arg-type]
        lambda: sim.set_state(np.array([[nan, 0, 0], [0, 0, 0]])),
        lambda: sim.set_state([[0, 0, 0]]),
        lambda: sim.set_state([0, 0, 0]),
        lambda: sim.set_state("x"),
        lambda: sim.set_state(step=-1),
        lambda: sim.run(until=-1),
        lambda: sim.run(until=nan),
        lambda: sim.run(until=1e300),
        lambda: sim.run(until=1, steps=1),
        lambda: sim.run(every=-1),
        lambda: sim.run(every=1.5),  # type: ignore[arg-type]
        lambda: sim.restore(sim.frame(), index=5),
    ]
    for call in wrong:
        with pytest.raises(carom.ArgumentError):
            call()
    for body in (2, 1 << 64):
        with pytest.raises(carom.ArgumentError, match="there are 2 bodies"):
            sim.push(body, (1, 0))
    for count in (-1, 1 << 64):
        with pytest.raises(carom.ArgumentError, match="number of steps"):
            sim.step(count)
    for index in ("first", 1.5):
        with pytest.raises(carom.ArgumentError):
            sim.restore(sim.frame(), index=index)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        sim.step("many")  # type: ignore[arg-type]
    particles = carom.Scene.particles().particle((0, 0))
    pushes: list[Callable[[], object]] = [
        lambda: sim.push(0, (1, 0, 1)),
        lambda: sim.push(0, (), (1, 0, 0)),
        lambda: carom.Simulation(particles).push(0, (1, 0), 1),
        lambda: carom.Simulation(particles).push(0, (1, 0, 1)),
    ]
    for push in pushes:
        with pytest.raises(carom.ArgumentError, match="feels two numbers of force"):
            push()
    with pytest.raises(carom.ArgumentError, match="particles"):
        sim.restore(carom.Simulation(particles).frame())
