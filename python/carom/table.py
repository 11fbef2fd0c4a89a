"""The table of a sweep."""

from __future__ import annotations

import contextlib
import csv
import io
import os
from typing import Any, Iterator, Mapping, Sequence

from ._arguments import place, writing
from .errors import ArgumentError


class Table:
    """Rows of a sweep, in the order of its settings."""

    def __init__(self, settings: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
        #: names of what was set
        self.settings = list(settings)
        #: a mapping for each run
        self.rows: list[Mapping[str, Any]] = list(rows)

    @property
    def columns(self) -> list[str]:
        """Names of all columns."""
        return list(dict.fromkeys(name for row in self.rows for name in row))

    def __len__(self) -> int:
        """Number of runs."""
        return len(self.rows)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.rows)

    def __getitem__(self, column: str) -> list[Any]:
        """A column; None where a run does not have it."""
        if column not in self.columns:
            raise ArgumentError(f"no column {column!r}; there are {', '.join(self.columns)}")
        return [row.get(column) for row in self.rows]

    @property
    def failures(self) -> list[Mapping[str, Any]]:
        """Rows of runs that did not finish."""
        return [row for row in self.rows if row["status"] != "finished"]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes ``.csv``, or ``.parquet`` where pyarrow is installed; the file appears whole."""
        target = place(path)
        suffix = target.suffix.lower()
        if suffix not in (".csv", ".parquet"):
            raise ArgumentError(f"a table is written as .csv or .parquet, not {target.name!r}")
        draft = target.with_name(f".{target.name}.{os.getpid()}")
        with writing(target), contextlib.ExitStack() as stack:
            stack.callback(draft.unlink, missing_ok=True)
            if suffix == ".csv":
                draft.write_text(self.to_csv(), encoding="utf-8", newline="")
            else:
                import pyarrow
                import pyarrow.parquet

                columns = {name: self[name] for name in self.columns}
                pyarrow.parquet.write_table(pyarrow.table(columns), draft)
            os.replace(draft, target)

    def to_csv(self) -> str:
        """The table as text. Lists are numbers with blanks between them."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        for row in self.rows:
            writer.writerow([_cell(row.get(name)) for name in self.columns])
        return out.getvalue()

    def to_pandas(self) -> Any:
        """A :class:`pandas.DataFrame`. Needs pandas."""
        import pandas

        return pandas.DataFrame({name: self[name] for name in self.columns})

    def to_xarray(self) -> Any:
        """An :class:`xarray.Dataset` with a dimension for each setting, for sweeps over all combinations.
        Needs xarray and pandas."""
        frame = self.to_pandas()
        if not self.settings or frame.duplicated(self.settings).any():
            raise ArgumentError("settings that repeat make no dimensions; use to_pandas")
        return frame.set_index(self.settings).to_xarray()

    def _repr_html_(self) -> str:
        return str(self.to_pandas()._repr_html_())

    def __repr__(self) -> str:
        failed = len(self.failures)
        return f"<carom.Table: {len(self)} runs over {', '.join(self.settings)}; {failed} did not finish>"


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return " ".join(str(one) for one in value)
    return "" if value is None else value
