"""The examples do what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def run(name: str, folder: Path) -> str:
    command = [sys.executable, str(EXAMPLES / name), str(folder)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_first_steps(tmp_path: Path) -> None:
    printed = run("first_steps.py", tmp_path)
    assert "[0.0, 0.0, 0.0, 0.0, 0.0, 2.0]" in printed, printed
    assert (tmp_path / "cradle.mp4").stat().st_size > 1000


def test_control(tmp_path: Path) -> None:
    assert float(run("control.py", tmp_path).split(":")[1]) < 1e-6


def test_the_benchmark_runs(tmp_path: Path) -> None:
    """What it prints decides nothing."""
    pytest.importorskip("distributed")
    program = EXAMPLES.parent / "benchmarks" / "overhead.py"
    command = [sys.executable, str(program), "--runs", "3", "--milliseconds", "0.2", "--idle", "0.1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and "Dask" in done.stdout, done.stderr
