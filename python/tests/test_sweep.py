"""Sweeps: the same rows on one thread, on many, on a cluster that loses a worker, and after a kill."""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable

import pytest

import carom
from carom._identity import identity_of

GRID: dict[str, Any] = {"mu": [0.0, 0.2, 0.4], "COR": [0.0, 0.5], "seed": range(2)}


def rows(table: carom.Table) -> list[dict[str, Any]]:
    return [dict(row) for row in table]


def test_every_combination_is_a_row_with_its_hash(drop: carom.Scene) -> None:
    table = carom.sweep(drop, GRID, jitter=1e-3)
    assert len(table) == 12 and table["run"] == list(range(12)) and set(table["status"]) == {"finished"}
    hashes = table["hash"]
    assert all(one != two for one, two in zip(hashes[::2], hashes[1::2])), "every seed gives another run"
    assert len({hashes[0], hashes[2], hashes[4]}) == 3, "and so does every bounce, and friction at all"
    row = table.rows[5]
    assert (row["mu"], row["COR"], row["seed"]) == (0.2, 0.0, 1)
    assert rows(carom.sweep(drop, GRID, jitter=1e-3, workers=1)) == rows(table)


def test_the_hash_is_that_of_the_run(drop: carom.Scene) -> None:
    table = carom.sweep(drop, {"mu": [0.1, 0.6]}, until=0.7)
    assert table["hash"] == [drop.with_(mu=mu).run(until=0.7).hash for mu in (0.1, 0.6)]
    assert table["first_contact"][0] == pytest.approx((2 * 0.75 / 10) ** 0.5, abs=0.02), "sqrt(2 h / g)"
    assert 0.38 <= table["rest"][0] <= 0.45


def test_functions_measure_and_make_scenes() -> None:
    def stack(height: int, seed: int) -> carom.Scene:
        scene = carom.Scene.planar(dt=0.01, duration=0.1).gravity(0, -10)
        for k in range(height):
            scene.disc((0.01 * seed, k + 0.5), radius=0.5, mass=1)
        return scene

    table = carom.sweep(stack, {"height": [1, 3], "seed": [0, 5]}, measure=lambda run: {"n": run.positions.shape[1]})
    assert table["n"] == [1, 1, 3, 3]
    named = carom.sweep(stack, [{"height": 2, "seed": 1}], measure={"lost": lambda run: run.energy[0] - run.energy[-1]})
    assert len(named["lost"]) == 1


def test_a_run_that_fails_is_a_row(drop: carom.Scene) -> None:
    wild = carom.Scene.particles(dt=1, duration=100, integrator="explicit-euler").particle((0, 0)).particle((1, 0))
    wild.spring(0, 1, stiffness=1.0, rest_length=0.5)
    table = carom.sweep(wild, {"springforce.k": [1e-3, 1e200, -1]})
    assert table["status"] == ["finished", "failed", "invalid"] or table["status"][:2] == ["finished", "failed"]
    assert "step" in table["reason"][1]
    invalid = carom.sweep(drop, {"mu": [0.1, -1.0]})
    assert invalid["status"] == ["finished", "invalid"] and "mu" in invalid.failures[0]["reason"]
    broken = carom.sweep(drop, {"mu": [0.1]}, measure=lambda run: 1 / 0)
    assert broken["status"] == ["error"] and "ZeroDivisionError" in broken["reason"][0]


def test_tables_go_to_files(drop: carom.Scene, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    grid = {"mu": [0.1, 0.2], "COR": [0.0, 1.0]}
    table = carom.sweep(drop, grid, path=tmp_path / "t.csv", measure=["energy", "final_state"])
    again = pandas.read_csv(tmp_path / "t.csv")
    assert again["hash"].tolist() == table["hash"] and again["energy_end"].tolist() == table["energy_end"]
    carom.sweep(drop, grid, path=tmp_path / "t.parquet", measure=["energy", "final_state"])
    parquet = pandas.read_parquet(tmp_path / "t.parquet")
    assert parquet["hash"].tolist() == table["hash"]
    assert parquet["final_positions"][0].tolist() == table["final_positions"][0]
    data = table.to_xarray()
    assert float(data.energy_end.sel(mu=0.2, COR=1.0)) == table.rows[3]["energy_end"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.csv", "t.parquet"], "nothing else is left"


SLOW = """
import sys, time, carom
scene = carom.load(sys.argv[1])
def slowly(run):
    time.sleep(0.05)
    return {"end": float(run.positions[-1, 0, 1])}
table = carom.sweep(scene, {"mu": [k / 100 for k in range(60)]}, measure=slowly, path=sys.argv[2], workers=2)
print(len(table))
"""


def test_a_killed_sweep_goes_on_where_it_was(drop: carom.Scene, tmp_path: Path) -> None:
    drop.save(tmp_path / "drop.xml")
    (tmp_path / "slow.py").write_text(SLOW)
    command = [sys.executable, "slow.py", "drop.xml", "t.csv"]
    part = tmp_path / "t.csv.part.jsonl"
    running = subprocess.Popen(command, cwd=tmp_path)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and (not part.exists() or part.read_bytes().count(b"\n") < 6):
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    with open(part, "ab") as file:
        file.write(b'{"run": 59, "torn')
    before = [json.loads(line)["run"] for line in part.read_bytes().splitlines()[1:-1]]
    assert 5 <= len(before) < 60 and not (tmp_path / "t.csv").exists()
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "60", done.stderr
    assert not part.exists() and (tmp_path / "t.csv").read_text().count("\n") == 61
    scene = carom.load(tmp_path / "drop.xml")
    whole = [scene.with_(mu=k / 100).run().hash for k in (0, 30, 59)]
    lines = (tmp_path / "t.csv").read_text().splitlines()
    assert [lines[1 + k].split(",")[6] for k in (0, 30, 59)] == whole


def test_rows_of_another_sweep_are_refused(drop: carom.Scene, tmp_path: Path) -> None:
    part = tmp_path / "t.csv.part.jsonl"
    part.write_text('{"sweep": "another"}\n')
    for _ in range(2):
        with pytest.raises(carom.FileError, match="of another sweep"):
            carom.sweep(drop, {"mu": [0.1]}, path=tmp_path / "t.csv")
        assert part.read_text() == '{"sweep": "another"}\n'
    for text in ("5\n", "[1]\n", "{\n", "null\n"):
        part.write_text(text)
        with pytest.raises(carom.FileError, match="no file of rows"):
            carom.sweep(drop, {"mu": [0.1]}, path=tmp_path / "t.csv")


FACTOR = 2.0


def _factored(run: carom.Trajectory) -> float:
    return FACTOR * float(run.energy[-1])


def _measures(scale: float) -> list[Callable[[carom.Trajectory], float]]:
    return [
        lambda run: float(run.energy[-1]),
        lambda run: float(run.kinetic[-1]),
        lambda run: 2 * float(run.energy[-1]),
        lambda run: 3 * float(run.energy[-1]),
        lambda run: scale * float(run.energy[-1]),
        lambda run, scale=scale: scale * float(run.energy[-1]),  # type: ignore[misc]
        functools.partial(lambda scale, run: scale * float(run.energy[-1]), scale),
        _factored,
    ]


def test_rows_of_another_measure_are_refused(
    drop: carom.Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Functions that differ in a name, a number or a value from around them were taken for the same one, and rows
    of the one were completed by the other."""

    class Stop(Exception):
        pass

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise Stop

    path = tmp_path / "t.csv"
    grid = {"mu": [0.0, 0.1, 0.2]}
    seen = []
    for scale in (1.5, 2.5):
        monkeypatch.setattr(sys.modules[__name__], "FACTOR", scale)
        for measure in _measures(scale):
            seen.append(identity_of(measure))
    unlike = [one for k, one in enumerate(seen) if one not in seen[:k]]
    assert len(unlike) == 4 + 2 * 4, "four use nothing from around them"
    before, after = _measures(1.0), _measures(1.0)
    with pytest.raises(Stop):
        carom.sweep(drop, grid, measure={"e": before[2]}, path=path, progress=stop)
    with pytest.raises(carom.FileError, match="another sweep"):
        carom.sweep(drop, grid, measure={"e": after[3]}, path=path)
    table = carom.sweep(drop, grid, measure={"e": after[2]}, path=path)
    assert table["e"] == [2 * float(drop.with_(mu=mu).run().energy[-1]) for mu in grid["mu"]]


def test_two_sweeps_do_not_write_one_file(drop: carom.Scene, tmp_path: Path) -> None:
    """Both wrote their rows into it, each from where it had begun."""
    path, seen = tmp_path / "t.csv", []

    def again(done: int, total: int) -> None:
        with pytest.raises(carom.FileError, match="written by another") as error:
            carom.sweep(drop, {"mu": [0.1, 0.2]}, path=path)
        seen.append(error)

    table = carom.sweep(drop, {"mu": [0.1, 0.2]}, path=path, progress=again)
    assert len(table) == 2 and len(seen) == 2 and path.exists()


def test_a_function_is_the_same_in_every_process(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(
        "import math\nfrom carom._identity import identity_of\nLIMITS = {'a', 'b', 'c', 'd'}\n"
        "def again(n): return again(n - 1) + len(LIMITS) if n in {1, 2, 3} or str(n) in {'x', 'y'} else math.pi\n"
        "print(identity_of(again))\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "one.py"], cwd=tmp_path, env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1 and "again" in said.pop()


def test_wrong_sweeps_are_reported(drop: carom.Scene, tmp_path: Path) -> None:
    wrongs: list[Callable[[], object]] = [
        lambda: carom.sweep(drop, {"nu": [1]}),
        lambda: carom.sweep(drop, {"mu": 1}),  # type: ignore[dict-item]
        lambda: carom.sweep(drop, {"mu": []}),
        lambda: carom.sweep(drop, {"mu": [1]}, measure="nothing"),
        lambda: carom.sweep(drop, {"seed": [1]}),
        lambda: carom.sweep(drop, {"seed": [-1]}, jitter=1),
        lambda: carom.sweep(drop, {"mu": [1]}, jitter=float("nan")),
        lambda: carom.sweep(drop, {"mu": [1]}, path=tmp_path / "t.txt"),
        lambda: carom.sweep(drop, {"mu": [1]}, workers=0),
        lambda: carom.sweep(7, {"mu": [1]}),  # type: ignore[arg-type]
        lambda: carom.sweep(drop, 1),  # type: ignore[arg-type]
        lambda: carom.sweep(drop, {"mu": [1]}, jitter="much"),  # type: ignore[arg-type]
        lambda: carom.sweep(drop, {"mu": [1]}, path="\0.csv"),
        lambda: carom.sweep(drop, [1]),  # type: ignore[list-item]
    ]
    for wrong in wrongs:
        with pytest.raises(carom.ArgumentError):
            wrong()


def test_progress_is_reported(drop: carom.Scene, capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[tuple[int, int]] = []
    carom.sweep(drop, {"mu": [0.1, 0.2]}, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    carom.sweep(drop, {"mu": [0.1]}, progress=True)
    assert "1 of 1 runs" in capsys.readouterr().err


def slowly(run: carom.Trajectory) -> dict[str, float]:
    """Long enough for a worker to be killed in the middle."""
    time.sleep(0.02)
    return {"end": float(run.positions[-1, 0, 1])}


def tick(dask_scheduler: Any) -> float:
    """Milliseconds between two looks of a scheduler at itself."""
    return float(dask_scheduler.periodic_callbacks["tick"].callback_time)


def test_a_cluster_that_loses_a_worker_loses_no_run(drop: carom.Scene) -> None:
    distributed = pytest.importorskip("distributed")
    settings = {"mu": [k / 50 for k in range(50)], "COR": [0.0, 0.5]}
    wanted = rows(carom.sweep(drop, settings, measure=slowly))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster, distributed.Client(cluster) as client:
        victim = list(client.run(os.getpid).values())[0]
        killed: list[int] = []
        usual, during = client.run_on_scheduler(tick), 0.0

        def kill_once(done: int, total: int) -> None:
            nonlocal during
            if done >= 10 and not killed:
                killed.append(done)
                during = client.run_on_scheduler(tick)
                os.kill(victim, signal.SIGKILL)

        found = carom.sweep(drop, settings, measure=slowly, client=client, progress=kill_once)
        assert killed and len(found) == 100
        assert rows(found) == wanted, "the same bits on one worker or many"
        assert during > usual == client.run_on_scheduler(tick), "a sweep calms its cluster, and undoes that"


def deadly(run: carom.Trajectory) -> dict[str, float]:
    """Ends its process without a word where friction is 0.2."""
    assert run.scene is not None
    if 'mu="0.2"' in run.scene.to_xml():
        os._exit(9)
    return {"end": float(run.positions[-1, 0, 1])}


def test_a_run_that_ends_its_worker_is_a_row(drop: carom.Scene) -> None:
    distributed = pytest.importorskip("distributed")
    import dask

    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster, distributed.Client(cluster) as client:
        table = carom.sweep(drop, {"mu": [0.1, 0.2, 0.3, 0.4]}, measure=deadly, client=client)
    assert table["status"] == ["finished", "error", "finished", "finished"], table["reason"]
    assert "KilledWorker" in table["reason"][1]


def test_a_cluster_without_workers_is_reported(drop: carom.Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """It waited for ever: a worker whose successor did not start left nobody."""
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("carom._workers._NO_WORKERS", 1.0)
    with distributed.LocalCluster(
        n_workers=0, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster, distributed.Client(cluster) as client:
        with pytest.raises(carom.CaromError, match="no workers"):
            carom.sweep(drop, {"mu": [0.1, 0.2]}, client=client)
