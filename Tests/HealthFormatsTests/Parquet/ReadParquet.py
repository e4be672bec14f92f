"""Reads the Parquet files of a folder with DuckDB, pyarrow and polars and compares each with the
text beside it. Prints the number of equal files, or ends with an error that names the file.

    python3 ReadParquet.py FOLDER
"""
import math
import pathlib
import struct
import sys

import duckdb
import polars
import pyarrow
import pyarrow.parquet

METADATA = {b"about": "Größe \"x\" 🫀".encode(), b"empty": b""}


def expected(path):
    columns = {}
    for line in path.read_text().splitlines():
        kind, name, *cells = line.split(" ")
        columns[bytes.fromhex(name[1:]).decode()] = (kind, [parse(kind, cell) for cell in cells])
    return columns


def parse(kind, cell):
    if cell == "-":
        return None
    if kind == "text":
        return bytes.fromhex(cell[1:]).decode()
    if kind == "double":
        return struct.unpack("<d", struct.pack("<Q", int(cell)))[0]
    return bool(int(cell)) if kind == "boolean" else int(cell)


def same(a, b):
    if isinstance(a, float) and isinstance(b, float):
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        return struct.pack("<d", a) == struct.pack("<d", b)
    return type(a) is type(b) and a == b


ARROW = {
    "boolean": pyarrow.bool_(), "int32": pyarrow.int32(), "int64": pyarrow.int64(),
    "double": pyarrow.float64(), "text": pyarrow.string(), "date": pyarrow.date32(),
    "timestamp": pyarrow.timestamp("us", tz="UTC"),
}
DUCKDB = {
    "boolean": "BOOLEAN", "int32": "INTEGER", "int64": "BIGINT", "double": "DOUBLE",
    "text": "VARCHAR", "date": "DATE", "timestamp": "TIMESTAMP WITH TIME ZONE",
}
POLARS = {
    "boolean": polars.Boolean(), "int32": polars.Int32(), "int64": polars.Int64(),
    "double": polars.Float64(), "text": polars.String(), "date": polars.Date(),
    "timestamp": polars.Datetime("us", "UTC"),
}


def by_pyarrow(path, columns):
    file = pyarrow.parquet.ParquetFile(path)
    assert METADATA.items() <= (file.metadata.metadata or {}).items(), "metadata"
    table = file.read()
    for name, (kind, _) in columns.items():
        column = table.column(name)
        assert column.type == ARROW[kind], (column.type, kind)
        if kind == "date":
            column = column.cast(pyarrow.int32())
        if kind == "timestamp":
            column = column.cast(pyarrow.int64())
        yield name, column.to_pylist()
    for group in range(file.metadata.num_row_groups):
        rows = file.metadata.row_group(group)
        start = sum(file.metadata.row_group(g).num_rows for g in range(group))
        for index in range(rows.num_columns):
            chunk = rows.column(index)
            kind, values = columns[chunk.path_in_schema]
            part = [v for v in values[start:start + rows.num_rows]]
            known = [v for v in part if v is not None]
            statistics = chunk.statistics
            assert statistics.null_count == len(part) - len(known), "null count"
            if statistics.has_min_max and kind in ("int32", "int64", "double", "boolean"):
                assert statistics.min == min(known) and statistics.max == max(known), "limits"
            elif kind in ("int32", "int64", "boolean"):
                assert not known, "limits are missing"
            if statistics.has_min_max and kind == "text":
                ordered = sorted(v.encode() for v in known)
                assert statistics.min.encode() == ordered[0], "text limits"
                assert statistics.max.encode() == ordered[-1], "text limits"


def by_duckdb(path, columns):
    database = duckdb.connect()
    table = database.read_parquet(str(path))
    for name, kind in zip(table.columns, table.types):
        assert str(kind) == DUCKDB[columns[name][0]], (kind, columns[name][0])
    for name, (kind, values) in columns.items():
        quoted = '"' + name + '"'
        form = quoted
        if kind == "date":
            form = f"CAST({quoted} - DATE '1970-01-01' AS BIGINT)"
        if kind == "timestamp":
            form = f"epoch_us({quoted})"
        rows = database.execute(f"SELECT {form} FROM '{path}'").fetchall()
        yield name, [row[0] for row in rows]
        # The limits of row groups must not hide a value.
        known = [v for v in values if v is not None and v == v]
        if known and kind in ("int32", "int64", "double", "text"):
            wanted = known[len(known) // 2]
            count = database.execute(
                f"SELECT count(*) FROM '{path}' WHERE {quoted} = ?", [wanted]).fetchone()[0]
            assert count == sum(v == wanted for v in known), ("filter", name)


def by_polars(path, columns):
    frame = polars.read_parquet(path)
    for name, (kind, _) in columns.items():
        column = frame[name]
        assert column.dtype == POLARS[kind], (column.dtype, kind)
        if kind in ("date", "timestamp"):
            column = column.to_physical()
        yield name, column.to_list()


def main(folder):
    count = 0
    for path in sorted(pathlib.Path(folder).glob("*.parquet")):
        columns = expected(path.with_suffix(".txt"))
        for reader in (by_pyarrow, by_duckdb, by_polars):
            try:
                for name, values in reader(path, columns):
                    kind, wanted = columns[name]
                    assert len(values) == len(wanted), (name, kind, len(values), len(wanted))
                    for row, (a, b) in enumerate(zip(values, wanted)):
                        assert same(a, b), (name, kind, row, a, b)
            except Exception as error:
                raise SystemExit(f"{path.name} by {reader.__name__}: {type(error).__name__} {error}")
        count += 1
    print(count)


main(sys.argv[1])
