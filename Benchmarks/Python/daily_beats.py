"""The timed query of DuckDB, on one thread and in memory: the average heart rate of each day.

    daily_beats.py STORE ZONE

Loads the rows of a store, each with the local day on which it starts, so that DuckDB needs no
calendar. Prints one line of JSON, [{"count": n, "sum": s, "least": l, "most": m}, …] by day. Then,
for each input line, it prints the wall time and the processor time of the query in seconds, with
all rows of the result fetched.
"""

import json
import sqlite3
import sys
import tempfile
import time
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import duckdb

store = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
zone = ZoneInfo(sys.argv[2])
EPOCH = datetime(2001, 1, 1, tzinfo=timezone.utc)


def midnight(date):
    """Returns the start of a local day in seconds since 2001."""
    return (datetime(date.year, date.month, date.day, tzinfo=zone) - EPOCH).total_seconds()


database = duckdb.connect()
database.execute("SET threads = 1")
with tempfile.NamedTemporaryFile("w", suffix=".csv") as text:
    day, last = None, float("-inf")
    for start, value in store.execute(
        "SELECT start_time, value FROM sample JOIN type ON type.code = sample.type"
        " WHERE type.identifier = 'HKQuantityTypeIdentifierHeartRate' ORDER BY start_time, key"
    ):
        if start >= last:
            day = (EPOCH + timedelta(seconds=start)).astimezone(zone).date()
            last = midnight(day + timedelta(days=1))
        text.write(f"{day},{start!r},{value!r}\n")
    text.flush()
    database.execute(
        f"CREATE TABLE beat AS SELECT * FROM read_csv('{text.name}', header = false,"
        " names = ['day', 'start', 'value'], types = ['DATE', 'DOUBLE', 'DOUBLE'])"
    )
days = database.execute(
    "SELECT count(*), sum(value), min(value), max(value) FROM beat GROUP BY day ORDER BY day"
).fetchall()
print(json.dumps([dict(zip(("count", "sum", "least", "most"), row)) for row in days]), flush=True)
query = "SELECT day, avg(value) FROM beat GROUP BY day ORDER BY day"
for _ in sys.stdin:
    start, used = time.perf_counter(), time.process_time()
    database.execute(query).fetchall()
    print(time.perf_counter() - start, time.process_time() - used, flush=True)
