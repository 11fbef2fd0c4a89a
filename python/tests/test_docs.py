"""The Python of the pages does what they say: blocks run in their order, in one namespace and an empty folder."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(r"^```(python|\w+ file=(\S+))\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["docs/tutorial.md", "docs/python.md", "README.md"])
def test_every_block_of_python_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for needed in ("pandas", "xarray", "pyarrow", "gymnasium"):
        pytest.importorskip(needed)
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "scenes", tmp_path / "scenes")
    names: dict[str, Any] = {}
    found = _BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    for _, file, text in found:
        if file:
            (tmp_path / file).write_text(text, encoding="utf-8")
        else:
            exec(compile(text, page, "exec"), names)
    assert any(not file for _, file, _ in found)
