"""Loads the step rows of a store into DuckDB, and prints their sums.

    make_steps.py STORE ZONE FILE.duckdb

The table `step` has each row's start, end, source and value, and the local day on which it starts,
so that DuckDB needs no calendar. Prints {"rows": n, "sources": {name: {"total": sum,
"days": {day: sum}}}}. Days are omitted if a row of the source crosses one of their midnights, so
that daily sums are comparable. Days follow Python's time zone data.
"""

import csv
import json
import os
import sqlite3
import sys
import tempfile
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import duckdb

path, zone, file = sys.argv[1], ZoneInfo(sys.argv[2]), sys.argv[3]
store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def local_day(seconds):
    """Returns the local day of a time in seconds since 2001."""
    return datetime.fromtimestamp(seconds + 978307200, timezone.utc).astimezone(zone).date()


if os.path.exists(file):
    os.remove(file)
database = duckdb.connect(file)
with tempfile.NamedTemporaryFile("w", suffix=".csv") as text:
    rows = csv.writer(text)
    for start, end, source, value in store.execute(
        "SELECT sample.start_time, sample.end_time, source.name, sample.value FROM sample"
        " JOIN type ON type.code = sample.type JOIN origin ON origin.id = sample.origin"
        " JOIN source ON source.id = origin.source"
        " WHERE type.identifier = 'HKQuantityTypeIdentifierStepCount'"
        " ORDER BY sample.start_time, sample.key"
    ):
        first, last = local_day(start), local_day(end)
        rows.writerow([start, end, first, last, source, value])
    text.flush()
    database.execute(
        f"CREATE TABLE step AS SELECT * FROM read_csv('{text.name}', header = false, names ="
        " ['start', 'stop', 'day', 'last_day', 'source', 'value'], types ="
        " ['DOUBLE', 'DOUBLE', 'DATE', 'DATE', 'VARCHAR', 'DOUBLE'])"
    )
answer = {}
for source, total in database.execute("SELECT source, sum(value) FROM step GROUP BY 1").fetchall():
    days = database.execute(
        "SELECT day, sum(value) FROM step WHERE source = $1 GROUP BY day HAVING day NOT IN"
        " (SELECT unnest([day, last_day]) FROM step WHERE source = $1 AND day <> last_day)",
        [source],
    ).fetchall()
    answer[source] = {"total": total, "days": {str(day): amount for day, amount in days}}
count = database.execute("SELECT count(*) FROM step").fetchone()[0]
database.close()
json.dump({"rows": count, "sources": answer}, sys.stdout)
