"""How pip builds the package: maturin does it, after the page has been put where the wheel takes it from.

`pip install .` from a checkout thus holds the page. Building it takes `cargo xtask web`, which needs node and a
compiler for WebAssembly; where they cannot be had, the package is built without the page, with a message. At run time
none of this is needed. ``CAROM_PAGE=no`` leaves the page out; ``CAROM_PAGE=must`` makes its absence an error.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterator

import maturin
from maturin import (  # noqa: F401 -- the hooks that pip looks for
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "web" / "generated" / "notebook.html"
INSIDE = ROOT / "python" / "carom" / "page" / "notebook.html"


def build_wheel(*arguments: Any, **named: Any) -> str:
    """The wheel, with the page."""
    put_page()
    name: str = maturin.build_wheel(*arguments, **named)
    return name


def build_editable(*arguments: Any, **named: Any) -> str:
    """The same for `pip install -e .`."""
    put_page()
    name: str = maturin.build_editable(*arguments, **named)
    return name


def put_page() -> None:
    """Puts the page into the package; an old one is built again."""
    wish = os.environ.get("CAROM_PAGE", "")
    INSIDE.unlink(missing_ok=True)
    if wish == "no":
        return
    if is_old():
        print("building the page: cargo xtask web", file=sys.stderr, flush=True)
        # pip sets variables for Rust that would build everything twice
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("CARGO_ENCODED", "PYO3_"))}
        try:
            subprocess.run(["cargo", "xtask", "web"], cwd=ROOT, env=clean, check=True, stdout=sys.stderr)
        except (OSError, subprocess.CalledProcessError) as error:
            if wish == "must":
                raise
            print(f"carom: the page was not built ({error}); `scene.live()` will report it", file=sys.stderr)
    if BUILT.exists():
        INSIDE.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(BUILT, INSIDE)


def is_old() -> bool:
    """Whether the page is not there, or something that it is made of is newer."""
    try:
        made = BUILT.stat().st_mtime
    except OSError:
        return True
    return any(source.stat().st_mtime > made for source in sources())


def sources() -> Iterator[Path]:
    """What the page is made of: scripts, styles, and the engine."""
    yield from (ROOT / "web").glob("*.mjs")
    yield from (ROOT / "web" / "src").rglob("*.*")
    apart = ("cli", "python", "server", "render", "testkit")
    for crate in (ROOT / "crates").iterdir():
        if crate.name not in apart:
            yield from (crate / "src").rglob("*.rs")


if __name__ == "__main__":
    put_page()
