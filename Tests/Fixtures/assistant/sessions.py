"""Scripted sessions with `openhealth mcp`: python3 sessions.py COMMAND STORE

Each function is one session. Expectations come from the three versions of the protocol.
"""
import json
import sys

from connection import LEGACY, META, MODERN, Connection, Refused, code

COMMAND, STORE = sys.argv[1:3]
CACHED = {"ttlMs", "cacheScope"}


def connect(*options):
    return Connection(COMMAND, STORE, *options)


def handshakes():
    for version in LEGACY:
        link = connect()
        result = link.initialize(version)
        assert result["protocolVersion"] == version, result
        assert result["serverInfo"]["name"] and result["serverInfo"]["version"]
        assert set(result["capabilities"]) == {"tools", "resources"}
        assert link.request("ping")["result"] == {}
        tools = link.request("tools/list", {})["result"]
        assert len(tools["tools"]) == 12 and "nextCursor" not in tools
        assert not CACHED & set(tools) and "resultType" not in tools
        result = link.request("tools/call", {"name": "total", "arguments": {"type": "steps"}})
        result = result["result"]
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        assert result["isError"] is False and "resultType" not in result
        assert link.request("resources/list")["result"]["resources"]
        assert link.request("resources/templates/list")["result"] == {"resourceTemplates": []}
        read = link.request("resources/read", {"uri": "health://types"})["result"]
        assert json.loads(read["contents"][0]["text"])["types"]
        missing = link.request("resources/read", {"uri": "file:///etc/passwd"})
        assert code(missing) == -32002 and missing["error"]["data"]["uri"]
        for method in ["server/discover", "logging/setLevel", "prompts/list", "nonsense",
                       "completion/complete", "resources/subscribe", "sampling/createMessage"]:
            assert code(link.request(method, {})) == -32601, method
        assert link.end() == 0


def versions():
    for asked in ["2024-11-05", "2031-01-01", MODERN, ""]:
        link = connect()
        assert link.initialize(asked)["protocolVersion"] == "2025-11-25"
        assert link.end() == 0


def stateless():
    link = connect()
    found = link.modern("server/discover")["result"]
    assert found["supportedVersions"] == [MODERN, "2025-11-25", "2025-06-18"]
    assert found["resultType"] == "complete" and found["ttlMs"] >= 0
    assert found["cacheScope"] == "private"
    assert found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"]
    for method in ["tools/list", "resources/list", "resources/templates/list"]:
        result = link.modern(method)["result"]
        assert result["resultType"] == "complete" and CACHED <= set(result), method
    result = link.modern("tools/call", {"name": "types"})["result"]
    assert result["resultType"] == "complete" and not CACHED & set(result)
    assert result["structuredContent"]["types"]
    read = link.modern("resources/read", {"uri": "health://summary"})["result"]
    assert read["ttlMs"] == 0 and CACHED <= set(read)
    assert code(link.modern("resources/read", {"uri": "health://nope"})) == -32602
    for method in ["ping", "logging/setLevel", "resources/subscribe", "subscriptions/listen"]:
        assert code(link.modern(method)) == -32601, method
    prefix = "io.modelcontextprotocol/"
    other = link.modern("tools/list", **{prefix + "protocolVersion": "2031-01-01"})["error"]
    assert other["code"] == -32022 and other["data"]["requested"] == "2031-01-01"
    assert other["data"]["supported"] == [MODERN]
    assert code(link.modern("tools/list", **{prefix + "protocolVersion": 7})) == -32602
    assert code(link.modern("tools/list", **{prefix + "clientCapabilities": None})) == -32602
    assert link.end() == 0


def beginning():
    """Before anything else, only ping and the two ways to begin have an answer."""
    link = connect()
    assert link.request("ping")["result"] == {}
    assert code(link.request("tools/list")) == -32602
    assert code(link.request("server/discover")) == -32602
    assert code(link.request("initialize", {})) == -32602
    # A client that probes falls back to the handshake after this.
    assert link.initialize()["protocolVersion"] == "2025-11-25"
    assert link.request("tools/list")["result"]["tools"]
    # Both eras in one process.
    assert link.modern("tools/list")["result"]["resultType"] == "complete"
    assert "resultType" not in link.request("tools/list")["result"]
    assert link.end() == 0


def hostile_lines():
    link = connect()
    link.initialize()
    for line, expected in [
        ("nonsense", -32700), ('{"jsonrpc":"2.0",', -32700), (b'"\xff\xfe"', -32700),
        ("[]", -32600), ('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600), ("7", -32600),
        ('{"id":1,"method":"ping"}', -32600), ('{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
        ('{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        ('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
        ('{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
        ('{"jsonrpc":"2.0","id":1}', -32600), ('{"jsonrpc":"2.0","id":1,"method":7}', -32600),
        ('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}', -32602),
        ('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}', -32602),
        ('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', -32602),
        ('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}', -32602),
        ('{"jsonrpc":"2.0","id":1,"method":"tools/call",'
         '"params":{"name":"types","arguments":[]}}', -32602),
        ('{"jsonrpc":"2.0","id":1,"method":"resources/read"}', -32602),
        ("[" * 100_000, -32600), ('{"a":' * 100_000, -32600),
    ]:
        link.write(line if isinstance(line, bytes) else line.encode())
        link.write("\n")
        answer = link.read()
        assert code(answer) == expected, (line[:80], answer)
    # Empty lines, Windows line ends, answers, unknown notifications: nothing comes back.
    link.write("\n \n\r\n")
    link.send({"jsonrpc": "2.0", "id": 99, "result": {}})
    link.send({"jsonrpc": "2.0", "method": "notifications/nonsense", "params": 7})
    link.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}})
    link.send({"jsonrpc": "2.0", "method": "notifications/cancelled"})
    assert link.silent()
    link.write('{"jsonrpc":"2.0","id":"é\\u0000\\ud83d\\ude00","method":"ping"}\r\n')
    assert link.read()["id"] == "é\0😀"
    assert link.request("ping", identifier=2**63 - 1)["result"] == {}
    assert link.request("ping", identifier="")["result"] == {}
    # A line over the limit is dropped, and the next one is answered.
    link.write(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"')
    for _ in range(17):
        link.write(b"a" * (1 << 20))
    link.write(b'"}}\n')
    assert code(link.read()) == -32600
    link.write(b'{"jsonrpc":"2.0","id":5,"method":"ping","params":{"x":"' + b"a" * (15 << 20)
               + b'"}}\n')
    assert link.read()["result"] == {}
    assert link.end() == 0


def refusals():
    """Arguments that can't be answered are results with isError, so that a model reads them."""
    link = connect()
    link.initialize()
    for tool, arguments, words in [
        ("total", {}, "type is missing"), ("total", {"type": 7}, "must be a string"),
        ("total", {"type": "stepz"}, "Did you mean"),
        ("total", {"type": "steps", "period": "2025-02-30"}, "Unknown period"),
        ("total", {"type": "steps", "period": "2025-03 to 2025-01"}, "ends before"),
        ("total", {"type": "steps", "unit": "kg"}, "unit"),
        ("total", {"type": "sleepAnalysis"}, "tool sleep"),
        ("total", {"type": "steps", "sql": "DROP TABLE sample"}, "has no “sql”"),
        ("total", {"type": "x" * 100_000}, "too long"),
        ("series", {"type": "steps", "by": "minute"}, "must be one of"),
        ("series", {"type": "steps", "cursor": "1.2.3"}, "cursor"),
        ("records", {"type": "steps", "count": 1000}, "from 1 to 20"),
        ("explain", {"type": "heartRate", "day": "yesterday"}, "not summed"),
        ("explain", {"type": "steps", "day": "last week"}, "one day"),
        ("summary", {"period": "30d"}, "calendar week"),
        ("samples", {"type": "steps", "limit": 0}, "from 1 to 100"),
    ]:
        try:
            link.call(tool, arguments)
        except Refused as refusal:
            assert words in str(refusal), (tool, arguments, refusal)
            assert "--" not in str(refusal) and STORE not in str(refusal), refusal
        else:
            raise AssertionError((tool, arguments))
    assert link.end() == 0


def cancellation():
    link = connect()
    link.initialize()
    # All calls wait for the first one. The third is withdrawn before its turn.
    calls = "".join(
        json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {
            "name": "records", "arguments": {"type": "heartRate"}}}) + "\n"
        for number in range(1, 6))
    cancel = json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled",
                         "params": {"requestId": 5, "reason": "test"}}) + "\n"
    link.write(calls + cancel)
    assert [link.read()["id"] for _ in range(4)] == [1, 2, 3, 4]
    assert link.silent()
    # A ping is answered while a call runs.
    link.write(calls.replace('"id": ', '"id": 10'))
    assert link.request("ping", identifier="p")["result"] == {}
    for _ in range(5):
        link.read()
    # An id that isn't finished can't be used again.
    link.write(calls.splitlines()[0] + "\n" + calls.splitlines()[0] + "\n")
    answers = [link.read(), link.read()]
    assert sorted("error" in answer for answer in answers) == [False, True], answers
    assert link.end() == 0


def endings():
    link = connect()
    link.initialize()
    # The end of the input: what was asked is answered, then the process ends with 0.
    for number in range(200):
        link.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {
            "name": "total", "arguments": {"type": "steps", "period": "2024"}}})
    link.process.stdin.close()
    for number in range(200):
        assert link.read()["id"] == number
    assert link.process.wait(60) == 0
    # The last line without an end counts too.
    link = connect()
    link.write('{"jsonrpc":"2.0","id":1,"method":"ping"}')
    link.process.stdin.close()
    assert link.read()["id"] == 1 and link.process.wait(60) == 0
    # SIGTERM ends it with 0, also while it waits for a line.
    link = connect()
    link.initialize()
    assert link.terminate() == 0
    # A client that reads no more.
    link = connect()
    link.initialize()
    link.process.stdout.close()
    for number in range(50):
        try:
            link.send({"jsonrpc": "2.0", "id": number, "method": "tools/list"})
        except BrokenPipeError:
            break
    assert link.process.wait(60) == 0
    # Without a store there is nothing to serve, and nothing on standard output.
    link = Connection(COMMAND, STORE + ".missing")
    assert link.process.wait(60) == 1
    assert link.process.stdout.read() == b"" and b"no store" in link.process.stderr.read()


for session in [handshakes, versions, stateless, beginning, hostile_lines, refusals, cancellation,
                endings]:
    try:
        session()
    except BaseException:
        print("in", session.__name__, file=sys.stderr)
        raise
print("ok")
