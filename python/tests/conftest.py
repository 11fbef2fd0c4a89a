"""What several tests need."""

from __future__ import annotations

from pathlib import Path

import pytest

import carom

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def gallery() -> list[Path]:
    """Every scene of the gallery."""
    return sorted((ROOT / "scenes").glob("*.xml"))


@pytest.fixture
def drop() -> carom.Scene:
    """A disc that falls onto a floor."""
    scene = carom.Scene.planar(dt=0.01, duration=1).disc((0, 1), radius=0.25, mass=2)
    scene.polygon([(-3, -1), (3, -1), (3, 0), (-3, 0)], fixed=True).gravity(0, -10)
    return scene.handling("lcp", mu=0.3)
