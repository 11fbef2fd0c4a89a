"""The live page as a widget. The browser's part is tested by web/tests/notebook.test.mjs."""

from __future__ import annotations

import base64
import gzip
import os
import zlib
from pathlib import Path

import pytest

import carom

pytest.importorskip("anywidget")

from carom import live, page_file  # noqa: E402

has_page = (live._HERE / "page" / "notebook.html").exists()


def test_a_scene_is_packed_as_links_hold_it(drop: carom.Scene) -> None:
    word = page_file.packed(drop.to_xml())
    assert set(word) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    data = base64.urlsafe_b64decode(word + "=" * (-len(word) % 4))
    assert zlib.decompress(data, -15).decode() == drop.to_xml()


@pytest.mark.skipif(not has_page, reason="built without the page")
def test_the_widget_holds_the_whole_page_and_sends_wishes(drop: carom.Scene) -> None:
    widget = drop.live(controls=["play", "time"], height=300)
    page = gzip.decompress(widget._page).decode()
    assert "<!--asked-->" in page and '"engine.wasm"' in page
    sent: list[object] = []
    widget.send = lambda words: sent.append(words)
    widget.play()
    widget.seek(time=0.5)
    widget.turn("mu", 0.1)
    assert sent == [
        {"carom": "play"}, {"carom": "seek", "time": 0.5}, {"carom": "knob", "name": "mu", "value": 0.1},
    ]
    before = widget._packed
    widget.show(drop.with_(mu=0.9))
    assert widget._packed != before


@pytest.mark.skipif(not has_page, reason="built without the page")
def test_a_page_needs_no_notebook(drop: carom.Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    text = drop.to_html(tmp_path / "drop.html")
    assert (tmp_path / "drop.html").read_text(encoding="utf-8") == text
    assert page_file.packed(drop.to_xml()) in text and "<!--asked-->" not in text
    file = drop.play()
    assert opened == [file.as_uri()]
    file.unlink()


def test_the_page_is_in_the_package_where_it_must_be() -> None:
    assert has_page or os.environ.get("CAROM_PAGE") != "must"


def test_wrong_widgets_are_reported(drop: carom.Scene) -> None:
    with pytest.raises(carom.ArgumentError):
        live.Live("scene")  # type: ignore[arg-type]
    with pytest.raises(carom.ArgumentError):
        drop.live(controls=["dance"])
    if has_page:
        with pytest.raises(carom.ArgumentError):
            drop.live().seek()
