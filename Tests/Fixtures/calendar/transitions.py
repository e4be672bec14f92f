#!/usr/bin/env python3
"""Prints the offset changes of time zones from 1970 to 2050, according to Python's zoneinfo.

    transitions.py NAME …         "all" for every name in zoneinfo

The output is an independent reference for the rules of local time. It is computed from the same
files as Foundation on Linux and isn't stored, so the release of the time zone database doesn't
matter. Each line is a change, with columns separated by tabs. Times are seconds since
2001-01-01T00:00:00Z; local times are seconds since 2001-01-01T00:00:00 local time:

  zone, time of the change, offset before, offset after,
  days        date=start, in order, for the dates around the change. A date that the zone skipped
              starts with the next date.
  local times local time=times, separated by commas: none for a missing local time, two for a
              repeated one
"""
import sys
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo, available_timezones

UTC = timezone.utc
EPOCH = datetime(2001, 1, 1, tzinfo=UTC)
NAIVE = datetime(2001, 1, 1)
FIRST, LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2051, 1, 1, tzinfo=UTC)
# No zone changes its offset twice within three and a half days.
STRIDE = timedelta(days=2)


def seconds(moment: datetime) -> int:
    return int((moment - EPOCH).total_seconds())


def offset(zone: ZoneInfo, moment: datetime) -> timedelta:
    return moment.astimezone(zone).utcoffset()


def changes(zone: ZoneInfo) -> list[datetime]:
    """Returns the times at which the offset changes."""
    found, low = [], FIRST
    while low < LAST:
        high = low + STRIDE
        if offset(zone, low) != offset(zone, high):
            before, after = low, high
            while after - before > timedelta(seconds=1):
                middle = before + timedelta(seconds=int((after - before).total_seconds()) // 2)
                if offset(zone, middle) == offset(zone, low):
                    before = middle
                else:
                    after = middle
            found.append(after)
        low = high
    return found


def moments(zone: ZoneInfo, local: datetime) -> list[datetime]:
    """Returns the times with a given local time, for both folds if both convert back."""
    both = {local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return sorted(m for m in both if m.astimezone(zone).replace(tzinfo=None) == local)


def lines(name: str):
    zone = ZoneInfo(name)
    for change in changes(zone):
        before = offset(zone, change - timedelta(seconds=1))
        after = offset(zone, change)
        old, new = (change.replace(tzinfo=None) + each for each in (before, after))
        low, high = min(old, new), max(old, new)

        def first(day: date) -> int:
            found = moments(zone, datetime(day.year, day.month, day.day))
            return seconds(found[0] if found else change)

        day, days = low.date() - timedelta(days=2), []
        while day <= high.date() + timedelta(days=3):
            days.append(f"{day}={first(day)}")
            day += timedelta(days=1)
        second, times = timedelta(seconds=1), []
        for local in [low - second, low, low + (high - low) / 2, high - second, high]:
            local = local.replace(microsecond=0)
            found = ",".join(str(seconds(m)) for m in moments(zone, local))
            times.append(f"{int((local - NAIVE).total_seconds())}={found}")
        yield "\t".join(
            [name, str(seconds(change)), str(int(before.total_seconds())),
             str(int(after.total_seconds())), " ".join(days), " ".join(times)])


def main() -> None:
    names = sys.argv[1:]
    known = available_timezones()
    for name in sorted(known if names == ["all"] else known & set(names)):
        for line in lines(name):
            print(line)


if __name__ == "__main__":
    main()
