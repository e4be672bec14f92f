"""Compares a store with healthkit-to-sqlite's file of the same export, by counts and sums.

    compare_imports.py STORE PEER

Prints {"total": rows of records in PEER, "workouts": n, "activitySummaries": n,
"types": {"StepCount": {"ours": n, "theirs": n, "equalSums": bool or null}}}. Sums are exact
(math.fsum), so order and rounding have no effect. "equalSums" is null if the type has no values to
add or if the counts differ.
"""

import json
import math
import sqlite3
import sys


def opened(path):
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def short(identifier):
    """Returns healthkit-to-sqlite's table name for a type, without the leading r."""
    return identifier.replace("HKQuantityTypeIdentifier", "").replace(
        "HKCategoryTypeIdentifier", ""
    )


store, peer = opened(sys.argv[1]), opened(sys.argv[2])
tables = {row[0] for row in peer.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
others = {"workouts", "workout_points", "activity_summary"}


def rows(table):
    return peer.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] if table in tables else 0


ours = {
    identifier: (code, count)
    for identifier, code, count in store.execute(
        "SELECT type.identifier, type.code, count(*) FROM sample"
        " JOIN type ON type.code = sample.type GROUP BY type.code"
    )
    if identifier.startswith(("HKQuantityType", "HKCategoryType", "HKDataType"))
}
codes = {short(identifier): found for identifier, found in ours.items()}
types = {}
for name in sorted(codes.keys() | {table[1:] for table in tables - others}):
    code, count = codes.get(name, (None, 0))
    theirs = rows("r" + name)
    equal = None
    if count == theirs and f"HKQuantityTypeIdentifier{name}" in ours:
        mine = store.execute("SELECT value FROM sample WHERE type = ?", (code,))
        other = peer.execute(f'SELECT value FROM "r{name}"')
        equal = math.fsum(row[0] for row in mine) == math.fsum(float(row[0]) for row in other)
    types[name] = {"ours": count, "theirs": theirs, "equalSums": equal}
json.dump(
    {
        "total": sum(rows(table) for table in tables - others),
        "workouts": rows("workouts"),
        "activitySummaries": rows("activity_summary"),
        "types": types,
    },
    sys.stdout,
)
