"""A store, as the command answers questions about it."""

from __future__ import annotations

import csv
import datetime
import io
import os
import tempfile
import warnings
from dataclasses import dataclass
from typing import Any, Literal, Optional, Union

from . import _answers, _arguments, _command, _frames, _parquet
from ._arguments import Names, When
from ._errors import OpenHealthError, PartialResultWarning, UsageError
from ._frames import Frame, FrameKind, Kind, Table

#: The lengths of buckets of `Store.stats`, and weekdays.
Step = Literal["total", "hour", "day", "week", "month", "year", "weekday"]
#: The periods of `Store.summary`.
Period = Literal["day", "week", "month", "year"]


@dataclass(frozen=True)
class Explanation:
    """How the value of a day is made up, as `Store.explain` returns it.

    Attributes:
        type: HealthKit's identifier of the type.
        day: The local day; of sleep, the day to which the night belongs.
        zone: The time zone of the day.
        unit: The unit of all amounts; seconds for sleep.
        counted: The amount without double counting, of sleep the time asleep. None if nothing was
            recorded of a night.
        recorded: The plain sum of all sources that aren't excluded, with double counting; None for
            sleep.
        apple_total: Apple's total, if `Store.stats` answers with it instead of `counted`.
        sources: A frame with a row for each source, highest priority first: ``source``,
            ``bundle_identifier``, ``counted``, ``duplicate`` (the part that overlaps a source of
            higher priority), ``reason`` (for sleep, why not all is counted), ``unit``.
        intervals: A frame with the merged intervals, which never overlap: ``start``, ``end``
            (exclusive; both in `zone`), ``source``, and ``value`` with ``unit``, or ``stage`` for
            sleep.
        excluded: A frame with the sources that are excluded from the type: ``source``,
            ``bundle_identifier``, ``recorded`` (missing for sleep), ``reason``, ``unit``.
        answer: The command's JSON, unchanged.
    """

    type: str
    day: datetime.date
    zone: str
    unit: str
    counted: Optional[float]
    recorded: Optional[float]
    apple_total: Optional[float]
    sources: Frame
    intervals: Frame
    excluded: Frame
    answer: dict[str, Any]


class Store:
    """A store of one person's health data, which the command ``openhealth`` reads.

    Every method runs the command once or a few times and returns what it answers. Numbers are the
    command's to the last bit, and what wasn't measured is missing, never 0.

    Frames: the kind is the parameter ``frame`` of a method, else that of the store, else pandas if
    it is installed, else polars, else rows.

    ========  ===================  =====================  ============================
    column    pandas               polars                 rows (a list of dicts)
    ========  ===================  =====================  ============================
    number    float64, NaN         Float64, null          float, None
    text      str, NaN             String, null           str, None
    time      datetime64[us,       Datetime[us, zone],    datetime with the offset of
              zone], NaT           null                   the zone, None
    day       datetime64[us],      Date, null             date, None
              without a zone, NaT
    ========  ===================  =====================  ============================

    (Before version 3, pandas' text is of type object, with None.) The column ``zone`` names the
    time zone of times and days, and ``unit`` the unit of the numbers, unless their names contain
    it. Times outside the years 1 to 9999 are missing.

    Ranges: ``from_`` is inclusive, ``to`` exclusive. Both are a date (local midnight), an aware
    time, or text that the command reads, such as ``"2024-03-10"`` or ``"yesterday"``. A naive time
    is what clocks show in the time zone of the answer, the first time they do; with ``fold=1`` it
    is refused. ``last="30d"`` (``8w``, ``6m``, ``2y``, ``month``) and ``year=2025`` replace both.

    Types are HealthKit's names or what people call them: ``"stepCount"``, ``"steps"``, ``"HRV"``.

    Errors: all methods raise `UsageError` for a wrong argument, `CommandNotFoundError`,
    `MissingPackageError`, and `OpenHealthError` for anything else, such as a store that doesn't
    exist. They warn with `PartialResultWarning`.

    Parameters:
        path: The store's file. By default ``$OPENHEALTH_STORE``, else the command's default. A
            leading ``~`` is the home folder.
        person: The person whose store to use, as the command's ``--as``.
        time_zone: The time zone of days, for example ``"Europe/Berlin"``. By default the store's.
        command: The command's path or name. By default ``$OPENHEALTH_COMMAND``, else
            ``openhealth`` on the search path.
        frame: The kind of frames.

    Example::

        store = openhealth.Store("health.sqlite")
        steps = store.stats("steps", by="month", year=2025)
        steps[["day", "sum", "unit"]]
    """

    def __init__(
        self, path: Union[str, os.PathLike[str], None] = None, *, person: Optional[str] = None,
        time_zone: Optional[str] = None,
        command: Union[str, os.PathLike[str], None] = None, frame: Optional[FrameKind] = None,
    ) -> None:
        self._path = None if path is None else os.path.expanduser(os.fspath(path))
        self._person = person
        self._time_zone = time_zone
        self._command = command
        self._frame = frame

    def __repr__(self) -> str:
        return f"Store({self._path!r})" if self._path is not None else "Store()"

    def stats(
        self, type: str, *, by: Step = "day", from_: Optional[When] = None,
        to: Optional[When] = None, last: Optional[str] = None, year: Union[int, str, None] = None,
        best: Optional[int] = None, unit: Optional[str] = None, source: Optional[Names] = None,
        by_source: bool = False, week_starts: Optional[str] = None, gaps: bool = False,
        frame: Optional[FrameKind] = None,
    ) -> Frame:
        """Return sums or averages over time, without double counting: ``openhealth stats``.

        Parameters:
            type: The type. ``"sleep"`` gives nights, as `sleep` does.
            by: The length of a bucket, or ``"weekday"`` to compare the days of the week.
            from_, to, last, year: The range; see `Store`.
            best: Only this number of buckets, with the largest values, largest first.
            unit: A unit that fits the type, for example ``"km"`` or ``"kJ"``.
            source: Only these sources.
            by_source: Also a row for each source in each bucket.
            week_starts: The first day of the week, for example ``"sunday"``.
            gaps: Also a row for each day without data, between the first and the last one that
                have some. It needs ``by="day"``, without ``best``. Its numbers, ``start`` and
                ``end`` are missing.
            frame: The kind of frame.

        Returns:
            A row for each bucket with data, with the columns

            - ``day``: the local day on which the bucket starts,
            - ``start``, ``end`` (exclusive): the bucket, in the zone of ``zone``,
            - ``sum`` of an amount, or ``average``, ``minimum``, ``maximum`` and ``most_recent`` of
              readings, in the unit of ``unit``,
            - for categories ``value_name``, ``seconds`` and ``count``, in a row for each value,
            - ``source`` and ``bundle_identifier`` with ``by_source``: missing in the row of merged
              values, which is not the sum of its sources,
            - ``apple_total``, ``recorded_sum``, ``is_provisional`` if a bucket has Apple's total
              in place of the recorded sum,
            - ``type``, ``unit``, ``zone``, the same in all rows,
            - ``excluded``: the names of the sources that aren't counted, if there are any.

            By weekday: ``weekday``, ``days``, ``average``, ``lowest``, ``highest`` (of days),
            ``from_day``, ``through_day`` (inclusive), ``type``, ``unit``, ``zone``.

        Warns:
            PartialResultWarning: Samples are not counted because their unit or time is invalid.

        Example::

            >>> store.stats("steps", by="month", year=2025)[["day", "sum", "unit"]]
        """
        if gaps and (by != "day" or best is not None):
            raise UsageError("gaps needs by=\"day\", without best.")
        options = (
            _arguments.option("by", by)
            + _arguments.date_range(from_, to, last, year) + _arguments.option("best", best)
            + _arguments.option("unit", unit) + _arguments.names("source", source)
            + _arguments.flag("by-source", by_source)
            + _arguments.option("week-starts", week_starts))
        answer = self._answer("stats", options, [type])
        keys = sorted(_answers.keys(answer))
        if not keys and "buckets" in answer:
            # Without buckets, only the header of the CSV says how the type is aggregated.
            keys = self._text("stats", [*options, "--csv"], [type]).splitlines()[0].split(",")
        table = _answers.statistics(answer, _answers.Question(by, by_source, keys))
        if gaps:
            table.list_missing_days()
        _warn_of_skipped(answer)
        return table.frame(frame or self._frame)

    def sleep(
        self, *, by: Step = "day", from_: Optional[When] = None, to: Optional[When] = None,
        last: Optional[str] = None, year: Union[int, str, None] = None,
        best: Optional[int] = None, source: Optional[Names] = None, by_source: bool = False,
        week_starts: Optional[str] = None, gaps: bool = False, frame: Optional[FrameKind] = None,
    ) -> Frame:
        """Return nights, without double counting: ``openhealth stats sleepAnalysis``.

        A night is on one day: the day whose 24 hours up to 18:00 contain its midpoint, usually the
        day it ends on.

        Parameters:
            by: ``"day"`` for nights, a longer step for their totals, ``"hour"`` for the parts of
                nights in hours, ``"weekday"`` to compare the days of the week.
            from_, to, last, year, best, source, by_source, week_starts, gaps, frame: As in
                `stats`. The range selects whole days.

        Returns:
            A row for each day, or each longer bucket, that has sleep, with the columns

            - ``day``, ``start``, ``end``: the bucket as in `stats`,
            - ``night_start``, ``night_end``: the night, with ``by="day"``,
            - ``nights``, ``nights_asleep_unknown``: the numbers of nights, and of those of which
              the time asleep is not known,
            - ``asleep``, ``in_bed``, and by stage ``awake``, ``asleep_rem``, ``asleep_core``,
              ``asleep_deep``, ``asleep_unspecified``: seconds, missing if not recorded,
            - ``napped``: seconds asleep in naps, which aren't part of the night, and ``naps``,
              their number,
            - ``source``, ``bundle_identifier``, ``type``, ``unit`` (``"s"``), ``zone``,
              ``excluded`` as in `stats`.

            By weekday as `stats`: the time asleep of nights in seconds.

        Example::

            >>> nights = store.sleep(last="30d")
            >>> (nights["asleep"] / 3600).mean()      # hours; nights without a number don't count
        """
        return self.stats(
            "sleepAnalysis", by=by, from_=from_, to=to, last=last, year=year, best=best,
            source=source, by_source=by_source, week_starts=week_starts, gaps=gaps, frame=frame)

    def samples(
        self, type: str, *, merged: bool = False, from_: Optional[When] = None,
        to: Optional[When] = None, last: Optional[str] = None, year: Union[int, str, None] = None,
        source: Optional[Names] = None, limit: Optional[int] = None,
        frame: Optional[FrameKind] = None,
    ) -> Frame:
        """Return samples as recorded, or the merged timeline: ``openhealth samples``, ``export``.

        Samples as recorded overlap: what two devices recorded is there twice, so don't add them
        up. The merged intervals of a day add up to the sum of `stats`, to within the rounding of
        floating-point numbers.

        The command writes Parquet to a temporary folder, which pyarrow, polars or DuckDB reads.
        Without one of them, or with ``source`` or ``limit``, JSON is read, whose times have
        milliseconds instead of microseconds.

        Parameters:
            type: The type.
            merged: Merged intervals without double counting instead of recorded samples.
            from_, to, last, year: The range; see `Store`.
            source: Only these sources. The merged intervals are then those of these alone.
            limit: At most this number of rows, the earliest.
            frame: The kind of frame.

        Returns:
            A row for each sample or interval, in order of time, with the columns

            - ``type``: HealthKit's identifier,
            - ``day``: the local day of the start,
            - ``start``, ``end`` (exclusive; missing if not known), in the zone of ``zone``,
            - ``value`` in the unit of ``unit``: as recorded, so one type can have several; merged
              intervals have one. Of categories the raw value, and ``value_name`` its name.
            - ``source``, ``bundle_identifier``: who recorded it, or what is counted,
            - ``uuid`` and ``metadata`` (JSON as text) of recorded samples,
            - ``source_version``, ``device`` (its name), ``created`` (a time) of recorded samples,
              without ``source`` and ``limit``,
            - ``zone``.

        Example::

            >>> pulse = store.samples("heartRate", last="7d")
            >>> pulse.set_index("start")["value"].plot()
        """
        options = _arguments.date_range(from_, to, last, year) + _arguments.flag("merged", merged)
        kind = _frames.chosen(frame or self._frame)
        home = self._zone()
        columns = _answers.SAMPLE_COLUMNS + ([] if merged else _answers.RECORDED_COLUMNS)
        if source is not None or limit is not None:
            options += _arguments.names("source", source) + _arguments.option("limit", limit)
            answer = self._answer("samples", options, [type])
            return _answers.samples(answer, home, columns).frame(kind)
        columns += [] if merged else _answers.EXPORTED_COLUMNS
        if _parquet.can_read():
            with tempfile.TemporaryDirectory(prefix="openhealth-") as folder:
                file = self._export(folder, options, [type])
                return _parquet.frame(file, [*columns, ("zone", "text")], home, kind)
        output = self._run("export", ["--format=jsonl", "--out=-", *options], [type])
        return _answers.lines(output, home, columns).frame(kind)

    def daily(
        self, types: Optional[Names] = None, *, from_: Optional[When] = None,
        to: Optional[When] = None, last: Optional[str] = None, year: Union[int, str, None] = None,
        gaps: bool = False, frame: Optional[FrameKind] = None,
    ) -> Frame:
        """Return one row a day with the merged values of every type: ``openhealth export --daily``.

        Parameters:
            types: Only these types. By default all that have data.
            from_, to, last, year: The range; see `Store`.
            gaps: Also a row for each day without any data between the first and the last one.
            frame: The kind of frame.

        Returns:
            A row for each local day with data: ``day``, ``zone``, and columns of numbers whose
            names have their units: ``stepCount_count``, ``heartRate_average_count_per_min``,
            ``sleep_asleep_min``, ``workouts_min``. Documentation/ExportSchema.md lists them. Types
            without data have no column, and what wasn't measured on a day is missing, never 0.

        Example::

            >>> days = store.daily(["steps", "sleep"], last="1y")
            >>> days[["stepCount_count", "sleep_asleep_min"]].corr()
        """
        kind = _frames.chosen(frame or self._frame)
        options = _arguments.date_range(from_, to, last, year)
        wanted = _arguments.listed(types)
        if _parquet.can_read():
            with tempfile.TemporaryDirectory(prefix="openhealth-") as folder:
                file = self._export(folder, ["--daily", *options], wanted)
                columns = _daily_columns(_parquet.column_names(file))
                values = _parquet.lists(file, columns)
        else:
            text = self._text("export", ["--format=csv", "--out=-", "--daily", *options], wanted)
            columns, values = _daily_values(text)
        zones = values[[name for name, _ in columns].index("zone")]
        table = Table(zones[0] if zones else self._zone())
        for (name, column_kind), column in zip(columns, values):
            table.columns.append(
                _frames.Column(name, column_kind, column, is_constant=name == "zone"))
        if gaps:
            table.list_missing_days()
        return table.frame(kind)

    def workouts(
        self, *, activity: Optional[Names] = None, from_: Optional[When] = None,
        to: Optional[When] = None, last: Optional[str] = None, year: Union[int, str, None] = None,
        frame: Optional[FrameKind] = None,
    ) -> Frame:
        """Return workouts in order of start time: ``openhealth workouts``.

        Parameters:
            activity: Only these activities, for example ``"running"``.
            from_, to, last, year: The range; see `Store`. Workouts that touch it are returned.
            frame: The kind of frame.

        Returns:
            A row for each workout: ``day`` (the local day of the start), ``start``, ``end`` (in the
            zone of ``zone``), ``activity``, ``duration_s`` (seconds without pauses),
            ``distance_km``, ``energy_kcal``, ``pace_s_per_km`` (missing if not recorded),
            ``events``, ``routes``, ``route_points`` (numbers), ``source``, ``bundle_identifier``,
            ``uuid``, ``zone``.

        Example::

            >>> store.workouts(activity="running", year=2025)["distance_km"].sum()
        """
        options = (
            _arguments.names("activity", activity)
            + _arguments.date_range(from_, to, last, year))
        answer = self._answer("workouts", options)
        return _answers.workouts(answer, self._zone()).frame(frame or self._frame)

    def types(self, *, frame: Optional[FrameKind] = None) -> Frame:
        """Return the types that the store has: ``openhealth types``.

        Parameters:
            frame: The kind of frame.

        Returns:
            A row for each type: ``type`` (HealthKit's identifier), ``unit`` (of its statistics;
            missing for types without values), ``samples`` (their number as recorded),
            ``first_day``, ``last_day`` (local days), ``zone``.

        Example::

            >>> store.types().sort_values("samples").tail()
        """
        answer = self._answer("types", [])
        return _answers.types(answer, self._zone()).frame(frame or self._frame)

    def compare(
        self, type: str, *periods: str, on: Optional[str] = None, after: Optional[str] = None,
        activity: Optional[str] = None, from_: Optional[When] = None, to: Optional[When] = None,
        last: Optional[str] = None, year: Union[int, str, None] = None,
        unit: Optional[str] = None, frame: Optional[FrameKind] = None,
    ) -> Frame:
        """Return two periods, or days with workouts and others: ``openhealth compare``.

        Parameters:
            type: The type.
            periods: One or two periods: ``"this month"``, ``"30d"``, ``"2025-11"``. One is
                compared with the period before.
            on, after: ``"workouts"`` instead of periods: compares days with a workout, or days or
                nights after one, with all others.
            activity: Only workouts of this activity.
            from_, to, last, year: With ``on`` or ``after``, the range; see `Store`.
            unit: A unit that fits the type.
            frame: The kind of frame.

        Returns:
            Two rows: ``group`` (its name), ``from_day``, ``to_day`` (exclusive; of periods),
            ``days`` (the number with data), ``average``, ``lowest``, ``highest`` (of days or
            nights), ``sum`` (of amounts), ``difference`` and ``percent`` (in the first row: of its
            average against that of the second), ``type``, ``unit``, ``zone``.

        Example::

            >>> store.compare("sleep", after="workouts", last="1y")[["group", "average", "unit"]]
        """
        options = (
            _arguments.option("on", on) + _arguments.option("after", after)
            + _arguments.option("activity", activity)
            + _arguments.date_range(from_, to, last, year) + _arguments.option("unit", unit))
        answer = self._answer("compare", options, [type, *periods])
        return _answers.comparison(answer).frame(frame or self._frame)

    def explain(
        self, type: str, day: Union[str, datetime.date], *, frame: Optional[FrameKind] = None
    ) -> Explanation:
        """Return how the value of a day is made up: ``openhealth explain``.

        Parameters:
            type: A type that is summed, or ``"sleep"`` for the night of the day.
            day: The local day: a date, or text such as ``"yesterday"`` or ``"tuesday"``. Of a
                time, it is the date that the time shows.
            frame: The kind of the frames.

        Returns:
            The parts of the sources, the duplicates and the merged intervals: `Explanation`.

        Example::

            >>> store.explain("steps", "2025-03-10").sources[["source", "counted", "duplicate"]]
        """
        if isinstance(day, datetime.datetime):
            day = day.date()
        answer = self._answer("explain", _arguments.option("day", _arguments.when(day)), [type])
        return _explanation(answer, frame or self._frame)

    def summary(
        self, *, day: Union[str, datetime.date, None] = None, period: Period = "day",
        step_goal: Optional[int] = None,
    ) -> dict[str, Any]:
        """Return the overview of a day, week, month or year: ``openhealth summary``.

        The command caches it in a file beside the store.

        Parameters:
            day: The day, or a day of the period. By default the latest day with data.
            period: What to show.
            step_goal: The goal of steps a day.

        Returns:
            The command's JSON, unchanged: ``sentence``, ``day``, ``timeZone``, ``tiles`` with
            their ``metric`` (and its unit), values and series, ``night``, ``workouts`` and so on.
            Times are text in UTC, durations seconds. A key is missing where there is no data.

        Example::

            >>> store.summary(period="month")["sentence"]
        """
        if period not in ("day", "week", "month", "year"):
            raise UsageError("Unknown period. Use day, week, month or year.")
        if isinstance(day, datetime.datetime):
            day = day.date()
        options = (
            _arguments.option("day", _arguments.when(day))
            + _arguments.flag(period, period != "day")
            + _arguments.option("step-goal", step_goal))
        return self._answer("summary", options)

    # The command

    def _words(self, subcommand: str, options: list[str], names: Names) -> list[str]:
        return [
            subcommand, *options, *_arguments.option("store", self._path),
            *_arguments.option("as", self._person),
            *_arguments.option("time-zone", self._time_zone),
            *_arguments.positional(_arguments.listed(names))]

    def _run(self, subcommand: str, options: list[str], names: Names = ()) -> bytes:
        return _command.run(self._command, self._words(subcommand, options, names))

    def _text(self, subcommand: str, options: list[str], names: Names = ()) -> str:
        return self._run(subcommand, options, names).decode("utf-8")

    def _answer(
        self, subcommand: str, options: list[str], names: Names = ()
    ) -> dict[str, Any]:
        words = self._words(subcommand, [*options, "--json"], names)
        return _command.answer(self._command, words)

    def _export(self, folder: str, options: list[str], names: Names) -> str:
        """Write Parquet to a folder and return the path of the table that was asked for."""
        if "--daily" in options:
            file = out = os.path.join(folder, "days.parquet")
        else:
            # A folder, since a single file of workouts has their table instead of the samples.
            out = os.path.join(folder, "tables")
            name = "intervals" if "--merged" in options else "samples"
            file = os.path.join(out, f"{name}.parquet")
        self._run("export", ["--format=parquet", f"--out={out}", *options], names)
        return file

    def _zone(self) -> str:
        """Return the time zone of the answers, which some of them lack."""
        # An empty range: the command reads no sample for it.
        options = ["--by=total", "--from=2000-01-01", "--to=2000-01-01"]
        return str(self._answer("stats", options, ["stepCount"])["timeZone"])


def _warn_of_skipped(answer: dict[str, Any]) -> None:
    skipped = answer.get("skipped", {})
    for key, reason in [
        ("unconvertible", "the unit is unknown or doesn't fit the type"),
        ("malformed", "the time or the value is invalid"),
    ]:
        if skipped.get(key):
            warnings.warn(
                f"Samples are not counted, because {reason}: {skipped[key]}.",
                PartialResultWarning, stacklevel=_command.depth())


def _daily_columns(names: list[str]) -> list[tuple[str, Kind]]:
    kinds: dict[str, Kind] = {"day": "day", "zone": "text"}
    return [(name, kinds.get(name, "number")) for name in names]


def _daily_values(text: str) -> tuple[list[tuple[str, Kind]], list[list[Any]]]:
    """Return the columns of the CSV of ``export --daily``."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    columns = _daily_columns(rows[0])
    values: list[list[Any]] = [list(column) for column in zip(*rows[1:])] or [[] for _ in columns]
    for index, (_, kind) in enumerate(columns):
        if kind == "day":
            values[index] = [_frames.date(cell) for cell in values[index]]
        elif kind == "number":
            values[index] = [float(cell) if cell else None for cell in values[index]]
    return columns, values


def _explanation(answer: dict[str, Any], frame: Optional[FrameKind]) -> Explanation:
    number = _answers.number
    is_sleep = "nightBelongsTo" in answer
    zone, unit = str(answer["timeZone"]), str(answer["unit"])
    sources = Table(zone, [
        ("source", "text"), ("bundle_identifier", "text"), ("counted", "number"),
        ("duplicate", "number"), ("reason", "text")])
    for row in answer["sources"]:
        sources.add(
            source=row["name"], bundle_identifier=row.get("bundleIdentifier"),
            counted=number(row["contributed"]), duplicate=number(row["setAside"]),
            reason=row.get("reason"))
    intervals = Table(zone, [
        ("start", "time"), ("end", "time"),
        ("stage", "text") if is_sleep else ("value", "number"), ("source", "text")])
    for row in answer["segments"]:
        value = {"stage": row["stage"]} if is_sleep else {"value": number(row["value"])}
        intervals.add(
            start=_frames.microseconds(row["start"]), end=_frames.microseconds(row["end"]),
            source=row["source"], **value)
    excluded = Table(zone, [
        ("source", "text"), ("bundle_identifier", "text"), ("recorded", "number"),
        ("reason", "text")])
    for row in answer.get("excluded", ()):
        excluded.add(
            source=row["name"], bundle_identifier=row["bundleIdentifier"],
            recorded=number(row.get("recorded")), reason=row["reason"])
    for table in (sources, intervals, excluded):
        table.constant("unit", "text", unit)
    day = _frames.date(answer["day"])
    if day is None:
        raise OpenHealthError("The command's answer has no day.")
    return Explanation(
        type=str(answer["type"]), day=day, zone=zone, unit=unit,
        counted=number(answer["asleep"] if is_sleep else answer["merged"]),
        recorded=number(answer.get("naive")),
        apple_total=number(answer.get("fromTotals", {}).get("apple")),
        sources=sources.frame(frame), intervals=intervals.frame(frame),
        excluded=excluded.frame(frame), answer=answer)
