"""The notebooks run from top to bottom, and what they show is checked."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "docs" / "notebooks").glob("*.ipynb"))
#: Pictures and movies that each notebook shows at least.
SHOWN = {"tutorial": 4, "for-students": 3, "sweep": 0, "from-pymunk-or-mujoco": 0}


def pictures(cell: Any) -> list[str]:
    """What a cell shows besides text."""
    found = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        page = data.get("text/html", "")
        # xarray's tables have icons of their own
        found += [svg for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL) if "icon" not in svg[:40]]
        found += re.findall(r"data:video/mp4;base64,([A-Za-z0-9+/=]+)", page)
        found += [data["image/svg+xml"]] if "image/svg+xml" in data else []
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_it_says(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "notebooks are stored without outputs"
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = [picture for cell in notebook.cells for picture in pictures(cell)]
    assert len(shown) >= SHOWN[path.stem]
    for picture in shown:
        if picture.startswith("<"):
            assert len(re.findall(r"<(?:path|circle|line|polyline|polygon|rect|image)\b", picture)) >= 3, picture[:300]
        else:
            movie = base64.b64decode(picture)
            assert movie[4:8] == b"ftyp" and len(movie) > 2000


def test_there_are_notebooks() -> None:
    assert {path.stem for path in NOTEBOOKS} == set(SHOWN)
