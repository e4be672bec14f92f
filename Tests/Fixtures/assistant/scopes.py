"""What the options of `openhealth mcp` hide: python3 scopes.py COMMAND STORE

The store has steps, heart rate, weight and sleep on 30 and 31 March 2024 in Berlin.
"""
import json
import sys

from connection import Connection, Refused

COMMAND, STORE = sys.argv[1:3]
SINGLE = {"samples", "uuid", "fellAsleep", "wokeUp"}


def connect(*options):
    link = Connection(COMMAND, STORE, *options)
    result = link.initialize()
    return link, result["instructions"]


def refused(link, tool, **arguments):
    try:
        answer = link.call(tool, arguments)
    except Refused as refusal:
        return str(refusal)
    raise AssertionError((tool, arguments, answer))


def ask_everything(link):
    """Returns all answers as one text, with the tools that were refused."""
    texts, refusals = [], set()
    for tool in ["summary", "total", "series", "compare", "records", "explain", "sleep",
                 "workouts", "sources", "data_quality", "types", "samples"]:
        for kind in ["stepCount", "heartRate", "bodyMass", "sleepAnalysis"]:
            arguments = {}
            if tool in ["total", "series", "compare", "records", "explain", "samples"]:
                arguments["type"] = kind
            if tool in ["total", "series", "records", "sleep", "workouts", "samples"]:
                arguments["period"] = "all"
            if tool == "explain":
                arguments["day"] = "2024-03-30"
            if tool == "compare":
                arguments.update({"period": "2024-03-31", "with": "2024-03-30"})
            if tool == "summary":
                arguments["period"] = "2024-03-30"
            try:
                texts.append(json.dumps(link.call(tool, arguments), ensure_ascii=False))
            except Refused as refusal:
                texts.append(str(refusal))
                refusals.add((tool, kind))
    return "\n".join(texts), refusals


# Everything.
link, instructions = connect()
assert "limited" not in instructions
everything, refusals = ask_everything(link)
steps = link.call("total", {"type": "steps", "period": "all"})["value"]
first = link.call("total", {"type": "steps", "period": "2024-03-30"})["value"]
types = {entry["type"] for entry in link.call("types")["types"]}
assert {"stepCount", "heartRate", "bodyMass", "sleepAnalysis"} <= types, types
assert link.end() == 0

# Some types.
link, instructions = connect("--types", "steps,weight")
assert "only these types are shared: bodyMass and stepCount" in instructions, instructions
assert {entry["type"] for entry in link.call("types")["types"]} == {"stepCount", "bodyMass"}
assert link.call("total", {"type": "steps", "period": "all"})["value"] == steps
for tool in ["total", "series", "records", "samples"]:
    words = refused(link, tool, type="heartRate", period="all")
    assert "not shared" in words and "bodyMass and stepCount" in words, words
assert "not shared" in refused(link, "sleep", period="all")
assert "not shared" in refused(link, "workouts", period="all")
assert "not shared" in refused(link, "sources", type="heartRate")
page = link.call("summary", {"period": "2024-03-30"})
assert page["night"] is None and page["workouts"] == 0
assert {metric["type"] for metric in page["metrics"]} <= {"stepCount", "bodyMass"}
hidden, _ = ask_everything(link)
assert "heart rate" not in hidden.replace("heartRate is not shared", ""), hidden
resource = link.request("resources/read", {"uri": "health://types"})["result"]["contents"][0]
assert "heartRate" not in resource["text"]
assert link.end() == 0

# From a day on.
link, instructions = connect("--since", "2024-03-31")
assert "nothing before 2024-03-31" in instructions
answer = link.call("total", {"type": "steps", "period": "2024-03-30"})
assert answer["value"] is None and answer["reason"].startswith("Not shared"), answer
answer = link.call("total", {"type": "steps", "period": "2024-03"})
# A sample that began before midnight is hidden whole, also its part after midnight.
assert 0 < answer["value"] <= steps - first, (answer, steps, first)
assert any("2024-03-31" in note for note in answer["notes"])
answer = link.call("explain", {"type": "steps", "day": "2024-03-30"})
assert answer["value"] is None and answer["sources"] == []
for tool in ["series", "samples"]:
    answer = link.call(tool, {"type": "steps", "period": "all"})
    rows = answer.get("buckets", answer.get("samples"))
    assert rows and all(row["start"] >= "2024-03-31" for row in rows)
assert all(row["start"] >= "2024-03-31" for row in link.call("sleep", {"period": "all"})["rows"])
page = link.call("summary", {"period": "2024-03-30"})
assert all(metric["value"] is None for metric in page["metrics"]) and page["night"] is None
assert all(entry["firstDay"] >= "2024-03-31" for entry in link.call("types")["types"]
           if entry["type"] != "activitySummary")
assert link.end() == 0

# No single samples.
link, instructions = connect("--aggregated-only")
assert "no single samples" in instructions
assert "only totals" in refused(link, "samples", type="steps", period="all")
assert "whole days" in refused(link, "series", type="steps", period="all", by="hour")
assert link.call("total", {"type": "steps", "period": "all"})["value"] == steps
nights = link.call("sleep", {"period": "all"})["rows"]
assert nights and not any("fellAsleep" in night or "wokeUp" in night for night in nights)
assert link.call("workouts", {"period": "all"})["workouts"] == []
text, _ = ask_everything(link)
assert "T0" not in text.replace("Truncated", "") and "T1" not in text, "a time of day"
assert link.end() == 0

# A cursor of another scope.
wide, _ = connect()
cursor = wide.call("samples", {"type": "steps", "period": "all", "limit": 1})["nextCursor"]
narrow, _ = connect("--types", "steps")
assert "cursor" in refused(narrow, "samples", type="steps", period="all", limit=1, cursor=cursor)
assert "cursor" in refused(wide, "samples", type="steps", period="all", limit=2, cursor=cursor)
assert wide.call("samples", {"type": "steps", "period": "all", "limit": 1, "cursor": cursor})
assert wide.end() == 0 and narrow.end() == 0
print("ok")
