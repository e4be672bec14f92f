"""Samples, nights, workouts and the other answers."""

from __future__ import annotations

import datetime
import json
from collections import Counter
from math import fsum
from typing import Any
from unittest import mock

from .support import (
    CommandTestCase, answer, bits, handmade, has, needs, records, run, simulated)

READERS = [name for name in ("pyarrow", "polars", "duckdb") if has(name)]


def only(*packages: str) -> Any:
    """Hide all readers of Parquet but these."""
    return mock.patch("openhealth._parquet.installed", lambda name: name in packages)


class Samples(CommandTestCase):
    def test_samples_from_parquet_equal_those_from_json(self) -> None:
        for type in ("stepCount", "heartRate", "sleepAnalysis"):
            found = answer(simulated(), "samples", type)["samples"]
            self.assertGreater(len(found), 100)
            for reader in [*READERS, "none"]:
                for kind in self.kinds():
                    with self.subTest(type=type, reader=reader, frame=kind), only(reader):
                        rows = records(self.store(simulated()).samples(type, frame=kind))
                        self.compare(rows, found)
                        self.assertEqual(
                            fsum(row["value"] for row in rows),
                            fsum(sample["value"] for sample in found))

    def compare(self, rows: list[dict[str, Any]], found: list[dict[str, Any]]) -> None:
        self.assertEqual([row["uuid"] for row in rows], [sample["uuid"] for sample in found])
        for row, sample in zip(rows, found):
            self.assertEqual(bits(row["value"]), bits(float(sample["value"])))
            for name, key in [
                ("unit", "unit"), ("source", "source"), ("value_name", "valueName"),
                ("bundle_identifier", "bundleIdentifier"),
            ]:
                self.assertEqual(row[name], sample.get(key))
            for name in ("start", "end"):
                difference = row[name] - datetime.datetime.fromisoformat(sample[name])
                self.assertLess(abs(difference.total_seconds()), 0.001)
            self.assertEqual(str(row["day"])[:10], sample["start"][:10])
            self.assertEqual(json.loads(row["metadata"] or "{}"), sample["metadata"])
            self.assertEqual(row["zone"], "Europe/Berlin")

    def test_merged_intervals_add_up_to_the_statistics(self) -> None:
        sums = {
            row["day"]: row["sum"]
            for row in self.store(simulated()).stats("steps", frame="rows")}
        for reader in [*READERS, "none"]:
            with self.subTest(reader=reader), only(reader):
                rows = self.store(simulated()).samples("steps", merged=True, frame="rows")
                days: dict[Any, float] = Counter()
                for row in rows:
                    days[row["day"]] += row["value"]
                self.assertEqual(days.keys(), sums.keys())
                for day, value in days.items():
                    self.assertAlmostEqual(value, sums[day], places=6)
                self.assertEqual({row["unit"] for row in rows}, {"count"})

    def test_every_reader_gives_the_same_columns_and_types(self) -> None:
        for kind in self.kinds():
            for merged in (False, True):
                for last in (None, "1d"):
                    shapes = []
                    for reader in [*READERS, "none"]:
                        with only(reader):
                            frame = self.store(simulated()).samples(
                                "heartRate" if not merged else "steps", merged=merged, last=last,
                                frame=kind)
                        if kind == "rows":
                            shapes.append([list(row) for row in frame[:1]])
                        else:
                            types = [str(dtype) for dtype in frame.dtypes]
                            shapes.append([list(frame.columns), types])
                    self.assertEqual(shapes, shapes[:1] * len(shapes), f"{kind} {merged} {last}")

    def test_units_stay_as_recorded(self) -> None:
        for kind in self.kinds():
            rows = records(self.store(handmade()).samples("bodyMass", frame=kind))
            self.assertEqual(
                [(row["value"], row["unit"]) for row in rows], [(72.35, "kg"), (160.1, "lb")])

    def test_a_limit_and_a_source_restrict_the_samples(self) -> None:
        store = self.store(simulated())
        source = store.samples("steps", merged=True, limit=1, frame="rows")[0]["source"]
        rows = store.samples("steps", source=source, limit=5, frame="rows")
        self.assertEqual([row["source"] for row in rows], [source] * 5)
        merged = store.samples("steps", source=[source], merged=True, limit=4, frame="rows")
        self.assertEqual([row["source"] for row in merged], [source] * 4)
        self.assertNotIn("uuid", merged[0])

    def test_a_sample_without_a_number_has_no_value(self) -> None:
        for kind in self.kinds():
            for reader in [*READERS, "none"]:
                with only(reader):
                    for type in ("workout", "activitySummary", "bloodPressure"):
                        found = answer(simulated(), "samples", type)["samples"]
                        rows = records(self.store(simulated()).samples(type, frame=kind))
                        self.assertGreater(len(found), 100)
                        self.assertEqual(
                            [(row["value"], row["uuid"], row["day"].isoformat()[:10],
                              row["source"] or "") for row in rows],
                            [(None, sample["uuid"], sample["start"][:10], sample["source"])
                             for sample in found])


class Nights(CommandTestCase):
    def test_nights_are_those_of_the_command(self) -> None:
        buckets = answer(simulated(), "stats", "sleepAnalysis")["buckets"]
        self.assertGreater(len(buckets), 50)
        stages = {
            "awake": "awake", "asleep_rem": "asleepREM", "asleep_core": "asleepCore",
            "asleep_deep": "asleepDeep", "asleep_unspecified": "asleepUnspecified"}
        for kind in self.kinds():
            rows = records(self.store(simulated()).sleep(frame=kind))
            self.assertEqual([str(row["day"])[:10] for row in rows], [
                bucket["day"] for bucket in buckets])
            for row, bucket in zip(rows, buckets):
                self.assertEqual(
                    row["night_start"], datetime.datetime.fromisoformat(bucket["night"]["start"]))
                for name, key in [
                    ("asleep", "asleep"), ("in_bed", "inBed"), ("nights", "nights"),
                    ("napped", "napSeconds"), ("naps", "naps"),
                ]:
                    self.assertEqual(row[name], bucket[key])
                for name, key in stages.items():
                    self.assertEqual(row[name], bucket["seconds"].get(key))
                self.assertEqual((row["unit"], row["zone"]), ("s", "Europe/Berlin"))

    def test_unknown_time_asleep_is_missing(self) -> None:
        for kind in self.kinds():
            rows = records(self.store(handmade()).sleep(frame=kind))
            self.assertEqual([row["asleep"] for row in rows], [6.5 * 3600, None])
            self.assertEqual([row["in_bed"] for row in rows], [None, 7.5 * 3600])
            self.assertEqual([row["nights_asleep_unknown"] for row in rows], [0, 1])
            self.assertIsNone(rows[0]["asleep_deep"])

    def test_nights_by_month_and_hour_have_the_numbers_of_the_command(self) -> None:
        for step in ("hour", "month", "total"):
            buckets = answer(simulated(), "stats", "sleepAnalysis", "--by", step)["buckets"]
            rows = self.store(simulated()).sleep(by=step, frame="rows")  # type: ignore[arg-type]
            self.assertEqual([row["asleep"] for row in rows], [
                bucket["asleep"] for bucket in buckets])
            self.assertEqual("nights" in rows[0], step != "hour")


class Days(CommandTestCase):
    def test_daily_values_are_those_of_the_statistics(self) -> None:
        steps = {
            str(row["day"]): row["sum"]
            for row in self.store(simulated()).stats("steps", frame="rows")}
        text = run(
            "export", "--daily", "--format", "csv", "--out", "-", "--store", str(simulated()))
        header, *lines = text.decode().splitlines()
        for reader in [*READERS, "none"]:
            for kind in self.kinds():
                with self.subTest(reader=reader, frame=kind), only(reader):
                    rows = records(self.store(simulated()).daily(frame=kind))
                    self.assertEqual(",".join(rows[0]), header)
                    self.assertEqual(len(rows), len(lines))
                    for row, line in zip(rows, lines):
                        day, zone, *cells = line.split(",")
                        self.assertEqual((str(row["day"])[:10], row["zone"]), (day, zone))
                        self.assertEqual(bits(row["stepCount_count"]), bits(steps.get(day)))
                        for value, cell in zip(list(row.values())[2:], cells):
                            self.assertEqual(bits(value), bits(float(cell)) if cell else None)

    def test_what_was_not_measured_on_a_day_is_missing(self) -> None:
        for kind in self.kinds():
            rows = records(self.store(handmade()).daily(["steps", "bodyMass"], frame=kind))
            self.assertEqual(len(rows[0]), 6)
            by_day = {str(row["day"])[:10]: row for row in rows}
            self.assertIsNone(by_day["2024-04-01"]["stepCount_count"])
            self.assertIsNone(by_day["2024-04-03"]["bodyMass_average_kg"])
            self.assertNotIn("2024-04-02", by_day)
            rows = records(self.store(handmade()).daily(
                ["steps", "bodyMass"], to="2024-04-05", gaps=True, frame=kind))
            self.assertEqual(len(rows), 6)
            self.assertIsNone(rows[3]["stepCount_count"])
            self.assertEqual(rows[3]["zone"], "Europe/Berlin")

    def test_a_range_without_data_has_no_rows(self) -> None:
        for reader in [*READERS, "none"]:
            for kind in self.kinds():
                with only(reader):
                    frame = self.store(simulated()).daily(year=1990, frame=kind)
                self.assertEqual(len(frame), 0)


class Others(CommandTestCase):
    def test_workouts_are_those_of_the_command(self) -> None:
        found = answer(simulated(), "workouts")["workouts"]
        self.assertGreater(len(found), 5)
        keys = {
            "uuid": "uuid", "activity": "activity", "duration_s": "duration",
            "distance_km": "distance", "energy_kcal": "energy", "pace_s_per_km": "pace",
            "events": "events", "routes": "routes", "source": "source"}
        for kind in self.kinds():
            rows = records(self.store(simulated()).workouts(frame=kind))
            self.assertEqual(len(rows), len(found))
            for row, workout in zip(rows, found):
                for name, key in keys.items():
                    self.assertEqual(row[name], workout[key])
                self.assertEqual(
                    row["start"], datetime.datetime.fromisoformat(workout["start"]))
        name = found[0]["activity"]
        some = self.store(simulated()).workouts(activity=[name], frame="rows")
        self.assertEqual({row["activity"] for row in some}, {name})

    def test_types_have_their_number_of_samples_and_days(self) -> None:
        found = answer(simulated(), "types")["types"]
        for kind in self.kinds():
            rows = records(self.store(simulated()).types(frame=kind))
            self.assertEqual(
                [(row["type"], row["unit"], row["samples"], str(row["first_day"])[:10],
                  str(row["last_day"])[:10]) for row in rows],
                [(type["type"], type["unit"], type["samples"], type["first"][:10],
                  type["last"][:10]) for type in found])

    def test_a_comparison_has_two_groups_and_their_difference(self) -> None:
        words = ["compare", "sleep", "--after", "workouts"]
        found = answer(simulated(), *words)
        for kind in self.kinds():
            rows = records(self.store(simulated()).compare("sleep", after="workouts", frame=kind))
            for row, group in zip(rows, found["groups"]):
                for name, key in [
                    ("group", "name"), ("days", "days"), ("average", "average"),
                    ("lowest", "lowest"), ("highest", "highest"),
                ]:
                    self.assertEqual(row[name], group[key])
            self.assertEqual(rows[0]["difference"], found["difference"])
            self.assertEqual(rows[0]["percent"], found["percent"])
            self.assertIsNone(rows[1]["difference"])
            self.assertEqual(rows[1]["unit"], "s")

    def test_periods_without_data_have_no_average(self) -> None:
        for kind in self.kinds():
            rows = records(self.store(simulated()).compare("steps", "1990", "1991", frame=kind))
            for row, year in zip(rows, (1990, 1991)):
                self.assertEqual((row["days"], row["average"], row["sum"]), (0, None, None))
                self.assertEqual(str(row["from_day"])[:10], f"{year}-01-01")
                self.assertEqual(str(row["to_day"])[:10], f"{year + 1}-01-01")

    def test_an_explanation_has_sources_duplicates_and_intervals(self) -> None:
        best = self.store(simulated()).stats("steps", best=1, frame="rows")[0]
        found = answer(simulated(), "explain", "steps", "--day", best["day"].isoformat())
        for kind in self.kinds():
            explained = self.store(simulated()).explain("steps", best["day"], frame=kind)
            self.assertEqual(bits(explained.counted), bits(best["sum"]))
            self.assertEqual(explained.recorded, found["naive"])
            self.assertEqual((explained.day, explained.zone), (best["day"], "Europe/Berlin"))
            rows = records(explained.sources)
            self.assertEqual(
                [(row["source"], row["counted"], row["duplicate"], row["unit"]) for row in rows],
                [(part["name"], part["contributed"], part["setAside"], "count")
                 for part in found["sources"]])
            self.assertTrue(any(row["duplicate"] for row in rows))
            self.assertEqual([row["value"] for row in records(explained.intervals)], [
                part["value"] for part in found["segments"]])
            self.assertEqual([row["recorded"] for row in records(explained.excluded)], [
                part["recorded"] for part in found["excluded"]])
            self.assertEqual(explained.answer, found)

    def test_a_night_is_explained(self) -> None:
        explained = self.store(handmade()).explain(
            "sleep", datetime.date(2024, 3, 31), frame="rows")
        self.assertEqual((explained.counted, explained.unit), (6.5 * 3600, "s"))
        self.assertEqual([row["stage"] for row in explained.intervals], ["asleepCore"])
        self.assertIsNone(explained.recorded)
        empty = self.store(handmade()).explain("sleep", "2024-04-20", frame="rows")
        self.assertIsNone(empty.counted)

    def test_a_summary_is_the_commands_json(self) -> None:
        for period in ("day", "week", "month", "year"):
            options = [] if period == "day" else [f"--{period}"]
            found = answer(handmade(), "summary", "--day", "2024-04-03", *options)
            shown = self.store(handmade()).summary(
                day=datetime.date(2024, 4, 3), period=period)  # type: ignore[arg-type]
            for both in (found, shown):
                both.pop("freshness")
            self.assertEqual(shown, found)
            self.assertEqual(shown["period"], period)

    @needs("pandas", "polars")
    def test_the_default_is_pandas_then_polars_then_rows(self) -> None:
        import pandas
        import polars

        store = self.store(handmade())
        self.assertIsInstance(store.types(), pandas.DataFrame)
        with mock.patch("openhealth._frames.installed", lambda name: name == "polars"):
            self.assertIsInstance(store.types(), polars.DataFrame)
        with mock.patch("openhealth._frames.installed", lambda name: False):
            self.assertIsInstance(store.types(), list)
        self.assertIsInstance(self.store(handmade(), frame="rows").types(), list)
        polar = self.store(handmade(), frame="rows").types(frame="polars")
        self.assertIsInstance(polar, polars.DataFrame)
