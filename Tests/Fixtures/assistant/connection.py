"""A connection to `openhealth mcp` over real pipes, with the standard library only."""
import json
import os
import select
import signal
import subprocess
import time

LEGACY = ["2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}


class Connection:
    def __init__(self, command, store, *options):
        self.process = subprocess.Popen(
            [command, "mcp", "--store", store, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.buffer = b""
        self.next = 0

    def write(self, text):
        self.process.stdin.write(text if isinstance(text, bytes) else text.encode())
        self.process.stdin.flush()

    def send(self, message):
        self.write(json.dumps(message) + "\n")

    def read(self, timeout=60):
        """Returns the next message. Every byte on standard output must be part of one."""
        end = time.monotonic() + timeout
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], end - time.monotonic())
            assert ready, "no answer within %s s" % timeout
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            assert data, "standard output ended: " + self.process.stderr.read().decode()
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        message = json.loads(line)
        assert isinstance(message, dict) and message["jsonrpc"] == "2.0", line
        assert ("result" in message) != ("error" in message), line
        return message

    def silent(self, seconds=0.3):
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        return not ready and not self.buffer

    def request(self, method, params=None, identifier=None, **extra):
        if identifier is None:
            self.next += 1
            identifier = self.next
        message = {"jsonrpc": "2.0", "id": identifier, "method": method, **extra}
        if params is not None:
            message["params"] = params
        self.send(message)
        answer = self.read()
        assert answer["id"] == identifier, (answer, identifier)
        return answer

    def modern(self, method, params=None, **meta):
        return self.request(method, {**(params or {}), "_meta": {**META, **meta}})

    def initialize(self, version=LEGACY[1]):
        answer = self.request("initialize", {
            "protocolVersion": version, "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer["result"]

    def call(self, tool, arguments=None):
        """Returns the structured content of a call of the handshake era."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments or {}})["result"]
        if result.get("isError"):
            raise Refused(result["content"][0]["text"])
        return result["structuredContent"]

    def end(self):
        """Closes the input and returns the exit status."""
        self.process.stdin.close()
        status = self.process.wait(60)
        assert self.buffer + self.process.stdout.read() == b"", "output after the last answer"
        return status

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


class Refused(Exception):
    pass


def code(answer):
    return answer["error"]["code"]
