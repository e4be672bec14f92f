"""Statistics are the command's, in every kind of frame."""

from __future__ import annotations

import datetime
from typing import Any

from .support import CommandTestCase, answer, bits, handmade, needs, records, simulated

READINGS = {
    "average": "average", "minimum": "minimum", "maximum": "maximum",
    "most_recent": "mostRecent"}


class Statistics(CommandTestCase):
    def check(self, rows: list[dict[str, Any]], buckets: list[Any], keys: dict[str, str]) -> None:
        """Compare rows with the buckets of JSON: days, times and numbers to the last bit."""
        self.assertEqual(len(rows), len(buckets))
        for row, bucket in zip(rows, buckets):
            self.assertEqual(str(row["day"])[:10], bucket["start"][:10])
            for name in ("start", "end"):
                # Seconds: Python finds no time of a repeated hour equal to one of another zone.
                moment = datetime.datetime.fromisoformat(bucket[name])
                self.assertEqual(row[name].timestamp(), moment.timestamp())
                self.assertEqual(row[name].isoformat(), bucket[name])
            for name, key in keys.items():
                number = bucket[key]
                self.assertEqual(
                    bits(row[name]), None if number is None else bits(float(number)))

    def test_merged_daily_steps_equal_those_of_the_command_to_the_last_bit(self) -> None:
        for type in ("steps", "distanceWalkingRunning", "activeEnergyBurned"):
            buckets = answer(simulated(), "stats", type)["buckets"]
            self.assertGreater(len(buckets), 100)
            self.assertTrue(any(bucket["sum"] % 1 for bucket in buckets))
            for kind in self.kinds():
                with self.subTest(type=type, frame=kind):
                    frame = self.store(simulated()).stats(type, frame=kind)
                    self.check(records(frame), buckets, {"sum": "sum"})

    def test_readings_equal_those_of_the_command(self) -> None:
        for step in ("hour", "week", "year", "total"):
            buckets = answer(simulated(), "stats", "heartRate", "--by", step)["buckets"]
            for kind in self.kinds():
                with self.subTest(by=step, frame=kind):
                    frame = self.store(simulated()).stats("heartRate", by=step, frame=kind)
                    self.check(records(frame), buckets, READINGS)

    def test_type_unit_and_zone_are_in_every_row(self) -> None:
        for kind in self.kinds():
            rows = records(self.store(simulated()).stats("steps", unit="count", frame=kind))
            for row in rows:
                self.assertEqual(row["type"], "HKQuantityTypeIdentifierStepCount")
                self.assertEqual((row["unit"], row["zone"]), ("count", "Europe/Berlin"))

    def test_a_unit_is_the_commands_conversion(self) -> None:
        buckets = answer(
            simulated(), "stats", "distanceWalkingRunning", "--unit", "mi", "--by", "month")
        frame = self.store(simulated()).stats(
            "distanceWalkingRunning", unit="mi", by="month", frame="rows")
        self.check(frame, buckets["buckets"], {"sum": "sum"})
        self.assertEqual({row["unit"] for row in frame}, {"mi"})

    def test_excluded_sources_are_named(self) -> None:
        found = answer(simulated(), "stats", "steps")["excluded"]
        names = ", ".join(source["name"] for source in found)
        self.assertTrue(names)
        rows = self.store(simulated()).stats("steps", frame="rows")
        self.assertEqual({row["excluded"] for row in rows}, {names})

    def test_parts_of_sources_have_their_own_rows(self) -> None:
        buckets = answer(simulated(), "stats", "steps", "--by-source")["buckets"]
        expected = [
            (part.get("name"), part.get("bundleIdentifier"), bits(float(part["sum"])))
            for bucket in buckets for part in [bucket, *bucket["sources"]]]
        rows = self.store(simulated()).stats("steps", by_source=True, frame="rows")
        self.assertEqual(expected, [
            (row["source"], row["bundle_identifier"], bits(row["sum"])) for row in rows])

    def test_categories_have_a_row_for_each_value(self) -> None:
        buckets = answer(handmade(), "stats", "appleStandHour")["buckets"]
        expected = [
            (bucket["start"][:10], name, float(bucket["seconds"][name]), count)
            for bucket in buckets for name, count in bucket["counts"].items()]
        self.assertGreater(len({row[1] for row in expected}), 1)
        for kind in self.kinds():
            rows = records(self.store(handmade()).stats("appleStandHour", frame=kind))
            self.assertEqual(expected, [
                (str(row["day"])[:10], row["value_name"], row["seconds"], row["count"])
                for row in rows])

    def test_weekdays_are_the_commands(self) -> None:
        found = answer(simulated(), "stats", "steps", "--by", "weekday", "--week-starts", "sunday")
        rows = self.store(simulated()).stats(
            "steps", by="weekday", week_starts="sunday", frame="rows")
        self.assertEqual(rows[0]["weekday"], "sunday")
        for row, expected in zip(rows, found["weekdays"]):
            for key in ("weekday", "days", "average", "lowest", "highest"):
                self.assertEqual(row[key], expected[key])
            self.assertEqual(row["from_day"].isoformat(), found["from"])
            self.assertEqual(row["through_day"].isoformat(), found["through"])

    def test_the_best_days_come_largest_first(self) -> None:
        rows = self.store(simulated()).stats("steps", best=3, frame="rows")
        found = answer(simulated(), "stats", "steps", "--best", "3")["buckets"]
        self.check(rows, found, {"sum": "sum"})
        self.assertEqual(sorted((row["sum"] for row in rows), reverse=True), [
            row["sum"] for row in rows])

    def test_a_range_without_data_has_no_rows_but_all_columns(self) -> None:
        cases = {
            "steps": {"sum"}, "bodyMass": set(READINGS),
            "mindfulSession": {"value_name", "seconds", "count"},
            "sleep": {"asleep", "in_bed", "night_start"}}
        store = self.store(simulated())
        for type, names in cases.items():
            for kind in self.kinds():
                if kind == "rows":
                    self.assertEqual(store.stats(type, year=1990, frame=kind), [])
                    continue
                frame = store.stats(type, year=1990, frame=kind)
                self.assertEqual(len(frame), 0)
                full = store.stats(type, frame=kind)
                self.assertLessEqual(names | {"day", "start", "unit", "zone"}, set(frame.columns))
                if type != "steps":
                    self.assertEqual(list(frame.columns), list(full.columns))
                    self.assertEqual(list(frame.dtypes), list(full.dtypes))


class Gaps(CommandTestCase):
    def test_days_without_data_are_missing_and_never_zero(self) -> None:
        store = self.store(handmade())
        plain = store.stats("bodyMass", frame="rows")
        self.assertEqual([row["day"].day for row in plain], [1, 4])
        for kind in self.kinds():
            rows = records(store.stats("bodyMass", gaps=True, frame=kind))
            self.assertEqual([row["day"].day for row in rows], [1, 2, 3, 4])
            for row in rows[1:3]:
                self.assertEqual(row["unit"], "kg")
                self.assertEqual(row["zone"], "Europe/Berlin")
                for name in (*READINGS, "start", "end"):
                    self.assertIsNone(row[name])
            self.assertEqual(rows[0]["average"], plain[0]["average"])
            self.assertEqual(rows[3]["average"], plain[1]["average"])

    @needs("pandas")
    def test_in_pandas_a_missing_number_is_nan_and_a_missing_time_nat(self) -> None:
        import pandas

        frame = self.store(handmade()).stats("bodyMass", gaps=True, frame="pandas")
        self.assertEqual(str(frame["average"].dtype), "float64")
        self.assertEqual(int(frame["average"].isna().sum()), 2)
        self.assertIs(frame["start"][1], pandas.NaT)
        self.assertEqual(str(frame["start"].dtype), "datetime64[us, Europe/Berlin]")
        self.assertEqual(str(frame["day"].dtype), "datetime64[us]")

    @needs("polars")
    def test_in_polars_a_missing_number_is_null(self) -> None:
        import polars

        frame = self.store(handmade()).stats("bodyMass", gaps=True, frame="polars")
        self.assertEqual(frame["average"].null_count(), 2)
        self.assertEqual(frame.schema["start"], polars.Datetime("us", "Europe/Berlin"))
        self.assertEqual(frame.schema["day"], polars.Date)
        self.assertEqual(frame.schema["average"], polars.Float64)


class Zones(CommandTestCase):
    def test_the_day_on_which_clocks_go_forward_has_23_hours(self) -> None:
        for kind in self.kinds():
            rows = records(self.store(handmade()).stats(
                "steps", from_="2024-03-31", to="2024-04-01", frame=kind))
            self.assertEqual(len(rows), 1)
            start, end = rows[0]["start"], rows[0]["end"]
            self.assertEqual(start.isoformat(), "2024-03-31T00:00:00+01:00")
            self.assertEqual(end.isoformat(), "2024-04-01T00:00:00+02:00")
            passed = end.timestamp() - start.timestamp()
            self.assertEqual(passed, 23 * 3600)
            # Half of the first walk, which crosses midnight.
            self.assertEqual(rows[0]["sum"], 12.5 + 61 + 7)

    def test_times_in_rows_can_be_subtracted_across_a_change_of_clocks(self) -> None:
        row = self.store(handmade()).stats("steps", from_="2024-03-31", to="2024-04-01",
                                           frame="rows")[0]
        self.assertEqual(row["end"] - row["start"], datetime.timedelta(hours=23))

    def test_the_repeated_hour_has_two_rows(self) -> None:
        for kind in self.kinds():
            rows = records(self.store(handmade()).stats(
                "steps", by="hour", from_="2024-10-27", frame=kind))
            self.assertEqual([(row["start"].isoformat(), row["sum"]) for row in rows], [
                ("2024-10-27T02:00:00+02:00", 11), ("2024-10-27T02:00:00+01:00", 13)])

    def test_another_zone_moves_days(self) -> None:
        zone = "Pacific/Kiritimati"
        found = answer(handmade(), "stats", "steps", "--time-zone", zone)["buckets"]
        for kind in self.kinds():
            rows = records(
                self.store(handmade(), time_zone=zone).stats("steps", frame=kind))
            self.assertEqual(
                [(str(row["day"])[:10], row["sum"], row["zone"]) for row in rows],
                [(bucket["start"][:10], bucket["sum"], zone) for bucket in found])
            self.assertEqual(rows[0]["start"].isoformat(), found[0]["start"])

    def test_an_aware_time_is_that_moment_and_a_naive_one_the_stores_clock(self) -> None:
        store = self.store(handmade())
        zone = datetime.timezone(datetime.timedelta(hours=-8))
        # 00:05 in Berlin, in both ways.
        aware = datetime.datetime(2024, 3, 30, 15, 5, tzinfo=zone)
        naive = datetime.datetime(2024, 3, 31, 0, 5)
        sums = [
            store.stats("steps", by="total", from_=start, to="2024-03-31T00:10", frame="rows")
            for start in (aware, naive)]
        self.assertEqual(sums[0], sums[1])
        self.assertEqual(sums[0][0]["sum"], 6.25)
        days = store.stats(
            "steps", from_=datetime.date(2024, 4, 3), to=datetime.date(2024, 4, 4), frame="rows")
        self.assertEqual([row["sum"] for row in days], [100])
