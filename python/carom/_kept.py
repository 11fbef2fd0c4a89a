"""Rows of a sweep that are kept on the disk while it goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import BinaryIO

from ._plan import Row
from .errors import ArgumentError, FileError


class Kept:
    """Rows in a file, a line each, so that a kill loses nothing that was done."""

    def __init__(self, target: Path, identity: str) -> None:
        if target.suffix.lower() not in (".csv", ".parquet"):
            raise ArgumentError(f"a table is written as .csv or .parquet, not {target.name!r}")
        self.target = target
        self.path = target.with_name(target.name + ".part.jsonl")
        self.rows: dict[int, Row] = {}
        try:
            self._file = open(self.path, "a+b")
        except OSError as error:
            raise FileError(f"cannot write {self.path}: {error.strerror}") from None
        try:
            _lock(self._file, self.path)
            whole = self._read(identity)
            self._file.truncate(whole)
        except BaseException:
            self._file.close()
            raise
        if whole == 0:
            self._write({"sweep": identity})

    def _read(self, identity: str) -> int:
        """Reads the rows; gives the length of all whole lines."""
        whole = 0
        self._file.seek(0)
        for number, line in enumerate(self._file):
            if not line.endswith(b"\n"):
                break
            try:
                row = dict(json.loads(line))
                if number > 0:
                    self.rows[int(row["run"])] = row
            except (ValueError, TypeError, KeyError):
                raise FileError(f"{self.path} is no file of rows; remove it to begin again") from None
            if number == 0 and row.get("sweep") != identity:
                raise FileError(f"{self.path} is of another sweep; remove it to begin again")
            whole += len(line)
        return whole

    def _write(self, row: Row) -> None:
        self._file.write(json.dumps(row).encode() + b"\n")
        self._file.flush()

    def add(self, row: Row) -> None:
        self._write(row)

    def close(self) -> None:
        self._file.close()

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)


def _lock(file: BinaryIO, path: Path) -> None:
    """Refuses a file that another sweep writes; the system frees the lock of a process that ends in any way."""
    try:
        import fcntl
    except ImportError:  # not of this system
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise FileError(f"{path} is being written by another sweep") from None
    except OSError:
        pass  # a file system without locks
