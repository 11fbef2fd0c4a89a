"""Pictures are checked: they have their size, their colours, and something that moves."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

import carom


def pixels(data: bytes) -> np.ndarray:
    """Width × height × channels of a PNG with 8-bit channels (PNG specification, sections 5 and 9)."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at, packed = 8, b""
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            packed += body
        at += length + 12
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[color]
    assert depth == 8
    raw, stride = zlib.decompress(packed), width * channels
    rows = [np.zeros(stride, dtype=np.int64)]
    for y in range(height):
        line = raw[y * (stride + 1) : (y + 1) * (stride + 1)]
        rows.append(unfiltered(line[0], np.frombuffer(line[1:], np.uint8).astype(np.int64), rows[-1], channels))
    return np.array(rows[1:], dtype=np.uint8).reshape(height, width, channels)


def unfiltered(kind: int, line: np.ndarray, above: np.ndarray, step: int) -> np.ndarray:
    if kind in (0, 2):
        return (line + (above if kind == 2 else 0)) % 256
    out = line.copy()
    for k in range(len(line)):
        left = out[k - step] if k >= step else 0
        corner = above[k - step] if k >= step else 0
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + above[k]) // 2
        else:
            near = left + above[k] - corner
            guess = min((left, above[k], corner), key=lambda value: abs(near - value))
        out[k] = (out[k] + guess) % 256
    return out


def test_a_still_shows_the_ball_where_it_is() -> None:
    scene = carom.Scene.planar().disc((0, 0), radius=1, mass=1).color(0, (1, 0, 0))
    scene.add("viewport", cx=0, cy=0, size=2)
    picture = pixels(carom.still(scene, size=(64, 64)))
    assert picture.shape[:2] == (64, 64)
    reddish = (picture[:, :, 0].astype(int) - picture[:, :, 1]) > 40
    ys, xs = np.nonzero(reddish)
    assert abs(xs.mean() - 31.5) < 1 and abs(ys.mean() - 31.5) < 1 and 28 < np.ptp(xs) < 36


def test_movies_and_folders(drop: carom.Scene, tmp_path: Path) -> None:
    run = drop.run()
    movie = carom.render(run, tmp_path / "run.mp4", size=(64, 64), layers=["contacts", "time"])
    assert movie.read_bytes()[4:8] == b"ftyp"
    assert carom.render(drop, tmp_path / "run.gif", size=(48, 48)).read_bytes().startswith(b"GIF89a")
    folder = carom.render(run, tmp_path / "frames", size=(48, 48), fps=10)
    files = sorted(folder.glob("*.png"))
    assert len(files) == 11
    assert (pixels(files[0].read_bytes()) != pixels(files[5].read_bytes())).any()
    svg = carom.render(carom.Simulation(drop), tmp_path / "now.svg").read_text()
    assert "<svg" in svg[:100]


def test_plots_have_the_numbers_of_the_run(drop: carom.Scene, tmp_path: Path) -> None:
    run = drop.run()
    picture = carom.plot(run, ["energy", "contacts"])
    assert picture._repr_svg_().startswith("<svg")
    assert "max-width: 100%" in picture._repr_svg_()[:100], "a plot was cut off in narrow cells"
    assert carom.plot({"a": run, "b": drop}, path=tmp_path / "both.png").read_bytes()[:4] == b"\x89PNG"
    plt = pytest.importorskip("matplotlib.figure")
    ax = carom.plot(run, "energy", ax=plt.Figure().subplots())
    kinetic = next(line for line in ax.get_lines() if line.get_label() == "kinetic")
    np.testing.assert_array_equal(kinetic.get_ydata(), run.kinetic)


def test_notebooks_show_things(drop: carom.Scene) -> None:
    assert "<svg" in drop._repr_html_()
    assert "<svg" in carom.Simulation(drop)._repr_html_()
    assert "data:video/mp4;base64," in drop.run(until=0.1)._repr_html_()
    assert "tme" in carom.Scene('<scene><duration tme="1"/></scene>')._repr_html_()


def test_wrong_pictures_are_reported(drop: carom.Scene, tmp_path: Path) -> None:
    run = drop.run(until=0.05)
    for wrong in (
        lambda: carom.render(run, tmp_path / "run.xyz"),
        lambda: carom.render(run, tmp_path / "run.mp4", layers=["nothing"]),
        lambda: carom.render(run, tmp_path / "run.gif", size=(0, 4)),
        lambda: carom.render(run, tmp_path / "run.gif", fps=0),
        lambda: carom.render(run, tmp_path / "run.gif", start=5, stop=1),
        lambda: carom.render(run, tmp_path / "run.gif", camera=((0, 0, 0), (0, 0, 0), 40)),
        lambda: carom.render(7, tmp_path / "run.gif"),  # type: ignore[arg-type]
        lambda: carom.render(run, tmp_path / "run.gif", size=(1,)),
        lambda: carom.render(run, tmp_path / "run.gif", size=4),  # type: ignore[arg-type]
        lambda: carom.render(run, tmp_path / "run.gif", camera=(1, 2)),  # type: ignore[arg-type]
        lambda: carom.render(run, tmp_path / "run.gif", speed="fast"),  # type: ignore[arg-type]
        lambda: carom.render(run, tmp_path / "run.png", start="now"),  # type: ignore[arg-type]
        lambda: carom.render(run, tmp_path / "run.gif", threads=-1),
        lambda: carom.render(run, tmp_path / "run.gif", side=0),
        lambda: carom.still(run, side="large"),  # type: ignore[arg-type]
        lambda: carom.still(run, layers=[3]),  # type: ignore[list-item]
        lambda: carom.render(run, 3),  # type: ignore[arg-type]
        lambda: carom.plot(run, "nothing"),
        lambda: carom.plot({}),
        lambda: carom.plot(run, 3),  # type: ignore[arg-type]
        lambda: carom.plot(run, path=tmp_path / "run.gif"),
        lambda: carom.still(run, kind="bmp"),
    ):
        with pytest.raises(carom.ArgumentError):
            wrong()
    assert not list(tmp_path.iterdir())
