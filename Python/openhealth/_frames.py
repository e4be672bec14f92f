"""Tables of columns, and the frames that they become."""

from __future__ import annotations

import datetime
import importlib.util
from dataclasses import dataclass, field
from typing import Any, Iterable, Literal, Optional
from zoneinfo import ZoneInfo

from ._errors import MissingPackageError, OpenHealthError, UsageError

#: The kinds of frames.
FrameKind = Literal["pandas", "polars", "rows"]
#: A ``pandas.DataFrame``, a ``polars.DataFrame``, or a list with a dict for each row.
Frame = Any

Kind = Literal["text", "number", "integer", "flag", "time", "day"]

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_MICROSECOND = datetime.timedelta(microseconds=1)
# A day from the limits of Python's calendar, so that every time has a local time in every zone.
_LIMIT = datetime.timedelta(days=1)
_FIRST = (datetime.datetime.min.replace(tzinfo=datetime.timezone.utc) + _LIMIT - _EPOCH)
_LAST = (datetime.datetime.max.replace(tzinfo=datetime.timezone.utc) - _LIMIT - _EPOCH)


def chosen(kind: Optional[FrameKind]) -> FrameKind:
    """Return the kind of frame: the given one, else pandas or polars if installed, else rows.

    Raises:
        UsageError: There is no such kind.
        MissingPackageError: Its package isn't installed.
    """
    if kind is None:
        return "pandas" if installed("pandas") else "polars" if installed("polars") else "rows"
    if kind not in ("pandas", "polars", "rows"):
        raise UsageError("Unknown frame. Use pandas, polars or rows.")
    if kind != "rows" and not installed(kind):
        raise MissingPackageError(
            f"The package {kind} is not installed. Install it with pip, or use frame=\"rows\".")
    return kind


def installed(package: str) -> bool:
    """Return whether a package can be imported, without importing it."""
    return importlib.util.find_spec(package) is not None


def microseconds(text: Optional[str]) -> Optional[int]:
    """Return a time in ISO 8601 with an offset as microseconds since 1970-01-01 UTC.

    None for None, and for times that Python's calendar, from year 1 to 9999, doesn't have.
    """
    if not text:
        return None
    try:
        passed = datetime.datetime.fromisoformat(text) - _EPOCH
    except ValueError:
        return None
    return passed // _MICROSECOND if _FIRST <= passed <= _LAST else None


def date(text: Optional[str]) -> Optional[datetime.date]:
    """Return the date with which a text begins: "2024-03-10T09:05:00+01:00". None as above."""
    try:
        return datetime.date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None


def zone(name: str) -> ZoneInfo:
    """Return a time zone.

    Raises:
        OpenHealthError: Python doesn't have the zone.
    """
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):  # ZoneInfoNotFoundError is a KeyError.
        raise OpenHealthError(
            f"Python doesn't have the time zone {name}. Install it with: pip install tzdata"
        ) from None


@dataclass
class Column:
    """A column: its name, the kind of its values, and these.

    Times are microseconds since 1970-01-01 UTC, days are dates, and None is missing.
    """

    name: str
    kind: Kind
    values: list[Any] = field(default_factory=list)
    #: Whether all rows have the same value, also rows for days without data.
    is_constant: bool = False


class Table:
    """Columns of the same length, with the time zone of their times."""

    def __init__(self, zone_name: str, columns: Iterable[tuple[str, Kind]] = ()) -> None:
        self.zone = zone_name
        self.columns = [Column(name, kind) for name, kind in columns]

    def add(self, **values: Any) -> None:
        """Add a row. A column without a value is missing in it."""
        for column in self.columns:
            column.values.append(values.pop(column.name, None))
        if values:
            raise KeyError(", ".join(values))

    def __len__(self) -> int:
        return len(self.columns[0].values) if self.columns else 0

    def __getitem__(self, name: str) -> Column:
        return next(column for column in self.columns if column.name == name)

    def constant(self, name: str, kind: Kind, value: Any) -> None:
        """Add a column with one value in all rows."""
        self.columns.append(Column(name, kind, [value] * len(self), is_constant=True))

    def list_missing_days(self) -> None:
        """Add a row for each day without one between the first and the last day.

        Such a row has the day and the constant columns. Everything else is missing.
        """
        days = self["day"].values
        if not days:
            return
        rows: list[Optional[int]] = []
        listed: list[datetime.date] = []
        for index, day in enumerate(days):
            while listed and listed[-1] + datetime.timedelta(days=1) < day:
                listed.append(listed[-1] + datetime.timedelta(days=1))
                rows.append(None)
            listed.append(day)
            rows.append(index)
        for column in self.columns:
            gap = column.values[0] if column.is_constant else None
            column.values = [gap if row is None else column.values[row] for row in rows]
        self["day"].values = listed

    def frame(self, kind: Optional[FrameKind]) -> Frame:
        """Return the table as a frame; see `chosen` for the kind."""
        kind = chosen(kind)
        # Also without rows, so that a zone that Python lacks is reported at once.
        home = zone(self.zone)
        if kind == "pandas":
            return self._pandas()
        if kind == "polars":
            return self._polars()
        names = [column.name for column in self.columns]
        values = [
            [_local(value, home) for value in column.values] if column.kind == "time"
            else column.values for column in self.columns]
        return [dict(zip(names, row)) for row in zip(*values)]

    def _pandas(self) -> Frame:
        import pandas

        def series(column: Column) -> Any:
            values = column.values
            if column.kind == "number":
                return pandas.Series(values, dtype="float64")
            if column.kind == "integer":
                return pandas.Series(values, dtype="Int64" if None in values else "int64")
            if column.kind == "flag":
                return pandas.Series(values, dtype="boolean")
            if column.kind == "text":
                return pandas.Series(values, dtype=pandas_text())
            if column.kind == "day":
                return pandas.Series(values, dtype="datetime64[us]")
            times = pandas.Series(values, dtype="Int64").astype("datetime64[us]")
            return times.dt.tz_localize("UTC").dt.tz_convert(self.zone)

        return pandas.DataFrame({column.name: series(column) for column in self.columns})

    def _polars(self) -> Frame:
        import polars

        types: dict[Kind, Any] = {
            "number": polars.Float64, "integer": polars.Int64, "flag": polars.Boolean,
            "text": polars.String, "day": polars.Date, "time": polars.Int64,
        }
        series = []
        for column in self.columns:
            made = polars.Series(column.name, column.values, dtype=types[column.kind])
            if column.kind == "time":
                made = made.cast(polars.Datetime("us", "UTC")).dt.convert_time_zone(self.zone)
            series.append(made)
        return polars.DataFrame(series)


def pandas_text() -> str:
    """Return pandas' type of text: its own from version 3 on, objects before."""
    import pandas

    return "str" if int(pandas.__version__.split(".")[0]) >= 3 else "object"


def _local(value: Optional[int], home: ZoneInfo) -> Optional[datetime.datetime]:
    """Return a time with the offset that its zone has then.

    Python subtracts two times of one zone as their clocks show them, and is an hour wrong where
    the clocks change in between. With offsets the difference is right.
    """
    if value is None:
        return None
    local = (_EPOCH + value * _MICROSECOND).astimezone(home)
    offset = local.utcoffset() or datetime.timedelta()
    return local.replace(tzinfo=datetime.timezone(offset), fold=0)
