"""Arguments as they should be, or :class:`ArgumentError`."""

from __future__ import annotations

import contextlib
import operator
import os
from pathlib import Path
from typing import Any, Iterator

from .errors import ArgumentError, FileError


def number(name: str, value: Any) -> float:
    """Any number, numpy's too."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{name} must be a number, not {value!r}") from None


def whole(name: str, value: Any) -> int:
    """A whole number, numpy's too."""
    try:
        return operator.index(value)
    except TypeError:
        raise ArgumentError(f"{name} must be a whole number, not {value!r}") from None


def text(value: str) -> str:
    """Text that a file can hold."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise ArgumentError(f"{value[:80]!r} is no text: half of a character is missing") from None
    return value


def place(path: str | os.PathLike[str]) -> Path:
    """The name of a file."""
    try:
        made = Path(path)
        if b"\0" not in os.fsencode(made):
            return made
    except (TypeError, UnicodeEncodeError):
        pass
    raise ArgumentError(f"{path!r} is no name of a file")


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """What the system says when it refuses to write, with the name of the file."""
    try:
        yield
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror or error}") from None
