"""Answers of `openhealth mcp` beside those of the command: python3 answers.py COMMAND STORE ZONE

The numbers of each tool equal those of the subcommand of its name, over all pages.
"""
import json
import subprocess
import sys

from connection import Connection, Refused

COMMAND, STORE, ZONE = sys.argv[1:4]


def command(*arguments):
    run = subprocess.run(
        [COMMAND, *arguments, "--store", STORE, "--time-zone", ZONE, "--json"],
        capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


LINK = Connection(COMMAND, STORE, "--time-zone", ZONE)
LINK.initialize()


def pages(tool, rows, **arguments):
    """Returns the rows of all pages, and the number of pages."""
    found, count, cursor = [], 0, {}
    while True:
        answer = LINK.call(tool, {**arguments, **cursor})
        assert len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()) <= 8000
        found += answer[rows]
        count += 1
        assert answer["truncated"] == ("nextCursor" in answer)
        if "rowCount" in answer:
            assert answer["truncated"] == (len(found) < answer["rowCount"])
        if not answer["truncated"]:
            return found, count
        assert answer[rows] and answer["more"].startswith("Truncated")
        cursor = {"cursor": answer["nextCursor"]}


def value(bucket):
    if "sum" in bucket:
        return bucket["sum"]
    if "average" in bucket:
        return bucket["average"]
    return sum(bucket["seconds"].values()) if bucket["count"] else None


compared = 0
truncated = 0
types = command("types")["types"]
listed, _ = pages("types", "types")
assert [entry["samples"] for entry in listed] == [entry["samples"] for entry in types]
for entry in types:
    name = entry["type"]
    sources, _ = pages("sources", "sources", type=name)
    assert [(s["samples"], s["excluded"]) for s in sources] == [
        (s["samples"], s["excluded"]) for s in command("sources", name)["sources"]], name
    try:
        LINK.call("total", {"type": name, "period": "all"})
    except Refused:
        continue
    for by in ["day", "week", "month", "year"]:
        expected = command("stats", name, "--by", by)["buckets"]
        expected = [(b["start"][:10], value(b)) for b in expected if value(b) is not None]
        rows, count = pages("series", "buckets", type=name, period="all", by=by)
        assert [(row["start"], row["value"]) for row in rows] == expected, (name, by)
        truncated += count > 1
        compared += len(rows)
        best = LINK.call("records", {"type": name, "by": by, "count": 3})["records"]
        top = sorted(expected, key=lambda row: (-row[1], row[0]))[:3]
        assert [(row["firstDay"], row["value"]) for row in best] == top, (name, by)
    expected = command("stats", name, "--by", "total")["buckets"]
    total = LINK.call("total", {"type": name, "period": "all"})
    assert total["value"] == (value(expected[0]) if expected else None), name
    assert (total["value"] is None) == ("reason" in total)
    days, _ = pages("series", "buckets", type=name, period="all")
    for day in [days[0], days[len(days) // 2], days[-1]] if days else []:
        day = day["start"]
        one = LINK.call("total", {"type": name, "period": day})
        row = [row for row in days if row["start"] == day][0]
        assert one["value"] == row["value"], (name, day)
        try:
            explained = LINK.call("explain", {"type": name, "day": day})
        except Refused:
            continue
        reference = command("explain", name, "--day", day)
        assert explained["recorded"] == reference["naive"]
        assert [(s["counted"], s["duplicates"]) for s in explained["sources"]] == [
            (s["contributed"], s["setAside"]) for s in reference["sources"]], (name, day)
        if explained["value"] is not None and "appleTotal" not in explained:
            assert explained["value"] == reference["merged"] == row["value"]

for by in ["day", "week", "month", "year"]:
    expected = command("stats", "sleepAnalysis", "--by", by)["buckets"]
    rows, _ = pages("sleep", "rows", period="all", by=by)
    assert [(r["start"], r["nights"], r["asleep"], r["inBed"], r["stages"], r["naps"]) for r in rows] \
        == [(b["start"][:10], b["nights"], b["asleep"], b["inBed"], b["seconds"], b["naps"])
            for b in expected], by
    compared += len(rows)
    nights = sum(b["nights"] - b["nightsAsleepUnknown"] for b in expected)
    asleep = LINK.call("sleep", {"period": "all", "by": by})
    assert asleep["nightsWithSleep"] == nights
    if nights:
        average = sum(b["asleep"] or 0 for b in expected) / nights
        assert abs(asleep["value"] - average) < 1e-6

    if by != "day":
        assert not any("fellAsleep" in row for row in rows)
        continue
    for row in rows[-20:]:
        parts = command("explain", "sleepAnalysis", "--day", row["start"])["segments"]
        parts = [part for part in parts if part["stage"].startswith("asleep")]
        times = (parts[0]["start"], max(part["end"] for part in parts)) if parts else (None, None)
        assert (row.get("fellAsleep"), row.get("wokeUp")) == times, row["start"]

for month in ["2024-03", "2024-05", "2026-11"]:
    for metric in LINK.call("summary", {"period": month})["metrics"]:
        assert " in the month from " in metric.get("latest", " in the month from "), metric["type"]

expected = command("workouts")["workouts"]
rows, _ = pages("workouts", "workouts", period="all")
keys = ["start", "activity", "duration", "energy", "distance", "source"]
order = sorted(expected, key=lambda row: row["start"])
if rows:
    assert sorted([[row[key] for key in keys[:5]] for row in rows], key=str) == \
        sorted([[row[key] for key in keys[:5]] for row in expected], key=str)
    assert [row["start"] for row in rows] == [row["start"] for row in reversed(order)]
compared += len(rows)
assert LINK.call("workouts", {"period": "all"})["value"] == len(expected)

for entry in types:
    if entry["type"].endswith(("StepCount", "BodyMass", "SleepAnalysis", "HeartRate")):
        expected = command("samples", entry["type"], "--limit", "250")["samples"]
        rows, cursor = [], {}
        while len(rows) < len(expected):
            answer = LINK.call(
                "samples", {"type": entry["type"], "period": "all", "limit": 100, **cursor})
            rows += answer["samples"]
            cursor = {"cursor": answer.get("nextCursor", "")}
        keys = ["start", "end", "value", "unit"]
        assert [[row[key] for key in keys] for row in rows[:len(expected)]] == \
            [[row.get(key) for key in keys] for row in expected], entry
        compared += len(expected)

days, _ = pages("series", "buckets", type="stepCount", period="all")
for row in days[-3:]:
    page = command("summary", "--day", row["start"])
    answer = LINK.call("summary", {"period": row["start"]})
    assert answer["text"] == page["sentence"]
    assert [metric["value"] for metric in answer["metrics"]] == [
        tile.get("value") for tile in page["tiles"]]
    compared += len(answer["metrics"])

assert LINK.end() == 0
print(json.dumps({"compared": compared, "truncated": truncated}))
