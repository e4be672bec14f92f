"""Reads the Parquet files of ``export``, with the first reader that is installed."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from ._frames import Frame, FrameKind, Kind, Table, chosen, installed, pandas_text, zone

#: Columns of the files, by their names in frames.
_RENAMED = {"start": "start_date", "end": "end_date", "created": "created_date"}

Columns = Sequence[tuple[str, Kind]]


def can_read() -> bool:
    """Return whether a reader is installed: pyarrow, polars or DuckDB."""
    return any(installed(package) for package in ("pyarrow", "polars", "duckdb"))


def frame(path: str, columns: Columns, home: str, kind: Optional[FrameKind]) -> Frame:
    """Return a file as a frame.

    Parameters:
        path: The file.
        columns: The columns of the frame, in order.
        home: The time zone of the times.
        kind: The kind of frame.
    """
    kind = chosen(kind)
    zone(home)
    # Ten times as fast as through lists.
    if kind == "pandas" and installed("pyarrow"):
        return _pandas(path, columns, home)
    if kind == "polars":
        return _polars(path, columns, home)
    table = Table(home)
    for (name, column_kind), values in zip(columns, lists(path, columns)):
        table.constant(name, column_kind, None)
        table.columns[-1].values = values
    return table.frame(kind)


def _stored(columns: Columns) -> list[str]:
    return [_RENAMED.get(name, name) for name, _ in columns]


def _pandas(path: str, columns: Columns, home: str) -> Frame:
    import pandas
    import pyarrow.parquet

    stored = pyarrow.parquet.read_table(path, columns=_stored(columns))
    frame = stored.to_pandas(date_as_object=False)
    types = {"text": pandas_text(), "number": "float64", "day": "datetime64[us]"}
    made = {}
    for (name, kind), column in zip(columns, _stored(columns)):
        values = frame[column]
        if kind == "time":
            made[name] = values.astype("datetime64[us, UTC]").dt.tz_convert(home)
        else:
            made[name] = values.astype(types[kind])
            # An object column keeps None, also where the values were NaN before.
            if types[kind] == "object":
                made[name] = made[name].where(made[name].notna(), None)
    return pandas.DataFrame(made)


def _polars(path: str, columns: Columns, home: str) -> Frame:
    import polars

    made = []
    for (name, kind), column in zip(columns, _stored(columns)):
        selected = polars.col(column)
        if kind == "time":
            selected = selected.cast(polars.Datetime("us", "UTC")).dt.convert_time_zone(home)
        made.append(selected.alias(name))
    return polars.read_parquet(path, glob=False).select(made)


def lists(path: str, columns: Columns) -> list[list[Any]]:
    """Return the columns as lists, with times as microseconds since 1970-01-01 UTC."""
    stored = _stored(columns)
    times = [column for column, (_, kind) in zip(stored, columns) if kind == "time"]
    if installed("pyarrow"):
        import pyarrow
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(path, columns=stored)
        return [
            (table[name].cast(pyarrow.int64()) if name in times else table[name]).to_pylist()
            for name in stored]
    if installed("polars"):
        import polars

        read = polars.read_parquet(path, glob=False).with_columns(
            [polars.col(name).dt.epoch("us") for name in times])
        return [read[name].to_list() for name in stored]
    import duckdb

    selected = ", ".join(
        f'epoch_us("{name}")' if name in times else f'"{name}"' for name in stored)
    rows = duckdb.connect().execute(
        f"SELECT {selected} FROM read_parquet(?)", [path]).fetchall()
    return [list(values) for values in zip(*rows)] or [[] for _ in stored]


def column_names(path: str) -> list[str]:
    """Return the names of a file's columns."""
    if installed("pyarrow"):
        import pyarrow.parquet

        return list(pyarrow.parquet.read_schema(path).names)
    if installed("polars"):
        import polars

        return list(polars.read_parquet_schema(path))
    import duckdb

    rows = duckdb.connect().execute(
        "SELECT name FROM parquet_schema(?) OFFSET 1", [path]).fetchall()
    return [row[0] for row in rows]
