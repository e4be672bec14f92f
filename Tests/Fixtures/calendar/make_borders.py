#!/usr/bin/env python3
"""Writes borders.tsv: the boundaries of calendar buckets according to Python's zoneinfo.

    python3 Tests/Fixtures/calendar/make_borders.py          rewrite borders.tsv
    python3 Tests/Fixtures/calendar/make_borders.py --check  fail if it is out of date

The file is an independent reference for Foundation's calendars. A row is zone, unit, from, to, and
boundaries in seconds since 2001-01-01T00:00:00Z. From and to are local dates and mean the start of
that date, which is not always midnight; to is exclusive. Units:

  hour                        hours of 3600 s, counted from the start of `from`
  day                         local dates; a date that a zone skipped has no bucket
  week-monday, week-sunday    whole weeks; the first and last bucket are clipped to from and to
  month, year                 whole months and years, clipped in the same way
  P2D, P1W, P1M, P3M, P1Y     multiples counted from `from`, not from the previous boundary:
                              31 January, 29 February, 31 March
  PT30M                       steps of this many minutes

The requests are those below and those of all scenarios in Tests/Scenarios/days. The buckets that a
scenario expects must have the same boundaries.
"""
import calendar
import pathlib
import re
import sys
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

HERE = pathlib.Path(__file__).resolve().parent
SCENARIOS = HERE.parent.parent / "Scenarios" / "days"
EPOCH = datetime(2001, 1, 1, tzinfo=timezone.utc)
QUARTER = timedelta(minutes=15)

REQUESTS = """
Europe/Berlin hour 2024-03-30 2024-04-02
Europe/Berlin hour 2024-10-26 2024-10-29
Europe/Berlin day 2023-12-25 2025-01-07
Europe/Berlin week-monday 2023-12-27 2025-01-10
Europe/Berlin week-sunday 2023-12-27 2025-01-10
Europe/Berlin month 2014-05-17 2027-02-03
Europe/Berlin year 1995-07-01 2037-03-01
Europe/Berlin P1M 2024-01-31 2024-12-31
Europe/Berlin P1Y 2024-02-29 2033-03-01
Europe/Berlin P2D 2024-03-27 2024-04-08
Europe/Berlin P1W 2024-10-02 2024-11-20
Europe/Berlin P3M 2023-11-30 2025-05-31
Europe/Berlin PT30M 2024-03-31 2024-04-01
Europe/London day 2024-10-20 2024-11-02
America/New_York day 2024-03-01 2024-03-20
America/New_York day 2024-10-28 2024-11-09
America/New_York hour 2024-03-10 2024-03-11
America/New_York hour 2024-11-03 2024-11-04
America/New_York week-sunday 2024-02-25 2024-11-17
America/New_York month 2006-10-01 2008-04-01
America/Los_Angeles year 2000-01-01 2030-01-01
Australia/Lord_Howe day 2024-04-03 2024-04-11
Australia/Lord_Howe day 2024-10-02 2024-10-10
Australia/Lord_Howe hour 2024-04-07 2024-04-08
Australia/Lord_Howe hour 2024-10-06 2024-10-07
Pacific/Apia day 2011-12-26 2012-01-04
Pacific/Apia week-monday 2011-12-12 2012-01-16
Pacific/Apia month 2011-10-01 2012-03-01
Pacific/Apia year 2010-01-01 2014-01-01
America/Sao_Paulo day 2018-11-01 2018-11-08
America/Sao_Paulo day 2018-02-14 2018-02-22
America/Sao_Paulo hour 2018-11-04 2018-11-05
America/Sao_Paulo week-sunday 2018-10-21 2018-11-25
America/Sao_Paulo P1M 2018-01-04 2019-01-04
Asia/Beirut day 2024-03-28 2024-04-03
Asia/Beirut day 2024-10-24 2024-10-30
Asia/Beirut week-sunday 2024-03-17 2024-04-14
Africa/Cairo day 2024-04-23 2024-04-29
Africa/Cairo day 2024-10-29 2024-11-04
America/Asuncion day 2023-09-28 2023-10-04
America/Havana day 2024-03-08 2024-03-13
America/Havana day 2024-11-01 2024-11-06
Africa/Casablanca day 2024-03-08 2024-03-13
Africa/Casablanca day 2024-04-12 2024-04-17
Antarctica/Troll day 2024-03-29 2024-04-03
Asia/Kathmandu hour 2024-06-01 2024-06-02
Asia/Kolkata day 2024-02-26 2024-03-03
Asia/Tehran day 2022-03-20 2022-03-25
Pacific/Kiritimati month 2024-01-01 2025-01-01
UTC day 2024-02-26 2024-03-03
UTC year 1999-01-01 2026-01-01
"""


def first_moment(zone: ZoneInfo, day: date) -> datetime:
    """Returns the earliest time whose local date is `day` or later. Offsets are quarter hours."""
    moment = datetime(day.year, day.month, day.day, tzinfo=timezone.utc) - timedelta(hours=18)
    while moment.astimezone(zone).date() < day:
        moment += QUARTER
    return moment


def month_later(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    length = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, length))


def begins(unit: str, day: date) -> bool:
    return {
        "day": True,
        "week-monday": day.weekday() == 0,
        "week-sunday": day.weekday() == 6,
        "month": day.day == 1,
        "year": day.day == 1 and day.month == 1,
    }[unit]


def border_dates(unit: str, start: date, end: date) -> list[date]:
    """Returns the local dates on which buckets begin, and the end."""
    step = re.fullmatch(r"P(\d+)([DWMY])", unit)
    dates = []
    if step:
        count, letter = int(step[1]), step[2]
        for n in range(100000):
            if letter in "DW":
                day = start + timedelta(days=n * count * (7 if letter == "W" else 1))
            else:
                day = month_later(start, n * count * (12 if letter == "Y" else 1))
            if day >= end:
                break
            dates.append(day)
    else:
        day = start
        while day < end:
            if day == start or begins(unit, day):
                dates.append(day)
            day += timedelta(days=1)
    return dates + [end]


def borders(name: str, unit: str, start: date, end: date) -> list[int]:
    zone = ZoneInfo(name)
    minutes = re.fullmatch(r"PT(\d+)M", unit)
    if unit == "hour" or minutes:
        length = timedelta(minutes=int(minutes[1])) if minutes else timedelta(hours=1)
        moments, last = [first_moment(zone, start)], first_moment(zone, end)
        while moments[-1] + length < last:
            moments.append(moments[-1] + length)
        moments.append(last)
    else:
        moments = [first_moment(zone, day) for day in border_dates(unit, start, end)]
    return sorted({int((moment - EPOCH).total_seconds()) for moment in moments})


def seconds(text: str) -> int:
    """Returns a time of a scenario, given in ISO 8601 with offset, in seconds since 2001."""
    return int((datetime.fromisoformat(text.replace("Z", "+00:00")) - EPOCH).total_seconds())


def scenario(path: pathlib.Path) -> tuple[list[str], list[int]]:
    """Returns a scenario's request and the boundaries it expects."""
    lines = [line.split("#")[0].split() for line in path.read_text().splitlines()]
    request = next(line for line in lines if line[:1] == ["buckets"])
    below = lines[[line[:1] == ["---"] for line in lines].index(True) + 1:]
    expected = {seconds(w) for line in below if line and line[0] != "won" for w in line[:2]}
    return [request[5], request[1], request[2], request[3]], sorted(expected)


def main() -> int:
    requests = [line.split() for line in REQUESTS.split("\n") if line]
    wrong = []
    for path in sorted(SCENARIOS.glob("*.txt")):
        request, expected = scenario(path)
        if request not in requests:
            requests.append(request)
        found = borders(*request[:2], *map(date.fromisoformat, request[2:]))
        if found != expected:
            wrong.append(f"{path.name}: expects {expected}, zoneinfo has {found}")
    rows = ["# Written by Tests/Fixtures/calendar/make_borders.py; see there for the columns."]
    for zone, unit, start, end in requests:
        found = borders(zone, unit, date.fromisoformat(start), date.fromisoformat(end))
        rows.append("\t".join([zone, unit, start, end, " ".join(map(str, found))]))
    text, file = "\n".join(rows) + "\n", HERE / "borders.tsv"
    for message in wrong:
        print(message, file=sys.stderr)
    if "--check" in sys.argv:
        if file.read_text() != text:
            wrong.append("")
            print("borders.tsv is not fresh", file=sys.stderr)
    else:
        file.write_text(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
