#!/usr/bin/env python3
"""Prints the days, weeks, months, years and nights of time zones from 1970 to 2050.

    local_calendar.py NAME …      "all" for every name in zoneinfo

An independent implementation of Semantics §5.4 and §10.7e, written from their text. It reads time
zones with zoneinfo, from the same files as Foundation on Linux. Only the standard library is used.

Each line is a zone, with columns separated by tabs. Times are seconds since 2001-01-01T00:00:00Z,
days are numbers since 2001-01-01. Long lists are written as runs: the first number, then each
difference with its count, so that 0 86400 172800 172801 is "0 86400*2 1*1".

  zone            the name
  changes         the times at which the offset changes
  skipped         the dates that the zone skipped
  day, week-monday, week-sunday, month, year
                  the times at which these begin
  noon            the noon of each day that exists: one night ends there and the next begins
  sleep-18        the days of sleeps around each change, with days cut at 18:00: for each hour from
                  26 before to 26 after the change, a second before it and at it
  sleep-4         the same, with days cut at 4:00
"""
import bisect
import itertools
import sys
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo, available_timezones

DAY = 86_400
# 2001-01-01T00:00:00Z in seconds since 1970.
POSIX = int(datetime(2001, 1, 1, tzinfo=timezone.utc).timestamp())
FIRST, LAST = date(1970, 1, 1), date(2051, 1, 1)
HOURS = range(-26, 27)


def day_number(day):
    return (day - date(2001, 1, 1)).days


# The dates with a margin of ten days for lookups around the first and the last change, and the
# position of those that are printed.
DATES = [FIRST + timedelta(days=n) for n in range(-10, (LAST - FIRST).days + 10)]
PRINTED = range(10, len(DATES) - 10)
NUMBERS = [day_number(day) for day in DATES]
# For each column, the positions of the dates on which a day, week, month or year begins.
BEGINNINGS = [
    [n for n in PRINTED if is_first(DATES[n])]
    for is_first in (
        lambda day: True,
        lambda day: day.weekday() == 0,
        lambda day: day.weekday() == 6,
        lambda day: day.day == 1,
        lambda day: (day.month, day.day) == (1, 1),
    )
]


def offset(zone, time):
    """Returns the seconds east of UTC at a time."""
    found = datetime.fromtimestamp(time + POSIX, zone).utcoffset()
    return found.days * DAY + found.seconds


def segments(zone):
    """Returns (start, end, offset) for each span of a constant offset, with a margin of 20 days.

    A change that is reverted within a day would be missed. There is none.
    """
    begin = (day_number(FIRST) - 20) * DAY
    end = (day_number(LAST) + 20) * DAY
    found, start, now = [], begin, offset(zone, begin)
    for high in range(begin + DAY, end + 1, DAY):
        new = offset(zone, high)
        if new != now:
            before, after = high - DAY, high
            while after - before > 1:
                middle = (before + after) // 2
                if offset(zone, middle) == now:
                    before = middle
                else:
                    after = middle
            found.append((start, after, now))
            start, now = after, offset(zone, after)
            assert now == new, f"{zone}: two changes within a day of {after}"
    return found + [(start, end, now)]


def first_times(spans, readings):
    """Returns, for ascending local times, when clocks first show each of them or a later one.

    Within a span, clocks show `reading` at `reading - offset`. If that is before the span, the span
    begins with a later local time.
    """
    times, index = [], 0
    for reading in readings:
        while reading - spans[index][2] >= spans[index][1]:
            index += 1
        times.append(max(spans[index][0], reading - spans[index][2]))
    return times


def runs(numbers):
    """Returns a list as its first number and its differences with their counts."""
    if not numbers:
        return ""
    steps = itertools.groupby(after - before for before, after in zip(numbers, numbers[1:]))
    return " ".join(
        [str(numbers[0])] + [f"{step}*{len(list(same))}" for step, same in steps])


class LocalCalendar:
    """The calendar of one zone."""

    def __init__(self, name):
        self.name = name
        self.spans = segments(ZoneInfo(name))
        self.span_starts = [start for start, _, _ in self.spans]
        self.starts = first_times(self.spans, [number * DAY for number in NUMBERS])
        # A date that was skipped would begin together with the next one.
        exists = [start != after for start, after in zip(self.starts, self.starts[1:] + [None])]
        self.existing = {number for number, is_there in zip(NUMBERS, exists) if is_there}
        self.skipped = [DATES[n] for n in PRINTED if not exists[n]]
        self.noons = first_times(
            self.spans, [NUMBERS[n] * DAY + DAY // 2 for n in PRINTED if exists[n]])

    def changes(self):
        low, high = day_number(FIRST) * DAY, day_number(LAST) * DAY
        return [start for start in self.span_starts[1:] if low <= start < high]

    def borders(self, beginnings):
        """Returns when the days, weeks, months or years begin whose first dates are given.

        If such a date was skipped, its start is already that of the next day.
        """
        return sorted({self.starts[n] for n in beginnings})

    def reading(self, time):
        """Returns the local time at a time, in seconds."""
        return time + self.spans[bisect.bisect_right(self.span_starts, time) - 1][2]

    def sleep_day(self, reading, cut):
        """Returns the day of a sleep whose middle has a local time."""
        day, hour = reading // DAY, reading % DAY // 3600
        if cut >= 12:
            return self.neighbour(day, 1) if hour >= cut else day
        return self.neighbour(day, -1) if hour < cut else day

    def neighbour(self, day, step):
        day += step
        while day not in self.existing:
            day += step
        return day

    def sleep_days(self, cut):
        return [
            self.sleep_day(self.reading(change + hour * 3600 + second), cut)
            for change in self.changes() for hour in HOURS for second in (-1, 0)]

    def line(self):
        columns = [self.name, " ".join(map(str, self.changes())), " ".join(map(str, self.skipped))]
        columns += [runs(self.borders(beginnings)) for beginnings in BEGINNINGS]
        columns += [runs(self.noons)] + [runs(self.sleep_days(cut)) for cut in (18, 4)]
        return "\t".join(columns)


def main():
    names = sys.argv[1:]
    known = available_timezones()
    for name in sorted(known if names == ["all"] else known & set(names)):
        print(LocalCalendar(name).line())


if __name__ == "__main__":
    main()
