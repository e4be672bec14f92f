"""Tables from the command's answers in JSON.

Numbers are taken as they are: nothing is rounded, added up or converted.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Iterable, Optional, Sequence

from ._frames import Kind, Table, date, microseconds

Answer = dict[str, Any]

SUMS = [("sum", "sum")]
READINGS = [
    ("average", "average"), ("minimum", "minimum"), ("maximum", "maximum"),
    ("most_recent", "mostRecent"),
]
_STAGES = [
    ("awake", "awake"), ("asleep_rem", "asleepREM"), ("asleep_core", "asleepCore"),
    ("asleep_deep", "asleepDeep"), ("asleep_unspecified", "asleepUnspecified"),
]


def number(value: Any) -> Optional[float]:
    """Return a number of JSON as a float, and None for null.

    The command writes whole numbers without a decimal point. Every number that it writes is a
    float's shortest text, so none changes.
    """
    return None if value is None else float(value)


@dataclass(frozen=True)
class Question:
    """What `statistics` needs to know of the question, as an answer without buckets lacks it.

    Attributes:
        by: The value of ``--by``.
        by_source: Whether the parts of sources were asked for.
        keys: The names of the numbers: ``sum``, or ``average`` and so on, or ``seconds``.
    """

    by: str
    by_source: bool
    keys: Sequence[str]


def keys(answer: Answer) -> set[str]:
    """Return the names of the numbers in an answer of ``stats``; empty without buckets."""
    return {key for bucket in answer.get("buckets", ()) for key in bucket}


def statistics(answer: Answer, question: Question) -> Table:
    """Return the buckets of ``stats``."""
    if "weekdays" in answer:
        return _weekdays(answer)
    buckets = answer["buckets"]
    if "nightBelongsTo" in answer:
        table = _nights(answer, buckets, question)
    elif "seconds" in question.keys:
        table = _times(answer, buckets, question)
    else:
        table = _quantities(answer, buckets, question)
    _describe(table, answer)
    return table


def _describe(table: Table, answer: Answer) -> None:
    """Add what applies to all rows: type, unit, time zone, and the excluded sources if any."""
    table.constant("type", "text", answer["type"])
    table.constant("unit", "text", answer["unit"])
    table.constant("zone", "text", answer["timeZone"])
    if answer.get("excluded"):
        names = ", ".join(source["name"] for source in answer["excluded"])
        table.constant("excluded", "text", names)


def _parts(buckets: Iterable[Answer]) -> Iterable[tuple[Answer, Answer]]:
    """Return each bucket with its merged values, then with those of each source."""
    for bucket in buckets:
        yield bucket, bucket
        for source in bucket.get("sources", ()):
            yield bucket, source


def _span(bucket: Answer, values: Answer) -> Answer:
    return {
        "day": date(bucket["start"]), "start": microseconds(bucket["start"]),
        "end": microseconds(bucket["end"]), "source": values.get("name"),
        "bundle_identifier": values.get("bundleIdentifier"),
    }


def _columns(names: Iterable[tuple[str, Kind]], question: Question) -> list[tuple[str, Kind]]:
    columns: list[tuple[str, Kind]] = [("day", "day"), ("start", "time"), ("end", "time")]
    columns += names
    if question.by_source:
        columns += [("source", "text"), ("bundle_identifier", "text")]
    return columns


def _add(table: Table, row: Answer) -> None:
    """Add a row, without the values that have no column."""
    known = {column.name for column in table.columns}
    table.add(**{name: value for name, value in row.items() if name in known})


def _quantities(answer: Answer, buckets: list[Answer], question: Question) -> Table:
    found = [pair for pair in SUMS + READINGS if pair[1] in question.keys]
    names: list[tuple[str, Kind]] = [(name, "number") for name, _ in found]
    if any("fromTotals" in bucket for bucket in buckets):
        names += [
            ("apple_total", "number"), ("recorded_sum", "number"), ("is_provisional", "flag")]
    table = Table(answer["timeZone"], _columns(names, question))
    for bucket, values in _parts(buckets):
        row = _span(bucket, values)
        row.update({name: number(values.get(key)) for name, key in found})
        total = values.get("fromTotals", {})
        row.update(
            apple_total=number(total.get("apple")), recorded_sum=number(total.get("own")),
            is_provisional=total.get("provisional"))
        _add(table, row)
    return table


def _times(answer: Answer, buckets: list[Answer], question: Question) -> Table:
    names: list[tuple[str, Kind]] = [
        ("value_name", "text"), ("seconds", "number"), ("count", "integer")]
    table = Table(answer["timeZone"], _columns(names, question))
    for bucket, values in _parts(buckets):
        seconds, counts = values["seconds"], values["counts"]
        # A dict keeps the order, in which the command writes the values.
        for name in dict.fromkeys([*counts, *seconds]):
            _add(table, {
                **_span(bucket, values), "value_name": name, "count": counts.get(name),
                "seconds": number(seconds.get(name))})
    return table


def _nights(answer: Answer, buckets: list[Answer], question: Question) -> Table:
    names: list[tuple[str, Kind]] = []
    if question.by == "day":
        names += [("night_start", "time"), ("night_end", "time")]
    # By hour, the answer has parts of nights and no time in bed.
    is_whole = question.by != "hour"
    if is_whole:
        names += [("nights", "integer"), ("nights_asleep_unknown", "integer")]
    names.append(("asleep", "number"))
    if is_whole:
        names.append(("in_bed", "number"))
    names += [(name, "number") for name, _ in _STAGES]
    names.append(("napped", "number"))
    if is_whole:
        names.append(("naps", "integer"))
    table = Table(answer["timeZone"], _columns(names, question))
    for bucket, values in _parts(buckets):
        night = values.get("night", {})
        row = _span(bucket, values)
        row.update({name: number(values["seconds"].get(key)) for name, key in _STAGES})
        row.update(
            night_start=microseconds(night.get("start")), night_end=microseconds(night.get("end")),
            nights=values.get("nights"), nights_asleep_unknown=values.get("nightsAsleepUnknown"),
            asleep=number(values.get("asleep")), in_bed=number(values.get("inBed")),
            napped=number(values.get("napSeconds")), naps=values.get("naps"))
        _add(table, row)
    return table


def _weekdays(answer: Answer) -> Table:
    table = Table(answer["timeZone"], [
        ("weekday", "text"), ("days", "integer"), ("average", "number"), ("lowest", "number"),
        ("highest", "number")])
    for row in answer["weekdays"]:
        table.add(
            weekday=row["weekday"], days=row["days"], average=number(row["average"]),
            lowest=number(row["lowest"]), highest=number(row["highest"]))
    table.constant("from_day", "day", date(answer.get("from")))
    table.constant("through_day", "day", date(answer.get("through")))
    _describe(table, answer)
    return table


def comparison(answer: Answer) -> Table:
    """Return the two groups of ``compare``."""
    names: list[tuple[str, Kind]] = [
        ("group", "text"), ("from_day", "day"), ("to_day", "day"), ("days", "integer"),
        ("average", "number"), ("lowest", "number"), ("highest", "number")]
    if any("sum" in group for group in answer["groups"]):
        names.append(("sum", "number"))
    table = Table(answer["timeZone"], [*names, ("difference", "number"), ("percent", "number")])
    for index, group in enumerate(answer["groups"]):
        row = {key: number(group.get(key)) for key in ("average", "lowest", "highest", "sum")}
        if index == 0:
            row.update(
                difference=number(answer["difference"]), percent=number(answer["percent"]))
        _add(table, {
            "group": group["name"], "from_day": date(group.get("from")),
            "to_day": date(group.get("to")), "days": group["days"], **row})
    _describe(table, answer)
    return table


def types(answer: Answer, zone: str) -> Table:
    """Return the list of ``types``."""
    table = Table(zone, [
        ("type", "text"), ("unit", "text"), ("samples", "integer"), ("first_day", "day"),
        ("last_day", "day")])
    for row in answer["types"]:
        table.add(
            type=row["type"], unit=row["unit"], samples=row["samples"],
            first_day=date(row["first"]), last_day=date(row["last"]))
    table.constant("zone", "text", zone)
    return table


def workouts(answer: Answer, zone: str) -> Table:
    """Return the list of ``workouts``."""
    table = Table(zone, [
        ("day", "day"), ("start", "time"), ("end", "time"), ("activity", "text"),
        ("duration_s", "number"), ("distance_km", "number"), ("energy_kcal", "number"),
        ("pace_s_per_km", "number"), ("events", "integer"), ("routes", "integer"),
        ("route_points", "integer"), ("source", "text"), ("bundle_identifier", "text"),
        ("uuid", "text")])
    for row in answer["workouts"]:
        table.add(
            day=date(row["start"]), start=microseconds(row["start"]),
            end=microseconds(row["end"]), activity=row["activity"],
            duration_s=number(row["duration"]), distance_km=number(row["distance"]),
            energy_kcal=number(row["energy"]), pace_s_per_km=number(row["pace"]),
            events=row["events"], routes=row["routes"], route_points=row["routePoints"],
            source=row["source"], bundle_identifier=row["bundleIdentifier"], uuid=row["uuid"])
    table.constant("zone", "text", zone)
    return table


def samples(answer: Answer, zone: str, columns: list[tuple[str, Kind]]) -> Table:
    """Return the list of ``samples``: samples as recorded, or merged intervals."""
    table = Table(zone, columns)
    for row in answer["samples"]:
        _add(table, {**_sample(row), "type": answer["type"], "day": date(row["start"])})
    table.constant("zone", "text", zone)
    return table


#: The columns of samples and merged intervals.
SAMPLE_COLUMNS: list[tuple[str, Kind]] = [
    ("type", "text"), ("day", "day"), ("start", "time"), ("end", "time"), ("value", "number"),
    ("value_name", "text"), ("unit", "text"), ("source", "text"), ("bundle_identifier", "text")]
#: The further columns of samples as recorded.
RECORDED_COLUMNS: list[tuple[str, Kind]] = [("uuid", "text"), ("metadata", "text")]
#: And those that only exports have.
EXPORTED_COLUMNS: list[tuple[str, Kind]] = [
    ("source_version", "text"), ("device", "text"), ("created", "time")]


def lines(text: bytes, zone: str, columns: list[tuple[str, Kind]]) -> Table:
    """Return the samples or merged intervals of ``export --format jsonl``."""
    table = Table(zone, columns)
    for line in text.splitlines():
        row = json.loads(line)
        _add(table, {
            **_sample(row), "type": row["type"], "day": date(row["day"]),
            "source_version": row.get("sourceVersion"),
            "device": row.get("device", {}).get("name"),
            "created": microseconds(row.get("created"))})
    table.constant("zone", "text", zone)
    return table


def _sample(row: Answer) -> Answer:
    metadata = row.get("metadata")
    return {
        "start": microseconds(row["start"]), "end": microseconds(row.get("end")),
        "value": number(row.get("value")), "value_name": row.get("valueName"),
        "unit": row.get("unit"), "source": row.get("source") or None,
        "bundle_identifier": row.get("bundleIdentifier") or None, "uuid": row.get("uuid"),
        "metadata": json.dumps(metadata, ensure_ascii=False, separators=(",", ":"))
        if metadata else None,
    }
