"""The program and the package give the same bits. ``CAROM`` names the program; without it there is nothing to compare."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import carom

PROGRAM = os.environ.get("CAROM", "")
pytestmark = pytest.mark.skipif(not Path(PROGRAM).is_file(), reason="no program")

GRID = """
scene = "drop.xml"
jitter = 1e-3
measure = ["energy", "contacts", "rest", "final_state"]
[grid]
mu = [0.0, -1.0, 0.5]
COR = { from = 0.0, to = 1.0, count = 3 }
seed = [1, 2]
"""


def program(folder: Path, *words: str) -> str:
    done = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_gallery_scene_has_one_hash(gallery: list[Path], tmp_path: Path) -> None:
    """Of runs as the program makes them, whose frames are those of the scene's own rate."""
    for path in gallery:
        summary = json.loads(program(tmp_path, "run", str(path), "-o", "run.carom", "--json", "--steps", "120"))
        run = carom.Simulation(path).run(steps=120)
        assert summary["hash"] == run.hash, path.stem
        assert carom.read(tmp_path / "run.carom") == run, path.stem


def test_a_sweep_has_the_rows_of_the_package(drop: carom.Scene, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    drop.save(tmp_path / "drop.xml")
    (tmp_path / "grid.toml").write_text(GRID)
    program(tmp_path, "sweep", "grid.toml", "-o", "table.parquet", "-q")
    program(tmp_path, "sweep", "grid.toml", "-o", "table.csv", "-q")
    table = pandas.read_parquet(tmp_path / "table.parquet")
    text = pandas.read_csv(tmp_path / "table.csv")
    assert list(table.columns) == list(text.columns) and len(table) == 18
    settings: dict[str, Any] = {"mu": [0.0, -1.0, 0.5], "COR": [0.0, 0.5, 1.0], "seed": [1, 2]}
    ours = carom.sweep(drop, settings, jitter=1e-3, measure=["energy", "contacts", "rest", "final_state"])
    for name in ("run", "mu", "COR", "seed", "status", "hash", "energy_end", "contacts", "first_contact", "rest"):
        theirs = [None if pandas.isna(value) else value for value in table[name]]
        assert theirs == ours[name], name
        assert text[name].dropna().tolist() == table[name].dropna().tolist(), name
    first = [float(word) for word in table["final_positions"][0].split()]
    assert first == ours["final_positions"][0]


def test_one_attribute_is_set_for_one_run(drop: carom.Scene, tmp_path: Path) -> None:
    drop.save(tmp_path / "drop.xml")
    words = ["run", "drop.xml", "-o", "run.carom", "--json", "--set", "mu=0.7", "--set", "integrator.dt=0.02"]
    summary = json.loads(program(tmp_path, *words))
    assert summary["hash"] == drop.with_({"mu": 0.7, "integrator.dt": 0.02}).run().hash
