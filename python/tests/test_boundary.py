"""The boundary under fire: whatever is handed over gives a result or an exception, never an abort or a leak."""

from __future__ import annotations

import gc
import pickle
import resource
from typing import Any

import numpy as np
import pytest

import carom
from carom import _carom
from carom.simulation import _unpickled

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

FEW = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

anything: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.binary(max_size=20),
    st.lists(st.floats(), max_size=8),
    st.lists(st.lists(st.floats(), max_size=4), max_size=4),
    st.dictionaries(st.text(max_size=5), st.floats(), max_size=3),
    st.builds(lambda shape: np.full(shape, np.nan), st.tuples(st.integers(0, 3), st.integers(0, 8))),
    st.builds(lambda n: np.arange(n, dtype=np.int32), st.integers(0, 9)),
    st.builds(object),
)
ALLOWED = (carom.CaromError, TypeError, ValueError, OverflowError, OSError, AttributeError, IndexError, KeyError)


def tried(call: Any, *arguments: Any) -> None:
    try:
        call(*arguments)
    except ALLOWED:
        pass


@FEW
@given(a=anything, b=anything, c=anything)
def test_a_simulation_takes_anything(drop: carom.Scene, a: Any, b: Any, c: Any) -> None:
    sim = carom.Simulation(drop)
    for call in (
        lambda: sim.push(a, b, c), lambda: sim.set_state(a, b, c), lambda: sim.restore(a), lambda: carom.Simulation(a),
        lambda: sim._core.push(a, b, c), lambda: sim._core.set_state(a, b, c), lambda: sim._core.restore(a, b),
        lambda: sim._core.disturb(a, b), lambda: sim._core.steps_until(a), lambda: _carom.SimulationCore(a),
        lambda: sim.run(a if isinstance(a, str) else None, b,  # type: ignore[arg-type]
            steps=3 if a is None else None),
    ):
        tried(call)
    assert np.isfinite(sim.positions).all()
    tried(sim.step)


@FEW
@given(a=anything, b=anything, c=anything)
def test_scenes_trajectories_and_solver_take_anything(drop: carom.Scene, a: Any, b: Any, c: Any) -> None:
    run = drop.run(until=0.02)
    for call in (
        lambda: carom.loads(a), lambda: carom.load(a), lambda: drop.with_(a), lambda: drop.with_(mu=a, dt=b),
        lambda: drop.copy().disc(a, radius=b, mass=c), lambda: drop.copy().polygon(a), lambda: drop.copy().add(a, x=b),
        lambda: carom.Trajectory.from_arrays(drop, a, b), lambda: carom.Trajectory.from_bytes(a, scene=drop),
        lambda: carom.compare(drop, a, b, contacts=c), lambda: carom.solve(a, b, c), lambda: run[a],
        lambda: _carom.solve(a, b, c, a, b, c, 0.0), lambda: run._core.array(a), lambda: run._core.select(a),
        lambda: carom.plot(run, a), lambda: carom.still(a), lambda: carom.still(run, size=a),
        lambda: _carom.still(drop._checked(), run._core, a, b), lambda: _carom.GamesCore(a, b),
        lambda: carom.Scene(a).check() if isinstance(a, str) else None,
        lambda: _carom.read_scene(a, b, c), lambda: _carom.change_scene(drop._checked(), a),
    ):
        tried(call)


@FEW
@given(cut=st.integers(0, 5000), at=st.integers(0, 5000), flip=st.integers(1, 255))
def test_files_and_pickles_that_are_damaged(drop: carom.Scene, cut: int, at: int, flip: int) -> None:
    data = bytearray(drop.run(until=0.05).to_bytes())
    tried(carom.Trajectory.from_bytes, bytes(data[:cut]))
    data[at % len(data)] ^= flip
    tried(carom.Trajectory.from_bytes, bytes(data))
    sim = carom.Simulation(drop)
    tried(sim.restore, bytes(data))
    tried(sim.step)


@FEW
@given(cut=st.integers(0, 20_000), at=st.integers(0, 20_000), flip=st.integers(1, 255))
def test_pickles_that_are_cut_or_changed(drop: carom.Scene, cut: int, at: int, flip: int) -> None:
    """A pickle may ask for anything by design; what reaches the engine gives a result or an exception."""
    sim = carom.Simulation(drop)
    sim.push(0, (1, 0))
    scene, state, pushes = sim.__reduce__()[1]
    changed = bytearray(state)
    changed[at % len(changed)] ^= flip
    for data in (bytes(changed), state[: cut % len(state)], b""):
        tried(lambda data=data: _unpickled(scene, data, pushes).step(2))
    tried(lambda: _unpickled(scene, state, [(at, [float("nan")] * 3, [0.0] * 3)]))
    tried(lambda: _unpickled(scene, state, [(flip, [0.0])]))
    whole = pickle.dumps(sim)
    try:
        pickle.loads(whole[: cut % len(whole)])
    except (*ALLOWED, pickle.UnpicklingError, EOFError, MemoryError):
        pass


def test_a_scene_of_another_kind_is_reported(drop: carom.Scene) -> None:
    others = [
        carom.Scene.particles().particle((0, 0)).particle((1, 0)),
        carom.Scene.spatial().sphere((0, 0, 0), radius=1, mass=1).sphere((0, 0, 3), radius=1, mass=1),
        carom.Scene.planar().disc((0, 0), radius=1, mass=1),
    ]
    sim, run = carom.Simulation(drop), drop.run(until=0.05)
    for other in others:
        with pytest.raises(carom.CaromError):
            sim.restore(carom.Simulation(other).frame())
        with pytest.raises(carom.CaromError):
            carom.compare(other, run.positions, run.velocities)
    sim.step()


def memory() -> int:
    """Bytes of this process that are in memory now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_a_thousand_simulations_do_not_leak(drop: carom.Scene) -> None:
    def some(count: int) -> None:
        for k in range(count):
            sim = carom.Simulation(drop)
            sim.step(5)
            _ = sim.positions, sim.velocities, sim.contacts, sim.energy, sim.copy()
            pickle.loads(pickle.dumps(sim)).run(steps=3).positions.sum()
            if k % 3 == 0:
                sim.close()
        gc.collect()

    try:
        memory()
    except OSError:
        pytest.skip("needs /proc")
    some(200)
    before = memory()
    some(1000)
    grown = memory() - before
    assert grown < 4 << 20, f"{grown} bytes more after a thousand simulations"
