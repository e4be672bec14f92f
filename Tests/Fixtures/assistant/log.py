"""The log of calls: python3 log.py COMMAND STORE"""
import json
import os
import stat
import subprocess
import sys

from connection import Connection, Refused

COMMAND, STORE = sys.argv[1:3]
PATH = STORE.removesuffix(".sqlite") + ".assistant.log"


def calls():
    run = subprocess.run([COMMAND, "mcp", "log", "--store", STORE, "--json"],
                         capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["calls"]


def text():
    run = subprocess.run([COMMAND, "mcp", "log", "--store", STORE],
                         capture_output=True, text=True, check=True)
    return run.stdout


assert calls() == [] and "No assistant" in text()
before = os.stat(STORE).st_mtime_ns
link = Connection(COMMAND, STORE)
assert calls() == []
link.initialize()
link.request("tools/list")
answer = link.call("total", {"type": "steps", "period": "2024-03-30"})
assert answer["value"]
try:
    link.call("total", {"type": "nonsense"})
except Refused:
    pass
link.request("resources/read", {"uri": "health://types"})
link.modern("tools/call", {"name": "types"})
long = {"type": "x" * 100_000, "more": [["y" * 1000] * 1000] * 3}
link.request("tools/call", {"name": "total", "arguments": long})
found = calls()
assert [(c["tool"], c["outcome"]) for c in found] == [
    ("total", "answered"), ("total", "refused"), ("health://types", "answered"),
    ("types", "answered"), ("total", "refused")], found
assert json.loads(found[0]["arguments"]) == {"period": "2024-03-30", "type": "steps"}
assert found[0]["client"] == "test 1" and found[0]["bytes"] == len(json.dumps(
    answer, ensure_ascii=False, separators=(",", ":")).encode())
assert all(len(c["arguments"]) <= 600 for c in found)
# No health value is in the log, and only its owner can read it.
log = open(PATH, encoding="utf-8").read()
assert str(answer["value"]) not in log and str(int(answer["value"])) not in log
assert stat.S_IMODE(os.stat(PATH).st_mode) == 0o600
assert "5 calls" in text() and "total" in text()
# A call that is not in the log is not answered.
os.rename(PATH, PATH + ".kept")
os.symlink("/dev/full", PATH)
try:
    link.call("total", {"type": "steps"})
    raise AssertionError("answered without the log")
except Refused as refusal:
    assert "log" in str(refusal)
os.remove(PATH)
os.rename(PATH + ".kept", PATH)
# Two servers write to one log, and it is rotated.
other = Connection(COMMAND, STORE)
other.initialize()
with open(PATH, "a", encoding="utf-8") as file:
    file.write("not a call\n" + "{}\n" * (360_000))
for number in range(20):
    (link, other)[number % 2].call("total", {"type": "steps", "period": "2024-03-30"})
assert os.path.getsize(PATH + ".1") > 1 << 20 and os.path.getsize(PATH) < 1 << 16
assert stat.S_IMODE(os.stat(PATH).st_mode) == 0o600
assert [c["tool"] for c in calls()].count("total") == 23, len(calls())
assert link.end() == 0 and other.end() == 0
# The store itself was only read.
assert os.stat(STORE).st_mtime_ns == before
# delete --everything leaves nothing behind.
subprocess.run([COMMAND, "delete", "--everything", "--yes", "--store", STORE],
               capture_output=True, check=True)
left = [name for name in os.listdir(os.path.dirname(STORE))
        if name.startswith(os.path.basename(STORE).removesuffix(".sqlite"))]
assert left == [], left
print("ok")
