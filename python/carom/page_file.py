"""The live page as one file: the same engine, compiled to WebAssembly, with controls. Nothing else is needed."""

from __future__ import annotations

import base64
import json
import tempfile
import webbrowser
import zlib
from functools import lru_cache
from pathlib import Path
from typing import Iterable

from .errors import ArgumentError, FileError
from .scene import Scene

#: What can be shown below the picture.
CONTROLS = ("play", "time", "speed", "methods", "knobs", "plots", "layers", "panes")
#: Stands in the page where it reads what to show (web/notebook.mjs).
_ASKED = "<!--asked-->"


@lru_cache(maxsize=1)
def page() -> str:
    """The page as one HTML file."""
    try:
        return (Path(__file__).parent / "page" / "notebook.html").read_text(encoding="utf-8")
    except OSError:
        reason = "this package was built without the page: `pip install .` needs node and cargo for it, and says why"
        raise FileError(reason) from None


def packed(text: str) -> str:
    """A scene as the page's links hold it: deflated, in letters of addresses (web/src/share.ts)."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = deflate.compress(text.encode("utf-8")) + deflate.flush()
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def control_names(controls: str | Iterable[str]) -> str:
    """Names of controls as the page reads them."""
    names = [controls] if isinstance(controls, str) else list(controls)
    unknown = [name for name in names if name not in CONTROLS]
    if unknown:
        raise ArgumentError(f"no control {unknown[0]!r}; there are {', '.join(CONTROLS)}")
    return ",".join(names)


def document(scene: Scene, controls: str | Iterable[str] = CONTROLS, *, autoplay: bool = True) -> str:
    """The page with a scene in it."""
    scene.check()
    search = json.dumps(f"?embed=1&controls={control_names(controls)}")
    fragment = json.dumps(f"s={packed(scene.to_xml())}{'' if autoplay else '&still'}")
    asked = f"globalThis.caromSearch = {search}; location.hash = {fragment};".replace("<", "\\u003c")
    return page().replace(_ASKED, f"<script>{asked}</script>", 1)


def play(scene: Scene, controls: str | Iterable[str] = CONTROLS) -> Path:
    """Opens the scene in a browser, from a file among the temporary ones; gives the file."""
    with tempfile.NamedTemporaryFile("w", suffix=".html", prefix="carom-", delete=False, encoding="utf-8") as file:
        file.write(document(scene, controls))
    path = Path(file.name)
    webbrowser.open(path.as_uri())
    return path
