"""Random calls of `openhealth mcp`: python3 random_calls.py COMMAND STORE SEED COUNT [OPTION…]

No call is longer than the answer budget, fails unexpectedly, hangs, or answers something that its
output schema doesn't permit. Prints the numbers of answers and refusals.
"""
import json
import random
import sys

from connection import Connection

try:
    from jsonschema import Draft202012Validator
except ImportError:
    Draft202012Validator = None

COMMAND, STORE, SEED, COUNT = sys.argv[1:5]
RANDOM = random.Random(int(SEED))
LINK = Connection(COMMAND, STORE, *sys.argv[5:])
LINK.initialize()
TOOLS = LINK.request("tools/list")["result"]["tools"]
TYPES = ["steps", "heartRate", "bodyMass", "sleepAnalysis", "workout", "appleStandHour",
         "bloodPressure", "activeEnergyBurned", "oxygenSaturation", "HKQuantityTypeIdentifierHeight",
         "activitySummary", "food", "vo2Max", "walking"]
PERIODS = ["all", "today", "yesterday", "last week", "this year", "30d", "8w", "6m", "2y", "1000y",
           "2024", "2024-03", "2024-03-10", "2024-01 to 2024-03", "0001", "9999", "3999-12-31",
           "1900 to 2100", "0001-01-01 to 3999-12-31", "last tuesday", "999999d", "1000000y", "-5d"]
JUNK = ["", " ", "\0", "é" * 200, "9" * 400, "'; DROP TABLE sample; --", "../../etc/passwd", "%s%n",
        "\u202e\u2028", "😀", "NaN", "null", "1e999"]
UNITS = ["mi", "kJ", "count", "km", "lb", "%", "mmHg", "s", "x" * 50, "mmol<180>/L", "count/min"]


def text(name):
    if RANDOM.random() < 0.1:
        return RANDOM.choice(JUNK + PERIODS + TYPES)
    return RANDOM.choice(
        TYPES if name == "type" else UNITS if name == "unit" else PERIODS
        if name in ("period", "with", "day") else JUNK if name == "cursor" else TYPES + JUNK)


def argument(name, schema):
    if RANDOM.random() < 0.04:
        return RANDOM.choice([None, 0, -1, 1.5, True, [], {}, [[]], 2**70, "x"])
    if "enum" in schema:
        return RANDOM.choice(schema["enum"])
    if schema["type"] == "integer":
        return RANDOM.choice([schema["minimum"], schema["maximum"], 7, 0, 10**9])
    return text(name)


def arguments(tool):
    schema = tool["inputSchema"]
    found = {}
    for name, property in schema.get("properties", {}).items():
        wanted = 0.97 if name in schema.get("required", []) else 0.03 if name == "cursor" else 0.6
        if RANDOM.random() < wanted:
            found[name] = argument(name, property)
    if RANDOM.random() < 0.02:
        found[RANDOM.choice(["path", "sql", "url", "é"])] = "x"
    return found


answers = refusals = pages = 0
longest = 0
for number in range(int(COUNT)):
    tool = RANDOM.choice(TOOLS)
    asked = arguments(tool)
    for page in range(3):
        where = "seed %s, call %d, page %d: %s %s" % (SEED, number, page, tool["name"], asked)
        reply = LINK.request("tools/call", {"name": tool["name"], "arguments": asked})
        assert "result" in reply, (where, reply)
        result = reply["result"]
        if result["isError"]:
            assert len(result["content"][0]["text"]) > 10, where
            refusals += 1
            break
        answers += 1
        content = result["structuredContent"]
        size = len(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode())
        longest = max(longest, len(result["content"][0]["text"].encode()))
        assert longest <= 8000, (where, longest, size)
        if Draft202012Validator:
            Draft202012Validator(tool["outputSchema"]).validate(content)
        if "value" in content and content["value"] is None:
            assert content["reason"], where
        if not content.get("truncated"):
            break
        assert content["nextCursor"] and content["more"], where
        pages += 1
        cursor = content["nextCursor"]
        if RANDOM.random() < 0.3:
            # The numbers of a cursor can be changed, but not what it belongs to.
            parts = cursor.split(".")
            for place in range(3):
                if RANDOM.random() < 0.6:
                    parts[place] = RANDOM.choice(
                        ["0", "1", "-1", "1y2p0ij32e8e7", "-1y2p0ij32e8e8", "zz", "-zz"])
            cursor = ".".join(parts)
        asked = {**asked, "cursor": cursor}
assert LINK.end() == 0
print(json.dumps({"answers": answers, "refusals": refusals, "pages": pages, "longest": longest,
                  "validated": Draft202012Validator is not None}))
