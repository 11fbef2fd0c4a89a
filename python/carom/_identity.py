"""What tells one function from another, in every process the same: rows of a sweep are gone on with only by the
functions that measured them."""

from __future__ import annotations

import functools
import hashlib
import types
from typing import Any, Callable, Mapping

import numpy as np

from .scene import Scene


def identity_of(function: Callable[..., Any]) -> list[Any]:
    """Instructions, names and constants of a function, its defaults, and what it uses from around it."""
    return _Reader().function(function)


class _Reader:
    def __init__(self) -> None:
        #: what was read, for functions that use themselves
        self.seen: set[int] = set()

    def function(self, function: Callable[..., Any]) -> list[Any]:
        if id(function) in self.seen:
            return ["again"]
        self.seen.add(id(function))
        if isinstance(function, functools.partial):
            return [self.function(function.func), self.value(function.args), self.value(function.keywords)]
        named = getattr(function, "__qualname__", type(function).__qualname__)
        inner = function if hasattr(function, "__code__") else getattr(type(function), "__call__", None)
        code = getattr(inner, "__code__", None)
        if code is None:
            return [named]
        around = getattr(inner, "__globals__", {})
        # of the functions around it only those that are written beside it
        beside = (None, getattr(inner, "__module__", None))
        used = {name: around[name] for name in _names(code) if name in around}
        used = {name: value for name, value in used.items() if getattr(value, "__module__", None) in beside}
        held = [_content(cell) for cell in getattr(inner, "__closure__", None) or ()]
        parts = (code, getattr(inner, "__defaults__", None), getattr(inner, "__kwdefaults__", None), used, held)
        return [named, *(self.value(part) for part in parts)]

    def value(self, value: Any) -> Any:
        """A value as text and lists; of what has no value of its own, only the kind."""
        if isinstance(value, types.CodeType):
            return [value.co_code.hex(), value.co_names, self.value(value.co_consts)]
        if isinstance(value, (list, tuple)):
            return [self.value(one) for one in value]
        if isinstance(value, (set, frozenset)):
            return sorted(repr(self.value(one)) for one in value)
        if isinstance(value, Mapping):
            return [[repr(self.value(name)), self.value(one)] for name, one in value.items()]
        if isinstance(value, Scene):
            return value.to_xml()
        if isinstance(value, np.ndarray) and not value.dtype.hasobject:
            return [value.shape, value.dtype.str, hashlib.sha256(value.tobytes()).hexdigest()]
        if value is None or isinstance(value, (str, bytes, bool, int, float, complex, np.generic)):
            return repr(value)
        return self.function(value) if callable(value) else type(value).__qualname__


def _names(code: types.CodeType) -> list[str]:
    """Names that a function and those inside it look up."""
    inside = [_names(one) for one in code.co_consts if isinstance(one, types.CodeType)]
    return list(dict.fromkeys([*code.co_names, *(name for names in inside for name in names)]))


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None
